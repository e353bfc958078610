//! Parameters of trees.

use super::constraint::{Direction, Interactions};

/// The parameters of a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeParams {
    /// Maximum number of leaves.
    pub leaves: usize,
    /// Maximum depth; 0 for no limit.
    pub depth: usize,
    /// Minimum number of rows in a leaf.
    pub min_rows: usize,
    /// Minimum sum of second derivatives in a leaf.
    pub min_hessian: f64,
    /// The gain that a split must exceed.
    pub min_gain: f64,
    /// L1 penalty on leaf values.
    pub l1: f64,
    /// L2 penalty on leaf values.
    pub l2: f64,
    /// Additional L2 penalty for splits by category.
    pub category_l2: f64,
    /// Share of the features sampled for each tree.
    pub features: f64,
    /// Share of the tree's features sampled for each node.
    pub features_per_split: f64,
    /// Monotone constraints by feature; empty for none.
    pub directions: Vec<Direction>,
    /// Which features may occur together on a path; `None` for all.
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
