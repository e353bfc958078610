//! The scores and costs of the lists of all shards, in their canonical order.

use std::borrow::Cow;

use stakes_core::Lists;

/// Scores and costs, list by list.
pub(super) struct Gathered<'l> {
    pub(super) scores: Vec<f64>,
    pub(super) costs: Cow<'l, [f64]>,
    pub(super) offsets: Cow<'l, [usize]>,
}

impl<'l> Gathered<'l> {
    /// Those of these lists with their scores, and of those that other shards have.
    pub(super) fn of(lists: &'l Lists, scores: Vec<f64>) -> Self {
        if lists.shards().are_one() {
            let (costs, offsets) = (lists.cost().into(), lists.offsets().into());
            return Gathered { scores, costs, offsets };
        }
        let mut own = Vec::new();
        for list in 0..lists.len() {
            let items = lists.items(list);
            own.extend(lists.list_number(list).to_le_bytes());
            own.extend((items.len() as u64).to_le_bytes());
            let numbers = scores[items.clone()].iter().chain(&lists.cost()[items]);
            own.extend(numbers.flat_map(|number| number.to_le_bytes()));
        }
        let all = lists.shards().gather(own);
        let mut lists: Vec<(u64, &[[u8; 8]])> =
            all.iter().flat_map(|bytes| parsed(bytes)).collect();
        lists.sort_unstable_by_key(|list| list.0);
        let (mut scores, mut costs, mut offsets) = (Vec::new(), Vec::new(), vec![0]);
        for (_, numbers) in lists {
            let (of_scores, of_costs) = numbers.split_at(numbers.len() / 2);
            scores.extend(of_scores.iter().copied().map(f64::from_le_bytes));
            costs.extend(of_costs.iter().copied().map(f64::from_le_bytes));
            offsets.push(costs.len());
        }
        Gathered { scores, costs: costs.into(), offsets: offsets.into() }
    }
}

/// The number of each list that a shard has written, with its scores and costs.
fn parsed(bytes: &[u8]) -> impl Iterator<Item = (u64, &[[u8; 8]])> {
    let mut words = bytes.as_chunks().0;
    std::iter::from_fn(move || {
        let ([number, items], rest) = words.split_first_chunk()?;
        let (numbers, rest) = rest.split_at_checked(2 * u64::from_le_bytes(*items) as usize)?;
        words = rest;
        Some((u64::from_le_bytes(*number), numbers))
    })
}
