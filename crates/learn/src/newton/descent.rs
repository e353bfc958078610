//! Gradient descent list by list, as ListMLE was first trained (Xia et al. 2008, algorithm 1).
//!
//! In each pass every list in turn moves the weights by rate x its gradient, without a penalty, until
//! a pass lowers the mean loss of the lists by less than a tolerance. (Neither Xia et al. nor He say
//! whether the tolerance is on the sum or on the mean: the mean does not depend on the number of
//! lists.) The weights after a pass depend on those before it alone, so that descent to a smaller
//! tolerance can go on from a larger one.
//!
//! Example: one list with costs (1, 0) and inputs (1), (0): the gradient at w = 0 is -1/2, so that
//! the first pass with a rate of 0.1 ends at w = 0.05.

use super::{Listwise, Minimum, Smooth};

/// The rate of descent, and when it ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Descent {
    pub(crate) rate: f64,
    /// The decrease of the mean loss by a pass below which it ends.
    pub(crate) tolerance: f64,
    /// The maximum number of passes.
    pub(crate) passes: usize,
}

impl Descent {
    /// Descends from weights whose loss is finite; too large a rate ends it.
    pub(crate) fn from(&self, loss: &Listwise<'_>, start: &[f64]) -> Minimum {
        let mut at = Minimum { weights: start.to_vec(), value: loss.value(start), steps: 0 };
        while at.steps < self.passes {
            let mut weights = at.weights.clone();
            loss.pass(self.rate, &mut weights);
            let value = loss.value(&weights);
            if !value.is_finite() || weights.iter().any(|weight| !weight.is_finite()) {
                break;
            }
            let decrease = at.value - value;
            at = Minimum { weights, value, steps: at.steps + 1 };
            if decrease.abs() < self.tolerance {
                break;
            }
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense::Dense;
    use crate::newton::tests::{lists, world};
    use crate::newton::{Importance, Ties, minimise};

    #[test]
    fn the_first_passes_by_hand() {
        let data = Dense::new(vec![1.0, 0.0], 1);
        let lists = lists(&[vec![1.0, 0.0]], None);
        let loss = Listwise::new(&data, &lists, Importance::Equal, Ties::Order);
        let descend = |tolerance: f64, passes: usize, start: f64| {
            Descent { rate: 0.1, tolerance, passes }.from(&loss, &[start])
        };
        let first = descend(1e-9, 1, 0.0);
        assert!((first.weights[0] - 0.05).abs() < 1e-15 && first.steps == 1, "{first:?}");
        // The derivative at w is -1 / (1 + e^w), the loss log(1 + e^-w).
        let second = 0.05 + 0.1 / (1.0 + 0.05f64.exp());
        assert!((descend(1e-9, 2, 0.0).weights[0] - second).abs() < 1e-15);
        // The first pass lowers the loss from log 2 by 0.0247, the second by 0.0235.
        assert_eq!([descend(0.03, 99, 0.0).steps, descend(0.024, 99, 0.0).steps], [1, 2]);
        // To a smaller tolerance it goes on.
        assert_eq!(descend(0.024, 99, 0.05).weights, descend(0.024, 99, 0.0).weights);
    }

    #[test]
    fn it_ends_near_the_minimum_and_survives_too_large_a_rate() {
        let world = world(3, false);
        let loss = Listwise::new(&world.data, &world.lists, Importance::Equal, Ties::Together);
        let descent = Descent { rate: 0.001, tolerance: 1e-9, passes: 100_000 };
        let found = descent.from(&loss, &[0.0; 3]);
        // Hardly any penalty.
        let best = minimise(&loss, 1e9, &[0.0; 3]);
        let near = loss.value(&found.weights) - loss.value(&best.weights);
        assert!((0.0..1e-3).contains(&near), "{near}");
        let wild = Descent { rate: 1e300, ..descent }.from(&loss, &[0.0; 3]);
        assert!(wild.weights.iter().all(|w| w.is_finite()), "{wild:?}");
    }
}
