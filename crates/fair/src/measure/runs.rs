//! Runs of members and others by position (Wald and Wolfowitz 1940).
//!
//! R is the number of maximal runs, with mean mu = 2m(n-m)/n + 1 and variance (mu-1)(mu-2)/(n-1) if members
//! stand at random; z = (R - mu)/sd. Items that share a position are in random order: R is then the mean over
//! their orders, 2ab/(a+b) changes within a block of a members and b others.
//!
//! By hand: B A A B B A B A B B has 7 runs, mu = 5.8, variance 2.0267, z = +0.8429.

use super::{Measure, Sums};
use crate::members::Members;

/// R - mu and the variance.
pub(super) fn runs(group: &Members<'_>, _: &Measure) -> Sums {
    let (m, others) = (group.len() as f64, group.others() as f64);
    let n = m + others;
    let mean = 2.0 * m * others / n + 1.0;
    let variance = (mean - 1.0) * (mean - 2.0) / (n - 1.0);
    [count(group) - mean, variance, 0.0, 0.0]
}

fn count(group: &Members<'_>) -> f64 {
    let others = group.others();
    let mut runs = 1.0;
    // The share of members in what stands directly above: nothing yet, others alone, or the last block.
    let mut before: Option<f64> = None;
    let mut passed = 0;
    let change = |a: f64, b: f64| a * (1.0 - b) + b * (1.0 - a);
    for (size, above, tied) in group.blocks() {
        if above > passed {
            // Others alone stand between.
            runs += before.map_or(0.0, |before| change(before, 0.0));
            before = Some(0.0);
        }
        let share = size as f64 / (size + tied) as f64;
        runs += before.map_or(0.0, |before| change(before, share));
        runs += 2.0 * (size * tied) as f64 / (size + tied) as f64;
        before = Some(share);
        passed = above + tied;
    }
    if others > passed {
        runs += before.map_or(0.0, |before| change(before, 0.0));
    }
    runs
}

/// z.
pub(super) fn z(sums: &Sums) -> Option<f64> {
    (sums[1] > 0.0).then(|| sums[0] / sums[1].sqrt())
}
