//! Cross-validation of learners whose folds cannot be trained in step: a training for each fold.

use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::jobs::JobError;
use stakes_core::split::Folds;

use super::runner::Runner;
use crate::error::FitError;
use crate::given_out;
use crate::learner::{Learner, header, training_seconds};
use crate::run::{Awaited, FitContext};

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
        let training = Training { learner, problem, folds: &folds, seed };
        match runner.jobs().are_here() {
            true => scores(&mut runner, training),
            false => shared(&mut runner, training),
        }
    })
}

/// What is trained in each fold.
#[derive(Clone, Copy)]
pub(super) struct Training<'t> {
    pub(super) learner: &'t dyn Learner,
    pub(super) problem: &'t Problem<'t>,
    pub(super) folds: &'t Folds,
    pub(super) seed: u64,
}

/// The scores of a learner that is trained for each fold; `None` if the observer stopped it.
pub(super) fn scores(
    runner: &mut Runner<'_, '_>,
    training: Training<'_>,
) -> Result<Option<Vec<f64>>, FitError> {
    let Training { problem, folds, .. } = training;
    let mut scores = vec![f64::NAN; problem.data().len()];
    for fold in folds.judging() {
        match of_fold(runner, training, fold)? {
            Some(own) => folds.put(problem, fold, &own, &mut scores),
            None => return Ok(None),
        }
    }
    Ok(Some(scores))
}

/// The scores of the items that a fold judges; `None` if the observer stopped it.
fn of_fold(
    runner: &mut Runner<'_, '_>,
    training: Training<'_>,
    fold: usize,
) -> Result<Option<Vec<f64>>, FitError> {
    let Training { learner, problem, folds, seed } = training;
    let (kept, left_out) = folds.sides(fold);
    let data = problem.data().take_lists(&kept);
    let what = format!("fold {} of {}", fold + 1, folds.len());
    let known = Problem::new(&data, problem.goal())?;
    let fitted = runner.train(learner, &known, seed, &what, None)?;
    if runner.stopped {
        return Ok(None);
    }
    Ok(Some(fitted.model.score(&problem.data().take_lists(&left_out))?))
}

/// The same with each fold as a job, whose result are the scores; or one of these jobs.
fn shared(
    runner: &mut Runner<'_, '_>,
    training: Training<'_>,
) -> Result<Option<Vec<f64>>, FitError> {
    let Training { problem, folds, .. } = training;
    let (jobs, now) = (runner.jobs(), runner.checkpoint(&[], Vec::new()));
    if let Some(wanted) = jobs.wanted() {
        let fold = wanted.numbers("fold").filter(|[fold]| folds.judging().contains(fold));
        let Some([fold]) = fold else { return Err(jobs.unknown().into()) };
        given_out::begun(&wanted, &now)?;
        let scores = of_fold(runner, training, fold)?.ok_or(JobError::Stopped)?;
        let bytes = scores.into_iter().flat_map(f64::to_le_bytes).collect();
        return Err(jobs.end(bytes).into());
    }
    let named: Vec<_> =
        folds.judging().map(|fold| given_out::job(format!("fold {fold}"), &now)).collect();
    let mut scores = vec![f64::NAN; problem.data().len()];
    let mut done = 0;
    let all = jobs.share(&named, |heard| {
        if let Some((at, bytes)) = heard {
            let fold = folds.judging().start + at;
            let items =
                folds.sides(fold).1.into_iter().map(|list| problem.data().items(list).len());
            let (numbers, rest) = bytes.as_chunks();
            if !rest.is_empty() || numbers.len() != items.sum::<usize>() {
                let (name, why) =
                    (named[at].name.clone(), "it has not a score for each item".into());
                return Err(JobError::Damaged { name, why }.into());
            }
            let own: Vec<f64> = numbers.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
            folds.put(problem, fold, &own, &mut scores);
            done += 1;
        }
        let awaited = Awaited { done, of: named.len(), checkpoint: None };
        Ok::<bool, FitError>(runner.tell_awaited(&awaited))
    })?;
    Ok(all.then_some(scores))
}

/// The estimated seconds on one core of [`out_of_fold`].
pub fn cross_validation_seconds(learner: &dyn Learner, data: &Dataset, folds: usize) -> f64 {
    // A fold is trained with all lists but its own.
    let items = data.len() - data.len().checked_div(folds).unwrap_or(0);
    folds as f64 * training_seconds(learner, data.features().width(), items)
}
