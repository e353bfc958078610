//! Re-ranking: a second stage that puts the items with the highest base scores in a new order, by a
//! linear score (Rudin and Wang 2018, section 5; [`crate::Model::rerank`]).
//!
//! [`RerankScope`] selects the items. They are placed above all others of their list, in the order of
//! the second score; the others keep their base score. `scope.rs` says how the two scores become one.

mod proof;
mod scope;

use std::collections::BTreeMap;

use rayon::prelude::*;
use stakes_core::data::Dataset;

use super::{Factor, Link, MatchedColumns, Net, Scorer, Scratch};

pub use proof::{Proof, ProofEnd};
pub use scope::RerankScope;

/// The second stage of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Rerank {
    /// The name of the learner of the first stage, whose score is [`Model::scorer`](crate::Model::scorer).
    pub base: String,
    /// All parameters of that learner, as text.
    pub base_parameters: BTreeMap<String, String>,
    /// The items that are re-ranked.
    pub scope: RerankScope,
    /// The linear part of the second score.
    pub net: Net,
    /// The weight of the base score in the second score.
    pub base_weight: f64,
    /// The result of the search for the weights.
    pub proof: Proof,
}

impl Rerank {
    /// Replaces the scores of the re-ranked items of each list.
    pub(super) fn apply(&self, data: &Dataset, matched: &MatchedColumns, scores: &mut [f64]) {
        let lists: Vec<Vec<f64>> = (0..data.n_lists())
            .into_par_iter()
            .map(|list| {
                let items = data.items(list);
                let base = &scores[items.clone()];
                let mut own = base.to_vec();
                let second = |item: usize| {
                    let row: Vec<f32> = matched.row(data, items.start + item).collect();
                    let sum = self.net.value_with(&row, &mut Scratch::default());
                    // Without a base weight the sum stays the same to the bit.
                    if self.base_weight == 0.0 { sum } else { sum + self.base_weight * base[item] }
                };
                self.scope.rerank(&mut own, second);
                own
            })
            .collect();
        for (items, own) in data.lists().zip(lists) {
            scores[items].copy_from_slice(&own);
        }
    }
}

impl Scorer {
    /// A score that is the value of a net, without a unit.
    pub fn linear(net: Net) -> Self {
        let factor = Factor::new("score", Link::Identity, 0.0, Vec::new());
        Scorer { unit: 1.0, factors: vec![Factor { net: Some(net), ..factor }] }
    }
}
