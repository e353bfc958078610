//! How near the scores of a reader are to ours.
//!
//! A sum of T trees in arithmetic with unit roundoff u is within (T + 3) u S of the exact one, where S is the sum
//! of the largest absolute leaves: every addition errs by at most u times the sum so far. What a link function
//! makes of that error is relative: exp(e) - 1 for exp, and less than that for logistic.

use serde::Serialize;
use stakes_model::{Calibration, Knot, Link, Scorer};

use super::one_sum::OneSum;

/// Scores there are within `absolute + relative x |score|` of ours; both are 0 where they are the same to the bit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Precision {
    /// The absolute part.
    pub absolute: f64,
    /// The relative part.
    pub relative: f64,
}

/// The unit roundoff of 64-bit arithmetic.
pub(super) const DOUBLE: f64 = f64::EPSILON / 2.0;
/// The unit roundoff of 32-bit arithmetic.
pub(super) const SINGLE: f64 = (f32::EPSILON / 2.0) as f64;

impl Precision {
    /// The same bits.
    pub const EXACT: Precision = Precision { absolute: 0.0, relative: 0.0 };

    /// Whether scores are the same to the bit.
    pub fn is_exact(self) -> bool {
        self == Self::EXACT
    }

    /// Of a sum of trees and its link in arithmetic with this unit roundoff.
    pub(super) fn of_sum(sum: &OneSum, roundoff: f64) -> Precision {
        let error = roundoff * (sum.trees.len() as f64 + 3.0) * largest_sum(sum.start, &sum.trees);
        let rounding = 8.0 * roundoff;
        match sum.link {
            Link::Identity => Precision { absolute: error, relative: rounding },
            // The smallest normal number of 32 bits; 64-bit numbers of this size do not matter, either.
            Link::Exp | Link::Logistic => {
                Precision { absolute: 1e-37, relative: error.exp_m1() + rounding }
            }
        }
    }

    /// Of a whole scorer in 64-bit arithmetic, added in another order.
    pub(super) fn of_reordered(scorer: &Scorer) -> Precision {
        let mut relative = 8.0 * DOUBLE;
        let mut absolute = 0.0;
        for factor in &scorer.factors {
            let terms = factor.trees.len() as f64 + 8.0;
            // Nets: sums of products with inputs that have no bound; a generous share of the score.
            let of_net = if factor.net.is_some() { 1e-9 } else { 0.0 };
            let error = DOUBLE * terms * largest_sum(factor.start, &factor.trees) + of_net;
            match factor.link {
                Link::Identity => absolute += scorer.unit * error,
                Link::Exp | Link::Logistic => relative += (factor.power * error).exp_m1(),
            }
            relative += of_net + 8.0 * DOUBLE;
        }
        Precision { absolute, relative }
    }

    /// Of expected costs for scores of this precision: the steepest piece of the calibration magnifies the error.
    pub(super) fn of_costs(self, calibration: &Calibration) -> Precision {
        let knots = &calibration.knots;
        let slope = |pair: &[Knot]| {
            (pair[1].expected.mean - pair[0].expected.mean) / (pair[1].score - pair[0].score)
        };
        let largest = knots.iter().map(|knot| knot.score.abs()).fold(0.0, f64::max);
        let error = self.absolute + self.relative * largest;
        let steepest = knots.windows(2).map(slope).fold(0.0, f64::max);
        match self.is_exact() {
            true => self,
            false => Precision { absolute: steepest * error, relative: 8.0 * DOUBLE },
        }
    }

    /// The comparison of NumPy: `rtol=..., atol=...`.
    pub(super) fn numpy(self) -> String {
        format!("rtol={:?}, atol={:?}", rounded_up(self.relative), rounded_up(self.absolute))
    }
}

/// The sum of the largest absolute values.
fn largest_sum(start: f64, trees: &[stakes_model::tree::Tree]) -> f64 {
    let largest = |tree: &stakes_model::tree::Tree| {
        tree.leaves.iter().map(|leaf| leaf.value.abs()).fold(0.0, f64::max)
    };
    trees.iter().map(largest).sum::<f64>() + start.abs()
}

/// A number with one digit that is at least this one.
fn rounded_up(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let step = 10_f64.powf(x.log10().floor());
    format!("{:.0e}", (x / step).ceil() * step).parse().unwrap_or(x)
}
