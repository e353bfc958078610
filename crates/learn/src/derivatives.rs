//! Derivatives of losses, which trees are grown on.

/// First and second derivative of the loss by one item's score.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GradHess {
    /// First derivative: the score should move against it.
    pub grad: f64,
    /// Second derivative (or an upper bound of it), never negative.
    pub hess: f64,
}
