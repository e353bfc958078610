//! Subrank and ResolvedRank of paper 004 (SPEC section 4), for real gains and any falling discounts.
//!
//! Ranks are counted from below: r_i is how many items are below item i. With a_l the discount of the
//! item that has l - 1 items below it (a_l = discounts[n - l]) and a~_l = a_l - a_(l-1), item i is worth
//! gain_i x (a_1 + sum over l of a~_l t_il) with t_il = 1 where r_i >= l - 1. Only l with a~_l > 0
//! matter: few, if discounts end at a cutoff.
//!
//! - **Subrank**: r_i = sum of z_ik over all k, for all items i with a gain. Of two tied items neither
//!   is below the other.
//! - **ResolvedRank**: of two items with gains one is always below the other: z_ki = 1 - z_ik, and z_ik
//!   for the item i with the greater gain is 1 only if i is above by the margin, and 0 only if it is not. Of
//!   equal gains the earlier item counts as the greater: any rule will do, if it is one.
//!   This needs half the columns of the paper's own form, and no columns for ranks.
//!
//! Without more, the relaxation puts all items on top. At most n - l + 1 items can have l - 1 others
//! below them, so sum over i of t_il <= n - l + 1 (capacity cuts, SPEC section 4).

use super::Formulation;
use super::draft::{Count, Draft};
use super::ideal::Ideal;
use super::pairs::Pairs;
use crate::problem::Problem;

/// Lays the columns and rows of a list.
pub(super) fn lay(
    problem: &Problem,
    list: usize,
    formulation: Formulation,
    pairs: &mut Pairs<'_>,
    draft: &mut Draft,
) {
    let gains = &problem.sum().gains;
    let discounts = &problem.sum().discounts[list];
    let items = problem.list(list).len();
    let discount = |rank: usize| discounts.get(rank).copied().unwrap_or(0.0);
    // (l - 1, a~_l)
    let rises: Vec<(usize, f64)> = (1..items)
        .map(|below| (below, discount(items - 1 - below) - discount(items - below)))
        .filter(|rise| rise.1 > 0.0)
        .collect();
    let worth: Vec<usize> = problem.list(list).filter(|item| gains[*item] > 0.0).collect();
    let idle = problem.list(list).filter(|item| gains[*item] <= 0.0);
    let mut below: Vec<Count> = vec![Count::default(); worth.len()];
    for other in idle {
        for (count, item) in below.iter_mut().zip(&worth) {
            count.add(&pairs.strictly(draft, *item, other));
        }
    }
    for first in 0..worth.len() {
        for second in first + 1..worth.len() {
            let (a, b) = (worth[first], worth[second]);
            let (one, two) = match formulation {
                Formulation::Subrank => subrank(pairs, draft, a, b),
                _ if gains[a] >= gains[b] => or_else(pairs.exactly(draft, a, b)),
                _ => {
                    let (two, one) = or_else(pairs.exactly(draft, b, a));
                    (one, two)
                }
            };
            below[first].add(&one);
            below[second].add(&two);
        }
    }
    let ideal = Ideal::new(problem, list);
    let mut reached: Vec<Vec<(usize, f64)>> = vec![Vec::new(); items];
    for (item, count) in worth.iter().zip(below) {
        let gain = gains[*item];
        draft.program.constant += gain * discount(items - 1);
        let steps: Vec<(usize, f64)> = rises.iter().map(|(l, rise)| (*l, gain * rise)).collect();
        for step in draft.staircase(count, &steps) {
            // With so many below, its rank from above is this or less; with fewer, more.
            let rank = items - 1 - step.reached;
            let (without, with) =
                (ideal.with_rank(gain, rank + 1, items), ideal.with_rank(gain, 0, rank));
            draft.promises.push((step.column, without, with));
            reached[step.reached].push((step.column, 1.0));
        }
    }
    for (below, terms) in reached.into_iter().enumerate() {
        if terms.len() > items - below {
            draft.at_most(terms, (items - below) as f64);
        }
    }
}

/// Whether one is above the other and the reverse, of which at most one is so.
fn subrank(pairs: &mut Pairs<'_>, draft: &mut Draft, a: usize, b: usize) -> (Count, Count) {
    let (one, two) = (pairs.strictly(draft, a, b), pairs.strictly(draft, b, a));
    if let ([x], [y]) = (&one.terms[..], &two.terms[..]) {
        draft.at_most(vec![*x, *y], 1.0);
    }
    (one, two)
}

/// Whether one is above the other, and else the reverse.
fn or_else(one: Count) -> (Count, Count) {
    let terms = one.terms.iter().map(|(column, by)| (*column, -by)).collect();
    let two = Count { constant: 1.0 - one.constant, terms };
    (one, two)
}
