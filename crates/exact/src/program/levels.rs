//! ResolvedRank without symmetry: items with equal gains have no individual ranks.
//!
//! A gain is a sum of steps between levels: with levels 0 < g_1 < g_2 < ... the value of an order is the
//! sum over m of (g_m - g_(m-1)) times the value of the same order with gain 1 for items of at least g_m
//! and 0 for all others. So each level is a list of p good and q bad items, in which only the set of ranks
//! of the good items matters, not which item has which rank.
//!
//! The j-th good item from the top has j - 1 good items before it, and those bad ones that have fewer than j
//! good items above them. With z_ik as in `pairs`, for good i and bad k only:
//!
//! - u_kj = 1 if bad item k has at least j good ones above it: a staircase over the sum over i of z_ik;
//! - s_jb = 1 if at least b bad items are below the j-th good one: a staircase over the sum over k of
//!   u_kj; that item has rank j + q - b from the top, and the discount of this rank.
//!
//! There is no z between equal gains, no two solutions differ only by a permutation of equal items, and capacity
//! cuts are not needed, as no two good items can have the same rank. Ties need no special treatment: z_ik = 0 puts
//! the bad item above, as a tie does, also for duplicates.
//!
//! Size: 2 p q columns for each level and list; with many levels [`super::ranks`] is smaller.

use super::draft::{Count, Draft, Step};
use super::ideal::Ideal;
use super::pairs::Pairs;
use crate::problem::Problem;

/// The levels of a list: its distinct gains in increasing order, without 0.
pub(super) fn levels(problem: &Problem, list: usize) -> Vec<f64> {
    let mut levels: Vec<f64> = problem.sum().gains[problem.list(list)].to_vec();
    levels.retain(|gain| *gain > 0.0);
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    levels
}

/// Adds the columns and rows of a list.
pub(super) fn add_list(problem: &Problem, list: usize, pairs: &mut Pairs<'_>, draft: &mut Draft) {
    let gains = &problem.sum().gains;
    let levels = levels(problem, list);
    let start = problem.list(list).start;
    let items = problem.list(list).len();
    let mut above: Vec<Option<Count>> = vec![None; items * items];
    let ideal = Ideal::new(problem, list);
    let mut last = 0.0;
    for level in levels {
        let good: Vec<usize> = problem.list(list).filter(|i| gains[*i] >= level).collect();
        let bad: Vec<usize> = problem.list(list).filter(|k| gains[*k] < level).collect();
        let mut counts = Vec::new();
        for k in &bad {
            let mut count = Count::default();
            for i in &good {
                let at = (i - start) * items + k - start;
                count.add(above[at].get_or_insert_with(|| pairs.strictly_above(draft, *i, *k)));
            }
            counts.push(count);
        }
        let discounts = &problem.sum().discounts[list];
        let steps = add_ranks(counts, good.len(), level - last, discounts, draft);
        for (nth, step) in steps {
            // If the column is 0, fewer than `reached` bad items are below and all others before.
            let before = bad.len() - step.reached + 1;
            let best = ideal.with_before(nth, good.len(), before);
            draft.value_bounds.push((step.column, best, f64::INFINITY));
        }
        last = level;
    }
}

/// Adds the ranks of the good items to the objective, given the number of good items above each bad item. Returns the
/// columns that indicate how many bad items are below the n-th good one.
fn add_ranks(
    above: Vec<Count>,
    good: usize,
    gain: f64,
    discounts: &[f64],
    draft: &mut Draft,
) -> Vec<(usize, Step)> {
    let bad = above.len();
    let discount = |rank: usize| discounts.get(rank).copied().unwrap_or(0.0);
    // For the j-th good item: (b, the increase of the objective by the b-th bad item below it).
    let rises = |j: usize| -> Vec<(usize, f64)> {
        let rise = |b: usize| discount(j - 1 + bad - b) - discount(j + bad - b);
        (1..=bad).map(|b| (b, gain * rise(b))).filter(|step| step.1 > 0.0).collect()
    };
    let steps: Vec<Vec<(usize, f64)>> = (1..=good).map(rises).collect();
    let needed: Vec<(usize, f64)> =
        (1..=good).filter(|j| !steps[j - 1].is_empty()).map(|j| (j, 0.0)).collect();
    let mut below: Vec<Count> = vec![Count::default(); good + 1];
    for count in above {
        for step in draft.staircase(count, &needed) {
            below[step.reached].add(&Count::column(step.column));
        }
    }
    let mut all: Vec<(usize, Step)> = Vec::new();
    let mut last = 0;
    for j in 1..=good {
        draft.program.constant += gain * discount(j - 1 + bad);
        let made = draft.staircase(std::mem::take(&mut below[j]), &steps[j - 1]);
        // Bad items below this good item are also below the previous one.
        for step in &made {
            let same = all[last..].iter().find(|other| other.1.reached == step.reached);
            if let Some((_, other)) = same {
                draft.at_most(vec![(step.column, 1.0), (other.column, -1.0)], 0.0);
            }
        }
        last = all.len();
        all.extend(made.into_iter().map(|step| (j, step)));
    }
    all
}
