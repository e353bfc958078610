//! The lists that a model was trained on, so that it is not flattered by accident: on these lists its
//! own scores look better than they will be on others. Each list has a fingerprint of what scoring
//! reads, and, where the training left it out in turn, the scores of the models that did.
//!
//! The fingerprint is made of the id of the list and the features of its items, as the model sees them.
//! Ids and costs of items are not part of it: the file to be ranked may lack them.

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
