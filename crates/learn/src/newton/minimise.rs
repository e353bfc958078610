//! Newton's method with a backtracking line search.
//!
//! The quadratic approximation of 1/2 |w|^2 + c loss(w) at w has its minimum at w - H^-1 g, with H
//! the Hessian and g the gradient. That step is halved until the function decreases by a share of
//! what the slope predicts (Armijo 1966), which happens soon for a convex function. He (section 3)
//! makes at most 20 full steps from w = 1/m until they are shorter than 1e-4; with the line search
//! and a tolerance on the gradient the minimum is the same and is reached from any start.
//!
//! Example: a loss of (w - 3)^2 and c = 1/2: one step from any start to w = 3/2.

use super::{Derivatives, Smooth, factor};

/// The size of the gradient, relative to the two terms of which it is the sum, below which it is
/// taken for 0.
const TOLERANCE: f64 = 1e-10;

/// The share of the predicted decrease that a step must reach.
const ARMIJO: f64 = 1e-4;

/// The relative difference of values that may be due to rounding.
const ROUNDING: f64 = 1e-14;

const MAX_STEPS: usize = 100;
const MAX_HALVINGS: usize = 40;

/// The minimum of a function.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Minimum {
    pub(crate) weights: Vec<f64>,
    /// The value of the function.
    pub(crate) value: f64,
    /// The number of Newton steps.
    pub(crate) steps: usize,
}

/// Finds the minimum of 1/2 |w|^2 + c loss(w), starting from `start`. Free weights are not part of
/// |w|.
pub(crate) fn minimise(loss: &dyn Smooth, c: f64, start: &[f64]) -> Minimum {
    let penalised = loss.penalised();
    let whole = |weights: &[f64], value: f64| {
        0.5 * weights[..penalised].iter().map(|w| w * w).sum::<f64>() + c * value
    };
    let mut weights = start.to_vec();
    let mut at = Penalised::new(loss.derivatives(&weights), &weights, penalised, c);
    let mut steps = 0;
    while steps < MAX_STEPS && !at.is_flat() {
        let Some(factors) = factor(&at.hessian, weights.len()) else { break };
        let step = factors.solve(&at.gradient);
        let slope: f64 = step.iter().zip(&at.gradient).map(|(s, g)| s * g).sum();
        let slack = ROUNDING * at.value.abs();
        // Written so that a NaN ends the loop, too.
        let descends = slope > 0.0 && slope.is_finite();
        if !descends {
            break;
        }
        let tried = (0..MAX_HALVINGS).map(|halves| 0.5_f64.powi(halves as i32)).find_map(|share| {
            let there: Vec<f64> = weights.iter().zip(&step).map(|(w, s)| w - share * s).collect();
            let value = whole(&there, loss.value(&there));
            (value <= at.value - ARMIJO * share * slope + slack).then_some(there)
        });
        let Some(there) = tried else { break };
        steps += 1;
        weights = there;
        at = Penalised::new(loss.derivatives(&weights), &weights, penalised, c);
        // Further decreases would be lost in rounding.
        if slope <= slack {
            break;
        }
    }
    Minimum { weights, value: at.value, steps }
}

/// The penalised function and its derivatives at given weights.
struct Penalised {
    value: f64,
    gradient: Vec<f64>,
    hessian: Vec<f64>,
    /// The size of the terms of which the gradient is the sum.
    size: f64,
}

impl Penalised {
    fn new(loss: Derivatives, weights: &[f64], penalised: usize, c: f64) -> Self {
        let Derivatives { value, mut gradient, mut hessian } = loss;
        let width = weights.len();
        hessian.iter_mut().for_each(|h| *h *= c);
        gradient.iter_mut().for_each(|g| *g *= c);
        let mut size = 0.0_f64;
        for i in 0..penalised {
            size = size.max(weights[i].abs()).max(gradient[i].abs());
            gradient[i] += weights[i];
            hessian[i * width + i] += 1.0;
        }
        // The gradient of a free weight has no second term.
        size = weights[penalised..].iter().fold(size, |size, w| size.max(c * w.abs()));
        let value = 0.5 * weights[..penalised].iter().map(|w| w * w).sum::<f64>() + c * value;
        Penalised { value, gradient, hessian, size }
    }

    fn is_flat(&self) -> bool {
        self.gradient.iter().all(|g| g.abs() <= TOLERANCE * self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// sum of (w_i - 3)^2, the last weight free.
    struct Bowl(usize);

    impl Smooth for Bowl {
        fn width(&self) -> usize {
            self.0
        }

        fn penalised(&self) -> usize {
            self.0 - 1
        }

        fn value(&self, weights: &[f64]) -> f64 {
            weights.iter().map(|w| (w - 3.0).powi(2)).sum()
        }

        fn derivatives(&self, weights: &[f64]) -> Derivatives {
            let mut hessian = vec![0.0; self.0 * self.0];
            (0..self.0).for_each(|i| hessian[i * self.0 + i] = 2.0);
            let gradient = weights.iter().map(|w| 2.0 * (w - 3.0)).collect();
            Derivatives { value: self.value(weights), gradient, hessian }
        }
    }

    /// exp(w^4): its second derivative is 0 at the minimum, and it overflows.
    struct Steep;

    impl Smooth for Steep {
        fn width(&self) -> usize {
            1
        }

        fn value(&self, w: &[f64]) -> f64 {
            (w[0] - 1.0).powi(4).exp()
        }

        fn derivatives(&self, w: &[f64]) -> Derivatives {
            let (u, value) = (w[0] - 1.0, self.value(w));
            let slope = 4.0 * u.powi(3);
            let hessian = vec![value * (slope * slope + 12.0 * u * u)];
            Derivatives { value, gradient: vec![value * slope], hessian }
        }
    }

    #[test]
    fn one_step_down_a_bowl() {
        let minimum = minimise(&Bowl(3), 0.5, &[100.0, -7.0, 0.0]);
        let near = |(a, b): (&f64, f64)| (a - b).abs() < 1e-13;
        assert!(minimum.weights.iter().zip([1.5, 1.5, 3.0]).all(near), "{minimum:?}");
        assert!(minimum.steps == 1 && (minimum.value - 4.5).abs() < 1e-13, "{minimum:?}");
        assert_eq!(minimise(&Bowl(3), 0.5, &minimum.weights).steps, 0);
    }

    #[test]
    fn far_from_any_parabola() {
        for start in [-1.5, 0.0, 1.0, 3.5] {
            let w = minimise(&Steep, 3.0, &[start]).weights[0];
            let gradient = w + 3.0 * Steep.derivatives(&[w]).gradient[0];
            assert!(gradient.abs() < 1e-8, "from {start}: {w}, gradient {gradient}");
        }
    }
}
