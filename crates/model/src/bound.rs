//! The generalisation bound of a model of the RankBoost family ([`crate::Model::bound`]).

use serde::{Deserialize, Serialize};

/// A bound on the rank loss of a model of the RankBoost family, with its parts (Salomon 2020, section
/// 3.3.2). With this confidence, the loss on new pairs differs from the loss on training pairs by at
/// most the sum of the parts' gaps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bound {
    /// The probability that the bound holds, over random draws of the training items.
    pub confidence: f64,
    /// The rank loss R2 on training pairs, with costs as shares.
    pub loss: f64,
    /// The number of different weak rankers.
    pub rankers: u64,
    /// An upper bound of the weak rankers' VC dimension.
    pub dimension: u32,
    /// One part for each class of pair costs.
    pub parts: Vec<BoundPart>,
}

/// The contribution of a class of pairs to a [`Bound`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoundPart {
    /// The class of pairs: `all`, or by the costs of their items `low-low`, `low-high`, `high-high`.
    pub pairs: String,
    /// The maximum cost of such a pair, in units of the mean.
    pub cost: f64,
    /// The number of items that are the better one of such a pair.
    pub better: u64,
    /// The number of items that are the worse one of such a pair.
    pub worse: u64,
    /// d': the complexity of the sum of weak rankers, including the cost.
    pub complexity: f64,
    /// The contribution to the gap.
    pub gap: f64,
}

impl Bound {
    /// The largest difference between the losses on new and on training pairs.
    pub fn gap(&self) -> f64 {
        self.parts.iter().map(|part| part.gap).sum()
    }

    /// Whether the bound is below 1, which is an upper bound of every rank loss.
    pub fn is_informative(&self) -> bool {
        self.loss + self.gap() < 1.0
    }
}
