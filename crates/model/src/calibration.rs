//! Calibration: the expected cost of an item by its score, with an interval.
//!
//! On held-out lists, cost is regressed on score by a function that never decreases (isotonic
//! regression: Barlow et al. 1972; for the scores of classifiers Zadrozny and Elkan 2002). Its steps are
//! merged until each has enough data, and the function is interpolated between their centres:
//!
//! 1. Pool adjacent violators: blocks of neighbouring scores whose mean costs increase. Items of
//!    equal score are one point.
//! 2. From the highest scores downwards, blocks are merged until each has 10 items with a cost from
//!    3 lists. (With fewer, single catastrophes decide; with more, the function becomes flat at the
//!    top, where it matters most. On generated storms, 10 did as well on other lists as no such rule;
//!    half a percent of all items did worse.)
//! 3. At most 90 blocks remain: the neighbours whose merger loses the least deviance are merged.
//! 4. Each block has a knot at its mean score and mean cost, and the function is linear between knots (centred
//!    isotonic regression: Oron and Flournoy 2017). Along the lowest and the highest block it follows a power of the
//!    rank, with several knots (`ends.rs`), so that it increases strictly from the lowest score to the highest; it
//!    is constant beyond them. All costs are then multiplied by one factor, so that the expected costs of
//!    these items sum to their cost.
//!
//! **The interval** is that of the mean, not of a single item, whose cost is 0 or a catastrophe.
//! Lists are the sampling unit, so a block's standard error is clustered by list,
//! `se^2 = L/(L-1) x sum over lists of (sum of w (y - m))^2 / (sum of w)^2`; it is smoothed along the blocks, and
//! the error of the total, which all blocks share, is added. The ends are `m exp(-+ t se/m)`, with Student's t for
//! the number of lists that have a cost: costs are skewed and not negative. The ends never decrease with the
//! score, either. About 90 of 100 hold the true mean: `docs/intervals.md` has the measurements. A
//! bootstrap of the whole regression covered it in 79 to 90 of 100 where simpler intervals than these did in 88
//! to 97; the bootstrap is known to be inconsistent for isotonic regression (Sen, Banerjee and
//! Woodroofe 2010).
//!
//! **What single items and totals may come to** ([`Outcomes`]) is not a matter of means: see `outcomes.rs`.
//!
//! **Which scores can be calibrated.** The scores of regressions distinguish severe lists from mild
//! ones. Learners that only order the items within a list do not, and neither do the expected costs
//! derived from their scores: these are right on average over many lists, not for each list.
//!
//! ```
//! use stakes_model::Calibration;
//! // Three lists of ten items: items of score 1 cost 2 on average, items of score 2 cost 6.
//! let scores: Vec<f64> = (0..30).map(|i| f64::from(1 + i % 2)).collect();
//! let costs: Vec<f64> = (0..30).map(|i| f64::from([1, 5, 3, 7][i % 4])).collect();
//! let calibration = Calibration::fit(&scores, &costs, None, &[0, 10, 20, 30])?.unwrap();
//! let middle = calibration.expected(1.5);
//! assert!((middle.mean - 4.0).abs() < 0.1 && middle.low < 4.0 && 4.0 < middle.high);
//! assert_eq!(calibration.expected(1e9), calibration.expected(2.0));
//! # Ok::<(), stakes_model::calibration::CalibrationError>(())
//! ```

mod check;
mod ends;
mod estimate;
mod gathered;
mod interval;
mod isotonic;
mod outcomes;

use serde::Serialize;
use stakes_core::Lists;
use stakes_core::cost::Problem;
use stakes_core::shards::Shards;

pub use check::CalibrationError;
pub use outcomes::{Band, Depth, Outcome, Outcomes, Range, Total, Totals};
pub(crate) use outcomes::{MAX_BANDS, MAX_DEPTHS, MAX_LISTS};

use check::check;
use estimate::Estimate;
use gathered::Gathered;
use interval::clustered;
use isotonic::Item;

/// The maximum number of knots, which keeps model files small.
pub const MAX_KNOTS: usize = 100;

/// A function from scores to expected costs that never decreases.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Calibration {
    /// The number of lists that it was fitted on.
    pub lists: u64,
    /// The number of items that it was fitted on.
    pub items: u64,
    /// At least one knot and at most [`MAX_KNOTS`], by increasing score; mean, low and high never
    /// decrease.
    pub knots: Vec<Knot>,
    /// What single items and totals may come to; unknown in models of older versions.
    #[serde(skip)] // Too long for reports.
    pub outcomes: Option<Outcomes>,
}

/// A point of the function.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Knot {
    /// The score.
    pub score: f64,
    /// The expected cost at this score.
    #[serde(flatten)]
    pub expected: ExpectedCost,
}

/// The mean cost of items with some score, in the unit of the cost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ExpectedCost {
    /// The mean.
    pub mean: f64,
    /// The lower end of the mean's 90 % interval.
    pub low: f64,
    /// The upper end of the mean's 90 % interval.
    pub high: f64,
}

impl Calibration {
    /// Fits expected costs to scores. List i has the items `offsets[i]..offsets[i + 1]`; the scores
    /// must come from a model that was not trained on these lists. An item of weight 2 counts as two
    /// items.
    ///
    /// Returns `None` if there are fewer than 10 items with a cost, or they come from fewer than 3
    /// lists.
    pub fn fit(
        scores: &[f64],
        costs: &[f64],
        weights: Option<&[f64]>,
        offsets: &[usize],
    ) -> Result<Option<Calibration>, CalibrationError> {
        check(scores, costs, weights, offsets)?;
        // In units of the largest, so that sums do not overflow.
        let unit = largest(costs);
        let weight_unit = weights.map_or(1.0, largest);
        if unit == 0.0 || weight_unit == 0.0 {
            return Ok(None);
        }
        let mut items = Vec::with_capacity(scores.len());
        for (list, of_list) in offsets.windows(2).enumerate() {
            items.extend((of_list[0]..of_list[1]).map(|i| Item {
                score: scores[i] + 0.0, // -0 is 0
                cost: costs[i] / unit,
                weight: weights.map_or(1.0, |w| w[i] / weight_unit),
                list: list as u32,
            }));
        }
        items.retain(|item| item.weight > 0.0);
        isotonic::sort(&mut items);
        let lists = offsets.len() - 1;
        let Some(mut fitted) = Calibration::of_items(&items, lists) else { return Ok(None) };
        fitted.items = scores.len() as u64;
        fitted.outcomes = Some(Outcomes::of(&fitted, &items, lists));
        fitted.in_unit(unit);
        Ok(Some(fitted))
    }

    /// The function of sorted items, in their unit, without outcomes. `None` if there are too few.
    fn of_items(items: &[Item], lists: usize) -> Option<Calibration> {
        let blocks = isotonic::blocks(items, lists, MAX_KNOTS - ends::MAX_ADDED);
        let estimates = estimate::of_blocks(&blocks, items, lists);
        let knot = |one: &Estimate| Knot {
            score: one.score,
            expected: ExpectedCost { mean: one.mean, low: one.mean, high: one.mean },
        };
        let knots: Vec<Knot> = estimates.iter().map(knot).collect();
        if knots.is_empty() {
            return None;
        }
        let mut fitted =
            Calibration { lists: lists as u64, items: items.len() as u64, knots, outcomes: None };
        fitted.keep_total(items);
        fitted.add_intervals(&estimates, items, lists);
        Some(fitted)
    }

    /// Fits expected costs to a score for every item of a problem, in the order of its data; lists whose
    /// scores are NaN are left out. The
    /// result does not depend on the order of the lists nor, if items have ids, on that of the items.
    ///
    /// Weights of items are ignored: they express importance, not frequency.
    pub fn of_scores(
        problem: &Problem<'_>,
        scores: &[f64],
    ) -> Result<Option<Calibration>, CalibrationError> {
        Self::among(problem, scores, &Shards::alone())
    }

    /// The same for a problem of which other shards have more lists.
    pub fn among(
        problem: &Problem<'_>,
        scores: &[f64],
        shards: &Shards,
    ) -> Result<Option<Calibration>, CalibrationError> {
        let lists = Lists::among(problem, shards).map_err(CalibrationError)?;
        let is_scored = |list: usize| {
            let first = lists.rows()[lists.items(list).start];
            !scores[first as usize].is_nan()
        };
        let (lists, _) = lists.take(is_scored);
        let Gathered { scores, costs, offsets } = Gathered::of(&lists, lists.in_order(scores));
        Self::fit(&scores, &costs, None, &offsets)
    }

    /// The mean cost of items with this score.
    pub fn expected(&self, score: f64) -> ExpectedCost {
        let above = self.knots.partition_point(|knot| knot.score <= score);
        match (above.checked_sub(1).map(|below| self.knots[below]), self.knots.get(above)) {
            (Some(below), Some(above)) => below.towards(above, score),
            (Some(last), None) => last.expected,
            (None, Some(first)) => first.expected,
            (None, None) => ExpectedCost { mean: 0.0, low: 0.0, high: 0.0 },
        }
    }

    /// What an item with this score may come to, if it is known.
    pub fn outcome(&self, score: f64) -> Option<Outcome> {
        Some(self.outcomes.as_ref()?.of_item(score, self.expected(score).mean))
    }

    /// What the first items of lists may come to together, if it is known.
    pub fn totals(&self) -> Option<Totals> {
        Totals::new(self.outcomes.as_ref()?)
    }

    /// Scales costs so that the expected costs of `items` sum to their costs.
    fn keep_total(&mut self, items: &[Item]) {
        let total: f64 = items.iter().map(|item| item.weight * item.cost).sum();
        let expected = |item: &Item| item.weight * self.expected(item.score).mean;
        let factor = total / items.iter().map(expected).sum::<f64>();
        self.knots.iter_mut().for_each(|knot| knot.expected.mean *= factor);
    }

    /// The intervals of the means, with the error of the total, which all of them share.
    fn add_intervals(&mut self, estimates: &[Estimate], items: &[Item], lists: usize) {
        let total: f64 = items.iter().map(|item| item.weight * item.cost).sum();
        let deviation =
            |item: &Item| (item.list, item.weight * (item.cost - self.expected(item.score).mean));
        let shared = clustered(items.iter().map(deviation), lists) / total;
        for (knot, estimate) in self.knots.iter_mut().zip(estimates) {
            let (mean, spread) = (knot.expected.mean, estimate.spread(shared));
            knot.expected = ExpectedCost { mean, low: mean / spread, high: mean * spread };
        }
        // Means do not decrease, so an end for a higher score bounds the upper ends below it.
        let knots = &mut self.knots;
        for i in (1..knots.len()).rev() {
            knots[i - 1].expected.high = knots[i - 1].expected.high.min(knots[i].expected.high);
        }
        for i in 1..knots.len() {
            knots[i].expected.low = knots[i].expected.low.max(knots[i - 1].expected.low);
        }
    }

    /// Turns costs in units of `unit` into costs.
    fn in_unit(&mut self, unit: f64) {
        for knot in &mut self.knots {
            let ExpectedCost { mean, low, high } = &mut knot.expected;
            for value in [mean, low, high] {
                *value = (*value * unit).min(f64::MAX);
            }
        }
        self.outcomes.iter_mut().for_each(|outcomes| outcomes.in_unit(unit));
    }
}

impl Knot {
    /// Interpolates linearly to the next knot.
    fn towards(&self, next: &Knot, score: f64) -> ExpectedCost {
        // Halves, because the difference of two large scores may overflow.
        let from = 0.5 * self.score;
        let share = (0.5 * score - from) / (0.5 * next.score - from);
        let between = |of: fn(&ExpectedCost) -> f64| {
            let (a, b) = (of(&self.expected), of(&next.expected));
            // Rounding must not exceed the next knot.
            (a + (b - a) * share).min(b)
        };
        let mean = between(|e| e.mean);
        ExpectedCost {
            mean,
            low: between(|e| e.low).min(mean),
            high: between(|e| e.high).max(mean),
        }
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}
