//! Cross-validation of learners whose folds cannot be trained in step: a training for each fold.

use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::split::Folds;

use super::runner::Runner;
use crate::error::FitError;
use crate::learner::{Learner, header, training_seconds};
use crate::run::FitContext;

/// Scores of all items by models of one learner that were not trained with their lists, in the
/// folds that [`Auto`](super::Auto) uses; NaN for items that no fold judges. `None` if lists are too few, or the observer stopped it.
pub fn out_of_fold(
    learner: &dyn Learner,
    problem: &Problem<'_>,
    cx: &mut FitContext<'_>,
    folds: usize,
) -> Result<Option<Vec<f64>>, FitError> {
    learner.check_params()?;
    rayon::scope(|_| {
        let Some(folds) = Folds::new(problem, folds, cx.seed) else { return Ok(None) };
        let seed = cx.seed;
        let seconds = cross_validation_seconds(learner, problem.data(), folds.len());
        let mut runner = Runner::new(header(learner, problem, cx)?, cx, seconds);
        scores(&mut runner, learner, problem, &folds, seed)
    })
}

/// The scores of a learner that is trained for each fold; `None` if the observer stopped it.
pub(super) fn scores(
    runner: &mut Runner<'_, '_>,
    learner: &dyn Learner,
    problem: &Problem<'_>,
    folds: &Folds,
    seed: u64,
) -> Result<Option<Vec<f64>>, FitError> {
    let mut scores = vec![f64::NAN; problem.data().len()];
    for fold in folds.judging() {
        let (kept, left_out) = folds.sides(fold);
        let data = problem.data().take_lists(&kept);
        let what = format!("fold {} of {}", fold + 1, folds.len());
        let known = Problem::new(&data, problem.goal())?;
        let fitted = runner.train(learner, &known, seed, &what, None)?;
        if runner.stopped {
            return Ok(None);
        }
        let others = problem.data().take_lists(&left_out);
        folds.put(problem, fold, &fitted.model.score(&others)?, &mut scores);
    }
    Ok(Some(scores))
}

/// The estimated seconds on one core of [`out_of_fold`].
pub fn cross_validation_seconds(learner: &dyn Learner, data: &Dataset, folds: usize) -> f64 {
    // A fold is trained with all lists but its own.
    let items = data.len() - data.len().checked_div(folds).unwrap_or(0);
    folds as f64 * training_seconds(learner, data.features().width(), items)
}
