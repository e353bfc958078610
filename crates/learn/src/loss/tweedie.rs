//! Tweedie deviance with log link, for costs that are often 0 and sometimes huge: the variance is
//! proportional to a power p of the mean mu = e^s (Jørgensen 1987). p = 1 is Poisson, p = 2 gamma.
//!
//! loss = -c e^((1-p)s)/(1-p) + e^((2-p)s)/(2-p), which becomes e^s - c s for p = 1 and
//! c e^-s + s for p = 2; in every case
//!
//! gradient = -c e^((1-p)s) + e^((2-p)s),  hessian = (p-1) c e^((1-p)s) + (2-p) e^((2-p)s).
//!
//! The hessian is at least half the absolute gradient, so that no Newton step is longer than 2.
//!
//! The value is the loss less that of a perfect fit (half the deviance), so 0 at best. The gamma
//! distribution has no cost of 0: there the value is s, and the gradient 1.
//!
//! Example: p = 1, c = 2, s = 0: gradient -1, hessian 1, value 2 ln 2 - 1.

use stakes_core::shards::Shards;

use super::pointwise::{Curve, mean};
use super::{GradHess, LossError};

/// The longest Newton step: the mean changes by a factor of at most e^2. For p = 1.5 steps are
/// never longer (up by at most 1/(p-1), down by 1/(2-p)); towards Poisson and gamma, a few positive
/// costs among many zeros would give a leaf an arbitrarily large value.
const MAX_STEP: f64 = 2.0;

/// Tweedie deviance of a power between 1 and 2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tweedie {
    power: f64,
}

/// The largest term of a derivative, so that sums over items stay finite.
const MAX_TERM: f64 = 1e260;
/// The largest exponent; e^710 would overflow.
const MAX_EXPONENT: f64 = 700.0;
/// The mean of which the starting score is made where all costs are 0, whose logarithm would be
/// minus infinity.
const MIN_MEAN: f64 = 1e-9;

impl Tweedie {
    /// The deviance of this power, from 1 to 2.
    pub fn new(power: f64) -> Result<Self, LossError> {
        let allowed = ((1.0..=2.0).contains(&power), "give a number from 1 (Poisson) to 2 (gamma)");
        Ok(Tweedie { power: LossError::check("tweedie", "power", power, allowed)? })
    }

    /// c e^((1-p)s) and e^((2-p)s).
    fn terms(&self, cost: f64, score: f64) -> (f64, f64) {
        let exp = |factor: f64| (factor * score).min(MAX_EXPONENT).exp();
        let bound = |term: f64| term.min(MAX_TERM);
        (bound(cost.max(0.0) * exp(1.0 - self.power)), bound(exp(2.0 - self.power)))
    }
}

impl Curve for Tweedie {
    const NAME: &'static str = "Tweedie deviance";

    fn derivatives(&self, cost: f64, score: f64) -> GradHess {
        let (data, model) = self.terms(cost, score);
        let hess = (self.power - 1.0) * data + (2.0 - self.power) * model;
        let grad = model - data;
        GradHess { grad, hess: hess.max(grad.abs() / MAX_STEP) }
    }

    fn value(&self, cost: f64, score: f64) -> f64 {
        let (a, b) = (1.0 - self.power, 2.0 - self.power);
        if cost > 0.0 {
            let perfect = cost.ln();
            let data = cost * (growth(a, perfect) - growth(a, score));
            data - (growth(b, perfect) - growth(b, score))
        } else if b > 0.0 {
            (b * score).exp() / b
        } else {
            score
        }
    }

    fn start(&self, items: impl Iterator<Item = (f64, f64)>, shards: &Shards) -> f64 {
        match mean(items.map(|(cost, weight)| (cost.max(0.0), weight)), shards) {
            Some(mean) if mean > 0.0 => mean.ln(),
            Some(_) => MIN_MEAN.ln(),
            None => 0.0,
        }
    }
}

/// (e^(ax) - 1) / a, and its limit x for a = 0.
fn growth(a: f64, x: f64) -> f64 {
    if a == 0.0 { x } else { (a * x).exp_m1() / a }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_example_of_the_head_and_a_perfect_fit() {
        let poisson = Tweedie::new(1.0).unwrap();
        assert_eq!(poisson.derivatives(2.0, 0.0), GradHess { grad: -1.0, hess: 1.0 });
        assert!((poisson.value(2.0, 0.0) - (2.0 * 2f64.ln() - 1.0)).abs() < 1e-15);
        for power in [1.0, 1.3, 2.0] {
            let tweedie = Tweedie::new(power).unwrap();
            assert!(tweedie.value(3.0, 3f64.ln()).abs() < 1e-15);
            assert!(tweedie.derivatives(3.0, 3f64.ln()).grad.abs() < 1e-15);
        }
        assert!(Tweedie::new(0.9).is_err() && Tweedie::new(f64::NAN).is_err());
    }

    #[test]
    fn no_cost_pulls_at_nothing_however_low_the_score() {
        let derivatives = Tweedie::new(1.5).unwrap().derivatives(0.0, -1e4);
        assert_eq!(derivatives, GradHess::default());
    }

    #[test]
    fn the_limits_are_limits() {
        let at = |power: f64, cost: f64| {
            let tweedie = Tweedie::new(power).unwrap();
            let GradHess { grad, hess } = tweedie.derivatives(cost, 0.7);
            [grad, hess, tweedie.value(cost, 0.7)]
        };
        for (limit, near) in [(1.0, 1.0 + 1e-9), (2.0, 2.0 - 1e-9)] {
            for (a, b) in at(limit, 5.0).into_iter().zip(at(near, 5.0)) {
                assert!((a - b).abs() < 1e-7, "{limit}: {a} {b}");
            }
        }
    }
}
