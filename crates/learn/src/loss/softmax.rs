//! The cross entropy of target shares and the softmax of scores: ListNet's top-one loss (Cao
//! et al., Learning to rank: from pairwise approach to listwise approach, 2007) and, with
//! shares of cost, XE (Bruch et al., 2021).
//!
//! loss(list) = - sum_i w_i p_i log q_i,  q = softmax(s),
//! gradient_i = W q_i - w_i p_i,  hessian_i = W q_i (1 - q_i),  W = sum_i w_i p_i.
//!
//! Everything is shifted by its largest before exp, so that costs of 10^5 (empty cells in the
//! papers' tables) are nothing special. An item of weight 0 is not there, in p nor in q. A
//! list without any cost has no shares of it, and says nothing.
//!
//! Example: costs (3, 1) at scores (0, 0): shares of cost 3/4 and 1/4, gradients -1/4 and
//! 1/4, hessians 1/4.

use stakes_core::data::ListView;

use super::{GradHess, ListLoss, ListWeighting, Loss, LossError};
use crate::Lists;

/// Hessians are at least this share of W: where all the weight is on one item, leaves must
/// not divide by 0.
const LEAST_HESSIAN: f64 = 1e-16;

/// What the softmax of scores should be like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shares {
    /// softmax(cost / temperature): ListNet.
    Softmax,
    /// cost^(1/temperature) over its sum: shares of the list's cost.
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
    /// With these targets and weights of lists: alike for ListNet; by what can be saved in
    /// them for its modes `cr` (with [`Shares::Softmax`]) and `cs` (with [`Shares::Cost`]).
    /// A temperature above 1 flattens the targets, one below sharpens them.
    pub fn new(shares: Shares, temperature: f64, lists: ListWeighting) -> Result<Self, LossError> {
        let allowed = (temperature > 0.0 && temperature < f64::INFINITY, "give a number above 0");
        let temperature = LossError::check("softmax", "temperature", temperature, allowed)?;
        Ok(Softmax { shares, temperature, lists })
    }

    /// Target shares of items that weigh anything.
    fn targets(&self, cost: &[f64], weighs: impl Fn(usize) -> bool) -> Vec<f64> {
        let there = cost.iter().enumerate().filter(|(i, _)| weighs(*i));
        let largest = there.map(|(_, &c)| c).fold(0.0, f64::max);
        let share = |(i, &cost): (usize, &f64)| match self.shares {
            _ if !weighs(i) => 0.0,
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
    fn weighs(&self, item: usize) -> bool {
        self.weights.is_none_or(|w| w[item] > 0.0)
    }

    fn largest(&self, scores: &[f64]) -> f64 {
        let there = scores.iter().enumerate().filter(|(i, _)| self.weighs(*i));
        there.map(|(_, &s)| s).fold(f64::NEG_INFINITY, f64::max)
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
            if self.weighs(item) {
                out.grad = (score - largest).exp();
                sum += out.grad;
            }
        }
        for (item, (out, target)) in out.iter_mut().zip(&self.targets).enumerate() {
            if self.weighs(item) {
                let q = out.grad / sum;
                out.grad = self.total * q - target;
                out.hess = self.total * (q * (1.0 - q)).max(LEAST_HESSIAN);
            }
        }
    }

    fn value(&self, scores: &[f64]) -> Option<f64> {
        if self.total <= 0.0 {
            return Some(0.0);
        }
        let largest = self.largest(scores);
        let there = scores.iter().enumerate().filter(|(i, _)| self.weighs(*i));
        let log_sum = largest + there.map(|(_, s)| (s - largest).exp()).sum::<f64>().ln();
        Some(scores.iter().zip(&self.targets).map(|(s, target)| target * (log_sum - s)).sum())
    }
}
