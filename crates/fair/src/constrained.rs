//! The best order under limits of groups, exactly: at least so many members in every prefix, at most so many
//! among the first k, for several groups at once, which may overlap.
//!
//! The value of an order is the sum over places of discount x value of the item there; discounts do not rise.
//! Items that belong to the same groups form a **cell**. Within a cell the best order has falling values:
//! exchanging two items of a cell changes no count, and putting the better one first never lowers the sum. So
//! an order is a choice of cells, place by place, and what is left to find is the best path through the counts of
//! the cells: a dynamic program over them, which tries every path. With c cells and k places there are at most
//! (k+1)^(c-1) counts at a place.
//!
//! Is the greedy rule of [`crate::with_min_shares`] exact? For one group it is: a member is put before a better
//! item only where the count forces it, and at the latest such place. For several groups it is not: two groups
//! may each need a member at the same place, and one of them has to come earlier.
//!
//! ```
//! use stakes_fair::{GroupLimit, constrained};
//! // B B B A A B with these values: every second one is to be an A.
//! let is_a = [false, false, false, true, true, false];
//! let limit = GroupLimit { members: &is_a, at_least: vec![0, 1, 1], at_most: None };
//! let found = constrained(&[10.0, 8.0, 6.0, 5.0, 3.0, 1.0], &[1.0, 2.0 / 3.0, 1.0 / 3.0], &[limit])?;
//! assert_eq!(found.order, [0, 3, 1, 2, 4, 5]);
//! assert!((found.value - 16.0).abs() < 1e-9 && (found.free - 52.0 / 3.0).abs() < 1e-9);
//! # Ok::<(), stakes_fair::ConstrainedError>(())
//! ```

use std::collections::BTreeMap;

/// The most states that are looked at; about a second on one core.
const MOST_STATES: usize = 20_000_000;
/// The most cells: a step is kept in a byte.
const MOST_CELLS: usize = 250;

/// What a group must keep to among the first places.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupLimit<'a> {
    /// Which items are members.
    pub members: &'a [bool],
    /// Members that are needed among the first 1, 2, ... items; where there are not that many, all of them.
    pub at_least: Vec<usize>,
    /// The most members among all places that count.
    pub at_most: Option<usize>,
}

/// The best order, and what the limits cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Constrained {
    /// Items: the places that count, then the others by falling value.
    pub order: Vec<usize>,
    /// The sum of discount x value. No order that keeps to the limits has more.
    pub value: f64,
    /// The same of the best order without limits.
    pub free: f64,
}

/// Why there is no order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
#[non_exhaustive]
pub enum ConstrainedError {
    #[error(
        "no order of the list keeps to all limits of groups; lower a minimum or raise a maximum"
    )]
    Impossible,
    #[error(
        "the limits of groups divide a list of {items} items into {cells} kinds, too many to find the best order of its \
         first {places}; name fewer groups or a smaller k"
    )]
    TooLarge { items: usize, cells: usize, places: usize },
}

/// Returns the best order of items with these values under limits. As many places count as there are discounts,
/// which are not negative and do not rise; equal values keep the order of the items.
///
/// # Errors
/// If no order keeps to the limits, or there are too many combinations of groups.
///
/// # Panics
/// If a group does not say of every item whether it is a member.
pub fn constrained(
    values: &[f64],
    discounts: &[f64],
    limits: &[GroupLimit<'_>],
) -> Result<Constrained, ConstrainedError> {
    let mut by_value: Vec<usize> = (0..values.len()).collect();
    by_value.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
    let k = discounts.len().min(values.len());
    let worth = |order: &[usize]| -> f64 {
        order.iter().zip(&discounts[..k]).map(|(&item, discount)| discount * values[item]).sum()
    };
    let cells = Cells::new(&by_value, k, limits);
    let too_large =
        || ConstrainedError::TooLarge { items: values.len(), cells: cells.items.len(), places: k };
    if cells.items.len() > MOST_CELLS {
        return Err(too_large());
    }
    let states = cells.states().filter(|states| states.saturating_mul(k.max(1)) <= MOST_STATES);
    let states = states.ok_or_else(too_large)?;
    let steps = cells.best_steps(values, &discounts[..k], limits, states)?;
    let mut next = vec![0; cells.items.len()];
    let mut order: Vec<usize> = Vec::with_capacity(values.len());
    for cell in steps {
        order.push(cells.items[cell][next[cell]]);
        next[cell] += 1;
    }
    let (value, free) = (worth(&order), worth(&by_value));
    let mut is_placed = vec![false; values.len()];
    order.iter().for_each(|&item| is_placed[item] = true);
    order.extend(by_value.into_iter().filter(|&item| !is_placed[item]));
    Ok(Constrained { order, value, free })
}

/// Items by the groups that they belong to.
struct Cells {
    /// The groups of each cell.
    of: Vec<Vec<bool>>,
    /// The items of each cell by falling value, as many as may be placed.
    items: Vec<Vec<usize>>,
}

impl Cells {
    fn new(by_value: &[usize], k: usize, limits: &[GroupLimit<'_>]) -> Self {
        let mut cells: BTreeMap<Vec<bool>, Vec<usize>> = BTreeMap::new();
        for &item in by_value {
            let of: Vec<bool> = limits.iter().map(|limit| limit.members[item]).collect();
            cells.entry(of).or_default().push(item);
        }
        for (of, items) in &mut cells {
            let limits = limits.iter().zip(of).filter(|(_, is_member)| **is_member);
            let most = limits.filter_map(|(limit, _)| limit.at_most).min().unwrap_or(k);
            items.truncate(most.min(k));
        }
        // The largest cell last: its count follows from the others.
        let mut cells: Vec<(Vec<bool>, Vec<usize>)> = cells.into_iter().collect();
        cells.sort_by_key(|(_, items)| items.len());
        let (of, items) = cells.into_iter().unzip();
        Cells { of, items }
    }

    /// The counts of all cells but the last, if they can be numbered.
    fn states(&self) -> Option<usize> {
        let counted = &self.items[..self.items.len().saturating_sub(1)];
        counted.iter().try_fold(1_usize, |all, items| all.checked_mul(items.len() + 1))
    }

    /// The cells of the first places, from the top.
    fn best_steps(
        &self,
        values: &[f64],
        discounts: &[f64],
        limits: &[GroupLimit<'_>],
        states: usize,
    ) -> Result<Vec<usize>, ConstrainedError> {
        const NONE: u8 = u8::MAX;
        let members = |limit: &GroupLimit<'_>| limit.members.iter().filter(|m| **m).count();
        let all: Vec<usize> = limits.iter().map(members).collect();
        let last = self.items.len().saturating_sub(1);
        let strides: Vec<usize> = self.items[..last]
            .iter()
            .scan(1, |stride, items| {
                let own = *stride;
                *stride *= items.len() + 1;
                Some(own)
            })
            .collect();
        let (mut best, mut next) = (vec![f64::NEG_INFINITY; states], Vec::new());
        best[0] = 0.0;
        let mut steps: Vec<Vec<u8>> = Vec::with_capacity(discounts.len());
        let mut counts = vec![0; self.items.len()];
        for (place, discount) in discounts.iter().enumerate() {
            next.clear();
            next.resize(states, f64::NEG_INFINITY);
            let mut step = vec![NONE; states];
            for (state, &value) in best.iter().enumerate() {
                if value == f64::NEG_INFINITY {
                    continue;
                }
                self.counts(state, place, &strides, &mut counts);
                for cell in 0..self.items.len() {
                    let Some(&item) = self.items[cell].get(counts[cell]) else { continue };
                    let to = state + strides.get(cell).copied().unwrap_or(0);
                    let value = value + discount * values[item];
                    if value <= next[to] {
                        continue;
                    }
                    counts[cell] += 1;
                    if self.keeps(&counts, place, limits, &all) {
                        (next[to], step[to]) = (value, cell as u8);
                    }
                    counts[cell] -= 1;
                }
            }
            std::mem::swap(&mut best, &mut next);
            steps.push(step);
        }
        let end = (0..states).filter(|&state| best[state] > f64::NEG_INFINITY);
        let end = end.reduce(|a, b| if best[b] > best[a] { b } else { a });
        let mut state = end.ok_or(ConstrainedError::Impossible)?;
        let mut found = Vec::with_capacity(steps.len());
        for step in steps.iter().rev() {
            let cell = usize::from(step[state]);
            state -= strides.get(cell).copied().unwrap_or(0);
            found.push(cell);
        }
        found.reverse();
        Ok(found)
    }

    /// The counts of a state after so many places.
    fn counts(&self, mut state: usize, placed: usize, strides: &[usize], counts: &mut [usize]) {
        let mut left = placed;
        for (cell, items) in self.items[..strides.len()].iter().enumerate() {
            counts[cell] = state % (items.len() + 1);
            state /= items.len() + 1;
            left -= counts[cell];
        }
        if let Some(last) = counts.last_mut() {
            *last = left;
        }
    }

    /// Whether counts after a place keep to all limits.
    fn keeps(
        &self,
        counts: &[usize],
        place: usize,
        limits: &[GroupLimit<'_>],
        all: &[usize],
    ) -> bool {
        limits.iter().enumerate().all(|(group, limit)| {
            let cells = counts.iter().zip(&self.of).filter(|(_, of)| of[group]);
            let placed: usize = cells.map(|(count, _)| count).sum();
            let need = limit.at_least.get(place).copied().unwrap_or(0).min(all[group]);
            placed >= need && limit.at_most.is_none_or(|most| placed <= most)
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{MinShare, with_min_shares};
    use proptest::prelude::*;

    /// Calls `seen` with all orders of `n` items.
    fn permutations(n: usize, seen: &mut dyn FnMut(&[usize])) {
        fn go(order: &mut Vec<usize>, n: usize, seen: &mut dyn FnMut(&[usize])) {
            if order.len() == n {
                return seen(order);
            }
            for item in 0..n {
                if !order.contains(&item) {
                    order.push(item);
                    go(order, n, seen);
                    order.pop();
                }
            }
        }
        go(&mut Vec::new(), n, seen);
    }

    proptest! {
        /// No permutation that keeps to the limits is worth more, and the order found keeps to them.
        #[test]
        fn the_best_of_all_permutations(
            items in prop::collection::vec((0_u8..9, any::<bool>(), any::<bool>()), 1..7),
            shares in (0.0..0.8_f64, 0.0..0.8_f64),
            at_most in prop::option::of(0_usize..4),
            places in 1_usize..6,
        ) {
            let values: Vec<f64> = items.iter().map(|item| f64::from(item.0)).collect();
            let (a, b): (Vec<bool>, Vec<bool>) = items.iter().map(|item| (item.1, item.2)).unzip();
            let k = places.min(items.len());
            let discounts: Vec<f64> = (1..=places).map(|p| 1.0 / p as f64).collect();
            let needs = |share| MinShare { share, significance: None }.needs(k);
            let limits = [
                GroupLimit { members: &a, at_least: needs(shares.0), at_most: None },
                GroupLimit { members: &b, at_least: needs(shares.1), at_most },
            ];
            let keeps = |order: &[usize]| limits.iter().all(|limit| {
                let all = limit.members.iter().filter(|m| **m).count();
                let placed = |p: usize| order[..p].iter().filter(|&&i| limit.members[i]).count();
                (1..=k).all(|p| placed(p) >= limit.at_least[p - 1].min(all))
                    && limit.at_most.is_none_or(|most| placed(k) <= most)
            });
            let worth = |order: &[usize]| -> f64 {
                order.iter().zip(&discounts).map(|(&i, d)| d * values[i]).sum()
            };
            let mut best: Option<f64> = None;
            permutations(items.len(), &mut |order| {
                if keeps(order) {
                    let value = worth(order);
                    best = Some(best.map_or(value, |known| known.max(value)));
                }
            });
            match (constrained(&values, &discounts, &limits), best) {
                (Ok(found), Some(best)) => {
                    prop_assert!((found.value - best).abs() < 1e-9, "{} for {best}", found.value);
                    prop_assert!(keeps(&found.order) && (worth(&found.order) - best).abs() < 1e-9);
                    prop_assert!(found.free >= found.value - 1e-9);
                }
                (Err(ConstrainedError::Impossible), None) => {}
                (found, best) => prop_assert!(false, "{found:?} for {best:?}"),
            }
        }

        /// For one group the greedy rule is as good.
        #[test]
        fn greedy_is_exact_for_one_group(
            items in prop::collection::vec((0_u8..50, any::<bool>()), 1..30),
            share in 0.0..1.0_f64,
        ) {
            let mut values: Vec<f64> = items.iter().map(|item| f64::from(item.0)).collect();
            values.sort_by(|a, b| b.total_cmp(a));
            let members: Vec<bool> = items.iter().map(|item| item.1).collect();
            let n = items.len();
            let discounts: Vec<f64> = (0..n).map(|p| (n - p) as f64).collect();
            let rule = MinShare { share, significance: None };
            let order: Vec<usize> = (0..n).collect();
            let greedy = with_min_shares(&order, &[(&members[..], rule)]);
            let limit = GroupLimit { members: &members, at_least: rule.needs(n), at_most: None };
            let exact = constrained(&values, &discounts, &[limit]).unwrap();
            let worth: f64 = greedy.iter().zip(&discounts).map(|(&i, d)| d * values[i]).sum();
            prop_assert!((worth - exact.value).abs() < 1e-9, "{worth} for {}", exact.value);
        }
    }

    /// Two groups need a member at the second place: one has to come first, which the greedy rule does not see.
    #[test]
    fn greedy_is_not_exact_for_several_groups() {
        let (a, b) = ([false, true, false], [false, false, true]);
        let limit = |members| GroupLimit { members, at_least: vec![0, 1], at_most: None };
        let found = constrained(&[9.0, 5.0, 1.0], &[1.0, 0.5], &[limit(&a), limit(&b)]).unwrap();
        assert_eq!(found.order, [1, 2, 0]);
        assert_eq!((found.value, found.free), (5.5, 11.5));
    }

    #[test]
    fn limits_that_cannot_be_kept() {
        let a = [true, true, false];
        let limit = GroupLimit { members: &a, at_least: vec![], at_most: Some(0) };
        let found = constrained(&[3.0, 2.0, 1.0], &[1.0, 1.0], &[limit]);
        assert_eq!(found.unwrap_err(), ConstrainedError::Impossible);
        let groups: Vec<Vec<bool>> =
            (0..12).map(|bit| (0..4096).map(|item| item >> bit & 1 == 1).collect()).collect();
        let limits: Vec<GroupLimit<'_>> = groups
            .iter()
            .map(|members| GroupLimit { members, at_least: vec![], at_most: Some(9) })
            .collect();
        let found = constrained(&vec![1.0; 4096], &[1.0; 100], &limits);
        assert!(matches!(found, Err(ConstrainedError::TooLarge { .. })), "{found:?}");
        // No items, no places, no limits.
        assert!(constrained(&[], &[1.0], &[]).unwrap().order.is_empty());
        assert_eq!(constrained(&[1.0, 2.0], &[], &[]).unwrap().order, [1, 0]);
        assert_eq!(constrained(&[1.0, 2.0], &[1.0], &[]).unwrap().order, [1, 0]);
    }
}
