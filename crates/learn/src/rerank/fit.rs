//! Training: a base, if none is given, and the search for a second score of the items it ranks first.

use stakes_core::cost::Problem;
use stakes_core::metric::Scale;
use stakes_core::shards::Shards;
use stakes_exact::Sign;
use stakes_model::{Ended, Input, Model, Net, ProofEnd, Rerank, StageSummary};

use super::base::{base, weights_of};
use super::search::{proof, search};
use super::task::Standing;
use super::{BINS, ExactRerank, STAGE};
use crate::dense::{DenseData, Inputs};
use crate::error::FitError;
use crate::learner::{check_data, check_same_run, header, measured_stage};
use crate::prepared::Prepared;
use crate::run::{FitContext, Fitted};

/// Trains a base, if none is given, and re-ranks the items it ranks first.
pub(super) fn fit(
    learner: &ExactRerank,
    problem: &Problem<'_>,
    cx: &mut FitContext<'_>,
) -> Result<Fitted, FitError> {
    check_data(problem.data())?;
    if cx.init_model.is_some() {
        return Err(FitError::Data(
            "training cannot continue from a model that re-ranks: train from the start, with the \
             same base model if that is to stay"
                .into(),
        ));
    }
    // Refused now rather than after the base is trained.
    let mut options = learner.options(cx.seed)?;
    let metric = learner.objective(problem.goal(), Scale::of(problem.data()))?;
    let header = header(learner, problem, cx)?;
    if let Some(resumed) = &cx.resume {
        check_same_run(resumed, &header)?;
    }
    let base = base(learner, problem, &header, cx, options.seconds.unwrap_or(0.0))?;
    let stopped = base.stages.iter().any(|stage| stage.ended == Ended::Interrupted);

    cx.tell_stage(STAGE);
    let known = Some(&base.features[..]);
    let prepared = Prepared::new(problem, None, None, known, None, BINS, &Shards::alone())?;
    let data =
        DenseData::new(&prepared, &Inputs { within: base.list_scaling, ..Inputs::default() })?;
    let data = with_points(learner, &prepared, data, &base)?;
    let lists = &prepared.training.lists;
    let scores = lists.in_order(&base.score(problem.data())?);
    let standing = Standing::new(&metric, lists, &scores)?;
    let (before, _) = standing.value_and_ideal()?;
    let above = standing.above(learner.selection());
    let task = standing.task(above, &data.training, learner.with_base(&base)?)?;
    let inputs: Vec<Input> = task.columns.iter().map(|c| data.inputs[*c]).collect();
    let mut rules = learner.rules(&base.features, &inputs)?;
    if task.with_base {
        // A higher base score never lowers an item.
        rules.signs.push(Sign::NotNegative);
        let mut as_before = vec![0.0; task.problem.width()];
        as_before[inputs.len()] = 1.0;
        options.starts.push(as_before);
    } else {
        options.starts.extend(weights_of(&base, &inputs));
    }
    let mut found = search(&task, &rules, &options, cx, stopped)?;
    let proof = proof(metric.name(), &task, before, &found, (&rules, &options));
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
        scores_costs: false,
        calibration: None,
        ..base
    };
    let stage = last_stage(&model, problem, cx)?;
    model.stages.push(stage);
    if let Some(unseen) = cx.validation {
        model.calibrate(unseen)?;
    }
    Ok(Fitted { model, stages: Vec::new(), out_of_fold: None })
}

/// Points are per unit of a feature as it is given: inputs are not divided by their deviations then,
/// and begin at a whole number, so that whole numbers stay whole.
pub(super) fn with_points(
    learner: &ExactRerank,
    prepared: &Prepared<'_>,
    data: DenseData,
    base: &Model,
) -> Result<DenseData, FitError> {
    if learner.weights.points == 0 {
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

/// The goal's metric of the whole model.
fn last_stage(
    model: &Model,
    problem: &Problem<'_>,
    cx: &FitContext<'_>,
) -> Result<StageSummary, FitError> {
    let mut stage = measured_stage(StageSummary::RERANK, model, problem, cx)?;
    let interrupted = model.stages.iter().any(|stage| stage.ended == Ended::Interrupted)
        || model.rerank.as_ref().is_some_and(|r| r.proof.ended == ProofEnd::Interrupted);
    if interrupted {
        stage.ended = Ended::Interrupted;
    }
    Ok(stage)
}
