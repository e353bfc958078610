//! Exact re-ranking: a base learner scores all items; those that it puts first are put in order by
//! the linear score that is best by a metric itself, found with a bound on what any other is worth
//! (paper 004, section 5; SPEC section 4).
//!
//! - `settings.rs`: what the parameters ask for. `task.rs`: the problem of [`stakes_exact`].
//! - [`certify`]: how far any order is from the best linear one.
//! - [`crate::model::Rerank`]: what is kept in the model, and how it scores.
//!
//! Which items are above is a threshold of the base score for one list, as in the paper, and the first
//! K of every list where there are several. The inputs of the linear score are those of other
//! linear models: numbers, what is missing, categories.

mod certify;
mod settings;
mod task;

use stakes_core::cost::Problem;
use stakes_core::metric::{Metric, Scale, Spec, evaluate};
use stakes_exact::{Options, Outcome, Progress, Rules};

use crate::dense::DenseData;
use crate::fit::{
    Checkpoint, Ended, FitContext, FitError, Flow, Round, Watch, check_data, header, train_within,
};
use crate::model::{Input, Model, Net, Proof, ProofEnd, Rerank, StageSummary};
use crate::params::Settings;
use crate::prepared::Prepared;
use crate::table::TreesSay;
use crate::{LearnerInfo, learner};

pub use certify::{Certificate, certify};
pub use settings::GIVEN;
use task::{Standing, Task};

/// What watchers hear when the search for the best weights begins.
pub const STAGE: &str = "re-ranking";

/// Bins are of no use here; what has one is a category that is told apart.
const BINS: usize = 255;

/// Learns a base, if none is given, and re-ranks what it puts first.
pub(crate) fn fit(
    info: &'static LearnerInfo,
    settings: &Settings,
    problem: &Problem<'_>,
    cx: &mut FitContext<'_>,
) -> Result<Model, FitError> {
    check_data(problem.data())?;
    if cx.first.is_some() {
        return Err(FitError::Data(
            "a model that re-ranks cannot be gone on from: train anew, with the same base \
             (--base MODEL.json) if that is to stay"
                .into(),
        ));
    }
    // Refused now rather than after the base is learnt.
    let top = settings::top(settings)?;
    let mut options = settings::options(settings, cx.seed)?;
    let metric = settings::objective(settings, &cx.goal, Scale::of(problem.data()))?;
    let header = header(info, settings, problem, cx);
    if let Some(resumed) = &cx.resume {
        resumed.check_same_run(&header)?;
    }
    let base = base(settings, problem, &header, cx)?;
    let stopped = base.stages.iter().any(|stage| stage.ended == Ended::Interrupted);

    cx.watch.stage(STAGE);
    let known = Some(&base.features[..]);
    let prepared = Prepared::new(problem, None, None, known, TreesSay::NoTrees, BINS)?;
    let data = DenseData::new(&prepared, base.within)?;
    let data = with_points(settings, &prepared, data, &base)?;
    let lists = &prepared.training.lists;
    let by_row = base.score(problem.data()).map_err(refuse)?;
    let scores: Vec<f64> = lists.rows().iter().map(|&row| by_row[row as usize]).collect();
    let standing = Standing::new(&metric, lists, &scores)?;
    let (before, _) = standing.value_and_ideal()?;
    let above = standing.above(top);
    let task = standing.task(above, &data.training)?;
    let inputs: Vec<Input> = task.columns.iter().map(|c| data.inputs[*c]).collect();
    let rules = settings::rules(settings, &base.features, &inputs)?;
    options.starts.extend(weights_of(&base, &inputs));
    let found = search(&task, &rules, &options, cx.watch, stopped)?;
    let proof = proof(metric.name(), &task, before, &found, &options);
    let rerank = Rerank {
        base: base.learner.clone(),
        base_parameters: base.parameters.clone(),
        above,
        net: Net::linear(inputs, found.weights),
        proof,
    };
    let mut model = Model {
        learner: header.learner,
        parameters: header.parameters,
        seed: header.seed,
        goal: header.goal,
        data: header.data,
        rerank: Some(rerank),
        calibration: None,
        ..base
    };
    let stage = last_stage(&model, problem, cx)?;
    model.stages.push(stage);
    if let Some(unseen) = cx.validation {
        model.calibrate(unseen)?;
    }
    Ok(model)
}

fn refuse(error: impl std::fmt::Display) -> FitError {
    FitError::Data(error.to_string())
}

/// The first stage: as given, or learnt with the default parameters of its learner.
fn base(
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
        ..FitContext::new(cx.goal.clone(), &mut inside)
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

/// Points are per unit of a feature as it is given: inputs are not divided by their deviations then,
/// and begin at a whole number, so that whole numbers stay whole.
fn with_points(
    settings: &Settings,
    prepared: &Prepared<'_>,
    data: DenseData,
    base: &Model,
) -> Result<DenseData, FitError> {
    if settings.whole("points") == 0 {
        return Ok(data);
    }
    let plain = |input: &Input| match *input {
        Input::Number { feature, mean, .. } => {
            Input::Number { feature, mean: mean.round(), deviation: 1.0 }
        }
        other => other,
    };
    DenseData::of(prepared, base.within, data.inputs.iter().map(plain).collect())
}

/// The weights of these inputs that say what a linear base says.
fn weights_of(base: &Model, inputs: &[Input]) -> Option<Vec<f64>> {
    let [factor] = &base.scorer.factors[..] else { return None };
    let net = factor.net.as_ref().filter(|_| factor.trees.is_empty())?;
    let [layer] = &net.layers[..] else { return None };
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

/// The best weights, as far as they were found. Whoever `stopped` before gets the first ones.
fn search(
    task: &Task,
    rules: &Rules,
    options: &Options,
    watch: &mut dyn Watch,
    stopped: bool,
) -> Result<Outcome, FitError> {
    let mut tell = |progress: &Progress| match watch.exact(progress) {
        Flow::GoOn if !stopped => stakes_exact::Flow::GoOn,
        _ => stakes_exact::Flow::Stop,
    };
    let mut found = stakes_exact::solve(&task.problem, rules, options, &mut tell)?;
    if !found.value.is_finite() {
        return Err(FitError::Data(
            "no weights were found that signs, at-most and points allow; allow more".into(),
        ));
    }
    // What the model's own sums, which are made in another order, make of them.
    let inputs = task.problem.width();
    let score = |item| 0.0 + crate::model::dot(&task.problem.row(item)[..inputs], &found.weights);
    let scores: Vec<f64> = (0..task.problem.items()).map(score).collect();
    let own = task.problem.value_of_scores(&scores, stakes_exact::Ties::Resolved);
    found.value = own - rules.cost(&found.weights);
    found.bound = found.bound.max(found.value);
    Ok(found)
}

fn proof(objective: String, task: &Task, before: f64, found: &Outcome, options: &Options) -> Proof {
    let ended = match found.ended {
        stakes_exact::Ended::Proven => ProofEnd::Proven,
        stakes_exact::Ended::Limit => ProofEnd::Limit,
        stakes_exact::Ended::Interrupted => ProofEnd::Interrupted,
    };
    let by_nodes = options.nodes.is_some_and(|nodes| found.nodes >= nodes);
    let by_clock = ended != ProofEnd::Proven && options.seconds.is_some() && !by_nodes
        || ended == ProofEnd::Interrupted;
    Proof {
        objective,
        items: task.problem.items() as u64,
        lists: task.problem.lists() as u64,
        before,
        value: found.value,
        bound: found.bound,
        nodes: found.nodes,
        method: found.method.to_owned(),
        ended,
        seconds: by_clock.then_some(found.seconds),
    }
}

/// What the goal's metric says of the whole.
fn last_stage(
    model: &Model,
    problem: &Problem<'_>,
    cx: &FitContext<'_>,
) -> Result<StageSummary, FitError> {
    let (measured, which) = match cx.validation {
        Some(validation) => (validation, "validation"),
        None => (problem, "training"),
    };
    let data = measured.data();
    let metric: Metric = cx.goal.metric.parse::<Spec>()?.build(Scale::of(data))?;
    let figure = evaluate(&metric, measured, &model.score(data).map_err(refuse)?)?.figure;
    let interrupted = model.stages.iter().any(|stage| stage.ended == Ended::Interrupted)
        || model.rerank.as_ref().is_some_and(|r| r.proof.ended == ProofEnd::Interrupted);
    Ok(StageSummary {
        name: "re-rank".into(),
        measure: format!("{} on {which} lists", metric.name()),
        kept: figure.iter().len(),
        curve: figure.into_iter().collect(),
        ended: if interrupted { Ended::Interrupted } else { Ended::AllRounds },
        also: Vec::new(),
    })
}
