//! The first stage of re-ranking.

use stakes_core::cost::Problem;

use super::settings::GIVEN;
use crate::fit::{Checkpoint, FitContext, FitError, Flow, Round, Watch, train_within};
use crate::learner;
use crate::params::Settings;
use stakes_model::{Input, Model, Net};

/// The first stage: as given, or learnt with the default parameters of its learner.
pub(super) fn base(
    settings: &Settings,
    problem: &Problem<'_>,
    header: &Checkpoint,
    cx: &mut FitContext<'_>,
) -> Result<Model, FitError> {
    let name = settings.text("base");
    match (cx.base, name) {
        (Some(model), GIVEN) if model.rerank.is_none() => return Ok(model.clone()),
        (Some(_), GIVEN) => {
            return Err(FitError::Data(
                "the model to re-rank re-ranks itself; give the model that it began with".into(),
            ));
        }
        (None, GIVEN) => {
            let allowed = "the name of a learner; no trained model is given (--base MODEL.json)";
            return Err(settings.refuse("base", allowed).into());
        }
        _ => {}
    }
    let allowed = |why: String| settings.refuse("base", format!("a learner, or a model: {why}"));
    let info = learner(name).map_err(allowed)?;
    if info.name == header.learner {
        return Err(allowed("this one needs a base itself".into()).into());
    }
    let own = Settings::new(info, [])?;
    let resume = cx.resume.take().map(|checkpoint| Checkpoint {
        learner: info.name.to_owned(),
        parameters: own.to_texts(),
        ..checkpoint
    });
    let mut inside = Inside { outside: &mut *cx.watch, header };
    let mut inner = FitContext {
        validation: cx.validation,
        seed: cx.seed,
        resume,
        costs: cx.costs,
        ..FitContext::new(&mut inside)
    };
    train_within(info, &own, problem, &mut inner)
}

/// Watches the base and tells of the whole.
struct Inside<'w> {
    outside: &'w mut dyn Watch,
    header: &'w Checkpoint,
}

impl Watch for Inside<'_> {
    fn stage(&mut self, what: &str) {
        self.outside.stage(what);
    }

    fn round(&mut self, round: &Round<'_>) -> Flow {
        let checkpoint = || {
            let inside = (round.checkpoint)();
            let (stages, features) = (inside.stages, inside.features);
            Checkpoint { stages, features, ..self.header.clone() }
        };
        self.outside.round(&Round { checkpoint: &checkpoint, ..*round })
    }
}

/// The weighted sum that a base is, if it is one.
pub(super) fn linear(base: &Model) -> Option<&Net> {
    let [factor] = &base.scorer.factors[..] else { return None };
    factor.net.as_ref().filter(|net| factor.trees.is_empty() && net.layers.len() == 1)
}

/// The weights of these inputs that say what a linear base says.
pub(super) fn weights_of(base: &Model, inputs: &[Input]) -> Option<Vec<f64>> {
    let net = linear(base)?;
    let layer = net.layers.first()?;
    let own = |input: &Input| {
        let mut pairs = net.inputs.iter().zip(&layer.weights);
        let same = |other: &Input| match (input, other) {
            (Input::Number { feature: a, .. }, Input::Number { feature: b, .. }) => a == b,
            (a, b) => a == b,
        };
        pairs.find(|(other, _)| same(other)).map_or(0.0, |(other, weight)| match (input, other) {
            (Input::Number { deviation: here, .. }, Input::Number { deviation: there, .. }) => {
                weight * here / there
            }
            _ => *weight,
        })
    };
    Some(inputs.iter().map(own).collect())
}
