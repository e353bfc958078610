//! What decides on which side of a split a list is: for the lists of all shards.

use std::ops::Range;

use crate::data::Dataset;
use crate::random::draw_for;
use crate::shards::Shards;

/// What is known of a list.
pub(super) struct ListKey {
    /// Its last time; 0 if times are not known.
    pub(super) time: f64,
    /// A draw for its id.
    pub(super) draw: f64,
    /// Whether it has a cost to save.
    pub(super) useful: bool,
}

/// The keys of the lists of all shards, and which of them are this shard's.
pub(super) struct ListKeys {
    pub(super) all: Vec<ListKey>,
    own: Range<usize>,
}

impl ListKeys {
    /// Those of the lists of some data, of which other shards may have more.
    pub(super) fn of(data: &Dataset, useful: &[bool], seed: u64, shards: &Shards) -> Self {
        let key = |list: usize| {
            let time = data.last_time(list).unwrap_or(0.0);
            [time, draw_for(seed, data.list_id(list)), f64::from(u8::from(useful[list]))]
        };
        let own = (0..data.n_lists()).flat_map(key).flat_map(f64::to_le_bytes).collect();
        let (mut all, mut ends) = (Vec::new(), vec![0]);
        for bytes in shards.gather(own) {
            let numbers: Vec<f64> =
                bytes.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
            let key =
                |&[time, draw, useful]: &[f64; 3]| ListKey { time, draw, useful: useful > 0.0 };
            all.extend(numbers.as_chunks().0.iter().map(key));
            ends.push(all.len());
        }
        let end = |at: usize| ends.get(at).copied().unwrap_or(all.len());
        let own = end(shards.rank())..end(shards.rank() + 1);
        ListKeys { all, own }
    }

    /// The number of a list in the data of this shard, if it is there.
    pub(super) fn own(&self, list: usize) -> Option<usize> {
        self.own.contains(&list).then(|| list - self.own.start)
    }

    /// What belongs to the lists of this shard.
    pub(super) fn own_of<'v, T>(&self, all: &'v [T]) -> &'v [T] {
        &all[self.own.clone()]
    }
}
