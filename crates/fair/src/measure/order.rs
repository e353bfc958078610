//! Wrong pairs (Kuhlman, VanValkenburg and Rundensteiner 2019: FARE) and the order within the group.

use super::{Measure, Sums};
use crate::isotonic::residual;
use crate::members::{Across, Members};

/// Wrong pairs with the member above, all pairs, and wrong pairs with the member below.
fn equality_of(across: Across) -> Sums {
    [across.over, across.pairs, across.under, 0.0]
}

/// Over all pairs with the rest, or those among the first k.
pub(super) fn equality(group: &Members<'_>, measure: &Measure) -> Sums {
    match measure.k {
        0 => equality_of(group.across),
        k => equality_of(group.across_top(k)),
    }
}

/// The group's error less that of the rest.
pub(super) fn equality_difference(sums: &Sums) -> Option<f64> {
    (sums[1] > 0.0).then(|| (sums[0] - sums[2]) / sums[1])
}

/// Wrong pairs over pairs, of all with at least one member.
pub(super) fn calibration(group: &Members<'_>, _: &Measure) -> Sums {
    let (across, m) = (group.across, group.len() as f64);
    let wrong = across.over + across.under + group.within.wrong;
    [wrong, across.pairs + 0.5 * m * (m - 1.0), 0.0, 0.0]
}

/// Wrong pairs over pairs, of all with exactly one member.
pub(super) fn calibration_mixed(group: &Members<'_>, _: &Measure) -> Sums {
    [group.across.over + group.across.under, group.across.pairs, 0.0, 0.0]
}

/// Kendall's tau within the group. Equal truths are not compared, a shared position is half wrong.
pub(super) fn arbitrary(group: &Members<'_>, _: &Measure) -> Sums {
    let within = group.within;
    [within.comparable - 2.0 * within.wrong, within.comparable, 0.0, 0.0]
}

/// The covariance of p and t over the group, and the variance of t.
pub(super) fn tokenisation(group: &Members<'_>, _: &Measure) -> Sums {
    let m = group.len() as f64;
    let (p_sum, t_sum) = group.both().fold((0.0, 0.0), |(a, b), (p, t)| (a + p, b + t));
    let (p_mean, t_mean) = (p_sum / m, t_sum / m);
    let unit = group.list.scale * group.list.scale;
    let (mut covariance, mut variance) = (0.0, 0.0);
    for (p, t) in group.both() {
        covariance += (t - t_mean) * (p - p_mean);
        variance += (t - t_mean) * (t - t_mean);
    }
    [covariance * unit, variance * unit, 0.0, 0.0]
}

/// The slope of p on t, less 1.
pub(super) fn slope_less_one(sums: &Sums) -> Option<f64> {
    (sums[1] > 0.0).then(|| sums[0] / sums[1] - 1.0)
}

/// |p - iso(t)|, iso the isotonic regression of p on t. Equal truths may stand in any order.
pub(super) fn noise(group: &Members<'_>, _: &Measure) -> Sums {
    let left = residual(group.both().map(|(p, _)| p));
    [left * group.list.scale, group.len() as f64, 0.0, 0.0]
}
