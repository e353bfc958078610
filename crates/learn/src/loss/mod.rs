//! Losses: functions of the scores of a list, with their derivatives.
//!
//! A loss is prepared once per list, like a metric, and then computes derivatives in every round.
//! It does not depend on the kind of model that is fitted to them.
//!
//! | loss | terms | modes |
//! |---|---|---|
//! | [`Pointwise`] of [`Squared`], [`Quantile`], [`Tweedie`], [`Logistic`] | items | insensitive, cr |
//! | [`RankNet`] | pairs | insensitive, cr, cs |
//! | [`Lambda`] of a metric | pairs, by how much a swap changes the metric | those of the metric |
//! | [`GroupedLambda`] | the same, and the pairs of a group and the rest | those of the metric |
//! | [`Softmax`] | whole lists | insensitive, cr, cs |
//! | [`ListMle`] | whole lists, in the order of costs | insensitive, cr |
//!
//! The mode determines how cost is used: not at all (`insensitive`), as list weights (`cr`), or in
//! the loss itself (`cs`). Items may have weights, too: an item of weight 0 has no effect, and
//! doubling the weights of all items has the same effect as duplicating the list.

mod error;
mod grouped;
mod lambda;
mod list_mle;
mod list_weights;
mod logistic;
mod pairs;
mod pointwise;
mod quantile;
mod ranknet;
mod softmax;
mod squared;
mod tweedie;

pub use crate::derivatives::GradHess;
pub use error::LossError;
pub use grouped::{Balance, GroupTerm, GroupedLambda};
pub use lambda::Lambda;
pub use list_mle::ListMle;
pub use list_weights::{ListWeighting, ideal_weights};
pub use logistic::Logistic;
pub use pointwise::{Curve, ItemWeights, Pointwise, Target};
pub(crate) use quantile::of_all_shards;
pub use quantile::{Quantile, weighted_quantile};
pub use ranknet::RankNet;
pub use softmax::{Shares, Softmax};
pub use squared::Squared;
pub use tweedie::Tweedie;

/// A loss with its parameters, ready for any list.
pub trait Loss: Send + Sync {
    /// Prepares the loss for a list. Derivatives and value are multiplied by the list's `weight`.
    fn prepare<'l>(
        &'l self,
        list: &stakes_core::data::ListView<'l>,
        weight: f64,
    ) -> Box<dyn ListLoss + 'l>;

    /// Prepares the loss for all lists at once, if it is computed so: derivatives of a round then take one
    /// call, which matters where a call is expensive, as into another language.
    fn prepare_all<'l>(&'l self, _lists: &'l crate::Lists) -> Option<Box<dyn AllListsLoss + 'l>> {
        None
    }

    /// Prepares the loss for one of the lists of a training, for losses that know more of them than a view tells.
    fn prepare_of<'l>(
        &'l self,
        lists: &'l crate::Lists,
        list: usize,
        weight: f64,
    ) -> Box<dyn ListLoss + 'l> {
        self.prepare(&lists.list(list), weight)
    }

    /// The initial score of every item: the best constant for pointwise losses, otherwise 0.
    fn start(&self, _lists: &crate::Lists) -> f64 {
        0.0
    }

    /// The weight of each list. The mean over lists with a positive weight is 1, so that learning
    /// rates and penalties mean the same for every loss.
    fn list_weights(&self, lists: &crate::Lists) -> Vec<f64> {
        vec![1.0; lists.len()]
    }

    /// Checks that the loss is defined for these lists; the error says what is wrong and what to
    /// do.
    fn check(&self, _lists: &crate::Lists) -> Result<(), String> {
        Ok(())
    }

    /// How the values of the leaves of a tree are computed.
    fn leaf_rule(&self) -> LeafRule {
        LeafRule::Newton
    }

    /// The name of the loss, if boosting stops where it is lowest on lists that were not trained
    /// with; `None` if the metric of the goal decides. A loss of predicted costs decides better by
    /// itself: it sees every item, while the metric of few lists hangs on the costliest ones.
    fn stops_by_itself(&self) -> Option<String> {
        None
    }
}

/// How the value of a leaf is computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LeafRule {
    /// - sum of gradients / (sum of hessians + L2).
    Newton,
    /// This quantile of target - score over the leaf's items (for the quantile loss, whose
    /// second derivative is 0 almost everywhere).
    Quantile(f64),
}

/// A loss prepared for one list.
pub trait ListLoss: Send + Sync {
    /// Writes the derivatives at these scores.
    fn gradients(&self, scores: &[f64], out: &mut [GradHess]);

    /// Returns the loss at these scores; `None` for a lambda loss, of which only the gradient is
    /// defined.
    fn value(&self, scores: &[f64]) -> Option<f64>;
}

/// A loss prepared for all lists together.
pub trait AllListsLoss: Send + Sync {
    /// Writes the derivatives of all items at these scores.
    fn gradients(&self, scores: &[f64], out: &mut [GradHess]);
}

/// Returns the steepness if it is allowed.
fn check_sigma(loss: &'static str, sigma: f64) -> Result<f64, LossError> {
    let allowed = (sigma > 0.0 && sigma < f64::INFINITY, "give a number above 0");
    LossError::check(loss, "sigma", sigma, allowed)
}
