//! How evenly the members stand along the list: distance to an even comb, blocks, nearest fellows, gaps.
//!
//! Averages over lists are weighted by the number of members.

use super::{Measure, Sums};
use crate::members::Members;

/// A value of the list, weighted by the number of members.
fn weighted(value: f64, group: &Members<'_>) -> Sums {
    let m = group.len() as f64;
    [value * m, m, 0.0, 0.0]
}

/// W = 1/(mn) sum |p_(i) - q_i| with q_i = (i - 1/2) n/m + 1/2.
pub(super) fn uniformity(group: &Members<'_>, _: &Measure) -> Sums {
    let (n, m) = (group.list.len() as f64, group.len() as f64);
    let even = |i: usize| (i as f64 + 0.5) * n / m + 0.5;
    let sum: f64 = group.positions().enumerate().map(|(i, p)| (p - even(i)).abs()).sum();
    weighted(sum / (m * n), group)
}

/// The largest |F(x) - x/n|, F the share of members at positions up to x.
pub(super) fn kolmogorov_smirnov(group: &Members<'_>, _: &Measure) -> Sums {
    let (n, m) = (group.list.len() as f64, group.len() as f64);
    let largest = group.positions().enumerate().fold(0.0_f64, |largest, (i, p)| {
        let (before, after) = (i as f64 / m - (p - 1.0) / n, (i + 1) as f64 / m - p / n);
        largest.max(before.abs()).max(after.abs())
    });
    weighted(largest, group)
}

/// Chi-square of the members' numbers in min(10, m) equal blocks of the list.
pub(super) fn chi_square(group: &Members<'_>, _: &Measure) -> Sums {
    const MOST: usize = 10;
    let (n, m) = (group.list.len() as f64, group.len());
    let blocks = m.min(MOST);
    let mut counts = [0.0; MOST];
    for p in group.positions() {
        let block = ((p - 0.5) / n * blocks as f64) as usize;
        counts[block.min(blocks - 1)] += 1.0;
    }
    let expected = m as f64 / blocks as f64;
    let sum: f64 = counts[..blocks].iter().map(|c| (c - expected) * (c - expected)).sum();
    weighted(sum / expected, group)
}

/// Mean distance of a member to its nearest fellow over n/(2m) (Clark and Evans 1954).
pub(super) fn clustering(group: &Members<'_>, _: &Measure) -> Sums {
    match nearest(group.positions()) {
        Some(sum) => weighted(2.0 * sum / group.list.len() as f64, group),
        None => [0.0; 4],
    }
}

/// The same over its value at the true positions.
pub(super) fn clustering_over_truth(group: &Members<'_>, _: &Measure) -> Sums {
    let at_truth = nearest(group.both().map(|(_, t)| t));
    match (nearest(group.positions()), at_truth) {
        (Some(placed), Some(truth)) => {
            let unit = group.len() as f64 / group.list.len() as f64;
            [placed * unit, truth * unit, 0.0, 0.0]
        }
        _ => [0.0; 4],
    }
}

/// The sum of distances to the nearest fellow among sorted positions; none for fewer than two.
fn nearest(positions: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut last, mut gap) = (0.0, None::<f64>, f64::INFINITY);
    for p in positions {
        if let Some(last) = last {
            let next = p - last;
            sum += gap.min(next);
            gap = next;
        }
        last = Some(p);
    }
    gap.is_finite().then_some(sum + gap)
}

/// The largest distance of neighbouring members x m/n.
pub(super) fn gap(group: &Members<'_>, _: &Measure) -> Sums {
    if group.len() < 2 {
        return [0.0; 4];
    }
    let next = group.positions().skip(1);
    let largest = next.zip(group.positions()).map(|(b, a)| b - a).fold(0.0, f64::max);
    weighted(largest * group.len() as f64 / group.list.len() as f64, group)
}
