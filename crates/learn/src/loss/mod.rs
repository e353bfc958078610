//! Losses: what is wrong with the scores of a list, as a gradient.
//!
//! A loss is prepared once per list, like a metric, and is then asked for derivatives in
//! every round. It does not know what will be fitted to them.

/// First and second derivative of the loss by one item's score.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GradHess {
    /// First derivative: the score should move against it.
    pub grad: f64,
    /// Second derivative (or an upper bound of it), never negative.
    pub hess: f64,
}

/// A loss bound to its parameters, ready for any list.
pub trait Loss: Send + Sync {
    /// Does for a list what need only be done once. `weight` is how much the list counts:
    /// derivatives and value are multiplied by it.
    fn prepare<'l>(
        &'l self,
        list: &stakes_core::data::ListView<'l>,
        weight: f64,
    ) -> Box<dyn ListLoss + 'l>;

    /// The score that every item begins with: for pointwise losses the best constant, else 0.
    fn start(&self, _lists: &crate::Lists) -> f64 {
        0.0
    }

    /// How much each list counts. The mean over lists that count is 1, so that learning rates
    /// and penalties mean the same for every loss.
    fn list_weights(&self, lists: &crate::Lists) -> Vec<f64> {
        vec![1.0; lists.len()]
    }

    /// What a leaf of a tree says.
    fn leaf_rule(&self) -> LeafRule {
        LeafRule::Newton
    }
}

/// How the value of a leaf is found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LeafRule {
    /// - sum of gradients / (sum of hessians + L2).
    Newton,
    /// This quantile of target - score over the leaf's items (for the quantile loss, whose
    /// second derivative says nothing).
    Quantile(f64),
}

/// A loss prepared for one list.
pub trait ListLoss: Send + Sync {
    /// Writes the derivatives at these scores.
    fn gradients(&self, scores: &[f64], out: &mut [GradHess]);

    /// The loss at these scores, where it is a function of them (a lambda loss is not: it is
    /// only known by its gradient).
    fn value(&self, scores: &[f64]) -> Option<f64>;
}
