//! The number of customers who lose power, and its expectation.
//!
//! The probability that a network fails is a logistic function of its hazard. The hazard's largest term
//! is canopy x wetness, and wetness changes its **sign** at 70 % humidity: soaked canopies
//! fall on the lines, dry ones shelter them from the wind. Humidity hardly varies within
//! a storm, so alone it orders nothing; canopy alone is right in some storms and wrong in
//! others; a linear score of both is no better than canopy alone. This reproduces the finding of
//! McBride et al. (2019, section 5, "splits based on humidity and vegetation").
//!
//! Ranking by [`Risk::expected`] is the best any model can do in expectation, because
//! A@k is linear in the impact.

use super::fleet::Network;
use super::weather::TURN;
use crate::random::{Stream, logistic, normal_cdf};

/// The standard deviation of the logarithm of a failure's size.
const SPREAD: f64 = 0.55;
/// The smallest share of its median that a tempered size has, and where its exponential decay sets
/// in, in medians.
const TEMPERED_FROM: f64 = 0.4;
const TEMPERED_TO: f64 = 6.0;

/// The distribution of the impact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tail {
    /// A hurdle model: first whether the network fails, then the size, lognormal and truncated at the
    /// number of customers.
    #[default]
    Hurdle,
    /// A Poisson number of faults, each of which cuts off a random share of the customers
    /// still supplied (a bounded compound Poisson distribution, close to Tweedie's).
    Compound,
    /// As the hurdle model, but sizes have a tempered Pareto distribution: a power law with exponent
    /// 1/2, so heavy that it has no mean, cut by an exponential (Meerschaert, Roy and Shao 2012).
    Tempered,
}

/// The risk of a network in a storm.
#[derive(Debug, Clone, Copy)]
pub(super) struct Risk {
    probability: f64,
    /// The logarithm of the median size of a failure.
    log_size: f64,
    customers: f64,
}

impl Risk {
    /// The risk of `network` in a storm of this severity (standard normal) and humidity.
    pub(super) fn new(network: &Network, severity: f64, humidity: f64) -> Self {
        let wet = libm::tanh((humidity - TURN) / 5.0);
        let interaction = network.canopy * wet;
        let hazard = -4.8
            + 1.5 * severity
            + 3.2 * interaction
            + 0.5 * network.exposure
            + 0.7 * libm::log(network.overhead_km / 15.0)
            + 0.02 * (network.pole_age - 33.0);
        let share = -2.3 + 0.9 * severity + 0.5 * interaction - 0.08 * network.ties;
        Self {
            probability: logistic(hazard),
            log_size: libm::log(network.customers) + share.min(-0.2),
            customers: network.customers,
        }
    }

    /// The expected impact, exactly.
    pub(super) fn expected(&self, tail: Tail) -> f64 {
        match tail {
            // 1 + E min(X, c - 1): the impact of a failure is at least one customer.
            Tail::Hurdle => self.probability * (1.0 + self.mean_size()),
            Tail::Tempered => self.probability * (1.0 + self.mean_tempered()),
            // With N ~ Poisson(l): E prod (1 - f) = exp(-l E f).
            Tail::Compound => {
                self.customers * (1.0 - libm::exp(-self.faults() * self.mean_share()))
            }
        }
    }

    /// Draws the impact: an integer from 0 to the network's customers.
    pub(super) fn draw(&self, tail: Tail, s: &mut Stream) -> f64 {
        match tail {
            Tail::Hurdle => self.hurdle(s, |s| s.lognormal(self.log_size, SPREAD)),
            Tail::Tempered => self.hurdle(s, |s| {
                let (least, decay) = self.tempering();
                s.pareto(least, 0.5).min(least + s.exponential(decay))
            }),
            Tail::Compound => {
                // f = U^a with mean 1 / (a + 1).
                let a = 1.0 / self.mean_share() - 1.0;
                let supplied = (0..s.poisson(self.faults()))
                    .fold(1.0, |left, _| left * (1.0 - libm::pow(s.uniform(), a)));
                s.round(self.customers * (1.0 - supplied))
            }
        }
    }

    /// 0, or a failure of at least one customer and at most all.
    fn hurdle(&self, s: &mut Stream, size: impl Fn(&mut Stream) -> f64) -> f64 {
        if !s.bernoulli(self.probability) {
            return 0.0;
        }
        let size = size(s).min(self.customers - 1.0);
        1.0 + s.round(size)
    }

    /// The smallest size L and the decay d of P(X > x) = sqrt(L / x) exp(-(x - L) / d): the
    /// minimum of a Pareto variable and of L + an exponential one.
    fn tempering(&self) -> (f64, f64) {
        let median = libm::exp(self.log_size);
        (TEMPERED_FROM * median, TEMPERED_TO * median)
    }

    /// E min(X, m) for tempered X and m = customers - 1: the integral of P(X > x) up to m, which is
    /// L + exp(L / d) sqrt(pi L d) (erf(sqrt(m / d)) - erf(sqrt(L / d))).
    fn mean_tempered(&self) -> f64 {
        let m = self.customers - 1.0;
        let (least, decay) = self.tempering();
        if m <= least {
            return m;
        }
        // erf(sqrt(x)) = 2 cdf(sqrt(2 x)) - 1
        let cdf = |x: f64| normal_cdf(libm::sqrt(2.0 * x / decay));
        let scale = 2.0 * libm::sqrt(core::f64::consts::PI * least * decay);
        least + libm::exp(least / decay) * scale * (cdf(m) - cdf(least))
    }

    /// E min(X, m) for lognormal X and m = customers - 1.
    fn mean_size(&self) -> f64 {
        let m = self.customers - 1.0;
        let z = (libm::log(m) - self.log_size) / SPREAD;
        libm::exp(self.log_size + 0.5 * SPREAD * SPREAD) * normal_cdf(z - SPREAD)
            + m * normal_cdf(-z)
    }

    fn mean_share(&self) -> f64 {
        (self.mean_size() / self.customers).clamp(1e-4, 0.95)
    }

    /// The mean number of faults with the same probability of none as in the hurdle model.
    fn faults(&self) -> f64 {
        -libm::log1p(-self.probability)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_many_draws_is_the_expected_impact() {
        let mut s = Stream::new(3, 99, 0);
        for (probability, customers, share) in
            [(0.9, 500.0, 0.7), (0.2, 4000.0, 0.05), (0.5, 15.0, 0.1)]
        {
            let risk = Risk { probability, log_size: libm::log(customers * share), customers };
            for tail in [Tail::Hurdle, Tail::Compound, Tail::Tempered] {
                let n = 200_000;
                let draws: Vec<f64> = (0..n).map(|_| risk.draw(tail, &mut s)).collect();
                assert!(draws.iter().all(|y| (0.0..=customers).contains(y)));
                let mean = draws.iter().sum::<f64>() / f64::from(n);
                let square = draws.iter().map(|y| (y - mean) * (y - mean)).sum::<f64>();
                let error = square.sqrt() / f64::from(n);
                let off = (mean - risk.expected(tail)) / error;
                assert!(off.abs() < 4.0, "{tail:?}: the mean {mean} is {off} standard errors off");
            }
        }
    }
}
