//! Newton's method with a line search by halves.
//!
//! At w the function 1/2 |w|^2 + c loss(w) looks like a parabola; its lowest point is w - H^-1 g,
//! H the matrix of second derivatives and g the gradient. The step there is halved until the
//! function is lower by a share of what the slope promises (Armijo, 1966), which a convex function
//! soon is. cs-RgList's author makes whole steps from w = 1/m until they are shorter than 1e-4, 20
//! at most; with a tolerance on the gradient and the line search the minimum is the same and is
//! reached from anywhere.
//!
//! Example: a loss of (w - 3)^2 and c = 1/2: from anywhere to w = 3/2 in one step.

use super::{Derivatives, Smooth, factor};

/// The gradient is 0 when it is this share of the two parts that it is the sum of.
const TOLERANCE: f64 = 1e-10;

/// The share of the promised decrease that a step must bring.
const ARMIJO: f64 = 1e-4;

/// Values that differ by this share are the same but for rounding.
const ROUNDING: f64 = 1e-14;

const MOST_STEPS: usize = 100;
const MOST_HALVES: usize = 40;

/// Where the function is lowest.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Minimum {
    pub(crate) weights: Vec<f64>,
    /// The function there.
    pub(crate) value: f64,
    /// Steps that were made.
    pub(crate) steps: usize,
}

/// The minimum of 1/2 |w|^2 + c loss(w), looked for from `start`. Free weights are not part of |w|.
pub(crate) fn minimise(loss: &dyn Smooth, c: f64, start: &[f64]) -> Minimum {
    let penalised = loss.penalised();
    let whole = |weights: &[f64], value: f64| {
        0.5 * weights[..penalised].iter().map(|w| w * w).sum::<f64>() + c * value
    };
    let mut weights = start.to_vec();
    let mut at = Whole::new(loss.derivatives(&weights), &weights, penalised, c);
    let mut steps = 0;
    while steps < MOST_STEPS && !at.is_flat() {
        let Some(factors) = factor(&at.hessian, weights.len()) else { break };
        let step = factors.solve(&at.gradient);
        let slope: f64 = step.iter().zip(&at.gradient).map(|(s, g)| s * g).sum();
        let slack = ROUNDING * at.value.abs();
        // Written so that a slope that is no number ends it, too.
        let promises = slope > 0.0 && slope.is_finite();
        if !promises {
            break;
        }
        let tried = (0..MOST_HALVES).map(|halves| 0.5_f64.powi(halves as i32)).find_map(|share| {
            let there: Vec<f64> = weights.iter().zip(&step).map(|(w, s)| w - share * s).collect();
            let value = whole(&there, loss.value(&there));
            (value <= at.value - ARMIJO * share * slope + slack).then_some(there)
        });
        let Some(there) = tried else { break };
        steps += 1;
        weights = there;
        at = Whole::new(loss.derivatives(&weights), &weights, penalised, c);
        // What is still to be gained does not show in the value.
        if slope <= slack {
            break;
        }
    }
    Minimum { weights, value: at.value, steps }
}

/// The whole function at some weights.
struct Whole {
    value: f64,
    gradient: Vec<f64>,
    hessian: Vec<f64>,
    /// The size of what the gradient is the sum of.
    size: f64,
}

impl Whole {
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
        // A free weight has a gradient of its own only.
        size = weights[penalised..].iter().fold(size, |size, w| size.max(c * w.abs()));
        let value = 0.5 * weights[..penalised].iter().map(|w| w * w).sum::<f64>() + c * value;
        Whole { value, gradient, hessian, size }
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

    /// exp(w^4): its second derivative is 0 where it is lowest, and it grows beyond all numbers.
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
