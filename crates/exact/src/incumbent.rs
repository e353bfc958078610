//! The best weights found so far.

/// Weights, and their value minus their penalty.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Incumbent {
    pub(crate) weights: Vec<f64>,
    pub(crate) value: f64,
}

impl Incumbent {
    /// Zero weights, to be replaced by any weights that are offered.
    pub(crate) fn none(width: usize) -> Self {
        Incumbent { weights: vec![0.0; width], value: f64::NEG_INFINITY }
    }

    /// Replaces the weights if these are better.
    pub(crate) fn offer(&mut self, weights: &[f64], value: f64) {
        if value > self.value {
            self.weights = weights.to_vec();
            self.value = value;
        }
    }
}
