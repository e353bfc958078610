//! The sum over pairs (i should be above j) of pair cost x exp(-(s_i - s_j)), in one sweep.
//!
//! exp(-(s_i - s_j)) = exp(-s_i) exp(s_j): going up the target levels, each better item is
//! combined with the sum of exp(s_j) over all worse ones. Every sum is kept as a number times
//! e^exponent, so that scores of any size neither overflow on the way nor vanish: only a loss
//! that is itself too large for a floating-point number becomes infinite.
//!
//! Example: scores 1000 and 1001, the second item being the better: e^-1, though e^1000
//! overflows.

use super::pair_sweep::{Sweep, Term};

/// factor x e^exponent, not negative.
#[derive(Debug, Clone, Copy)]
pub(super) struct LogSum {
    factor: f64,
    exponent: f64,
}

impl LogSum {
    pub(super) const ZERO: LogSum = LogSum { factor: 0.0, exponent: f64::NEG_INFINITY };

    /// Adds weight x e^exponent. The weight must not be negative.
    pub(super) fn add(&mut self, weight: f64, exponent: f64) {
        if weight == 0.0 {
            return;
        }
        // The difference of two finite scores may be infinite, that of two infinities NaN.
        let exponent = exponent.clamp(f64::MIN, f64::MAX);
        if exponent > self.exponent {
            self.factor = self.factor * (self.exponent - exponent).exp() + weight;
            self.exponent = exponent;
        } else {
            self.factor += weight * (exponent - self.exponent).exp();
        }
    }

    /// Returns the sum divided by a positive number.
    pub(super) fn over(self, divisor: f64) -> f64 {
        let share = self.factor / divisor;
        match self.exponent.exp() {
            _ if share == 0.0 => 0.0,
            power if power.is_normal() => share * power,
            _ => (self.exponent + share.ln()).exp(),
        }
    }
}

/// Adds up pair cost x exp(-(s_better - s_worse)).
pub(super) struct ExpSweep<'s> {
    pub(super) scores: &'s [f64],
    pub(super) sum: LogSum,
}

impl<'s> ExpSweep<'s> {
    pub(super) fn new(scores: &'s [f64]) -> Self {
        ExpSweep { scores, sum: LogSum::ZERO }
    }
}

impl Sweep for ExpSweep<'_> {
    // One pair may outweigh all others, so no digits may be lost.
    const SUBTRACTS: bool = false;

    fn sweep<const K: usize>(&mut self, terms: &[Term<K>]) {
        let mut worse_sums = [LogSum::ZERO; K];
        for level in terms.chunk_by(|a, b| a.level == b.level) {
            for better in level {
                let score = self.scores[better.item as usize];
                for (factor, worse) in better.as_better.iter().zip(&worse_sums) {
                    self.sum.add(factor * worse.factor, worse.exponent - score);
                }
            }
            for worse in level {
                let score = self.scores[worse.item as usize];
                for (factor, sum) in worse.as_worse.iter().zip(&mut worse_sums) {
                    sum.add(*factor, score);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_any_size() {
        let mut sum = LogSum::ZERO;
        assert_eq!(sum.over(1.0), 0.0);
        sum.add(2.0, -800.0);
        sum.add(1.0, 800.0);
        sum.add(1.0, 800.0);
        let moved = LogSum { exponent: sum.exponent - 800.0, ..sum };
        assert!((moved.over(4.0) - 0.5).abs() < 1e-12);
        sum.add(1.0, f64::INFINITY);
        sum.add(1.0, f64::INFINITY);
        sum.add(1.0, f64::NEG_INFINITY);
        assert_eq!(sum.over(1.0), f64::INFINITY);
    }
}
