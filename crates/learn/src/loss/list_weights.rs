//! How much lists count beside others.
//!
//! In the cost-insensitive mode lists count alike. In the mode `cr` (paper 000, section 4)
//! list i counts w_i = Ideal@k(L_i) / sum Ideal@k, here times the number of lists that have
//! anything to save, so that the mean is 1 and learning rates and penalties mean the same in
//! every mode.
//!
//! Example: the paper's two storms can save 10050 and 100.5 at k = 2: they count 1.980 and
//! 0.020.

use rayon::prelude::*;
use stakes_core::metric::{Aggregate, Metric};

use crate::Lists;

/// How much lists count beside others.
#[derive(Debug, Default)]
pub enum ListWeighting {
    /// All alike.
    #[default]
    Alike,
    /// By what can be saved in them: their weight in this metric, such as `rcs@k`.
    ByStake(Metric),
}

impl ListWeighting {
    /// The weight of each list: 1 in the mean over lists that count.
    pub fn of(&self, lists: &Lists) -> Vec<f64> {
        match self {
            ListWeighting::Alike => vec![1.0; lists.len()],
            ListWeighting::ByStake(metric) => ideal_weights(lists, metric),
        }
    }
}

/// How much each list counts in a metric: by its weight if the metric's figure is a weighted
/// mean (then this is Ideal@k for R_CS and R_CR), else 1; 0 if it has no value. The mean over
/// lists that count is 1.
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
    mean_one((0..lists.len()).into_par_iter().with_min_len(64).map(weight).collect())
}

/// Weights to a power; their mean over those above 0 is 1 again.
pub(super) fn to_power(weights: Vec<f64>, power: f64) -> Vec<f64> {
    if power == 1.0 {
        return weights;
    }
    // A list without a weight has none to any power.
    let raise = |weight: &f64| if *weight > 0.0 { weight.powf(power) } else { 0.0 };
    mean_one(weights.iter().map(raise).collect())
}

/// Weights in the same proportions whose mean over those above 0 is 1.
pub(super) fn mean_one(mut weights: Vec<f64>) -> Vec<f64> {
    let largest = weights.iter().copied().fold(0.0, f64::max).min(f64::MAX);
    if largest == 0.0 {
        return weights;
    }
    // Shares of the largest first: a sum of what can be saved might be beyond all numbers.
    weights.iter_mut().for_each(|w| *w = w.min(f64::MAX) / largest);
    let count = weights.iter().filter(|w| **w > 0.0).count() as f64;
    let factor = count / weights.iter().sum::<f64>();
    weights.iter_mut().for_each(|w| *w *= factor);
    weights
}

#[cfg(test)]
mod tests {
    use super::{mean_one, to_power};

    #[test]
    fn proportions_stay_and_the_mean_is_one() {
        assert_eq!(mean_one(vec![3.0, 0.0, 1.0]), [1.5, 0.0, 0.5]);
        assert_eq!(mean_one(vec![0.0, 0.0]), [0.0, 0.0]);
        assert_eq!(to_power(vec![1.6, 0.0, 0.4], 0.5), mean_one(vec![2.0, 0.0, 1.0]));
        assert_eq!(to_power(vec![1.6, 0.0, 0.4], 0.0), [1.0, 0.0, 1.0]);
        let huge = mean_one(vec![1.5e308, 1.5e308, 0.0]);
        assert_eq!(huge, [1.0, 1.0, 0.0]);
    }
}
