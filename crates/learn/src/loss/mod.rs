//! Losses: what is wrong with the scores of a list, as a gradient.
//!
//! A loss is prepared once per list, like a metric, and is then asked for derivatives in
//! every round. It does not know what will be fitted to them.
//!
//! | loss | looks at | modes |
//! |---|---|---|
//! | [`Pointwise`] of [`Squared`], [`Quantile`], [`Tweedie`], [`Logistic`] | items | insensitive, cr |
//! | [`RankNet`] | pairs | insensitive, cr, cs |
//! | [`Lambda`] of a metric | pairs, by what a swap changes | those of the metric |
//! | [`Softmax`] | whole lists | insensitive, cr, cs |
//! | [`ListMle`] | whole lists, in the order of costs | insensitive, cr |
//!
//! The mode is how cost comes in: not at all (`insensitive`), as the weight of lists (`cr`),
//! or in the loss itself (`cs`). Items may have weights of their own: 0 is an item that is not
//! there, and twice the weight for all items is the list twice.

mod error;
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
pub use lambda::Lambda;
pub use list_mle::ListMle;
pub use list_weights::{ListWeighting, ideal_weights};
pub use logistic::Logistic;
pub use pointwise::{Curve, ItemWeights, Pointwise, Target};
pub use quantile::{Quantile, weighted_quantile};
pub use ranknet::RankNet;
pub use softmax::{Shares, Softmax};
pub use squared::Squared;
pub use tweedie::Tweedie;

/// A loss bound to its parameters, ready for any list.
pub trait Loss: Send + Sync {
    /// Does for a list what need only be done once. `weight` is how much the list counts:
    /// derivatives and value are multiplied by it.
    fn prepare<'l>(
        &'l self,
        list: &stakes_core::data::ListView<'l>,
        weight: f64,
    ) -> Box<dyn ListLoss + 'l>;

    /// The score that every item begins with: for pointwise losses the best constant, else 0.
    fn start(&self, _lists: &crate::Lists) -> f64 {
        0.0
    }

    /// How much each list counts. The mean over lists that count is 1, so that learning rates
    /// and penalties mean the same for every loss.
    fn list_weights(&self, lists: &crate::Lists) -> Vec<f64> {
        vec![1.0; lists.len()]
    }

    /// What the loss cannot make sense of in these lists, and what to do about it.
    fn check(&self, _lists: &crate::Lists) -> Result<(), String> {
        Ok(())
    }

    /// What a leaf of a tree says.
    fn leaf_rule(&self) -> LeafRule {
        LeafRule::Newton
    }
}

/// How the value of a leaf is found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LeafRule {
    /// - sum of gradients / (sum of hessians + L2).
    Newton,
    /// This quantile of target - score over the leaf's items (for the quantile loss, whose
    /// second derivative says nothing).
    Quantile(f64),
}

/// A loss prepared for one list.
pub trait ListLoss: Send + Sync {
    /// Writes the derivatives at these scores.
    fn gradients(&self, scores: &[f64], out: &mut [GradHess]);

    /// The loss at these scores, where it is a function of them (a lambda loss is not: it is
    /// only known by its gradient).
    fn value(&self, scores: &[f64]) -> Option<f64>;
}

/// A steepness that is allowed.
fn check_sigma(loss: &'static str, sigma: f64) -> Result<f64, LossError> {
    let allowed = (sigma > 0.0 && sigma < f64::INFINITY, "give a number above 0");
    LossError::check(loss, "sigma", sigma, allowed)
}
