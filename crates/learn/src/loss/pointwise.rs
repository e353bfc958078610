//! Losses that look at one item at a time: a [`Curve`] of its target and its score, summed
//! over items.
//!
//! loss(list) = weight(list) sum_i w_i curve(target(cost_i), s_i)
//!
//! What is predicted ([`Target`]), which items count how much ([`ItemWeights`]) and which
//! lists ([`ListWeighting`]) are chosen apart from the curve: the two parts of a hurdle model
//! are `Pointwise::new(Logistic)` and `Pointwise::new(Squared).target(Target::LogCost)`.
//!
//! Example: costs (4, 0) at scores (1, 1) with [`Squared`](super::Squared): gradients -3 and
//! 1, value 9/2 + 1/2.

use std::borrow::Cow;

use stakes_core::data::ListView;

use super::{GradHess, LeafRule, ListLoss, ListWeighting, Loss};
use crate::Lists;

/// The loss of one item.
pub trait Curve: Send + Sync {
    /// What it predicts unless told otherwise.
    const TARGET: Target = Target::Cost;

    /// First and second derivative by the score.
    fn derivatives(&self, target: f64, score: f64) -> GradHess;

    /// The loss.
    fn value(&self, target: f64, score: f64) -> f64;

    /// The best constant score for (target, weight) pairs; finite.
    fn start(&self, items: impl Iterator<Item = (f64, f64)>) -> f64;

    /// See [`Loss::leaf_rule`].
    fn leaf_rule(&self) -> LeafRule {
        LeafRule::Newton
    }
}

/// What of an item is predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Its cost.
    Cost,
    /// The natural logarithm of its cost; items that cost nothing do not count.
    LogCost,
    /// The natural logarithm of 1 + its cost.
    LogOnePlusCost,
    /// 1 if it costs anything, else 0.
    AnyCost,
}

impl Target {
    /// The target of an item of this cost; `None` if it has none.
    pub fn of(self, cost: f64) -> Option<f64> {
        match self {
            Target::Cost => Some(cost),
            Target::LogCost => (cost > 0.0).then(|| cost.ln()),
            Target::LogOnePlusCost => Some(cost.ln_1p()),
            Target::AnyCost => Some(f64::from(u8::from(cost > 0.0))),
        }
    }
}

/// How much items count, beside the weights that the data give.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ItemWeights {
    /// All alike.
    Alike,
    /// Only those that cost anything.
    OnlyPositive,
    /// What costs anything counts cost / unit, the rest 1: to overlook an item is as bad as
    /// what it costs, to suspect one wrongly as bad as one unit.
    ByCost {
        /// The cost that counts 1.
        unit: f64,
    },
}

impl ItemWeights {
    /// By cost, in units of the mean cost of what costs anything.
    pub fn by_cost(lists: &Lists) -> Self {
        let weights = |i: usize| lists.weight().map_or(1.0, |w| w[i]);
        let positive = lists.cost().iter().enumerate().filter(|(_, c)| **c > 0.0);
        let mean = mean(positive.map(|(i, &c)| (c, weights(i))));
        ItemWeights::ByCost { unit: mean.unwrap_or(1.0) }
    }

    fn of(self, cost: f64) -> f64 {
        match self {
            ItemWeights::OnlyPositive if cost <= 0.0 => 0.0,
            ItemWeights::ByCost { unit } if cost > 0.0 => cost / unit,
            _ => 1.0,
        }
    }
}

/// A sum over items.
#[derive(Debug)]
pub struct Pointwise<C> {
    curve: C,
    target: Target,
    items: ItemWeights,
    lists: ListWeighting,
}

impl<C: Curve> Pointwise<C> {
    /// Of this curve; items and lists count alike.
    pub fn new(curve: C) -> Self {
        Pointwise {
            curve,
            target: C::TARGET,
            items: ItemWeights::Alike,
            lists: ListWeighting::Alike,
        }
    }

    /// Predicts this.
    #[must_use]
    pub fn target(mut self, target: Target) -> Self {
        self.target = target;
        self
    }

    /// Items count so much.
    #[must_use]
    pub fn items(mut self, items: ItemWeights) -> Self {
        self.items = items;
        self
    }

    /// Lists count so much.
    #[must_use]
    pub fn lists(mut self, lists: ListWeighting) -> Self {
        self.lists = lists;
        self
    }

    /// The items of a list as (target, weight); those that do not count weigh 0.
    fn weighed<'l>(
        &self,
        list: &ListView<'l>,
        weight: f64,
    ) -> impl Iterator<Item = (f64, f64)> + use<'l, C> {
        let (target, items) = (self.target, self.items);
        let given = list.weight;
        list.cost.iter().enumerate().map(move |(i, &cost)| match target.of(cost) {
            Some(target) => (target, weight * given.map_or(1.0, |w| w[i]) * items.of(cost)),
            None => (0.0, 0.0),
        })
    }
}

impl<C: Curve> Loss for Pointwise<C> {
    fn prepare<'l>(&'l self, list: &ListView<'l>, weight: f64) -> Box<dyn ListLoss + 'l> {
        let targets = match self.target {
            Target::Cost => Cow::Borrowed(list.cost),
            _ => self.weighed(list, weight).map(|(target, _)| target).collect(),
        };
        let weights = self.weighed(list, weight).map(|(_, weight)| weight).collect();
        Box::new(PointwiseList { curve: &self.curve, targets, weights })
    }

    fn start(&self, lists: &Lists) -> f64 {
        let weights = self.list_weights(lists);
        let each = weights.iter().enumerate();
        let items = each.flat_map(|(list, &weight)| self.weighed(&lists.list(list), weight));
        self.curve.start(items.filter(|(_, weight)| *weight > 0.0))
    }

    fn list_weights(&self, lists: &Lists) -> Vec<f64> {
        self.lists.of(lists)
    }

    fn leaf_rule(&self) -> LeafRule {
        self.curve.leaf_rule()
    }
}

struct PointwiseList<'l, C> {
    curve: &'l C,
    targets: Cow<'l, [f64]>,
    weights: Vec<f64>,
}

impl<C: Curve> ListLoss for PointwiseList<'_, C> {
    fn gradients(&self, scores: &[f64], out: &mut [GradHess]) {
        let items = scores.iter().zip(&*self.targets).zip(&self.weights);
        for (((&score, &target), &weight), out) in items.zip(out) {
            let GradHess { grad, hess } = self.curve.derivatives(target, score);
            *out = GradHess { grad: weight * grad, hess: weight * hess };
        }
    }

    fn value(&self, scores: &[f64]) -> Option<f64> {
        let items = scores.iter().zip(&*self.targets).zip(&self.weights);
        let counted = items.filter(|(_, weight)| **weight > 0.0);
        Some(counted.map(|((&s, &t), &weight)| weight * self.curve.value(t, s)).sum())
    }
}

/// The weighted mean, or `None` if nothing weighs anything. Step by step, so that no sum
/// grows beyond all numbers.
pub(super) fn mean(items: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let (mut mean, mut total) = (0.0, 0.0);
    for (x, weight) in items.filter(|(_, weight)| *weight > 0.0) {
        total += weight;
        mean += (x - mean) * (weight / total);
    }
    (total > 0.0).then_some(mean)
}
