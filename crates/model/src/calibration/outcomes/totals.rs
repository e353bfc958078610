//! What the first items of a list may come to together.

use super::{Depth, LEVEL, Outcomes, Range};

/// The fewest lists that a new list is compared with, if there are as many.
const MIN_NEAR: usize = 20;
/// With fewer ratios, the ends of an interval are not known.
const MIN_RATIOS: usize = 9;

/// The predictive intervals of totals, prepared for many lists.
#[derive(Debug, Clone, PartialEq)]
pub struct Totals {
    /// By increasing depth.
    depths: Vec<Windows>,
}

/// The intervals of one depth. As lists are in the order of their expected cost, those that are nearest to a new
/// one are neighbours: a window that moves along as the expected cost grows.
#[derive(Debug, Clone, PartialEq)]
struct Windows {
    items: f64,
    /// By window but for the last: up to which logarithm of the expected cost it is the nearest.
    up_to: Vec<f64>,
    /// By window.
    ends: Vec<(f64, f64)>,
}

impl Totals {
    /// `None` if there are too few lists.
    pub(in super::super) fn new(outcomes: &Outcomes) -> Option<Self> {
        let depths: Vec<Windows> =
            outcomes.depths.iter().map(Windows::new).collect::<Option<_>>()?;
        (!depths.is_empty()).then_some(Totals { depths })
    }

    /// What so many items of one list, which are expected to cost so much together, may come to. They are
    /// taken to be the first of their list.
    pub fn range(&self, items: usize, expected: f64) -> Range {
        let items = items.max(1) as f64;
        let last = self.depths.len() - 1;
        let above = self.depths.partition_point(|depth| depth.items < items).min(last);
        let (a, b) = (&self.depths[above.saturating_sub(1)], &self.depths[above]);
        let [from, to] = [a, b].map(|depth| depth.near(expected / items));
        let share = match (b.items / a.items).ln() {
            length if length > 0.0 => ((items / a.items).ln() / length).clamp(0.0, 1.0),
            _ => 0.0,
        };
        let cost = |from: f64, to: f64| ((from + (to - from) * share) * expected).min(f64::MAX);
        Range { low: cost(from.0, to.0), high: cost(from.1, to.1) }
    }
}

impl Windows {
    fn new(depth: &Depth) -> Option<Self> {
        let all = &depth.lists;
        let width = all.len().div_ceil(3).max(MIN_NEAR).min(all.len());
        let log = |place: usize| all[place].expected.max(f64::MIN_POSITIVE).ln();
        let up_to = (0..all.len() - width).map(|start| 0.5 * (log(start) + log(start + width)));
        let ends =
            all.windows(width.max(1)).map(|near| ends(near.iter().map(|t| t.ratio).collect()));
        Some(Windows {
            items: depth.items as f64,
            up_to: up_to.collect(),
            ends: ends.collect::<Option<Vec<_>>>().filter(|ends| !ends.is_empty())?,
        })
    }

    /// The ends of the ratios of the lists of which about as much was expected for each item.
    fn near(&self, each: f64) -> (f64, f64) {
        let wanted = (each * self.items).max(f64::MIN_POSITIVE).ln();
        self.ends[self.up_to.partition_point(|up_to| *up_to < wanted)]
    }
}

/// The ends of the interval that holds [`LEVEL`] of further ratios; `None` if there are too few.
pub(super) fn ends(mut ratios: Vec<f64>) -> Option<(f64, f64)> {
    if ratios.len() < MIN_RATIOS {
        return None;
    }
    ratios.sort_by(f64::total_cmp);
    let low = quantile(&ratios, 0.5 * (1.0 - LEVEL));
    let is_lowest_of_many = low == ratios[0] && ratios[1] == ratios[0];
    let below = if is_lowest_of_many { 0.0 } else { 0.5 * (1.0 - LEVEL) };
    Some((low, quantile(&ratios, below + LEVEL)))
}

/// The value at `(n + 1) p` of sorted values, counted from 1 and interpolated.
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let last = sorted.len() - 1;
    let at = ((sorted.len() + 1) as f64 * p - 1.0).clamp(0.0, last as f64);
    let (below, share) = (at as usize, at.fract());
    sorted[below] + (sorted[(below + 1).min(last)] - sorted[below]) * share
}

#[cfg(test)]
mod tests {
    use super::super::Total;
    use super::*;

    #[test]
    fn ends_hold_eight_of_ten() {
        let of = |values: &[f64]| ends(values.to_vec());
        assert_eq!(of(&[1.0; 8]), None, "too few");
        // (9 + 1) x 0.1 = 1: the first; x 0.9 = 9: the last.
        assert_eq!(of(&[9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]), Some((1.0, 9.0)));
        // Three of nine are 0: nothing is below, and (9 + 1) x 0.8 = 8.
        assert_eq!(of(&[0.0, 0.0, 0.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]), Some((0.0, 7.0)));
        assert_eq!(quantile(&[1.0, 2.0], 0.5), 1.5);
    }

    #[test]
    fn lists_are_compared_with_those_of_like_expectation() {
        // Mild lists come to nothing or much, severe ones to about what is expected.
        let mild = (0..30).map(|i| Total { expected: 1.0, ratio: f64::from(i % 3) });
        let severe = (0..30).map(|i| Total { expected: 100.0, ratio: 0.9 + f64::from(i) / 150.0 });
        let depth = Depth { items: 10, lists: mild.chain(severe).collect() };
        let Some(windows) = Windows::new(&depth) else { panic!("there are enough") };
        assert_eq!(windows.near(0.1), (0.0, 2.0));
        let (low, high) = windows.near(20.0);
        assert!(low > 0.9 && high < 1.1, "{low} {high}");
        let few = Depth { items: 10, lists: depth.lists[..8].to_vec() };
        assert_eq!(Windows::new(&few), None);
    }
}
