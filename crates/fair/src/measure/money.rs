//! What money adds: who suffers the cost, and whose cost the first k cover.
//!
//! By hand: costs 8 (A), 4 (B), 2 (A), 1 (B) in this order and k = 1: A has suffered 10 of 15 and all of the
//! cost covered; its cost recall is 8/10, and 2 are left uncovered. B's cost recall is 0.

use super::{Measure, Sums};
use crate::members::Members;

/// Members and others.
pub(super) fn items(group: &Members<'_>, _: &Measure) -> Sums {
    [group.len() as f64, group.others() as f64, 0.0, 0.0]
}

/// The cost of members and of others.
pub(super) fn suffered(group: &Members<'_>, _: &Measure) -> Sums {
    let Some(money) = &group.list.money else { return [0.0; 4] };
    let cost = |item: u32| money.cost[item as usize];
    let own: f64 = group.by_position.iter().map(|&item| cost(item)).sum();
    [own, group.over_rest(money.total, cost), 0.0, 0.0]
}

/// A group's part of the whole.
pub(super) fn part_of_whole(sums: &Sums) -> Option<f64> {
    let whole = sums[0] + sums[1];
    (whole > 0.0).then(|| sums[0] / whole)
}

/// The cost among the first k, of members and of others.
pub(super) fn covered(group: &Members<'_>, measure: &Measure) -> Sums {
    let (list, k) = (group.list, measure.k);
    let Some(money) = &list.money else { return [0.0; 4] };
    let cost = |item: u32| list.among_first(item, k) * money.cost[item as usize];
    let is_inside = |item: &&u32| list.block[**item as usize].0 as usize <= k;
    let all: f64 = list.order.iter().take_while(is_inside).map(|&item| cost(item)).sum();
    let own: f64 = group.by_position.iter().take_while(is_inside).map(|&item| cost(item)).sum();
    [own, group.over_rest(all, cost), 0.0, 0.0]
}

/// The group's cost among the first k, and all its cost.
pub(super) fn recall(group: &Members<'_>, measure: &Measure) -> Sums {
    [covered(group, measure)[0], suffered(group, measure)[0], 0.0, 0.0]
}

/// The group's cost that is not among the first k.
pub(super) fn uncovered(group: &Members<'_>, measure: &Measure) -> Sums {
    let [covered, all, ..] = recall(group, measure);
    [(all - covered).max(0.0), 0.0, 0.0, 0.0]
}

/// The amount itself.
pub(super) fn amount(sums: &Sums) -> Option<f64> {
    Some(sums[0])
}

/// A@k and Ideal@k of the members as a list of their own.
pub(super) fn saved(group: &Members<'_>, measure: &Measure) -> Sums {
    let list = group.list;
    let Some(money) = &list.money else { return [0.0; 4] };
    let cost = |item: &u32| money.cost[*item as usize];
    let same = |a: &u32, b: &u32| list.position[*a as usize] == list.position[*b as usize];
    let (mut saved, mut at) = (0.0, 0);
    for block in group.by_position.chunk_by(same) {
        if at >= measure.k {
            break;
        }
        let chance = measure.chance(at + 1, at + block.len());
        saved += chance * block.iter().map(cost).sum::<f64>();
        at += block.len();
    }
    let mut costs: Vec<f64> = group.by_position.iter().map(cost).collect();
    costs.sort_unstable_by(|a, b| b.total_cmp(a));
    let chances = (1..=measure.k).map(|p| measure.chance(p, p));
    let ideal = costs.iter().zip(chances).map(|(cost, chance)| cost * chance).sum();
    [saved, ideal, 0.0, 0.0]
}

/// Expected and observed cost of the members.
pub(super) fn calibration(group: &Members<'_>, _: &Measure) -> Sums {
    let (Some(money), Some(expected)) = (&group.list.money, &group.list.expected) else {
        return [0.0; 4];
    };
    let sum =
        |values: &[f64]| group.by_position.iter().map(|&item| values[item as usize]).sum::<f64>();
    [sum(expected), sum(&money.cost), 0.0, 0.0]
}

/// Differences in cost to others that cost less: where the member stands above, and all.
pub(super) fn pair_accuracy(group: &Members<'_>, _: &Measure) -> Sums {
    let (won, all) = group.gains_across();
    [won, all, 0.0, 0.0]
}
