//! Where a group stands: mean position, order against the rest, the first k, exposure, spread.
//!
//! n items, m of them members, positions p from 1.

use super::{Measure, Sums};
use crate::members::Members;

/// Mean of p over the group less (n + 1)/2.
pub(super) fn mean_rank(group: &Members<'_>, _: &Measure) -> Sums {
    let middle = 0.5 * (group.list.len() as f64 + 1.0);
    let sum: f64 = group.positions().map(|p| p - middle).sum();
    [sum * group.list.scale, group.len() as f64, 0.0, 0.0]
}

/// The sum of p less its mean, and its variance over random groups: m(n-m)(n+1)/12 (Wilcoxon 1945).
pub(super) fn rank_sum(group: &Members<'_>, _: &Measure) -> Sums {
    let (n, m) = (group.list.len() as f64, group.len() as f64);
    let sum: f64 = group.positions().map(|p| p - 0.5 * (n + 1.0)).sum();
    [sum, m * group.others() as f64 * (n + 1.0) / 12.0, 0.0, 0.0]
}

/// Pairs with the member above the other; a shared position counts half.
pub(super) fn parity(group: &Members<'_>, _: &Measure) -> Sums {
    let others = group.others() as f64;
    let below = |(size, above, tied): (usize, usize, usize)| {
        size as f64 * (others - above as f64 - 0.5 * tied as f64)
    };
    [group.blocks().map(below).sum(), group.len() as f64 * others, 0.0, 0.0]
}

/// The members and the others among the first k.
pub(super) fn first(group: &Members<'_>, measure: &Measure) -> Sums {
    let (list, k) = (group.list, measure.k);
    let share = |item: u32| list.among_first(item, k);
    let members: f64 = group.by_position.iter().map(|&item| share(item)).sum();
    let others = group.over_rest(k.min(list.len()) as f64, share);
    [members, group.len() as f64, others, group.others() as f64]
}

/// The smaller over the larger of two rates.
pub(super) fn smaller_over_larger(sums: &Sums) -> Option<f64> {
    let [a, members, b, others] = *sums;
    let (a, b) = (a / members, b / others);
    // Not a number if a side is empty, and then not above 0 either.
    (a.max(b) > 0.0 && members > 0.0 && others > 0.0).then(|| a.min(b) / a.max(b))
}

/// The group's share of 1/log2(p + 1) over its share of the list.
pub(super) fn exposure(group: &Members<'_>, measure: &Measure) -> Sums {
    let list = group.list;
    let (seen, all) = match measure.k {
        0 => {
            let view = |&item: &u32| list.exposure[item as usize];
            (group.by_position.iter().map(view).sum::<f64>(), list.all_exposure)
        }
        _ => {
            let chance = |&item: &u32| {
                let (first, last) = list.block[item as usize];
                measure.chance(first as usize, last as usize)
            };
            let n = list.len();
            (group.by_position.iter().map(chance).sum::<f64>(), measure.chance(1, n) * n as f64)
        }
    };
    match all > 0.0 {
        true => [seen / all * list.len() as f64, group.len() as f64, 0.0, 0.0],
        false => [0.0; 4],
    }
}

/// Mean |p - (n + 1)/2| over n/4.
pub(super) fn spread(group: &Members<'_>, _: &Measure) -> Sums {
    let n = group.list.len() as f64;
    let sum: f64 = group.positions().map(|p| (p - 0.5 * (n + 1.0)).abs()).sum();
    [4.0 * sum / n, group.len() as f64, 0.0, 0.0]
}
