//! Exact line search: the best step along one direction.
//!
//! For each list `sweep.rs` finds where its value changes. Merged in order, these changes make the
//! figure a step function of the distance moved, over the whole line from minus to plus infinity. Of the
//! intervals with the best figure the widest is chosen, measured by t / (1 + |t|) so that the two unbounded
//! intervals have a finite width as well: wide intervals are more likely to be good for other lists as well. Of
//! equally wide ones the nearest is chosen. The step leads to the interval's middle.

use rayon::prelude::*;

use crate::problem::Sum;

mod sweep;

pub use sweep::PermanentTies;
use sweep::{Change, Lines, Sweep};

/// Values closer than this differ only by rounding.
pub const ROUNDING: f64 = 1e-10;

/// Intervals narrower than this are artefacts of rounding.
const MIN_WIDTH: f64 = 1e-9;

/// The approximate number of items that a thread processes at a time.
const BUNDLE: usize = 2048;

/// A line of scores: the score of an item after a step t is its score plus t times its slope.
pub struct Direction<'d> {
    /// The starts of the lists, and the end of the last one.
    pub offsets: &'d [usize],
    /// The items of each list by descending score.
    pub order: &'d [u32],
    /// The current score of each item.
    pub scores: &'d [f64],
    /// The change of each item's score per step of 1.
    pub slopes: &'d [f64],
    /// The treatment of items whose scores are equal all along the line.
    pub permanent_ties: PermanentTies,
}

/// A step, and the figure it leads to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The distance, with its sign.
    pub by: f64,
    /// The figure after the step.
    pub value: f64,
}

/// The figure on one side of the current position.
struct Side {
    sign: f64,
    /// The figure next to the current position.
    first: f64,
    /// Its changes, by increasing distance.
    changes: Vec<Change>,
}

/// Returns the step that maximises figure - penalty(step).
pub fn best_step(sum: &Sum, direction: &Direction<'_>, penalty: impl Fn(f64) -> f64) -> Step {
    let sides = [1.0, -1.0].map(|sign| side(sum, direction, sign));
    let mut best = f64::NEG_INFINITY;
    for side in &sides {
        side.each(|_, step| best = best.max(step.value - penalty(step.by)));
    }
    let mut chosen = (0.0, Step { by: 0.0, value: f64::NEG_INFINITY });
    for side in &sides {
        side.each(|width, step| {
            let equal = step.value - penalty(step.by) >= best - ROUNDING;
            if equal && is_wider((width, step.by), (chosen.0, chosen.1.by)) {
                chosen = (width, step);
            }
        });
    }
    chosen.1
}

/// Whether the first interval is wider than the second, or as wide and nearer.
fn is_wider((width, by): (f64, f64), (than, other): (f64, f64)) -> bool {
    width > than + ROUNDING || (width > than - ROUNDING && by.abs() < other.abs())
}

fn side(sum: &Sum, direction: &Direction<'_>, sign: f64) -> Side {
    let Direction { offsets, order, scores, slopes, permanent_ties } = *direction;
    let bundle = |lists: std::ops::Range<usize>| {
        let (mut sweep, mut first, mut changes) = (Sweep::default(), 0.0, Vec::new());
        for list in lists {
            let discounts = &sum.discounts[list][..];
            if !discounts.is_empty() {
                let order = &order[offsets[list]..offsets[list + 1]];
                let gains = &sum.gains[..];
                let lines = Lines { order, scores, slopes, sign, gains, discounts, permanent_ties };
                first += sweep.list(&lines, &mut changes);
            }
        }
        (first, changes)
    };
    let bundles: Vec<(f64, Vec<Change>)> = bundles(offsets).into_par_iter().map(bundle).collect();
    let first = sum.constant + bundles.iter().map(|(first, _)| first).sum::<f64>();
    let mut changes: Vec<Change> = bundles.into_iter().flat_map(|(_, changes)| changes).collect();
    changes.sort_unstable_by(|a, b| a.at.total_cmp(&b.at));
    Side { sign, first, changes }
}

/// Ranges of lists, which do not depend on the number of threads.
fn bundles(offsets: &[usize]) -> Vec<std::ops::Range<usize>> {
    let mut bundles = Vec::new();
    let mut start = 0;
    for list in 1..offsets.len() {
        if offsets[list] - offsets[start] >= BUNDLE || list + 1 == offsets.len() {
            bundles.push(start..list);
            start = list;
        }
    }
    bundles
}

impl Side {
    /// Calls `with` for every interval of constant figure: its width, and the step to its middle.
    fn each(&self, mut with: impl FnMut(f64, Step)) {
        let (mut value, mut from) = (self.first, 0.0);
        let mut rest = &self.changes[..];
        loop {
            let to = rest.first().map_or(f64::INFINITY, |change| change.at);
            // 1 / (1 + t) decreases from 1 to 0 as t grows.
            let (near, far) = (1.0 / (1.0 + from), 1.0 / (1.0 + to));
            if near - far > MIN_WIDTH {
                let by = self.sign * (2.0 / (near + far) - 1.0);
                with(near - far, Step { by, value });
            }
            if rest.is_empty() {
                break;
            }
            while let [change, others @ ..] = rest
                && change.at == to
            {
                value += change.by;
                rest = others;
            }
            from = to;
        }
    }
}
