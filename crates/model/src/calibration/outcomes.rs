//! What single items, and the first items of a list together, may come to.
//!
//! Means say nothing about a single storm. The intervals here are predictive: 8 of 10 new items, or of new lists,
//! are within them. They are conformal (Vovk, Gammerman and Shafer 2005), from **ratios of observed to expected
//! cost** in the lists of the calibration, each list compared with a function that was fitted without it (in
//! folds of lists):
//!
//! - For totals the list is the unit. For several depths there is the ratio of the first so many items of
//!   each list together. A new list is compared with the third of the lists, and at least 20, whose expected
//!   cost is nearest: ratios of mild lists differ from those of severe ones.
//! - For items there are bands of scores, each with the share of items that cost anything, and with ratios.
//!
//! Ends are the 10 % and the 90 % quantile of the ratios, `(n + 1) p` from below, as conformal prediction has them.
//! Where the lowest ratio is that of a tenth or more (mostly 0: lists and items to which nothing happens), it is
//! the lower end, nothing is below it, and the upper end is the 80 % quantile.

mod fit;
mod totals;

use stakes_core::display::significant;

pub use totals::Totals;

/// The share of new items and lists within the intervals.
const LEVEL: f64 = 0.8;
/// The depths at which totals are compared.
const DEPTHS: [usize; 7] = [1, 3, 10, 30, 100, 300, 1000];
pub(crate) const MAX_DEPTHS: usize = DEPTHS.len();
/// The most lists that are kept for a depth; more are thinned evenly by their expected cost.
pub(crate) const MAX_LISTS: usize = 200;
/// The most bands of scores.
pub(crate) const MAX_BANDS: usize = 20;
/// More digits of ratios are not known, and would only take room.
const DIGITS: usize = 4;

/// Ratios of observed to expected cost.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcomes {
    /// Single items, by increasing score.
    pub bands: Vec<Band>,
    /// The first items of lists together, by increasing depth.
    pub depths: Vec<Depth>,
}

/// Items of similar scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// Their mean score.
    pub score: f64,
    /// The share that cost anything; it never decreases with the score.
    pub chance: f64,
    /// The lower end of their ratios.
    pub low: f64,
    /// The upper end of their ratios.
    pub high: f64,
}

/// The first items of lists.
#[derive(Debug, Clone, PartialEq)]
pub struct Depth {
    /// How many of each list, or all of a shorter one.
    pub items: u64,
    /// What was expected of them and what they came to, by increasing expected cost.
    pub lists: Vec<Total>,
}

/// The first items of a list together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Total {
    /// Their expected cost.
    pub expected: f64,
    /// Their cost over it.
    pub ratio: f64,
}

/// What may be observed of one item.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// The probability that it costs anything.
    pub chance: f64,
    /// Its cost, in 8 of 10 cases.
    pub range: Range,
}

/// A predictive interval, in the unit of the cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Outcomes {
    pub(super) fn of_item(&self, score: f64, expected: f64) -> Outcome {
        let above = self.bands.partition_point(|band| band.score <= score);
        let (below, above) = (above.saturating_sub(1), above.min(self.bands.len() - 1));
        let (a, b) = (self.bands[below], self.bands[above]);
        // Halves, because the difference of two large scores may overflow.
        let length = 0.5 * b.score - 0.5 * a.score;
        let share = if length > 0.0 { (0.5 * score - 0.5 * a.score) / length } else { 0.0 };
        let between = |of: fn(&Band) -> f64| of(&a) + (of(&b) - of(&a)) * share.clamp(0.0, 1.0);
        let cost = |ratio: f64| (ratio * expected).min(f64::MAX);
        let range = Range { low: cost(between(|b| b.low)), high: cost(between(|b| b.high)) };
        Outcome { chance: between(|b| b.chance), range }
    }

    pub(super) fn in_unit(&mut self, unit: f64) {
        for total in self.depths.iter_mut().flat_map(|depth| &mut depth.lists) {
            total.expected = significant(total.expected * unit, DIGITS).min(f64::MAX);
        }
    }
}
