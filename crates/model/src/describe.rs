//! What people want to know of a model: how large it is and what it looks at.

use super::{Factor, Layer, Model, Net, StageSummary};
use crate::tree::{Child, Tree};

/// How large a model is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Size {
    /// Trees, of all factors.
    pub trees: usize,
    /// Leaves of all trees.
    pub leaves: usize,
    /// Questions from a root to its farthest leaf.
    pub depth: usize,
    /// Weights and biases of all nets.
    pub weights: usize,
}

impl Model {
    /// How large it is.
    pub fn size(&self) -> Size {
        let trees = || self.scorer.factors.iter().flat_map(|f| &f.trees);
        Size {
            trees: trees().count(),
            leaves: trees().map(|t| t.leaves.len()).sum(),
            depth: trees().map(depth).max().unwrap_or(0),
            weights: self.nets().flat_map(|net| &net.layers).map(size).sum(),
        }
    }

    /// Its nets and linear sums.
    pub fn nets(&self) -> impl Iterator<Item = &Net> {
        self.scorer.factors.iter().filter_map(|f| f.net.as_ref())
    }

    /// For each feature, the most important first: its number, its share of the gain of all
    /// splits, and how many splits ask for it. In a net its share is that of the absolute weights
    /// on the ways from its inputs, which are all on one scale, and its inputs count as splits.
    ///
    /// A factor's gains are in units of its own loss, so shares are taken within each factor
    /// and averaged over those that have any. They add up to 1 (or are all 0).
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
    /// The figure of the model that was kept, if a round was.
    pub fn figure(&self) -> Option<f64> {
        self.kept.checked_sub(1).and_then(|last| self.curve.get(last)).copied()
    }
}

/// Shares of the gain of one factor; counts splits on the way.
fn shares(factor: &Factor, n: usize, splits: &mut [usize]) -> Vec<f64> {
    let mut gain = vec![0.0; n];
    // Gains may be as large as numbers get: their shares of the largest cannot overflow.
    let nodes = || factor.trees.iter().flat_map(|t| &t.nodes);
    let largest = nodes().map(|node| node.gain).fold(0.0, f64::max);
    for node in nodes() {
        splits[node.feature as usize] += 1;
        if largest > 0.0 {
            gain[node.feature as usize] += node.gain.max(0.0) / largest;
        }
    }
    if let Some(net) = &factor.net {
        for (input, weight) in net.inputs.iter().zip(ways(net)) {
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

/// Numbers of a layer.
fn size(layer: &Layer) -> usize {
    layer.biases.len() + layer.weights.len()
}

/// For each input the sum over all ways to the output of the products of absolute weights.
fn ways(net: &Net) -> Vec<f64> {
    net.layers.iter().rev().fold(vec![1.0], |after, layer| {
        let width = layer.weights.len() / layer.outputs();
        let mut before = vec![0.0; width];
        for (weights, after) in layer.weights.chunks(width).zip(after) {
            before.iter_mut().zip(weights).for_each(|(sum, w)| *sum += after * w.abs());
        }
        before
    })
}

/// Parents stand before their children, so one walk in order is enough.
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
