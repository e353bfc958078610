//! How far members stand from where they should: d = p - t, positive if they stand too low.

use super::{Measure, Sums};
use crate::members::Members;

/// Sum and number of values of d.
fn mean(group: &Members<'_>, values: impl Iterator<Item = f64>) -> Sums {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), d| (sum + d, count + 1.0));
    [sum * group.list.scale, count, 0.0, 0.0]
}

/// Mean d over the group, or over its members at positions up to k.
pub(super) fn displacement(group: &Members<'_>, measure: &Measure) -> Sums {
    let deep = if measure.k == 0 { f64::INFINITY } else { measure.k as f64 };
    mean(group, group.both().filter(|(p, _)| *p <= deep).map(|(p, t)| p - t))
}

/// Mean d over the members whose true position is in a fifth of the list, 0 the top.
pub(super) fn in_fifth(group: &Members<'_>, fifth: usize) -> Sums {
    let n = group.list.len() as f64;
    let (from, to) = (fifth as f64 * n, (fifth + 1) as f64 * n);
    let inside = move |(_, t): &(f64, f64)| (from..to).contains(&(5.0 * (t - 0.5)));
    mean(group, group.both().filter(inside).map(|(p, t)| p - t))
}

/// Mean |d|.
pub(super) fn absolute(group: &Members<'_>, _: &Measure) -> Sums {
    mean(group, group.both().map(|(p, t)| (p - t).abs()))
}
