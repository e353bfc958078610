//! The lists that stand for all: drawn by their ids, from those of all shards.

use stakes_core::data::Dataset;
use stakes_core::random::draw_for;
use stakes_core::shards::Shards;

use crate::profile::MAX_SAMPLED;

/// Bins are made of so many items, or of all: nothing is gained by sorting more.
const ENOUGH_ITEMS: usize = 20_000;

/// Which items of a shard belong to lists that stand for all.
pub(super) struct SampledLists {
    /// For each item whether bins are made of its values.
    pub(super) is_sampled: Vec<bool>,
    /// The place of its list among those whose counts are kept.
    pub(super) place: Vec<Option<u8>>,
    /// The number of lists whose counts are kept.
    pub(super) kept: usize,
}

impl SampledLists {
    pub(super) fn new(data: &Dataset, shards: &Shards) -> Self {
        let size = |list: usize| data.items(list).len();
        let mut own: Vec<(f64, usize)> =
            (0..data.n_lists()).map(|list| (draw_for(0, data.list_id(list)), list)).collect();
        let id = |list: usize| data.list_id(list);
        own.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| id(a.1).cmp(id(b.1))));
        // A list that is needed among all is needed among fewer.
        own.truncate(needed(own.iter().map(|&(_, list)| size(list))));
        let said =
            shards.gather_lists(own.iter().map(|&(_, list)| (id(list), [size(list) as f64])));
        let mut all: Vec<_> = said.into_iter().map(|of| (draw_for(0, &of.id), of)).collect();
        // They come in the order of their ids, which decides between equal draws.
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.truncate(needed(all.iter().map(|(_, of)| of.numbers[0] as usize)));

        let (mut is_sampled, mut place) = (vec![false; data.len()], vec![None; data.len()]);
        let is_own = |rank: usize| rank == shards.rank();
        let places = all.iter().enumerate().filter(|(_, (_, of))| is_own(of.rank));
        // Both are in the same order.
        for ((at, _), &(_, list)) in places.zip(&own) {
            is_sampled[data.items(list)].fill(true);
            place[data.items(list)].fill((at < MAX_SAMPLED).then_some(at as u8));
        }
        SampledLists { is_sampled, place, kept: all.len().min(MAX_SAMPLED) }
    }
}

/// How many lists of these sizes are needed for enough lists and enough items.
fn needed(sizes: impl Iterator<Item = usize>) -> usize {
    let before = sizes.scan(0, |items, size| Some(std::mem::replace(items, *items + size)));
    before
        .enumerate()
        .take_while(|&(lists, items)| lists < MAX_SAMPLED || items < ENOUGH_ITEMS)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_taken_until_there_are_enough_of_them_and_of_items() {
        assert_eq!(needed([1; 30].into_iter()), 30);
        assert_eq!(needed([1_000; 100].into_iter()), 40);
        assert_eq!(needed([100; 1_000].into_iter()), 200);
    }
}
