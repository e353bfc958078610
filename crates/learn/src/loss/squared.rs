//! Squared error: 1/2 (s - t)^2. Its best constant is the mean.
//!
//! Example: target 4 at score 1: value 9/2, gradient -3.

use stakes_core::shards::Shards;

use super::GradHess;
use super::pointwise::{Curve, mean};

/// 1/2 (s - t)^2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Squared;

impl Curve for Squared {
    const NAME: &'static str = "squared error";

    fn derivatives(&self, target: f64, score: f64) -> GradHess {
        GradHess { grad: score - target, hess: 1.0 }
    }

    fn value(&self, target: f64, score: f64) -> f64 {
        0.5 * (score - target) * (score - target)
    }

    fn start(&self, items: impl Iterator<Item = (f64, f64)>, shards: &Shards) -> f64 {
        mean(items, shards).unwrap_or(0.0)
    }
}
