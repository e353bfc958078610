//! The programs Subrank and ResolvedRank (Rudin and Wang 2018, section 4), for real gains and any non-increasing
//! discounts.
//!
//! Ranks are counted from the bottom: r_i is the number of items below item i. With a_l the discount of the
//! item that has l - 1 items below it (a_l = discounts[n - l]) and a~_l = a_l - a_(l-1), item i contributes
//! gain_i x (a_1 + sum over l of a~_l t_il) with t_il = 1 if r_i >= l - 1. Only l with a~_l > 0
//! matter: few, if discounts end at a cutoff.
//!
//! - **Subrank**: r_i = sum of z_ik over all k, for all items i with a positive gain. Of two tied items neither
//!   is below the other.
//! - **ResolvedRank**: of two items with positive gains one is always below the other: z_ki = 1 - z_ik, and z_ik
//!   for the item i with the greater gain is 1 only if i is above by the margin, and 0 only if it is not. Of
//!   equal gains the earlier item counts as the greater; any fixed rule would do.
//!   This needs half the columns of the formulation in the paper, and no columns for ranks.
//!
//! On its own the relaxation puts all items on top. At most n - l + 1 items can have l - 1 others
//! below them, so the sum over i of t_il is at most n - l + 1. These rows (capacity cuts) are not in the paper; without
//! them the bound is far above the ideal value.

use super::Formulation;
use super::draft::{Count, Draft};
use super::ideal::Ideal;
use super::pairs::Pairs;
use crate::problem::Problem;

/// Adds the columns and rows of a list.
pub(super) fn add_list(
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
    let positive: Vec<usize> = problem.list(list).filter(|item| gains[*item] > 0.0).collect();
    let zero = problem.list(list).filter(|item| gains[*item] <= 0.0);
    let mut below: Vec<Count> = vec![Count::default(); positive.len()];
    for other in zero {
        for (count, item) in below.iter_mut().zip(&positive) {
            count.add(&pairs.strictly_above(draft, *item, other));
        }
    }
    for first in 0..positive.len() {
        for second in first + 1..positive.len() {
            let (a, b) = (positive[first], positive[second]);
            let (one, two) = match formulation {
                Formulation::Subrank => subrank(pairs, draft, a, b),
                _ if gains[a] >= gains[b] => with_complement(pairs.exactly_above(draft, a, b)),
                _ => {
                    let (two, one) = with_complement(pairs.exactly_above(draft, b, a));
                    (one, two)
                }
            };
            below[first].add(&one);
            below[second].add(&two);
        }
    }
    let ideal = Ideal::new(problem, list);
    let mut reached: Vec<Vec<(usize, f64)>> = vec![Vec::new(); items];
    for (item, count) in positive.iter().zip(below) {
        let gain = gains[*item];
        draft.program.constant += gain * discount(items - 1);
        let steps: Vec<(usize, f64)> = rises.iter().map(|(l, rise)| (*l, gain * rise)).collect();
        for step in draft.staircase(count, &steps) {
            // The rank from the top (from 0) if exactly `reached` items are below: more below, smaller rank.
            let rank = items - 1 - step.reached;
            let (without, with) =
                (ideal.with_rank(gain, rank + 1, items), ideal.with_rank(gain, 0, rank));
            draft.value_bounds.push((step.column, without, with));
            reached[step.reached].push((step.column, 1.0));
        }
    }
    for (below, terms) in reached.into_iter().enumerate() {
        if terms.len() > items - below {
            draft.at_most(terms, (items - below) as f64);
        }
    }
}

/// Adds columns for a above b and for b above a, at most one of them 1.
fn subrank(pairs: &mut Pairs<'_>, draft: &mut Draft, a: usize, b: usize) -> (Count, Count) {
    let (one, two) = (pairs.strictly_above(draft, a, b), pairs.strictly_above(draft, b, a));
    if let ([x], [y]) = (&one.terms[..], &two.terms[..]) {
        draft.at_most(vec![*x, *y], 1.0);
    }
    (one, two)
}

/// A 0/1 count, and 1 minus this count.
fn with_complement(one: Count) -> (Count, Count) {
    let terms = one.terms.iter().map(|(column, by)| (*column, -by)).collect();
    let two = Count { constant: 1.0 - one.constant, terms };
    (one, two)
}
