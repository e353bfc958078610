//! Pinball loss: a target above the score costs alpha per unit, one below 1 - alpha. Its best
//! constant is the alpha-quantile (Koenker and Bassett 1978).
//!
//! The second derivative is 0 almost everywhere; 1 is used instead, so that trees grow as with
//! squared error, and the value of a leaf is then the quantile of its residuals ([`LeafRule`]).
//!
//! Example: alpha 0.9, target 4: at score 1 the value is 2.7 and the gradient -0.9, at score
//! 5 they are 0.1 and 0.1.

use stakes_core::shards::Shards;

use super::pointwise::Curve;
use super::{GradHess, LeafRule, LossError};

/// The pinball loss of one quantile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantile {
    alpha: f64,
}

impl Quantile {
    /// The loss for the quantile `alpha`, between 0 and 1.
    pub fn new(alpha: f64) -> Result<Self, LossError> {
        let allowed = (alpha > 0.0 && alpha < 1.0, "give a number between 0 and 1, such as 0.5");
        Ok(Quantile { alpha: LossError::check("quantile", "alpha", alpha, allowed)? })
    }
}

impl Curve for Quantile {
    const NAME: &'static str = "quantile loss";

    fn derivatives(&self, target: f64, score: f64) -> GradHess {
        let grad = match target.total_cmp(&score) {
            // At the kink every slope between the two is a subgradient, and 0 is one.
            _ if target == score => 0.0,
            std::cmp::Ordering::Greater => -self.alpha,
            _ => 1.0 - self.alpha,
        };
        GradHess { grad, hess: 1.0 }
    }

    fn value(&self, target: f64, score: f64) -> f64 {
        let above = target - score;
        if above >= 0.0 { self.alpha * above } else { (self.alpha - 1.0) * above }
    }

    fn start(&self, items: impl Iterator<Item = (f64, f64)>, shards: &Shards) -> f64 {
        weighted_quantile(&mut of_all_shards(items.collect(), shards), self.alpha).unwrap_or(0.0)
    }

    fn leaf_rule(&self) -> LeafRule {
        LeafRule::Quantile(self.alpha)
    }
}

/// The (value, weight) pairs of all shards: a quantile is no sum, so it needs all of them.
pub(crate) fn of_all_shards(own: Vec<(f64, f64)>, shards: &Shards) -> Vec<(f64, f64)> {
    if shards.are_one() {
        return own;
    }
    let bytes = own.iter().flat_map(|pair| [pair.0, pair.1]).flat_map(f64::to_le_bytes).collect();
    let all = shards.gather(bytes);
    let numbers = |bytes: &[u8; 16]| {
        let (value, weight) = bytes.split_at(8);
        let number = |bytes: &[u8]| bytes.try_into().map_or(f64::NAN, f64::from_le_bytes);
        (number(value), number(weight))
    };
    all.iter().flat_map(|bytes| bytes.as_chunks().0.iter().map(numbers)).collect()
}

/// Sorts (value, weight) pairs and returns their weighted quantile: the smallest value that at
/// least the share `alpha` of the weight does not exceed; `None` if all weights are 0. It minimises
/// the pinball loss.
pub fn weighted_quantile(items: &mut [(f64, f64)], alpha: f64) -> Option<f64> {
    items.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let enough = alpha * items.iter().map(|(_, weight)| weight).sum::<f64>();
    let mut reached = 0.0;
    let mut last = None;
    for &(value, weight) in items.iter().filter(|(_, weight)| *weight > 0.0) {
        reached += weight;
        last = Some(value);
        if reached >= enough {
            break;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn quantiles_by_hand() {
        let of = |alpha| weighted_quantile(&mut [(8.0, 1.0), (1.0, 1.0), (2.0, 2.0)], alpha);
        assert_eq!(
            [of(0.25), of(0.26), of(0.75), of(0.76)].map(Option::unwrap),
            [1.0, 2.0, 2.0, 8.0]
        );
        assert_eq!(weighted_quantile(&mut [(3.0, 0.0)], 0.5), None);
        assert_eq!(weighted_quantile(&mut [], 0.5), None);
    }

    #[test]
    fn alpha_is_a_share() {
        for alpha in [0.0, 1.0, -1.0, f64::NAN] {
            let error = Quantile::new(alpha).unwrap_err().to_string();
            assert!(error.contains("between 0 and 1"), "{error}");
        }
    }
}
