//! Logistic loss of whether an item has a positive cost: log(1 + e^s) - y s, y = 1 or 0. The score
//! is the logit of the probability; its best constant is the logit of the share of positive items.
//!
//! With [`ItemWeights::by_cost`](super::ItemWeights::by_cost) items with a positive cost are
//! weighted by it: the cost-sensitive form.
//!
//! Example: at s = 0 the probability is 1/2: value log 2, gradient -1/2 for y = 1, hessian 1/4.

use stakes_core::shards::Shards;

use super::GradHess;
use super::pointwise::{Curve, Target, mean};

/// log(1 + e^s) - y s, with y = 1 where the target is above 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Logistic;

/// The share that the starting score is made of is at least this, and at most 1 minus this: where
/// all items agree the logit would be infinite.
const MIN_SHARE: f64 = 1e-9;

impl Curve for Logistic {
    const NAME: &'static str = "log loss";

    const TARGET: Target = Target::AnyCost;

    fn derivatives(&self, target: f64, score: f64) -> GradHess {
        // One exponential for both probabilities: this is where most of the time of a round goes.
        let small = (-score.abs()).exp();
        let larger = 1.0 / (1.0 + small);
        let smaller = small * larger;
        let (chance, other) = if score > 0.0 { (larger, smaller) } else { (smaller, larger) };
        GradHess { grad: if target > 0.0 { -other } else { chance }, hess: chance * other }
    }

    fn value(&self, target: f64, score: f64) -> f64 {
        if target > 0.0 { softplus(-score) } else { softplus(score) }
    }

    fn start(&self, items: impl Iterator<Item = (f64, f64)>, shards: &Shards) -> f64 {
        let costly = |t: f64| f64::from(u8::from(t > 0.0));
        let share = mean(items.map(|(t, weight)| (costly(t), weight)), shards);
        share.map_or(0.0, |share| {
            let share = share.clamp(MIN_SHARE, 1.0 - MIN_SHARE);
            (share / (1.0 - share)).ln()
        })
    }
}

/// 1 / (1 + e^-x).
pub(in crate::loss) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// log(1 + e^x), also where e^x would overflow.
pub(in crate::loss) fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}
