//! How trees are grown.

use super::constraint::{Direction, Interactions};

/// How trees are grown.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeParams {
    /// Leaves at most.
    pub leaves: usize,
    /// Levels at most; 0 for no limit.
    pub depth: usize,
    /// Rows in a leaf at least.
    pub min_rows: usize,
    /// Sum of second derivatives in a leaf at least.
    pub min_hessian: f64,
    /// A split must gain more than this.
    pub min_gain: f64,
    /// Penalty on leaf values.
    pub l1: f64,
    /// Penalty on their squares.
    pub l2: f64,
    /// Further l2 for splits by category.
    pub category_l2: f64,
    /// Share of the features for a tree.
    pub features: f64,
    /// Share of those for a node.
    pub features_per_split: f64,
    /// By feature; empty for none.
    pub directions: Vec<Direction>,
    /// Which features may meet.
    pub interactions: Option<Interactions>,
}

impl Default for TreeParams {
    fn default() -> Self {
        TreeParams {
            leaves: 31,
            depth: 0,
            min_rows: 20,
            min_hessian: 1e-3,
            min_gain: 0.0,
            l1: 0.0,
            l2: 0.0,
            category_l2: 10.0,
            features: 1.0,
            features_per_split: 1.0,
            directions: Vec::new(),
            interactions: None,
        }
    }
}
