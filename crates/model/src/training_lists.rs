//! The lists that a model was trained on, so that it is not flattered by accident: on these lists its
//! own scores look better than they will be on others. Each list has a fingerprint of what scoring
//! reads, and, where the training left it out in turn, the scores of the models that did.
//!
//! The fingerprint is made of the id of the list and the features of its items, as the model sees them.
//! Ids and costs of items are not part of it: the file to be ranked may lack them.

use stakes_core::shards::Shards;

/// The maximum number of lists that a model remembers, and of items whose scores it keeps: beyond,
/// model files would become large.
pub(crate) const MAX_LISTS: usize = 100_000;
pub(crate) const MAX_SCORES: usize = 100_000;

/// A list that a model was trained on.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainingList {
    /// The fingerprint of the list.
    pub hash: u64,
    /// The scores of its items by models that were not trained on it, in the order of the fingerprints
    /// of the items; empty where they are not known.
    pub out_of_fold: Vec<f64>,
}

impl TrainingList {
    /// The lists of all shards.
    pub(crate) fn of_all_shards(own: Vec<TrainingList>, shards: &Shards) -> Vec<TrainingList> {
        if shards.are_one() {
            return own;
        }
        let mut words = Vec::new();
        for TrainingList { hash, out_of_fold } in &own {
            words.extend([*hash, out_of_fold.len() as u64]);
            words.extend(out_of_fold.iter().map(|score| score.to_bits()));
        }
        let all = shards.gather(words.into_iter().flat_map(u64::to_le_bytes).collect());
        all.iter().flat_map(|bytes| TrainingList::parsed(bytes)).collect()
    }

    /// The lists that a shard has written.
    fn parsed(bytes: &[u8]) -> impl Iterator<Item = TrainingList> {
        let mut words = bytes.as_chunks().0;
        std::iter::from_fn(move || {
            let ([hash, items], rest) = words.split_first_chunk()?;
            let (scores, rest) = rest.split_at_checked(u64::from_le_bytes(*items) as usize)?;
            words = rest;
            let out_of_fold = scores.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
            Some(TrainingList { hash: u64::from_le_bytes(*hash), out_of_fold })
        })
    }
}
