//! Weights of lists.
//!
//! In the cost-insensitive mode lists have equal weight. In the mode `cr` (McBride et al. 2019,
//! section 4) list i has the weight w_i = Ideal@k(L_i) / sum Ideal@k, here times the number of
//! lists with a savable cost, so that the mean is 1 and learning rates and penalties mean the
//! same in every mode.
//!
//! Example: two storms with savable costs of 10050 and 100.5 at k = 2 (McBride et al. 2019, example
//! 4) have the weights 1.980 and 0.020.

use rayon::prelude::*;
use stakes_core::metric::{Aggregate, Metric};
use stakes_core::shards::Shards;

use crate::Lists;

/// How lists are weighted.
#[derive(Debug, Default)]
pub enum ListWeighting {
    /// All lists equally.
    #[default]
    Equal,
    /// By their savable cost: their weight in this metric, such as `rcs@k`.
    BySavableCost(Metric),
}

impl ListWeighting {
    /// Returns the weight of each list; the mean over lists with a positive weight is 1.
    pub fn of(&self, lists: &Lists) -> Vec<f64> {
        match self {
            ListWeighting::Equal => vec![1.0; lists.len()],
            ListWeighting::BySavableCost(metric) => ideal_weights(lists, metric),
        }
    }
}

/// Returns the weight of each list in a metric: its own weight if the metric's figure is a weighted
/// mean (Ideal@k for R_CS and R_CR), otherwise 1; 0 if the list has no value. Weights are scaled so
/// that the mean over lists with a positive weight is 1.
pub fn ideal_weights(lists: &Lists, metric: &Metric) -> Vec<f64> {
    let weighted = metric.aggregate() == Aggregate::WeightedMean;
    let weight = |list: usize| {
        let view = lists.list(list);
        let prepared = metric.prepare(&view);
        let value = prepared.of_scores(&vec![0.0; view.len()]);
        match value {
            Some(value) if !value.is_nan() => {
                if weighted {
                    prepared.weight()
                } else {
                    1.0
                }
            }
            _ => 0.0,
        }
    };
    let weights = (0..lists.len()).into_par_iter().with_min_len(64).map(weight).collect();
    mean_one(weights, lists.shards())
}

/// Raises weights to a power and scales the mean of the positive ones to 1.
pub(super) fn to_power(weights: Vec<f64>, power: f64, shards: &Shards) -> Vec<f64> {
    if power == 1.0 {
        return weights;
    }
    // A weight of 0 stays 0, also for the power 0.
    let raise = |weight: &f64| if *weight > 0.0 { weight.powf(power) } else { 0.0 };
    mean_one(weights.iter().map(raise).collect(), shards)
}

/// Scales weights so that the mean of the positive ones of all shards is 1.
pub(super) fn mean_one(mut weights: Vec<f64>, shards: &Shards) -> Vec<f64> {
    let largest = shards.max(weights.iter().copied().fold(0.0, f64::max)).min(f64::MAX);
    if largest == 0.0 {
        return weights;
    }
    // Divided by the largest first: the sum of savable costs might overflow.
    weights.iter_mut().for_each(|w| *w = w.min(f64::MAX) / largest);
    let count = shards.sum_of(weights.iter().filter(|w| **w > 0.0).count() as i64) as f64;
    let factor = count / shards.exact_sum(weights.iter().copied());
    weights.iter_mut().for_each(|w| *w *= factor);
    weights
}

#[cfg(test)]
mod tests {
    use stakes_core::shards::Shards;

    use super::{mean_one, to_power};

    #[test]
    fn proportions_stay_and_the_mean_is_one() {
        let one = Shards::alone();
        let mean_one = |weights| mean_one(weights, &one);
        let to_power = |weights, power| to_power(weights, power, &one);
        assert_eq!(mean_one(vec![3.0, 0.0, 1.0]), [1.5, 0.0, 0.5]);
        assert_eq!(mean_one(vec![0.0, 0.0]), [0.0, 0.0]);
        assert_eq!(to_power(vec![1.6, 0.0, 0.4], 0.5), mean_one(vec![2.0, 0.0, 1.0]));
        assert_eq!(to_power(vec![1.6, 0.0, 0.4], 0.0), [1.0, 0.0, 1.0]);
        let huge = mean_one(vec![1.5e308, 1.5e308, 0.0]);
        assert_eq!(huge, [1.0, 1.0, 0.0]);
    }
}
