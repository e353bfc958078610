//! What the new lists came to, beside what was expected and what training promised.
//!
//! Both sides are known from lists, and have intervals. The interval of their difference follows from these
//! (Zou and Donner 2008): for a drop d = then - now its lower end is
//! d - sqrt((then - low of then)^2 + (high of now - now)^2). Ratios are compared by their logarithms.

use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::metric::{Direction, Scale};
use stakes_core::shards::Shards;
use stakes_eval::reliability::{Reliability, reliability};
use stakes_model::{Model, Profile, ProfileFigure};
use stakes_stats::IntervalOptions;

use super::Limits;
use crate::Error;
use crate::profile;
use crate::rank::{Ranked, expected_costs};

/// The outcomes of new lists.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcomes {
    /// Expected beside observed costs; `None` if the model is not calibrated.
    pub calibration: Option<CalibrationNow>,
    /// The goal's metric; `None` if fewer than two lists have a cost to save.
    pub saved: Option<SavedNow>,
    /// How many intervals of totals held; `None` if the model has none.
    pub intervals: Option<IntervalsHeld>,
}

/// Expected beside observed costs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CalibrationNow {
    /// On the new lists.
    #[serde(flatten)]
    pub now: Reliability,
    /// The interval of the ratio beside that of the training, which is known from so many lists only, too.
    pub change: Option<(f64, f64)>,
    /// Whether the ratio is beyond chance and past the limit.
    pub past: bool,
}

/// The goal's metric, now and as training promised it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SavedNow {
    /// The name of the metric.
    pub metric: String,
    /// Its value on the new lists.
    pub now: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end of its 95 % interval.
    pub high: f64,
    /// What lists that the model had not been trained on had promised.
    pub then: Option<Promised>,
    /// How much worse it is now.
    pub drop: Option<f64>,
    /// The lower end of the 95 % interval of the drop.
    pub drop_low: Option<f64>,
    /// Whether the drop is beyond chance and past the limit.
    pub past: bool,
}

/// What training promised.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Promised {
    /// The value.
    pub value: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end of its 95 % interval.
    pub high: f64,
}

/// How many intervals of the total cost of what is acted on held.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct IntervalsHeld {
    /// The share that should.
    pub level: f64,
    /// The number of lists.
    pub lists: usize,
    /// How many of them came to a total within their interval.
    pub held: usize,
}

pub(super) fn outcomes(
    model: &Model,
    profile: &Profile,
    problem: &Problem<'_>,
    scores: &[f64],
    ranked: &Ranked<'_>,
    limits: &Limits,
) -> Result<Outcomes, Error> {
    let expected = expected_costs(model, scores);
    let calibration = expected
        .map(|expected| calibration(profile, problem, &expected, limits.calibration))
        .transpose()?;
    let metric = problem.goal().spec().build(Scale::of(problem.data()))?;
    let higher = metric.direction() == Direction::Higher;
    let saved = profile::figure(model, problem, scores.to_vec(), &Shards::alone())?
        .map(|now| saved(profile.figure.as_ref(), now, higher, limits.drop));
    Ok(Outcomes { calibration, saved, intervals: intervals(problem, ranked) })
}

fn calibration(
    profile: &Profile,
    problem: &Problem<'_>,
    expected: &[f64],
    limit: f64,
) -> Result<CalibrationNow, Error> {
    let now = reliability(problem, "expected cost", expected, Some(&IntervalOptions::default()))?;
    // Without an interval of the training it is taken as known.
    let (then_low, then_high) = profile.ratio.unwrap_or((1.0, 1.0));
    let ends = now.ratio.zip(now.low.zip(now.high)).filter(|(ratio, _)| *ratio > 0.0);
    let change = ends.map(|(ratio, (low, high))| {
        let below = (ratio / low).ln().hypot(then_high.ln());
        let above = (high / ratio).ln().hypot(then_low.ln());
        (ratio * (-below).exp(), ratio * above.exp())
    });
    let is_far = now.ratio.is_some_and(|ratio| ratio > limit || ratio < 1.0 / limit);
    let past = is_far && change.is_some_and(|(low, high)| low > 1.0 || high < 1.0);
    Ok(CalibrationNow { now, change, past })
}

fn saved(
    then: Option<&ProfileFigure>,
    now: ProfileFigure,
    higher_is_better: bool,
    limit: f64,
) -> SavedNow {
    // Figures of another metric, or another number of items, promise nothing.
    let then = then.filter(|then| then.metric == now.metric);
    let drop = then.map(|then| match higher_is_better {
        true => (then.value - now.value, (then.value - then.low).hypot(now.high - now.value)),
        false => (now.value - then.value, (then.high - then.value).hypot(now.value - now.low)),
    });
    let ProfileFigure { metric, value, low, high } = now;
    SavedNow {
        metric,
        now: value,
        low,
        high,
        then: then.map(|&ProfileFigure { value, low, high, .. }| Promised { value, low, high }),
        drop: drop.map(|(drop, _)| drop),
        drop_low: drop.map(|(drop, error)| drop - error),
        past: drop.is_some_and(|(drop, error)| drop > limit && drop - error > 0.0),
    }
}

/// The totals of what is acted on in each list.
fn intervals(problem: &Problem<'_>, ranked: &Ranked<'_>) -> Option<IntervalsHeld> {
    const LEVEL: f64 = 0.8;
    let (mut lists, mut held) = (0, 0);
    for list in ranked.items.chunk_by(|a, b| a.list == b.list) {
        let acted_on = || list.iter().filter(|item| item.act);
        let Some(last) = acted_on().next_back() else { continue };
        let (low, high) = (last.total_low.value()?, last.total_high.value()?);
        let total: f64 = acted_on().map(|item| problem.cost()[item.item]).sum();
        lists += 1;
        held += usize::from(low <= total && total <= high);
    }
    (lists > 0).then_some(IntervalsHeld { level: LEVEL, lists, held })
}
