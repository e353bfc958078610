//! How much of what is acted on stays the same: from one order of the same lists to another, and from one list to
//! the next.
//!
//! Example: of the items a, b, c another order names b, c, d: 2 of 3 are the same.

use std::collections::HashSet;

use stakes_core::act::Limit;
use stakes_core::data::Dataset;

use crate::rank::items_in_order;

/// The mean over lists of the share of items to act on by `a` that are also to be acted on by `b`.
pub(crate) fn between_orders(data: &Dataset, limit: Limit<'_>, a: &[f64], b: &[f64]) -> f64 {
    let shares = (0..data.n_lists())
        .filter_map(|list| same(&chosen(data, limit, a, list), &chosen(data, limit, b, list)));
    mean(shares.collect()).unwrap_or(1.0)
}

/// The mean over neighbouring lists of the share of items to act on, by their ids, that are the same, and the
/// number of such pairs. Pairs of lists without a common item say nothing; `None` if there is no other, or
/// items have no ids.
pub(crate) fn between_lists(
    data: &Dataset,
    limit: Limit<'_>,
    priorities: &[f64],
) -> Option<(f64, usize)> {
    let ids = |items: &[usize]| -> Option<Vec<&str>> {
        items.iter().map(|&item| data.item_id(item)).collect()
    };
    let share = |list: usize| {
        let all = |list: usize| ids(&data.items(list).collect::<Vec<_>>());
        let before: HashSet<&str> = all(list - 1)?.into_iter().collect();
        if !all(list)?.iter().any(|id| before.contains(id)) {
            return None;
        }
        let acted_on = |list: usize| ids(&chosen(data, limit, priorities, list));
        same(&acted_on(list - 1)?, &acted_on(list)?)
    };
    let shares: Vec<f64> = (1..data.n_lists()).filter_map(share).collect();
    let pairs = shares.len();
    Some((mean(shares)?, pairs))
}

/// The items of a list that are acted on.
fn chosen(data: &Dataset, limit: Limit<'_>, priorities: &[f64], list: usize) -> Vec<usize> {
    let mut order = items_in_order(data, priorities, list);
    order.truncate(limit.acted_on(&order));
    order
}

/// The share of two sets that is in both; `None` if they are empty.
fn same<T: PartialEq>(a: &[T], b: &[T]) -> Option<f64> {
    let both = a.iter().filter(|item| b.contains(item)).count();
    let most = a.len().max(b.len());
    (most > 0).then(|| both as f64 / most as f64)
}

fn mean(values: Vec<f64>) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
