//! The lambda loss of any metric that is a sum of gain x discount: each pair of items pulls their
//! scores apart in proportion to how much a swap of the two would change the metric.
//!
//! lambda_ij = |delta M_ij| sigma / (1 + exp(sigma (s_i - s_j))) for g_i > g_j, with
//! |delta M_ij| = scale |g_i - g_j| |d(p_i) - d(p_j)| weight(list)
//! (Burges 2010; McBride et al. 2019, section 4).
//!
//! Gains, discounts, scale and list weights are the metric's, so that `lambda(ndcg@k)` is
//! LambdaMART's, `lambda(rcs@k)` CS-MART's and `lambda(rcr@k(ndcg@k))` CR-MART's. Positions are
//! those of the current scores, equal scores in the order of items. The metric's own tie rule is
//! not used: items with equal scores need an order to have a gradient.
//!
//! A metric of what money saves (`rcs:budget=500`) is no such sum, but nearly: an amount of money that is spent
//! on one item instead of another changes what is saved by the difference of their costs per price. So
//! gains are costs per price, the discount of an item is the share of the money that is left where its turn
//! comes, and a pair exchanges the geometric mean of both prices:
//! |delta M_ij| = scale |c_i / p_i - c_j / p_j| |d_i - d_j| sqrt(p_i p_j) weight(list).
//! With prices of 1 it is the loss of so many items under the linear policy. Free items are in no pair.
//!
//! Three options modify the metric to make training easier: a power of the gains
//! ([`Lambda::temper`]), a power of the list weights ([`Lambda::list_weight_power`]), and discounts
//! by the distance of two ranks instead of the ranks themselves ([`Lambda::rank_distance`]).
//!
//! ```
//! use stakes_core::data::ListView;
//! use stakes_core::metric::{Metric, Scale};
//! use stakes_learn::loss::{GradHess, Lambda, Loss};
//! let loss = Lambda::new(Metric::parse("rcs@1", Scale::default())?)?;
//! let mut out = [GradHess::default(); 2];
//! loss.prepare(&ListView::of_impact(&[0.0, 8.0]), 1.0).gradients(&[0.0, 0.0], &mut out);
//! // Swapping the two would gain the whole savable cost; rho = 1/2.
//! assert_eq!(out.map(|g| g.grad), [0.5, -0.5]);
//! assert_eq!(out.map(|g| g.hess), [0.25, 0.25]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use stakes_core::data::ListView;
use stakes_core::metric::{Direction, ListMetric, Metric, Spending};

use super::list_weights::to_power;
use super::pairs::{Discounts, PairWeight, Pairs, RootWeights};
use super::{GradHess, ListLoss, Loss, LossError, ideal_weights};
use crate::Lists;

/// The lambda loss of a metric.
#[derive(Debug)]
pub struct Lambda {
    metric: Metric,
    sigma: f64,
    norm: bool,
    truncation: usize,
    temper: f64,
    list_weight_power: f64,
    by_distance: bool,
}

/// Whether the metric is a sum of gain x discount.
pub(super) fn is_sum(metric: &Metric) -> bool {
    probe(metric, |prepared| prepared.additive().is_some())
}

/// What a metric says of any list with different impacts.
fn probe(metric: &Metric, is: impl Fn(&dyn ListMetric) -> bool) -> bool {
    let (impact, price) = ([8.0, 4.0, 2.0, 0.0], [1.0; 4]);
    let list = ListView { price: Some(&price), ..ListView::of_impact(&impact) };
    is(&*metric.prepare(&list))
}

impl Lambda {
    /// The lambda loss of a metric that is a sum of gain x discount, or of what money saves, and of which more
    /// is better.
    pub fn new(metric: Metric) -> Result<Self, LossError> {
        if metric.direction() == Direction::Lower {
            return Err(LossError::metric(&metric, "less of it is better"));
        }
        if !is_sum(&metric) && !probe(&metric, |prepared| prepared.spending().is_some()) {
            return Err(LossError::metric(&metric, "it is not a sum of gain x discount"));
        }
        Ok(Lambda {
            metric,
            sigma: 1.0,
            norm: false,
            truncation: usize::MAX,
            temper: 1.0,
            list_weight_power: 1.0,
            by_distance: false,
        })
    }

    /// Sets the steepness of the logistic function (default 1).
    pub fn sigma(mut self, sigma: f64) -> Result<Self, LossError> {
        self.sigma = super::check_sigma("lambda", sigma)?;
        Ok(self)
    }

    /// Sets whether to normalise as LightGBM does by default (`lambdarank_norm`): delta is divided
    /// by 0.01 + |s_i - s_j| unless all scores of the list are equal, and then all derivatives
    /// of the list are multiplied by log2(1 + S) / S, S being the sum of |lambda| over both
    /// items of all pairs. The list weight multiplies the result.
    #[must_use]
    pub fn norm(mut self, norm: bool) -> Self {
        self.norm = norm;
        self
    }

    /// Restricts the loss to pairs with an item in the first `ranks` ranks (default: the cutoff of
    /// the metric). Without a cutoff, the time grows with the square of a list's length.
    #[must_use]
    pub fn truncation(mut self, ranks: usize) -> Self {
        self.truncation = ranks;
        self
    }

    /// Raises gains to this power (default 1), so that a few huge costs do not dominate. Gains are
    /// then rescaled so that the best order of a list has the same value as before.
    #[must_use]
    pub fn temper(mut self, power: f64) -> Self {
        self.temper = power;
        self
    }

    /// Raises list weights to this power (default 1); with 0 all lists have equal weight.
    #[must_use]
    pub fn list_weight_power(mut self, power: f64) -> Self {
        self.list_weight_power = power;
        self
    }

    /// Sets whether |d(p_i) - d(p_j)| is replaced by d(m) - d(m + 1), with m = |p_i - p_j| the
    /// distance of the two ranks: the loss is then a bound of the metric (NDCG-Loss2, Wang et al.
    /// 2018).
    #[must_use]
    pub fn rank_distance(mut self, by_distance: bool) -> Self {
        self.by_distance = by_distance;
        self
    }

    /// The metric.
    pub fn metric(&self) -> &Metric {
        &self.metric
    }

    /// The steepness of the logistic function.
    pub(super) fn steepness(&self) -> f64 {
        self.sigma
    }

    /// The weight of all pairs of a list, in the mean over its orders.
    pub(super) fn size(&self, list: &ListView<'_>) -> f64 {
        let Some(pairs) = self.pairs(list, 1.0) else { return 0.0 };
        // The sum over pairs of the differences of falling numbers, each with how many are below less how many above.
        let differences = |falling: &[f64]| -> f64 {
            let n = list.len() as f64;
            let one = |(at, value): (usize, &f64)| value * (n - 1.0 - 2.0 * at as f64);
            falling.iter().enumerate().map(one).sum()
        };
        let mut gains = pairs.gains;
        gains.sort_by(|a, b| b.total_cmp(a));
        let all = 0.5 * list.len() as f64 * (list.len() as f64 - 1.0);
        differences(&gains) * differences(pairs.discounts.of_ranks()) / all
    }

    /// The loss of some pairs of a list, each given by the item of higher gain and the other.
    pub(super) fn some_pairs<'l>(
        &self,
        list: &ListView<'l>,
        weight: f64,
        counts: Box<dyn Fn(usize, usize) -> bool + Send + Sync + 'l>,
    ) -> Box<dyn ListLoss + 'l> {
        Box::new(SomePairs { pairs: self.pairs(list, weight), counts })
    }

    fn pairs(&self, list: &ListView<'_>, weight: f64) -> Option<Pairs> {
        let prepared = self.metric.prepare(list);
        if let Some(spending) = prepared.spending() {
            return self.pairs_of_money(list, weight, &spending);
        }
        let parts = prepared.additive()?;
        let gains = parts.gains.iter().map(|g| g * parts.scale).collect();
        let reached = parts.discounts.iter().take(list.len()).take_while(|d| **d > 0.0);
        let discounts: Vec<f64> = reached.copied().collect();
        let rows = discounts.len().min(self.truncation);
        let by_distance = self.by_distance.then(|| by_distance(&discounts));
        let worth = |gains: &[f64]| best_order(gains, &discounts);
        let gains = self.tempered(gains, worth)?;
        let discounts = Discounts::ByRank(discounts);
        let weights = RootWeights::new(list.weight, list.len());
        Some(Pairs { rows, by_distance, ..self.paired(gains, discounts, weights, weight) })
    }

    /// The pairs of a metric of what money saves; discounts by distance are not known there.
    fn pairs_of_money(
        &self,
        list: &ListView<'_>,
        weight: f64,
        spending: &Spending<'_>,
    ) -> Option<Pairs> {
        let Spending { cost, price, money, scale } = *spending;
        // Free items have no weight in any pair.
        let gain = |(c, p): (&f64, &f64)| if *p > 0.0 { scale * c / p } else { 0.0 };
        let gains = cost.iter().zip(price).map(gain).collect();
        let gains = self.tempered(gains, |gains| best_spending(gains, price, money))?;
        let own = |item: usize| list.weight.map_or(1.0, |weight| weight[item]);
        let weights: Vec<f64> = price.iter().enumerate().map(|(i, p)| p * own(i)).collect();
        let weights = RootWeights::new(Some(&weights), list.len());
        let discounts = Discounts::BySpending { price: price.to_vec(), money };
        Some(self.paired(gains, discounts, weights, weight))
    }

    fn paired(
        &self,
        gains: Vec<f64>,
        discounts: Discounts,
        weights: RootWeights,
        weight: f64,
    ) -> Pairs {
        Pairs {
            rows: self.truncation,
            gains,
            pair_weight: PairWeight::Difference,
            by_distance: None,
            discounts,
            sigma: self.sigma,
            norm: self.norm,
            weights,
            weight,
        }
    }

    /// Tempers gains, if they are finite and not all equal.
    fn tempered(&self, mut gains: Vec<f64>, worth: impl Fn(&[f64]) -> f64) -> Option<Vec<f64>> {
        let differ = gains.iter().any(|g| *g != gains[0]);
        if !differ || !gains.iter().all(|g| g.is_finite()) {
            return None;
        }
        if self.temper != 1.0 {
            temper(&mut gains, self.temper, worth);
        }
        Some(gains)
    }
}

/// What the best order is worth.
fn best_order(gains: &[f64], discounts: &[f64]) -> f64 {
    let mut best = gains.to_vec();
    best.sort_by(|a, b| b.total_cmp(a));
    best.iter().zip(discounts).map(|(gain, discount)| gain * discount).sum()
}

/// What the money is worth that is spent where most is gained for it.
fn best_spending(gains: &[f64], price: &[f64], money: f64) -> f64 {
    let mut best: Vec<(f64, f64)> = gains.iter().copied().zip(price.iter().copied()).collect();
    best.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut left = money;
    let bought = best.into_iter().map(|(gain, price)| {
        let spent = price.min(left);
        left -= spent;
        gain * spent
    });
    bought.sum()
}

/// Raises gains to a power, rescaled so that the best order is worth the same as before.
fn temper(gains: &mut [f64], power: f64, worth: impl Fn(&[f64]) -> f64) {
    let before = worth(gains);
    gains.iter_mut().for_each(|gain| *gain = gain.max(0.0).powf(power));
    let unit = before / worth(gains);
    if unit.is_finite() {
        gains.iter_mut().for_each(|gain| *gain *= unit);
    }
}

/// Returns d(m) - d(m + 1) for the distances m = 1, 2, ... of two ranks.
fn by_distance(discounts: &[f64]) -> Vec<f64> {
    let next = discounts.iter().skip(1).chain([&0.0]);
    discounts.iter().zip(next).map(|(own, next)| own - next).collect()
}

impl Loss for Lambda {
    fn prepare<'l>(&'l self, list: &ListView<'l>, weight: f64) -> Box<dyn ListLoss + 'l> {
        Box::new(LambdaList(self.pairs(list, weight)))
    }

    fn list_weights(&self, lists: &Lists) -> Vec<f64> {
        to_power(ideal_weights(lists, &self.metric), self.list_weight_power, lists.shards())
    }

    fn check(&self, lists: &Lists) -> Result<(), String> {
        for list in 0..lists.len() {
            let view = lists.list(list);
            let name = self.metric.name();
            self.metric.check(&view).map_err(|reason| format!("{name}: {reason}"))?;
            let prepared = self.metric.prepare(&view);
            let numbers = prepared
                .additive()
                .is_none_or(|parts| parts.gains.iter().all(|g| (g * parts.scale).is_finite()));
            if !numbers {
                return Err(format!(
                    "{name} of list {} exceeds the largest floating-point number; use gain=linear \
                     or a normalised metric such as ndcg or rcs, or give costs in a larger unit",
                    list + 1
                ));
            }
        }
        Ok(())
    }
}

/// The lambda loss of one list; `None` if no order of the list is better than another.
struct LambdaList(Option<Pairs>);

impl ListLoss for LambdaList {
    fn gradients(&self, scores: &[f64], out: &mut [GradHess]) {
        match &self.0 {
            Some(pairs) => pairs.gradients(scores, out),
            None => out.fill(GradHess::default()),
        }
    }

    fn value(&self, _scores: &[f64]) -> Option<f64> {
        None
    }
}

/// The lambda loss of some pairs of one list.
struct SomePairs<'l> {
    pairs: Option<Pairs>,
    counts: Box<dyn Fn(usize, usize) -> bool + Send + Sync + 'l>,
}

impl ListLoss for SomePairs<'_> {
    fn gradients(&self, scores: &[f64], out: &mut [GradHess]) {
        out.fill(GradHess::default());
        if let Some(pairs) = &self.pairs {
            pairs.some_gradients(scores, &self.counts, out);
        }
    }

    fn value(&self, _scores: &[f64]) -> Option<f64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stakes_core::metric::Scale;

    fn rcs(k: usize) -> Lambda {
        let metric = Metric::parse(&format!("rcs@{k}"), Scale::default()).expect("a metric");
        Lambda::new(metric).expect("a sum")
    }

    fn gradients(loss: &Lambda, costs: &[f64], scores: &[f64]) -> Vec<GradHess> {
        let mut out = vec![GradHess::default(); costs.len()];
        loss.prepare(&ListView::of_impact(costs), 1.0).gradients(scores, &mut out);
        out
    }

    #[test]
    fn neighbours_count_by_how_far_they_are_apart() {
        // Many items, so that ranks lie in several blocks of the walk.
        let n = 21;
        let costs: Vec<f64> = (0..n).map(|i| f64::from(i * 7 % n)).collect();
        let scores: Vec<f64> = (0..n).map(|i| f64::from(i * 5 % n) / 4.0).collect();
        let k = 6;
        let discount = |rank: usize| (1.0 - (rank as f64 - 1.0) / k as f64).max(0.0);
        let mut order: Vec<usize> = (0..costs.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        let mut best = costs.clone();
        best.sort_by(|a, b| b.total_cmp(a));
        let ideal: f64 = best.iter().zip(1..).map(|(cost, rank)| cost * discount(rank)).sum();
        let mut expected = vec![0.0; costs.len()];
        for (rank, &i) in order.iter().enumerate().take(k) {
            for (apart, &j) in order[rank + 1..].iter().enumerate().map(|(at, j)| (at + 1, j)) {
                let (high, low) = if costs[i] > costs[j] { (i, j) } else { (j, i) };
                let rho = 1.0 / (1.0 + (scores[high] - scores[low]).exp());
                let gain = (costs[high] - costs[low]) / ideal;
                let delta = gain * (discount(apart) - discount(apart + 1));
                expected[high] -= delta * rho;
                expected[low] += delta * rho;
            }
        }
        let found = gradients(&rcs(k).rank_distance(true), &costs, &scores);
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found.grad - expected).abs() < 1e-12, "{} and {expected}", found.grad);
        }
    }

    /// Three items: the mean over all orders of the sum of gain difference x discount difference.
    #[test]
    fn the_weight_of_all_pairs_by_all_orders() {
        let costs = [6.0, 3.0, 0.0];
        let ideal = 6.0 + 0.5 * 3.0;
        let of = |order: [usize; 3]| -> f64 {
            let discount = [1.0, 0.5, 0.0];
            let pairs = [(0, 1), (0, 2), (1, 2)];
            let delta = |(p, q): (usize, usize)| -> f64 {
                f64::abs(costs[order[p]] - costs[order[q]]) * (discount[p] - discount[q]) / ideal
            };
            pairs.map(delta).iter().sum()
        };
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let mean = orders.map(of).iter().sum::<f64>() / 6.0;
        let found = rcs(2).size(&ListView::of_impact(&costs));
        assert!((found - mean).abs() < 1e-12, "{found} {mean}");
        assert_eq!(rcs(2).size(&ListView::of_impact(&[1.0, 1.0])), 0.0);
    }

    #[test]
    fn tempered_gains_keep_the_worth_of_the_best_order() {
        let (discounts, mut gains) = ([1.0, 0.5], [0.25, 4.0, 1.0]);
        temper(&mut gains, 0.5, |gains| best_order(gains, &discounts));
        // Roots 0.5, 2, 1 are worth 2.5 in the best order, the gains were worth 4.5.
        assert_eq!(gains, [0.9, 3.6, 1.8]);
        let (mut nothing, before) = ([0.0, 0.0], [0.0, 0.0]);
        temper(&mut nothing, 0.5, |gains| best_order(gains, &discounts));
        assert_eq!(nothing, before);
    }
}
