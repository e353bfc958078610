//! The lambda loss of any metric that is a sum of gain x discount (SPEC 3.1): a pair of items
//! pulls at their scores in proportion to what exchanging them would change.
//!
//! lambda_ij = |delta M_ij| sigma / (1 + exp(sigma (s_i - s_j))) for g_i > g_j, with
//! |delta M_ij| = scale |g_i - g_j| |d(p_i) - d(p_j)| weight(list)
//! (Burges, From RankNet to LambdaRank to LambdaMART, 2010; paper 000, section 4).
//!
//! Gains, discounts, scale and the weight of lists are the metric's, so that
//! `lambda(ndcg@k)` is LambdaMART's, `lambda(rcs@k)` CS-MART's and `lambda(rcr@k(ndcg@k))`
//! CR-MART's. Positions are those of the current scores, equal scores in the order of items.
//! The metric's own rule for ties plays no part: a tie must be broken to be learnt from.
//!
//! What the metric says may be bent for the sake of learning, one knob each: gains to a power
//! ([`Lambda::temper`]), the weights of lists to a power ([`Lambda::stakes`]), and discounts by
//! the distance of two ranks instead of the ranks themselves ([`Lambda::neighbours`]).
//!
//! ```
//! use stakes_core::data::ListView;
//! use stakes_core::metric::{Metric, Scale};
//! use stakes_learn::loss::{GradHess, Lambda, Loss};
//! let loss = Lambda::new(Metric::parse("rcs@1", Scale::default())?)?;
//! let mut out = [GradHess::default(); 2];
//! loss.prepare(&ListView::of_impact(&[0.0, 8.0]), 1.0).gradients(&[0.0, 0.0], &mut out);
//! // Exchanging the two would gain all that can be saved; rho = 1/2.
//! assert_eq!(out.map(|g| g.grad), [0.5, -0.5]);
//! assert_eq!(out.map(|g| g.hess), [0.25, 0.25]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use stakes_core::data::ListView;
use stakes_core::metric::{AdditiveParts, Direction, Metric};

use super::list_weights::to_power;
use super::pairs::{Pairs, RootWeights, Stake};
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
    stakes: f64,
    neighbours: bool,
}

/// Whether the metric is a sum of gain x discount.
pub(super) fn is_sum(metric: &Metric) -> bool {
    // Whether it is one shows on any list that has an order.
    let (worth, price) = ([8.0, 4.0, 2.0, 0.0], [1.0; 4]);
    let probe = ListView { price: Some(&price), ..ListView::of_impact(&worth) };
    metric.prepare(&probe).additive().is_some()
}

impl Lambda {
    /// Of a metric that is a sum of gain x discount and of which more is better.
    pub fn new(metric: Metric) -> Result<Self, LossError> {
        if metric.direction() == Direction::Lower {
            return Err(LossError::metric(&metric, "less of it is better"));
        }
        if !is_sum(&metric) {
            return Err(LossError::metric(&metric, "it is not a sum of gain x discount"));
        }
        Ok(Lambda {
            metric,
            sigma: 1.0,
            norm: false,
            truncation: usize::MAX,
            temper: 1.0,
            stakes: 1.0,
            neighbours: false,
        })
    }

    /// The steepness of the logistic (default 1).
    pub fn sigma(mut self, sigma: f64) -> Result<Self, LossError> {
        self.sigma = super::check_sigma("lambda", sigma)?;
        Ok(self)
    }

    /// Whether to normalise as LightGBM does by default (`lambdarank_norm`): delta is divided
    /// by 0.01 + |s_i - s_j| unless all scores of the list are equal, and then all derivatives
    /// of the list are multiplied by log2(1 + S) / S, S being the sum of |lambda| over both
    /// items of all pairs. The weight of the list multiplies the result.
    #[must_use]
    pub fn norm(mut self, norm: bool) -> Self {
        self.norm = norm;
        self
    }

    /// Only pairs with an item in so many first ranks (default: as many as the metric counts).
    /// A metric without a cutoff would otherwise need time in the square of a list's length.
    #[must_use]
    pub fn truncation(mut self, ranks: usize) -> Self {
        self.truncation = ranks;
        self
    }

    /// Gains to this power (default 1), so that a few huge costs do not drown all others. The
    /// best order of a list is worth what it was.
    #[must_use]
    pub fn temper(mut self, power: f64) -> Self {
        self.temper = power;
        self
    }

    /// Weights of lists to this power (default 1): 0 is all lists alike.
    #[must_use]
    pub fn stakes(mut self, power: f64) -> Self {
        self.stakes = power;
        self
    }

    /// Whether |d(p_i) - d(p_j)| is d(m) - d(m + 1) instead, m = |p_i - p_j| being the distance
    /// of the two ranks: a bound of the metric where the swap is none (Wang et al., The
    /// LambdaLoss framework, 2018, NDCG-Loss2).
    #[must_use]
    pub fn neighbours(mut self, neighbours: bool) -> Self {
        self.neighbours = neighbours;
        self
    }

    /// The metric.
    pub fn metric(&self) -> &Metric {
        &self.metric
    }

    fn pairs(&self, list: &ListView<'_>, weight: f64) -> Option<Pairs> {
        let prepared = self.metric.prepare(list);
        let parts = prepared.additive()?;
        let mut gains = scaled(&parts)?;
        let reached = parts.discounts.iter().take(list.len()).take_while(|d| **d > 0.0);
        let discounts: Vec<f64> = reached.copied().collect();
        if self.temper != 1.0 {
            temper(&mut gains, &discounts, self.temper);
        }
        Some(Pairs {
            rows: discounts.len().min(self.truncation),
            gains,
            stake: Stake::Difference,
            near: self.neighbours.then(|| by_distance(&discounts)),
            discounts: Some(discounts),
            sigma: self.sigma,
            norm: self.norm,
            weights: RootWeights::new(list.weight, list.len()),
            weight,
        })
    }
}

/// Gains to a power, in a unit that leaves the worth of the best order as it was.
fn temper(gains: &mut [f64], discounts: &[f64], power: f64) {
    let best_order = |gains: &[f64]| -> f64 {
        let mut best = gains.to_vec();
        best.sort_by(|a, b| b.total_cmp(a));
        best.iter().zip(discounts).map(|(gain, discount)| gain * discount).sum()
    };
    let before = best_order(gains);
    gains.iter_mut().for_each(|gain| *gain = gain.max(0.0).powf(power));
    let unit = before / best_order(gains);
    if unit.is_finite() {
        gains.iter_mut().for_each(|gain| *gain *= unit);
    }
}

/// For ranks 1, 2, ... apart: what the discounts of neighbours at that depth differ in.
fn by_distance(discounts: &[f64]) -> Vec<f64> {
    let next = discounts.iter().skip(1).chain([&0.0]);
    discounts.iter().zip(next).map(|(own, next)| own - next).collect()
}

/// Gains in units of the metric, where there is anything to learn.
fn scaled(parts: &AdditiveParts<'_>) -> Option<Vec<f64>> {
    let gains: Vec<f64> = parts.gains.iter().map(|g| g * parts.scale).collect();
    let differ = gains.iter().any(|g| *g != gains[0]);
    (differ && gains.iter().all(|g| g.is_finite())).then_some(gains)
}

impl Loss for Lambda {
    fn prepare<'l>(&'l self, list: &ListView<'l>, weight: f64) -> Box<dyn ListLoss + 'l> {
        Box::new(LambdaList(self.pairs(list, weight)))
    }

    fn list_weights(&self, lists: &Lists) -> Vec<f64> {
        to_power(ideal_weights(lists, &self.metric), self.stakes)
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
                    "{name} of list {} is beyond the largest number there is; use gain=linear \
                     or a normalised metric such as ndcg or rcs, or count in larger units",
                    list + 1
                ));
            }
        }
        Ok(())
    }
}

/// Without pairs no order of the list is better than another.
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
        let found = gradients(&rcs(k).neighbours(true), &costs, &scores);
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found.grad - expected).abs() < 1e-12, "{} and {expected}", found.grad);
        }
    }

    #[test]
    fn tempered_gains_keep_the_worth_of_the_best_order() {
        let (discounts, mut gains) = ([1.0, 0.5], [0.25, 4.0, 1.0]);
        temper(&mut gains, &discounts, 0.5);
        // Roots 0.5, 2, 1 are worth 2.5 in the best order, the gains were worth 4.5.
        assert_eq!(gains, [0.9, 3.6, 1.8]);
        let (mut nothing, before) = ([0.0, 0.0], [0.0, 0.0]);
        temper(&mut nothing, &discounts, 0.5);
        assert_eq!(nothing, before);
    }
}
