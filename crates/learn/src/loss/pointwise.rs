//! Pointwise losses: a [`Curve`] of an item's target and score, summed over items.
//!
//! loss(list) = weight(list) sum_i w_i curve(target(cost_i), s_i)
//!
//! The target ([`Target`]), the weights of items ([`ItemWeights`]) and of lists
//! ([`ListWeighting`]) are chosen independently of the curve: the two parts of a hurdle model are
//! `Pointwise::new(Logistic)` and `Pointwise::new(Squared).target(Target::LogCost)`.
//!
//! Lists may have levels ([`Pointwise::levels`]): offsets per list during training. The severity of
//! a storm does not depend on the features of its networks; trees that have to explain it memorise
//! storms. With levels, the loss of a list is the minimum over a of
//! sum of loss(score + a) + strength a^2 / 2: a takes what the items of a list have in common, and
//! the score what distinguishes them (a random effect, as in Sigrist 2022). The strength is a
//! number of pseudo-items that shrink a towards 0. Levels affect derivatives only, since new lists
//! have none.
//!
//! Example: costs (4, 0) at scores (1, 1) with [`Squared`](super::Squared): gradients -3 and
//! 1, value 9/2 + 1/2.

use std::borrow::Cow;

use stakes_core::ExactSum;
use stakes_core::data::ListView;
use stakes_core::shards::Shards;

use super::{GradHess, LeafRule, ListLoss, ListWeighting, Loss};
use crate::Lists;

/// The loss of one item.
pub trait Curve: Send + Sync {
    /// The default target.
    const TARGET: Target = Target::Cost;

    /// The name of the loss.
    const NAME: &'static str;

    /// Returns the first and second derivatives with respect to the score.
    fn derivatives(&self, target: f64, score: f64) -> GradHess;

    /// Returns the loss.
    fn value(&self, target: f64, score: f64) -> f64;

    /// Returns the best constant score for (target, weight) pairs, of which other shards may have more; finite.
    fn start(&self, items: impl Iterator<Item = (f64, f64)>, shards: &Shards) -> f64;

    /// See [`Loss::leaf_rule`].
    fn leaf_rule(&self) -> LeafRule {
        LeafRule::Newton
    }
}

/// What is predicted for an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Its cost.
    Cost,
    /// The natural logarithm of its cost; items of cost 0 are left out.
    LogCost,
    /// The natural logarithm of 1 + its cost.
    LogOnePlusCost,
    /// 1 if its cost is positive, otherwise 0.
    AnyCost,
}

impl Target {
    /// Returns the target of an item of this cost; `None` if it has none.
    pub fn of(self, cost: f64) -> Option<f64> {
        match self {
            Target::Cost => Some(cost),
            Target::LogCost => (cost > 0.0).then(|| cost.ln()),
            Target::LogOnePlusCost => Some(cost.ln_1p()),
            Target::AnyCost => Some(f64::from(u8::from(cost > 0.0))),
        }
    }
}

/// Weights of items, in addition to the weights in the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ItemWeights {
    /// 1 for all items.
    Equal,
    /// 1 for items with a positive cost, 0 for the others.
    OnlyPositive,
    /// cost / unit for items with a positive cost, 1 for the others: a false negative is as bad as
    /// its cost, a false positive as bad as one unit.
    ByCost {
        /// The cost that has weight 1.
        unit: f64,
    },
}

impl ItemWeights {
    /// Weights by cost, in units of the mean positive cost.
    pub fn by_cost(lists: &Lists) -> Self {
        let weights = |i: usize| lists.weight().map_or(1.0, |w| w[i]);
        let positive = lists.cost().iter().enumerate().filter(|(_, c)| **c > 0.0);
        let mean = mean(positive.map(|(i, &c)| (c, weights(i))), lists.shards());
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

/// The sum of a curve over items.
#[derive(Debug)]
pub struct Pointwise<C> {
    curve: C,
    target: Target,
    items: ItemWeights,
    lists: ListWeighting,
    levels: Option<f64>,
}

impl<C: Curve> Pointwise<C> {
    /// Creates the loss of this curve, with equal weights of items and of lists.
    pub fn new(curve: C) -> Self {
        Pointwise {
            curve,
            target: C::TARGET,
            items: ItemWeights::Equal,
            lists: ListWeighting::Equal,
            levels: None,
        }
    }

    /// Gives every list a level, shrunk towards 0 with this strength; `None` for no levels.
    #[must_use]
    pub fn levels(mut self, strength: Option<f64>) -> Self {
        self.levels = strength;
        self
    }

    /// Sets the target.
    #[must_use]
    pub fn target(mut self, target: Target) -> Self {
        self.target = target;
        self
    }

    /// Sets the weights of items.
    #[must_use]
    pub fn items(mut self, items: ItemWeights) -> Self {
        self.items = items;
        self
    }

    /// Sets the weights of lists.
    #[must_use]
    pub fn lists(mut self, lists: ListWeighting) -> Self {
        self.lists = lists;
        self
    }

    /// Returns the items of a list as (target, weight); the weight is 0 for items without a target.
    fn weighted<'l>(
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
            _ => self.weighted(list, weight).map(|(target, _)| target).collect(),
        };
        let weights = self.weighted(list, weight).map(|(_, weight)| weight).collect();
        // The list weight multiplies the pseudo-items as it does the items.
        let strength = self.levels.map(|strength| strength * weight);
        Box::new(PointwiseList { curve: &self.curve, targets, weights, strength })
    }

    fn start(&self, lists: &Lists) -> f64 {
        let weights = self.list_weights(lists);
        let each = weights.iter().enumerate();
        let items = each.flat_map(|(list, &weight)| self.weighted(&lists.list(list), weight));
        self.curve.start(items.filter(|(_, weight)| *weight > 0.0), lists.shards())
    }

    fn list_weights(&self, lists: &Lists) -> Vec<f64> {
        self.lists.of(lists)
    }

    fn leaf_rule(&self) -> LeafRule {
        self.curve.leaf_rule()
    }

    fn stops_by_itself(&self) -> Option<String> {
        Some(match self.target {
            Target::Cost | Target::AnyCost => C::NAME.to_owned(),
            Target::LogCost | Target::LogOnePlusCost => format!("{} of the log cost", C::NAME),
        })
    }
}

struct PointwiseList<'l, C> {
    curve: &'l C,
    targets: Cow<'l, [f64]>,
    weights: Vec<f64>,
    /// The strength of the shrinkage of the list's level, if it has one.
    strength: Option<f64>,
}

impl<C: Curve> PointwiseList<'_, C> {
    /// Derivatives at scores that are moved by a level; returns their sums.
    fn gradients_at(&self, level: f64, scores: &[f64], out: &mut [GradHess]) -> GradHess {
        let mut sum = GradHess::default();
        let items = scores.iter().zip(&*self.targets).zip(&self.weights);
        for (((&score, &target), &weight), out) in items.zip(out) {
            *out = GradHess::default();
            if weight > 0.0 {
                let GradHess { grad, hess } = self.curve.derivatives(target, score + level);
                *out = GradHess { grad: weight * grad, hess: weight * hess };
                sum = GradHess { grad: sum.grad + out.grad, hess: sum.hess + out.hess };
            }
        }
        sum
    }

    /// Derivatives at the level that minimises the list's loss, found by Newton's method.
    fn gradients_at_level(&self, strength: f64, scores: &[f64], out: &mut [GradHess]) {
        // Steps are bounded: where the loss is flat, Newton's step is arbitrarily long.
        const MAX_STEP: f64 = 3.0;
        // After so short a step gradients are corrected instead of computed again: what is left is of
        // the order of its square.
        const SHORT_STEP: f64 = 1e-3;
        let mut level = 0.0;
        for _ in 0..8 {
            let sum = self.gradients_at(level, scores, out);
            let (grad, hess) = (sum.grad + strength * level, sum.hess + strength);
            let step = if hess > 0.0 { (-grad / hess).clamp(-MAX_STEP, MAX_STEP) } else { 0.0 };
            if step.abs() < SHORT_STEP {
                out.iter_mut().for_each(|d| d.grad += step * d.hess);
                return;
            }
            level += step;
        }
        self.gradients_at(level, scores, out);
    }
}

impl<C: Curve> ListLoss for PointwiseList<'_, C> {
    fn gradients(&self, scores: &[f64], out: &mut [GradHess]) {
        match self.strength {
            Some(strength) => self.gradients_at_level(strength, scores, out),
            None => {
                self.gradients_at(0.0, scores, out);
            }
        }
    }

    fn value(&self, scores: &[f64]) -> Option<f64> {
        let items = scores.iter().zip(&*self.targets).zip(&self.weights);
        let counted = items.filter(|(_, weight)| **weight > 0.0);
        Some(counted.map(|((&s, &t), &weight)| weight * self.curve.value(t, s)).sum())
    }
}

/// Returns the weighted mean over all shards, or `None` if all weights are 0. Costs are in units of their mean and
/// so are weights: no sum overflows.
pub(super) fn mean(items: impl Iterator<Item = (f64, f64)>, shards: &Shards) -> Option<f64> {
    let (mut sum, mut total) = (ExactSum::default(), ExactSum::default());
    for (x, weight) in items.filter(|(_, weight)| *weight > 0.0) {
        sum.add(x * weight);
        total.add(weight);
    }
    let [sum, total] = shards.exact_sums([&sum, &total]);
    (total > 0.0).then(|| sum / total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::{Logistic, Squared};

    fn gradients<C: Curve>(loss: &Pointwise<C>, list: &ListView<'_>, scores: &[f64]) -> Vec<f64> {
        let mut out = vec![GradHess::default(); scores.len()];
        loss.prepare(list, 1.0).gradients(scores, &mut out);
        out.iter().map(|d| d.grad).collect()
    }

    /// Min over levels of loss(score + level) + strength level^2 / 2, by trying many.
    fn by_search<C: Curve>(
        loss: &Pointwise<C>,
        list: &ListView<'_>,
        scores: &[f64],
        strength: f64,
    ) -> f64 {
        let plain = loss.prepare(list, 1.0);
        let at = |level: f64| {
            let moved: Vec<f64> = scores.iter().map(|score| score + level).collect();
            plain.value(&moved).expect("a value") + strength * level * level / 2.0
        };
        let (mut low, mut high) = (-20.0, 20.0);
        for _ in 0..200 {
            let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if at(a) < at(b) { high = b } else { low = a }
        }
        at(low)
    }

    #[test]
    fn levels_take_what_a_list_has_in_common() {
        // Residuals 3 and 1: the level is their mean where nothing draws it to 0.
        let list = ListView::of_impact(&[4.0, 2.0]);
        let free = Pointwise::new(Squared).levels(Some(0.0));
        assert_eq!(gradients(&free, &list, &[1.0, 1.0]), [-1.0, 1.0]);
        // Two items against two items' worth of doubt: half of it.
        let half = Pointwise::new(Squared).levels(Some(2.0));
        assert_eq!(gradients(&half, &list, &[1.0, 1.0]), [-2.0, 0.0]);
        let none = Pointwise::new(Squared);
        assert_eq!(gradients(&none, &list, &[1.0, 1.0]), [-3.0, -1.0]);
    }

    #[test]
    fn derivatives_are_those_of_the_loss_at_its_best_level() {
        let costs = [0.0, 0.0, 5.0, 1.0, 0.0, 2.0, 0.0];
        let scores = [0.5, -1.0, 0.25, 2.0, -3.0, 0.0, 1.0];
        for costs in [&costs[..], &[0.0; 7], &[1.0; 7]] {
            let list = ListView::of_impact(costs);
            for strength in [0.5, 10.0] {
                let loss = Pointwise::new(Logistic).levels(Some(strength));
                for (item, grad) in gradients(&loss, &list, &scores).into_iter().enumerate() {
                    let moved = |by: f64| {
                        let mut scores = scores;
                        scores[item] += by;
                        by_search(&loss, &list, &scores, strength)
                    };
                    let slope = (moved(1e-4) - moved(-1e-4)) / 2e-4;
                    assert!((grad - slope).abs() < 1e-5, "{grad} and {slope}");
                }
            }
        }
    }
}
