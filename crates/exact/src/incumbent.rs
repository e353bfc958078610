//! The best weights so far.

/// Weights, and what they are worth less what they cost.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Incumbent {
    pub(crate) weights: Vec<f64>,
    pub(crate) value: f64,
}

impl Incumbent {
    /// Weights that order nothing.
    pub(crate) fn none(width: usize) -> Self {
        Incumbent { weights: vec![0.0; width], value: f64::NEG_INFINITY }
    }

    /// Takes what is better.
    pub(crate) fn offer(&mut self, weights: &[f64], value: f64) {
        if value > self.value {
            self.weights = weights.to_vec();
            self.value = value;
        }
    }
}
