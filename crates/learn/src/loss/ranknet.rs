//! RankNet: the logistic loss of every pair of different cost (Burges et al., Learning to
//! rank using gradient descent, 2005).
//!
//! loss(list) = 1/T sum over c_i > c_j of v_ij log(1 + exp(-sigma (s_i - s_j)))
//!
//! | mode | pair v_ij | divided by T | lists count |
//! |---|---|---|---|
//! | insensitive | 1 | number of pairs | alike |
//! | cr (paper 000) | 1 | number of pairs | by what can be saved in them |
//! | cs | c_i - c_j | sum of v | by that sum |
//!
//! so that long lists do not swamp short ones, and `cs` is the sum of c_i - c_j over all
//! wrongly ordered pairs of all lists, made smooth. Pairs weigh the geometric mean of their
//! items' weights.
//!
//! All pairs of a list count, in O(n log n) if it is long (`pairs/smooth.rs`). With a truncation
//! only pairs with an item in so many first ranks of the current order do, and T is multiplied
//! by the share of pairs of ranks that do.
//!
//! Example: costs (3, 1) at scores (0, 0): value log 2, gradients -1/2 and 1/2 in every mode.

use stakes_core::data::ListView;
use stakes_core::metric::Metric;

use super::list_weights::mean_one;
use super::pairs::{Pairs, RootWeights, Stake};
use super::{GradHess, ListLoss, ListWeighting, Loss, LossError};
use crate::Lists;

/// The logistic loss of pairs.
#[derive(Debug)]
pub struct RankNet {
    stake: Stake,
    lists: ListWeighting,
    sigma: f64,
    truncation: usize,
}

impl RankNet {
    fn new(stake: Stake, lists: ListWeighting) -> Self {
        RankNet { stake, lists, sigma: 1.0, truncation: usize::MAX }
    }

    /// Pairs and lists count alike.
    pub fn insensitive() -> Self {
        RankNet::new(Stake::One, ListWeighting::Alike)
    }

    /// Pairs count alike, lists by what can be saved in them: by their weight in a metric
    /// such as `rcs@k`.
    pub fn cr(stake: Metric) -> Self {
        RankNet::new(Stake::One, ListWeighting::ByStake(stake))
    }

    /// Pairs count their difference of cost.
    pub fn cs() -> Self {
        RankNet::new(Stake::Difference, ListWeighting::Alike)
    }

    /// The steepness of the logistic (default 1).
    pub fn sigma(mut self, sigma: f64) -> Result<Self, LossError> {
        self.sigma = super::check_sigma("ranknet", sigma)?;
        Ok(self)
    }

    /// Only pairs with an item in so many first ranks (default: all).
    #[must_use]
    pub fn truncation(mut self, ranks: usize) -> Self {
        self.truncation = ranks;
        self
    }

    /// Costs in units of the largest, which is given too.
    fn shares(list: &ListView<'_>) -> (Vec<f64>, f64) {
        let largest = list.cost.iter().copied().fold(0.0, f64::max);
        let unit = if largest > 0.0 { largest } else { 1.0 };
        (list.cost.iter().map(|c| c / unit).collect(), unit)
    }

    /// The share of pairs of ranks that have one in the first `truncation`.
    fn touched(&self, n: usize) -> f64 {
        let below = n.saturating_sub(self.truncation) as f64;
        let all = n as f64 * (n as f64 - 1.0);
        if all > 0.0 { 1.0 - below * (below - 1.0).max(0.0) / all } else { 1.0 }
    }
}

/// The sum over pairs of stake x roots of weights, in O(n log n).
fn total(stake: Stake, gains: &[f64], roots: &[f64]) -> f64 {
    let mut items: Vec<(f64, f64)> = gains.iter().copied().zip(roots.iter().copied()).collect();
    items.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    // Below: the roots of all items of less gain, and those times their gains.
    let (mut sum, mut below, mut gains_below) = (0.0, 0.0, 0.0);
    for equal in items.chunk_by(|a, b| a.0 == b.0) {
        let gain = equal[0].0;
        let roots: f64 = equal.iter().map(|(_, root)| root).sum();
        sum += match stake {
            Stake::One => roots * below,
            Stake::Difference => roots * (gain * below - gains_below),
        };
        below += roots;
        gains_below += roots * gain;
    }
    sum
}

impl Loss for RankNet {
    fn prepare<'l>(&'l self, list: &ListView<'l>, weight: f64) -> Box<dyn ListLoss + 'l> {
        let (gains, _) = RankNet::shares(list);
        let weights = RootWeights::new(list.weight, list.len());
        let total = total(self.stake, &gains, &weights.roots) * self.touched(list.len());
        let any = total > 0.0;
        Box::new(RankNetList(Pairs {
            gains,
            stake: self.stake,
            discounts: None,
            near: None,
            rows: if any { self.truncation } else { 0 },
            sigma: self.sigma,
            norm: false,
            weights,
            weight: if any { weight / total } else { 0.0 },
        }))
    }

    fn list_weights(&self, lists: &Lists) -> Vec<f64> {
        if self.stake == Stake::One {
            return self.lists.of(lists);
        }
        let stakes = lists.views().into_iter().map(|list| {
            let (gains, unit) = RankNet::shares(&list);
            let weights = RootWeights::new(list.weight, list.len());
            total(self.stake, &gains, &weights.roots) * unit
        });
        mean_one(stakes.collect())
    }
}

struct RankNetList(Pairs);

impl ListLoss for RankNetList {
    fn gradients(&self, scores: &[f64], out: &mut [GradHess]) {
        self.0.gradients(scores, out);
    }

    fn value(&self, scores: &[f64]) -> Option<f64> {
        Some(self.0.value(scores))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_by_hand() {
        let (gains, roots) = ([1.0, 0.0, 0.5, 0.5], [1.0, 2.0, 1.0, 0.0]);
        // (1, 0): 2; (1, 0.5): 1 and 0; (0.5, 0): 2 and 0.
        assert_eq!(total(Stake::One, &gains, &roots), 5.0);
        assert_eq!(total(Stake::Difference, &gains, &roots), 2.0 + 0.5 + 1.0);
        assert_eq!(total(Stake::One, &[1.0, 1.0], &[1.0, 1.0]), 0.0);
    }

    #[test]
    fn the_share_of_pairs_that_are_touched() {
        // Of the 6 pairs of 4 ranks, 3 have the first, 5 one of the first two.
        let touched = |k| RankNet::insensitive().truncation(k).touched(4);
        assert_eq!([touched(1), touched(2), touched(3), touched(9)], [0.5, 5.0 / 6.0, 1.0, 1.0]);
        assert_eq!(RankNet::insensitive().touched(1), 1.0);
    }
}
