//! The result of an algorithm without rounds, such as your own.

use stakes_core::Lists;
use stakes_core::cost::Problem;
use stakes_core::metric::evaluate_lists;
use stakes_model::{Checkpoint, Ended, Model, ModelFeature, Scorer, StageSummary};

use super::{Learner, header};
use crate::error::FitError;
use crate::run::{FitContext, Fitted};

impl Fitted {
    /// The result of your own algorithm without rounds: a score of the features of the data, in
    /// their order and codes. It is measured, and calibrated if there are validation lists.
    pub fn of_scorer<L: Learner + ?Sized>(
        learner: &L,
        problem: &Problem<'_>,
        cx: &FitContext<'_>,
        scorer: Scorer,
    ) -> Result<Self, FitError> {
        if cx.init_model.is_some() || cx.resume.is_some() {
            return Err(FitError::Data(format!(
                "{} makes no rounds that could be continued or resumed; train from the start",
                learner.name()
            )));
        }
        let features = ModelFeature::all_of(problem.data());
        let header = Checkpoint { features, ..header(learner, problem, cx)? };
        let mut model = Model::new(header, scorer);
        model.list_scaling = learner.list_scaling();
        model.scores_costs = learner.scores_costs(problem.goal());
        model.stages = vec![measured_stage(StageSummary::SCORE, &model, problem, cx)?];
        if let Some(unseen) = cx.validation {
            model.calibrate(unseen)?;
        }
        Ok(Fitted { model, stages: Vec::new(), out_of_fold: None })
    }
}

/// A stage of one round: the metric of the goal for a whole model.
pub(crate) fn measured_stage(
    name: &str,
    model: &Model,
    problem: &Problem<'_>,
    cx: &FitContext<'_>,
) -> Result<StageSummary, FitError> {
    let (measured, which) = match cx.validation {
        Some(validation) => (validation, "validation"),
        None => (problem, "training"),
    };
    let data = measured.data();
    let metric = cx.metric_for(problem.goal(), data)?;
    // Summed in canonical order, which the order of the file does not change.
    let lists = Lists::new(measured);
    let priorities = model.priorities(model.score(data)?, data, problem.goal().reach);
    let scores = lists.in_order(&priorities);
    let figure = evaluate_lists(&metric, &lists.views(), &scores)?.figure;
    Ok(StageSummary {
        name: name.to_owned(),
        measure: format!("{} on {which} lists", metric.name()),
        kept: figure.iter().len(),
        curve: figure.into_iter().collect(),
        ended: Ended::AllRounds,
        extra_curves: Vec::new(),
    })
}
