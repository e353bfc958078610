//! The best step along one direction, exactly.
//!
//! Each list says where its value changes (`sweep.rs`); put together in order they make the
//! figure a step function of how far the weight moves, over the whole line from minus to plus
//! infinity. Among the steps that are best the widest is taken, measured by t / (1 + |t|) so that
//! the two without end have a width, too: wide steps are more likely to be there in other lists.
//! Of equally wide ones the nearest to where the weight is. The new weight is the step's middle.

use rayon::prelude::*;

use crate::problem::Sum;

mod sweep;

pub use sweep::Forever;
use sweep::{Change, Lines, Sweep};

/// Values so near each other are the same but for rounding.
pub const ROUNDING: f64 = 1e-10;

/// Steps narrower than this are rounding, too.
const NARROWEST: f64 = 1e-9;

/// Items of lists that a thread takes at once, about.
const BUNDLE: usize = 2048;

/// Where scores are, and which way they go.
pub struct Direction<'d> {
    /// Where lists begin, and the end of the last.
    pub offsets: &'d [usize],
    /// The items of each list by falling score.
    pub order: &'d [u32],
    /// Where they are, of all items.
    pub scores: &'d [f64],
    /// What each item's score gains per step of 1.
    pub slopes: &'d [f64],
    /// What items count whose scores are equal all along.
    pub forever: Forever,
}

/// A step, and the figure it leads to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// How far.
    pub by: f64,
    /// The figure there.
    pub value: f64,
}

/// The figure on one side of where the weight is.
struct Side {
    sign: f64,
    /// Just beside it.
    first: f64,
    /// Further and further away.
    changes: Vec<Change>,
}

/// The step to where figure - penalty(step) is best.
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

/// Whether the first step is wider than the second, or as wide and nearer.
fn is_wider((width, by): (f64, f64), (than, other): (f64, f64)) -> bool {
    width > than + ROUNDING || (width > than - ROUNDING && by.abs() < other.abs())
}

fn side(sum: &Sum, direction: &Direction<'_>, sign: f64) -> Side {
    let Direction { offsets, order, scores, slopes, forever } = *direction;
    let bundle = |lists: std::ops::Range<usize>| {
        let (mut sweep, mut first, mut changes) = (Sweep::default(), 0.0, Vec::new());
        for list in lists {
            let discounts = &sum.discounts[list][..];
            if !discounts.is_empty() {
                let order = &order[offsets[list]..offsets[list + 1]];
                let gains = &sum.gains[..];
                let lines = Lines { order, scores, slopes, sign, gains, discounts, forever };
                first += sweep.list(&lines, &mut changes);
            }
        }
        (first, changes)
    };
    let bundles: Vec<(f64, Vec<Change>)> = bundles(offsets).into_par_iter().map(bundle).collect();
    let first = sum.unmoved + bundles.iter().map(|(first, _)| first).sum::<f64>();
    let mut changes: Vec<Change> = bundles.into_iter().flat_map(|(_, changes)| changes).collect();
    changes.sort_unstable_by(|a, b| a.at.total_cmp(&b.at));
    Side { sign, first, changes }
}

/// Lists in bundles that do not depend on the number of threads.
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
    /// Calls `with` for every step of the figure: its width, and the step to its middle.
    fn each(&self, mut with: impl FnMut(f64, Step)) {
        let (mut value, mut from) = (self.first, 0.0);
        let mut rest = &self.changes[..];
        loop {
            let to = rest.first().map_or(f64::INFINITY, |change| change.at);
            // 1 / (1 + t) falls from 1 to 0 as t goes out.
            let (near, far) = (1.0 / (1.0 + from), 1.0 / (1.0 + to));
            if near - far > NARROWEST {
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
