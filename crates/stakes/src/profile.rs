//! What lists look like to a model: at the end of a training those that it was trained on, in monitoring those
//! that new ones are compared with.
//!
//! Other shards may have more of the lists. Features and scores are counted as `stakes_model` does it; of figures, each
//! shard tells the others what its lists contribute.

use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::display::significant;
use stakes_core::goal::Goal;
use stakes_core::metric::{ListValue, Part, Scale, evaluate, totals};
use stakes_core::shards::Shards;
use stakes_eval::reliability::{ratio_interval, ratio_parts};
use stakes_eval::study::Scores;
use stakes_model::{Distribution, Model, Profile, ProfileFigure};
use stakes_stats::{Column, IntervalOptions, Intervals};

use crate::Error;
use crate::judged_lists::judged_lists;
use crate::rank::expected_costs;

/// More digits would depend on the order of items in the file, in which sums are made.
const DIGITS: usize = 6;

/// The features of lists, and the scores of `unseen` lists by models that were not trained on them (NaN
/// where there is none), with the figure and the calibration that follow from them.
pub(crate) fn of_lists(
    model: &Model,
    lists: &Dataset,
    unseen: Option<(&Dataset, Vec<f64>)>,
    goal: &Goal,
    shards: &Shards,
) -> Result<Profile, Error> {
    let features = model.distributions_among(lists, shards)?;
    let mut profile = Profile { features, scores: None, figure: None, ratio: None };
    let Some((data, values)) = unseen else { return Ok(profile) };
    let mut scores = [Scores { name: String::new(), values }];
    let data = judged_lists(data, &mut scores);
    let [Scores { values, .. }] = scores;
    if shards.sum_of(data.n_lists() as i64) == 0 {
        return Ok(profile);
    }
    profile.scores = Some(Distribution::of_scores_among(&data, &values, shards));
    let goal = goal.clone().resolve(Scale::among(&data, shards).mean_list_length);
    let problem = Problem::new(&data, &goal);
    // Lists to compare with may have no outcomes, and a figure that cannot be computed must not cost a
    // finished training.
    let lacks_outcomes = shards.any(problem.is_err());
    if let (Ok(problem), false) = (problem, lacks_outcomes) {
        profile.ratio = ratio(model, &problem, &values, shards).unwrap_or_default();
        profile.figure = figure(model, &problem, values, shards).unwrap_or_default();
    }
    Ok(profile)
}

/// The figure of the goal's metric, with its interval; `None` where lists cannot vary.
pub(crate) fn figure(
    model: &Model,
    problem: &Problem<'_>,
    scores: Vec<f64>,
    shards: &Shards,
) -> Result<Option<ProfileFigure>, Error> {
    let data = problem.data();
    let metric = problem.goal().spec().build(Scale::among(data, shards))?;
    let priorities = model.priorities(scores, data, problem.goal().reach);
    let numbers = |list: &ListValue| [list.value.unwrap_or(f64::NAN), list.weight];
    let own =
        evaluate(&metric, problem, &priorities).map(|own| own.lists.iter().map(numbers).collect());
    let Some(lists) = of_all_lists(data, own, shards)? else { return Ok(None) };
    let value = |[value, weight]: [f64; 2]| ListValue {
        value: Some(value).filter(|value| !value.is_nan()),
        weight,
    };
    let values: Vec<ListValue> = lists.into_iter().map(value).collect();
    let parts = metric.aggregate().parts(&values);
    let finish = metric.aggregate().finish();
    let columns = [Column { parts: &parts, finish, range: metric.range() }];
    let intervals = Intervals::new(&columns, &IntervalOptions::default())?;
    let found = intervals.estimate(0).zip(intervals.interval(0));
    let figure = found.map(|(value, ends)| {
        let [value, low, high] = [value, ends.low, ends.high].map(|x| significant(x, DIGITS));
        ProfileFigure { metric: metric.name(), value, low, high }
    });
    Ok(figure.filter(|figure| figure.value.is_finite()))
}

/// How far from 1 expected / observed may be by chance on the lists that calibrated the model: the interval of
/// the ratio, as a multiple of it.
fn ratio(
    model: &Model,
    problem: &Problem<'_>,
    scores: &[f64],
    shards: &Shards,
) -> Result<Option<(f64, f64)>, Error> {
    let Some(expected) = expected_costs(model, scores) else { return Ok(None) };
    let own = ratio_parts(problem, &expected).into_iter().map(|part| [part.num, part.den]);
    let own = Ok::<_, Error>(own.collect());
    let Some(lists) = of_all_lists(problem.data(), own, shards)? else { return Ok(None) };
    let parts: Vec<Part> = lists.into_iter().map(|[num, den]| Part::new(num, den)).collect();
    let (low, high) = ratio_interval(&parts, &IntervalOptions::default())?;
    let sums = totals(parts.iter().copied());
    let ratio = Some(sums.den / sums.num).filter(|ratio| ratio.is_finite() && *ratio > 0.0);
    let ends = ratio.zip(low.zip(high)).map(|(ratio, (low, high))| {
        (significant(low / ratio, DIGITS), significant(high / ratio, DIGITS))
    });
    Ok(ends.filter(|(low, high)| *low > 0.0 && *low <= 1.0 && *high >= 1.0 && high.is_finite()))
}

/// Numbers of the lists of all shards, in the order of their ids; `None` where another shard has none of its own.
fn of_all_lists<const N: usize, E>(
    data: &Dataset,
    own: Result<Vec<[f64; N]>, E>,
    shards: &Shards,
) -> Result<Option<Vec<[f64; N]>>, E> {
    let is_complete = !shards.any(own.is_err());
    let own = own?;
    if !is_complete {
        return Ok(None);
    }
    let ids = (0..data.n_lists()).map(|list| data.list_id(list));
    let lists = shards.gather_lists(ids.zip(own));
    Ok(Some(lists.into_iter().map(|list| list.numbers).collect()))
}
