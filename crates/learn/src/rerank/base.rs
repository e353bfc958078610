//! The first stage of re-ranking.

use stakes_core::cost::Problem;

use stakes_model::{Checkpoint, Input, Model, Net, StageSummary};

use super::{Base, ExactRerank};
use crate::error::FitError;
use crate::learner::Learner;
use crate::run::{FitContext, Flow, Observer, PartOfRun, Round};

/// The first stage: as given, or trained with the default parameters of its learner. The search that
/// follows takes at most `search_seconds`.
pub(super) fn base(
    learner: &ExactRerank,
    problem: &Problem<'_>,
    header: &Checkpoint,
    cx: &mut FitContext<'_>,
    search_seconds: f64,
) -> Result<Model, FitError> {
    let own = match (&learner.stages.base, cx.base) {
        (Base::Learner(name), _) => {
            Base::learner(name).map_err(|allowed| learner.refuse("base", &allowed))?
        }
        (Base::Given, Some(model)) if model.rerank.is_none() => return Ok(model.clone()),
        (Base::Given, Some(_)) => {
            return Err(FitError::Data(
                "the base re-ranks itself; give the base of that model instead".into(),
            ));
        }
        (Base::Given, None) => {
            let allowed = "the name of a learner; no trained model is given";
            return Err(learner.refuse("base", allowed).into());
        }
    };
    let resume = cx.resume.take().map(|checkpoint| Checkpoint {
        learner: own.name().to_owned(),
        parameters: own.texts(),
        ..checkpoint
    });
    let FitContext { validation, metric, seed, costs, part, .. } = *cx;
    let part = PartOfRun { after: part.after + search_seconds, ..part };
    let mut inside = Inside { outside: cx.observer(), header };
    let mut inner = FitContext {
        validation,
        metric,
        seed,
        resume,
        costs,
        part,
        observer: Some(&mut inside),
        ..FitContext::default()
    };
    Ok(own.fit_problem(problem, &mut inner)?.model)
}

/// Observes the base and reports on the whole.
struct Inside<'w> {
    outside: Option<&'w mut (dyn Observer + 'w)>,
    header: &'w Checkpoint,
}

impl Observer for Inside<'_> {
    fn stage(&mut self, what: &str) {
        if let Some(outside) = &mut self.outside {
            outside.stage(what);
        }
    }

    fn stage_ended(&mut self, name: &str, summary: &StageSummary) {
        if let Some(outside) = &mut self.outside {
            outside.stage_ended(name, summary);
        }
    }

    fn round(&mut self, round: &Round<'_>) -> Flow {
        let checkpoint = || {
            let inside = (round.checkpoint)();
            let (stages, features) = (inside.stages, inside.features);
            Checkpoint { stages, features, ..self.header.clone() }
        };
        let round = Round { checkpoint: &checkpoint, ..*round };
        self.outside.as_mut().map_or(Flow::Continue, |outside| outside.round(&round))
    }
}

/// The linear score of a base, if it is linear.
pub(super) fn linear(base: &Model) -> Option<&Net> {
    let [factor] = &base.scorer.factors[..] else { return None };
    factor.net.as_ref().filter(|net| factor.trees.is_empty() && net.layers.len() == 1)
}

/// The weights of these inputs that reproduce a linear base.
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
