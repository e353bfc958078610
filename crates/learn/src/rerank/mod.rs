//! Exact re-ranking: a base learner scores all items; those that it puts first are put in order by
//! the linear score that is best by a metric itself, found with a bound on what any other is worth
//! (paper 004, section 5; SPEC section 4).
//!
//! - `settings.rs`: what the parameters ask for. `base.rs`: the first stage. `task.rs`: the problem of
//!   [`stakes_exact`]. `search.rs`: its solution.
//! - [`certify`]: how far any order is from the best linear one.
//! - [`stakes_model::Rerank`]: what is kept in the model, and how it scores.
//!
//! Which items are above is a threshold of the base score for one list, as in the paper, and the first
//! K of every list where there are several. The inputs of the linear score are those of other
//! linear models: numbers, what is missing, categories; and the base score, if the base is no linear model itself,
//! so that the search begins with the order as it was and can only mend it.

mod base;
mod certify;
mod search;
mod settings;
mod task;

use stakes_core::cost::Problem;
use stakes_core::metric::{Scale, evaluate};
use stakes_exact::Sign;

use crate::LearnerInfo;
use crate::dense::DenseData;
use crate::fit::{Ended, FitContext, FitError, check_data, check_same_run, header};
use crate::params::Settings;
use crate::prepared::Prepared;
use crate::table::TreesSay;
use stakes_model::{Input, Model, Net, ProofEnd, Rerank, StageSummary};

use base::{base, weights_of};
pub use certify::{Certificate, certify};
use search::{proof, search};
pub use settings::GIVEN;
use task::Standing;

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
    let metric = settings::objective(settings, problem.goal(), Scale::of(problem.data()))?;
    let header = header(info, settings, problem, cx);
    if let Some(resumed) = &cx.resume {
        check_same_run(resumed, &header)?;
    }
    let base = base(settings, problem, &header, cx)?;
    let stopped = base.stages.iter().any(|stage| stage.ended == Ended::Interrupted);

    cx.watch.stage(STAGE);
    let known = Some(&base.features[..]);
    let prepared = Prepared::new(problem, None, None, known, TreesSay::NoTrees, BINS)?;
    let data = DenseData::new(&prepared, base.list_scaling)?;
    let data = with_points(settings, &prepared, data, &base)?;
    let lists = &prepared.training.lists;
    let by_row = base.score(problem.data()).map_err(refuse)?;
    let scores: Vec<f64> = lists.rows().iter().map(|&row| by_row[row as usize]).collect();
    let standing = Standing::new(&metric, lists, &scores)?;
    let (before, _) = standing.value_and_ideal()?;
    let above = standing.above(top);
    let task = standing.task(above, &data.training, settings::with_base(settings, &base)?)?;
    let inputs: Vec<Input> = task.columns.iter().map(|c| data.inputs[*c]).collect();
    let mut rules = settings::rules(settings, &base.features, &inputs)?;
    if task.with_base {
        // What the base puts higher is not put lower for it.
        rules.signs.push(Sign::NotNegative);
        let mut as_before = vec![0.0; task.problem.width()];
        as_before[inputs.len()] = 1.0;
        options.starts.push(as_before);
    } else {
        options.starts.extend(weights_of(&base, &inputs));
    }
    let mut found = search(&task, &rules, &options, cx.watch, stopped)?;
    let proof = proof(metric.name(), &task, before, &found, &options);
    let base_weight = if task.with_base { found.weights.pop() } else { None };
    let rerank = Rerank {
        base: base.learner.clone(),
        base_parameters: base.parameters.clone(),
        scope: above,
        net: Net::linear(inputs, found.weights),
        base_weight: base_weight.unwrap_or(0.0),
        proof,
    };
    let mut model = Model {
        learner: header.learner,
        parameters: header.parameters,
        seed: header.seed,
        goal: header.goal,
        columns: header.columns,
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
    DenseData::of(prepared, base.list_scaling, data.inputs.iter().map(plain).collect())
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
    let metric = problem.goal().spec().build(Scale::of(data))?;
    let figure = evaluate(&metric, measured, &model.score(data).map_err(refuse)?)?.figure;
    let interrupted = model.stages.iter().any(|stage| stage.ended == Ended::Interrupted)
        || model.rerank.as_ref().is_some_and(|r| r.proof.ended == ProofEnd::Interrupted);
    Ok(StageSummary {
        name: "re-rank".into(),
        measure: format!("{} on {which} lists", metric.name()),
        kept: figure.iter().len(),
        curve: figure.into_iter().collect(),
        ended: if interrupted { Ended::Interrupted } else { Ended::AllRounds },
        extra_curves: Vec::new(),
    })
}
