//! RankNet: the logistic loss of every pair of different costs (Burges et al. 2005).
//!
//! loss(list) = 1/T sum over c_i > c_j of v_ij log(1 + exp(-sigma (s_i - s_j)))
//!
//! | mode | pair v_ij | divided by T | list weights |
//! |---|---|---|---|
//! | insensitive | 1 | number of pairs | equal |
//! | cr (McBride et al. 2019, section 4) | 1 | number of pairs | savable cost |
//! | cs | c_i - c_j | sum of v | that sum |
//!
//! so that long lists do not dominate short ones, and `cs` is a smooth version of the sum of
//! c_i - c_j over all wrongly ordered pairs of all lists. Pairs are weighted by the geometric mean
//! of their items' weights.
//!
//! All pairs of a list are used, in O(n log n) if it is long (`pairs/smooth.rs`). With a truncation
//! only pairs with an item in the first ranks of the current order are used, and T is multiplied by
//! their share of all pairs of ranks.
//!
//! Example: costs (3, 1) at scores (0, 0): value log 2, gradients -1/2 and 1/2 in every mode.

use stakes_core::data::ListView;
use stakes_core::metric::Metric;

use super::list_weights::mean_one;
use super::pairs::{Discounts, PairWeight, Pairs, RootWeights};
use super::{GradHess, ListLoss, ListWeighting, Loss, LossError};
use crate::Lists;

/// The logistic loss of pairs.
#[derive(Debug)]
pub struct RankNet {
    pair_weight: PairWeight,
    lists: ListWeighting,
    sigma: f64,
    truncation: usize,
    summed: bool,
}

impl RankNet {
    fn new(pair_weight: PairWeight, lists: ListWeighting) -> Self {
        RankNet { pair_weight, lists, sigma: 1.0, truncation: usize::MAX, summed: false }
    }

    /// The loss with equal weights of pairs and of lists.
    pub fn insensitive() -> Self {
        RankNet::new(PairWeight::One, ListWeighting::Equal)
    }

    /// The loss with equal weights of pairs, and lists weighted by their savable cost: by their
    /// weight in a metric such as `rcs@k`.
    pub fn cr(metric: Metric) -> Self {
        RankNet::new(PairWeight::One, ListWeighting::BySavableCost(metric))
    }

    /// The loss with pairs weighted by their difference of cost.
    pub fn cs() -> Self {
        RankNet::new(PairWeight::Difference, ListWeighting::Equal)
    }

    /// Sets the steepness of the logistic function (default 1).
    pub fn sigma(mut self, sigma: f64) -> Result<Self, LossError> {
        self.sigma = super::check_sigma("ranknet", sigma)?;
        Ok(self)
    }

    /// Restricts the loss to pairs with an item in the first `ranks` ranks (default: all pairs).
    #[must_use]
    pub fn truncation(mut self, ranks: usize) -> Self {
        self.truncation = ranks;
        self
    }

    /// Takes the sum over the pairs of a list instead of their mean (default: the mean): T is 1, and
    /// long lists count for more.
    #[must_use]
    pub fn summed(mut self) -> Self {
        self.summed = true;
        self
    }

    /// Returns costs divided by the largest, and the largest.
    fn shares(list: &ListView<'_>) -> (Vec<f64>, f64) {
        let largest = list.cost.iter().copied().fold(0.0, f64::max);
        let unit = if largest > 0.0 { largest } else { 1.0 };
        (list.cost.iter().map(|c| c / unit).collect(), unit)
    }

    /// The share of pairs of ranks that have one in the first `truncation`.
    fn used_share(&self, n: usize) -> f64 {
        let below = n.saturating_sub(self.truncation) as f64;
        let all = n as f64 * (n as f64 - 1.0);
        if all > 0.0 { 1.0 - below * (below - 1.0).max(0.0) / all } else { 1.0 }
    }
}

/// Returns the sum over pairs of pair weight x roots of item weights, in O(n log n).
fn total(pair_weight: PairWeight, gains: &[f64], roots: &[f64]) -> f64 {
    let mut items: Vec<(f64, f64)> = gains.iter().copied().zip(roots.iter().copied()).collect();
    items.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    // Below: sums over all items of smaller gain, of roots and of roots x gains.
    let (mut sum, mut below, mut gains_below) = (0.0, 0.0, 0.0);
    for equal in items.chunk_by(|a, b| a.0 == b.0) {
        let gain = equal[0].0;
        let roots: f64 = equal.iter().map(|(_, root)| root).sum();
        sum += match pair_weight {
            PairWeight::One => roots * below,
            PairWeight::Difference => roots * (gain * below - gains_below),
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
        let total = total(self.pair_weight, &gains, &weights.roots) * self.used_share(list.len());
        let any = total > 0.0;
        let total = if self.summed { 1.0 } else { total };
        Box::new(RankNetList(Pairs {
            gains,
            pair_weight: self.pair_weight,
            discounts: Discounts::None,
            by_distance: None,
            rows: if any { self.truncation } else { 0 },
            sigma: self.sigma,
            norm: false,
            weights,
            weight: if any { weight / total } else { 0.0 },
        }))
    }

    fn list_weights(&self, lists: &Lists) -> Vec<f64> {
        if self.pair_weight == PairWeight::One {
            return self.lists.of(lists);
        }
        let sums = lists.views().into_iter().map(|list| {
            let (gains, unit) = RankNet::shares(&list);
            let weights = RootWeights::new(list.weight, list.len());
            let pairs = || total(self.pair_weight, &gains, &weights.roots);
            if self.summed { unit } else { pairs() * unit }
        });
        mean_one(sums.collect(), lists.shards())
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
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn totals_by_hand() {
        let (gains, roots) = ([1.0, 0.0, 0.5, 0.5], [1.0, 2.0, 1.0, 0.0]);
        // (1, 0): 2; (1, 0.5): 1 and 0; (0.5, 0): 2 and 0.
        assert_eq!(total(PairWeight::One, &gains, &roots), 5.0);
        assert_eq!(total(PairWeight::Difference, &gains, &roots), 2.0 + 0.5 + 1.0);
        assert_eq!(total(PairWeight::One, &[1.0, 1.0], &[1.0, 1.0]), 0.0);
    }

    #[test]
    fn a_sum_is_the_mean_times_the_number_of_pairs() {
        let list = ListView::of_impact(&[3.0, 1.0, 0.0]);
        let value = |loss: &RankNet| loss.prepare(&list, 1.0).value(&[0.5, 0.25, 1.0]);
        let [mean, sum] = [RankNet::insensitive(), RankNet::insensitive().summed()];
        let softplus = |x: f64| x.exp().ln_1p();
        let by_hand = softplus(-0.25) + softplus(0.5) + softplus(0.75);
        assert!((value(&sum).unwrap() - by_hand).abs() < 1e-12);
        assert!((value(&mean).unwrap() - by_hand / 3.0).abs() < 1e-12);
    }

    #[test]
    fn the_share_of_pairs_that_are_used() {
        // Of the 6 pairs of 4 ranks, 3 have the first, 5 one of the first two.
        let used = |k| RankNet::insensitive().truncation(k).used_share(4);
        assert_eq!([used(1), used(2), used(3), used(9)], [0.5, 5.0 / 6.0, 1.0, 1.0]);
        assert_eq!(RankNet::insensitive().used_share(1), 1.0);
    }
}
