//! What lists look like to a model: at the end of a training those that it was trained on, in monitoring those
//! that new ones are compared with.

use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::display::significant;
use stakes_core::goal::Goal;
use stakes_core::metric::Scale;
use stakes_eval::reliability::reliability;
use stakes_eval::study::{Scores, StudyOptions, study};
use stakes_model::{Distribution, Model, Profile, ProfileFigure};
use stakes_stats::IntervalOptions;

use crate::Error;
use crate::judged_lists::judged_lists;
use crate::rank::expected_costs;

/// More digits would depend on the order of the file, in which sums are made.
const DIGITS: usize = 6;

/// The features of lists, and the scores of `unseen` lists by models that were not trained on them (NaN
/// where there is none), with the figure and the calibration that follow from them.
pub(crate) fn of_lists(
    model: &Model,
    lists: &Dataset,
    unseen: Option<(&Dataset, Vec<f64>)>,
    goal: &Goal,
) -> Result<Profile, Error> {
    let features = model.distributions(lists, None)?;
    let mut profile = Profile { features, scores: None, figure: None, ratio: None };
    let Some((data, values)) = unseen else { return Ok(profile) };
    let mut scores = [Scores { name: String::new(), values }];
    let data = judged_lists(data, &mut scores);
    let [Scores { values, .. }] = scores;
    if data.n_lists() == 0 {
        return Ok(profile);
    }
    profile.scores = Some(Distribution::of_scores(&data, &values));
    // Lists to compare with may have no outcomes, and a figure that cannot be computed must not cost a
    // finished training.
    if let Ok(problem) = Problem::new(&data, goal) {
        profile.ratio = ratio(model, &problem, &values).unwrap_or_default();
        profile.figure = figure(model, &problem, values).unwrap_or_default();
    }
    Ok(profile)
}

/// The figure of the goal's metric, with its interval; `None` where lists cannot vary.
pub(crate) fn figure(
    model: &Model,
    problem: &Problem<'_>,
    scores: Vec<f64>,
) -> Result<Option<ProfileFigure>, Error> {
    let data = problem.data();
    let metric = problem.goal().spec().build(Scale::of(data))?;
    let name = metric.name();
    let values = model.priorities(scores, data, problem.goal().reach);
    let scores = [Scores { name: model.learner.clone(), values }];
    let options =
        StudyOptions { references: false, baseline: None, tests: vec![], ..Default::default() };
    let study = study(problem, &[metric], &scores, &options, &mut |_| {})?;
    let found = study.results.first().and_then(|row| Some((row.value?, row.low?, row.high?)));
    let [value, low, high] = match found {
        Some((value, low, high)) => [value, low, high].map(|x| significant(x, DIGITS)),
        None => return Ok(None),
    };
    Ok(Some(ProfileFigure { metric: name, value, low, high }))
}

/// How far from 1 expected / observed may be by chance on the lists that calibrated the model: the interval of
/// the ratio, as a multiple of it.
fn ratio(
    model: &Model,
    problem: &Problem<'_>,
    scores: &[f64],
) -> Result<Option<(f64, f64)>, Error> {
    let Some(expected) = expected_costs(model, scores) else { return Ok(None) };
    let found = reliability(problem, "", &expected, Some(&IntervalOptions::default()))?;
    let ends = found.ratio.zip(found.low.zip(found.high)).filter(|(ratio, _)| *ratio > 0.0);
    let ends = ends.map(|(ratio, (low, high))| {
        (significant(low / ratio, DIGITS), significant(high / ratio, DIGITS))
    });
    Ok(ends.filter(|(low, high)| *low > 0.0 && *low <= 1.0 && *high >= 1.0 && high.is_finite()))
}
