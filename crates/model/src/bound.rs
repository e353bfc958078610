//! How far the rank loss on new pairs may be from that on training pairs
//! ([`crate::Model::bound`]).

use serde::{Deserialize, Serialize};

/// A bound on the rank loss of a model of the RankBoost family, with its parts (Salomon, 2020, section
/// 3.3.2). With this confidence, the loss on new pairs differs from that on training pairs by no
/// more than the sum of its parts' gaps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bound {
    /// The chance that it holds, over the draw of the training items.
    pub confidence: f64,
    /// The rank loss R2 on training pairs, costs as shares.
    pub loss: f64,
    /// Weak rankers, those that were taken again counted once.
    pub rankers: u64,
    /// The VC dimension of the weak rankers, at most.
    pub dimension: u32,
    /// One for each class of pair costs.
    pub parts: Vec<BoundPart>,
}

/// The share of a class of pairs in a [`Bound`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoundPart {
    /// Which pairs: `all`, or by the costs of their items `low-low`, `low-high`, `high-high`.
    pub pairs: String,
    /// What such a pair costs at most, in units of the mean.
    pub cost: f64,
    /// Items that are the better in such pairs.
    pub better: u64,
    /// Items that are the worse.
    pub worse: u64,
    /// d': the complexity of the sum of weak rankers, with the cost in it.
    pub complexity: f64,
    /// What it adds to the gap.
    pub gap: f64,
}

impl Bound {
    /// The largest difference between the losses on new and on training pairs.
    pub fn gap(&self) -> f64 {
        self.parts.iter().map(|part| part.gap).sum()
    }

    /// Whether it says anything: losses lie between 0 and 1 anyway.
    pub fn says_something(&self) -> bool {
        self.loss + self.gap() < 1.0
    }
}
