//! The size of a model and the importance of its features.

use serde::Serialize;

use super::{Factor, Layer, Model, Net, StageSummary};
use crate::tree::{Child, Tree};

/// The size of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Size {
    /// The number of trees of all factors.
    pub trees: usize,
    /// The number of leaves of all trees.
    pub leaves: usize,
    /// The largest number of tests from a root to a leaf.
    pub depth: usize,
    /// The number of weights and biases of all nets.
    pub weights: usize,
}

impl Model {
    /// Returns the size of the model.
    pub fn size(&self) -> Size {
        let trees = || self.scorer.factors.iter().flat_map(|f| &f.trees);
        Size {
            trees: trees().count(),
            leaves: trees().map(|t| t.leaves.len()).sum(),
            depth: trees().map(depth).max().unwrap_or(0),
            weights: self.nets().flat_map(|net| &net.layers).map(size).sum(),
        }
    }

    /// The nets of its factors; a linear sum is a net without hidden layers.
    pub fn nets(&self) -> impl Iterator<Item = &Net> {
        self.scorer.factors.iter().filter_map(|f| f.net.as_ref())
    }

    /// For each feature, the most important first: its number, its share of the gain of all splits,
    /// and the number of splits that test it. In a net the share is that of the absolute weights on
    /// the paths from its inputs, which are all on one scale, and its inputs count as splits.
    ///
    /// The gains of a factor are in units of its own loss, so shares are computed within each factor
    /// and averaged over the factors with a gain. They sum to 1, or are all 0.
    pub fn importance(&self) -> Vec<(usize, f64, usize)> {
        let n = self.features.len();
        let mut share = vec![0.0; n];
        let mut splits = vec![0_usize; n];
        let per_factor: Vec<Vec<f64>> =
            self.scorer.factors.iter().map(|f| shares(f, n, &mut splits)).collect();
        let with_gain = per_factor.iter().filter(|s| s.iter().any(|&v| v > 0.0));
        let count = with_gain.clone().count() as f64;
        for shares in with_gain {
            share.iter_mut().zip(shares).for_each(|(all, one)| *all += one / count);
        }
        let mut all: Vec<(usize, f64, usize)> = (0..n).map(|j| (j, share[j], splits[j])).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.2.cmp(&a.2)).then(a.0.cmp(&b.0)));
        all
    }
}

impl StageSummary {
    /// The measured value of the last round kept; `None` if no round was.
    pub fn figure(&self) -> Option<f64> {
        self.kept.checked_sub(1).and_then(|last| self.curve.get(last)).copied()
    }
}

/// The shares of the gain of one factor; adds its splits to `splits`.
fn shares(factor: &Factor, n: usize, splits: &mut [usize]) -> Vec<f64> {
    let mut gain = vec![0.0; n];
    // Relative to the largest gain, so that the sum of huge gains does not overflow.
    let nodes = || factor.trees.iter().flat_map(|t| &t.nodes);
    let largest = nodes().map(|node| node.gain).fold(0.0, f64::max);
    for node in nodes() {
        splits[node.feature as usize] += 1;
        if largest > 0.0 {
            gain[node.feature as usize] += node.gain.max(0.0) / largest;
        }
    }
    if let Some(net) = &factor.net {
        for (input, weight) in net.inputs.iter().zip(path_weights(net)) {
            if let Some(feature) = input.feature().filter(|_| weight > 0.0) {
                gain[feature] += weight;
                splits[feature] += 1;
            }
        }
    }
    let total: f64 = gain.iter().sum();
    if total > 0.0 {
        gain.iter_mut().for_each(|g| *g /= total);
    }
    gain
}

/// The number of weights and biases of a layer.
fn size(layer: &Layer) -> usize {
    layer.biases.len() + layer.weights.len()
}

/// For each input, the sum over all paths to the output of the products of absolute weights.
fn path_weights(net: &Net) -> Vec<f64> {
    net.layers.iter().rev().fold(vec![1.0], |after, layer| {
        let width = layer.weights.len() / layer.outputs();
        let mut before = vec![0.0; width];
        for (weights, after) in layer.weights.chunks(width).zip(after) {
            before.iter_mut().zip(weights).for_each(|(sum, w)| *sum += after * w.abs());
        }
        before
    })
}

/// Parents come before their children, so one pass in order is enough.
fn depth(tree: &Tree) -> usize {
    let mut below = vec![1; tree.nodes.len()];
    for (i, node) in tree.nodes.iter().enumerate() {
        for child in [node.left, node.right] {
            if let Child::Node(child) = child {
                below[child as usize] = below[i] + 1;
            }
        }
    }
    below.into_iter().max().unwrap_or(0)
}
