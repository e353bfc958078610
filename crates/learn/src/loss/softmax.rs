//! The cross entropy of target shares and the softmax of scores: ListNet's top-one loss (Cao
//! et al. 2007) and, with shares of cost, XE (Bruch 2021).
//!
//! loss(list) = - sum_i w_i p_i log q_i,  q = softmax(s),
//! gradient_i = W q_i - w_i p_i,  hessian_i = W q_i (1 - q_i),  W = sum_i w_i p_i.
//!
//! The largest value is subtracted before exp, so that costs of 10^5 do not overflow (the reason
//! for the empty cells of McBride et al. 2019, table 3). Items of weight 0 are left out of both p
//! and q. With shares of cost, a list whose costs are all 0 has no gradient.
//!
//! Example: costs (3, 1) at scores (0, 0): shares of cost 3/4 and 1/4, gradients -1/4 and
//! 1/4, hessians 1/4.

use stakes_core::data::ListView;

use super::{GradHess, ListLoss, ListWeighting, Loss, LossError};
use crate::Lists;

/// The minimum hessian, relative to W: where one item has all the probability, leaves must not
/// divide by 0.
const MIN_HESSIAN: f64 = 1e-16;

/// The target of the softmax of scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shares {
    /// softmax(cost / temperature): ListNet.
    Softmax,
    /// cost^(1/temperature) divided by its sum: shares of the list's cost.
    Cost,
}

/// The cross entropy of shares.
#[derive(Debug)]
pub struct Softmax {
    shares: Shares,
    temperature: f64,
    lists: ListWeighting,
}

impl Softmax {
    /// Creates the loss with these targets and list weights: equal for ListNet, by savable cost for
    /// its modes `cr` (with [`Shares::Softmax`]) and `cs` (with [`Shares::Cost`]). A temperature
    /// above 1 flattens the targets, one below 1 sharpens them.
    pub fn new(shares: Shares, temperature: f64, lists: ListWeighting) -> Result<Self, LossError> {
        let allowed = (temperature > 0.0 && temperature < f64::INFINITY, "give a number above 0");
        let temperature = LossError::check("softmax", "temperature", temperature, allowed)?;
        Ok(Softmax { shares, temperature, lists })
    }

    /// Returns the target shares of the items of positive weight; 0 for the others.
    fn targets(&self, cost: &[f64], has_weight: impl Fn(usize) -> bool) -> Vec<f64> {
        let weighted = cost.iter().enumerate().filter(|(i, _)| has_weight(*i));
        let largest = weighted.map(|(_, &c)| c).fold(0.0, f64::max);
        let share = |(i, &cost): (usize, &f64)| match self.shares {
            _ if !has_weight(i) => 0.0,
            Shares::Softmax => ((cost - largest) / self.temperature).exp(),
            Shares::Cost if largest > 0.0 => (cost / largest).powf(self.temperature.recip()),
            Shares::Cost => 0.0,
        };
        let mut shares: Vec<f64> = cost.iter().enumerate().map(share).collect();
        let total: f64 = shares.iter().sum();
        if total > 0.0 {
            shares.iter_mut().for_each(|p| *p /= total);
        }
        shares
    }
}

impl Loss for Softmax {
    fn prepare<'l>(&'l self, list: &ListView<'l>, weight: f64) -> Box<dyn ListLoss + 'l> {
        let weights = list.weight;
        let mut targets = self.targets(list.cost, |i| weights.is_none_or(|w| w[i] > 0.0));
        for (i, target) in targets.iter_mut().enumerate() {
            *target *= weight * weights.map_or(1.0, |w| w[i]);
        }
        Box::new(SoftmaxList { total: targets.iter().sum(), targets, weights })
    }

    fn list_weights(&self, lists: &Lists) -> Vec<f64> {
        self.lists.of(lists)
    }
}

struct SoftmaxList<'l> {
    /// weight w_i p_i.
    targets: Vec<f64>,
    /// Their sum.
    total: f64,
    weights: Option<&'l [f64]>,
}

impl SoftmaxList<'_> {
    fn has_weight(&self, item: usize) -> bool {
        self.weights.is_none_or(|w| w[item] > 0.0)
    }

    fn largest(&self, scores: &[f64]) -> f64 {
        let weighted = scores.iter().enumerate().filter(|(i, _)| self.has_weight(*i));
        weighted.map(|(_, &s)| s).fold(f64::NEG_INFINITY, f64::max)
    }
}

impl ListLoss for SoftmaxList<'_> {
    fn gradients(&self, scores: &[f64], out: &mut [GradHess]) {
        out.fill(GradHess::default());
        if self.total <= 0.0 {
            return;
        }
        let largest = self.largest(scores);
        let mut sum = 0.0;
        for (item, (out, score)) in out.iter_mut().zip(scores).enumerate() {
            if self.has_weight(item) {
                out.grad = (score - largest).exp();
                sum += out.grad;
            }
        }
        for (item, (out, target)) in out.iter_mut().zip(&self.targets).enumerate() {
            if self.has_weight(item) {
                let q = out.grad / sum;
                out.grad = self.total * q - target;
                out.hess = self.total * (q * (1.0 - q)).max(MIN_HESSIAN);
            }
        }
    }

    fn value(&self, scores: &[f64]) -> Option<f64> {
        if self.total <= 0.0 {
            return Some(0.0);
        }
        let largest = self.largest(scores);
        let weighted = scores.iter().enumerate().filter(|(i, _)| self.has_weight(*i));
        let log_sum = largest + weighted.map(|(_, s)| (s - largest).exp()).sum::<f64>().ln();
        Some(scores.iter().zip(&self.targets).map(|(s, target)| target * (log_sum - s)).sum())
    }
}
