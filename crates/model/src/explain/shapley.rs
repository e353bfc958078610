//! Exact Shapley values of features for a sum of trees.
//!
//! The game is that of TreeSHAP (Lundberg et al. 2020): of the features in a set S the item's values are
//! known. From the root down, a node of a known feature sends the item as usual; any other node sends it
//! both ways, weighted by the training rows that went there. v(S) is the mean over the leaves reached. A
//! feature's Shapley value is the mean, over all orders of features, of the change of v when it becomes
//! known; the values sum to (value of the tree) - v(nothing).
//!
//! On the path to a leaf let u_j be the share of rows that stay on it at the nodes of feature j, and
//! k_j be 1 if the item itself stays on it, else 0. If each feature is known with probability t, the leaf
//! is reached with probability P(t) = product over j of ((1 - t) u_j + t k_j), and (Owen 1972)
//!
//! value of i = sum over leaves of leaf x integral from 0 to 1 of P(t) (k_i - u_i) / ((1 - t) u_i + t k_i) dt
//!
//! The integrand is a polynomial, so a few points t give the integral exactly, and only products of
//! numbers between 0 and 1 are added: deep trees lose no digits. Leaves that share a branch share its
//! fraction, so one pass down (P) and one pass up (leaf x P) are enough for a tree.
//!
//! Example: `wind <= 14 ? 0 : 8` with 3 of 4 rows on the left has the value 2 if the wind is unknown; an
//! item with wind 20 has 8, so the wind adds 6.

use super::quadrature::Quadrature;
use crate::tree::{Child, Node, Tree};

/// The Shapley values of a sum of trees.
#[derive(Debug)]
pub struct Shapley<'t> {
    trees: Vec<Branches<'t>>,
    expected: f64,
    rules: Rules,
}

/// Quadrature rules that are exact for paths with up to 4, 8, 16, 32 and 128 different features. For
/// longer paths 64 points are accurate except for the last digits.
#[derive(Debug)]
struct Rules {
    two: Quadrature<2>,
    four: Quadrature<4>,
    eight: Quadrature<8>,
    sixteen: Quadrature<16>,
    many: Quadrature<64>,
}

/// The branches of a tree; those closer to the root come first.
#[derive(Debug)]
struct Branches<'t> {
    nodes: &'t [Node],
    /// Branch 0 leads to the root; then each node has a pair, to the left and to the right.
    branches: Vec<Branch>,
    /// The maximum number of different features on a path to a leaf.
    features: usize,
}

/// The edge from a node to a child.
#[derive(Debug, Clone, Copy)]
struct Branch {
    /// The branch that leads to the node.
    above: usize,
    /// The nearest branch above at a node of the same feature, or branch 0.
    same: usize,
    /// The share of the node's rows that take this branch.
    share: f64,
    /// u of the feature on the path to here.
    unknown: f64,
    /// The value of the leaf, if the branch leads to one.
    leaf: Option<f64>,
}

/// Memory that is reused for the next tree.
#[derive(Default)]
struct Scratch {
    /// By branch: k of the feature on the path to here.
    known: Vec<f64>,
    /// By branch and point: P of the path to here; finally the sum of leaf x P below.
    reached: Vec<f64>,
}

impl<'t> Shapley<'t> {
    /// Prepares the sum of some trees.
    pub fn new(trees: &'t [Tree]) -> Self {
        let rules = Rules {
            two: Quadrature::new(),
            four: Quadrature::new(),
            eight: Quadrature::new(),
            sixteen: Quadrature::new(),
            many: Quadrature::new(),
        };
        let expected = trees.iter().fold(0.0, |sum, tree| sum + expected(tree));
        Shapley { trees: trees.iter().map(Branches::of).collect(), expected, rules }
    }

    /// The value of the trees if no feature is known.
    pub fn expected(&self) -> f64 {
        self.expected
    }

    /// Adds the Shapley value of each feature of an item to `values`.
    pub fn add(&self, features: &[f32], values: &mut [f64]) {
        let mut scratch = Scratch::default();
        for tree in &self.trees {
            match tree.features {
                0 => {}
                1..=4 => tree.add(&self.rules.two, features, &mut scratch, values),
                5..=8 => tree.add(&self.rules.four, features, &mut scratch, values),
                9..=16 => tree.add(&self.rules.eight, features, &mut scratch, values),
                17..=32 => tree.add(&self.rules.sixteen, features, &mut scratch, values),
                _ => tree.add(&self.rules.many, features, &mut scratch, values),
            }
        }
    }
}

impl<'t> Branches<'t> {
    fn of(tree: &'t Tree) -> Self {
        let start = Branch { above: 0, same: 0, share: 1.0, unknown: 1.0, leaf: None };
        let mut branches = vec![start; 2 * tree.nodes.len() + 1];
        // By node: the branch that leads to it; parents come before their children.
        let mut to = vec![0; tree.nodes.len()];
        // By branch: different features from the root to here.
        let mut different = vec![0; branches.len()];
        for (number, node) in tree.nodes.iter().enumerate() {
            let above = to[number];
            let mut same = above;
            while same != 0 && tree.nodes[(same - 1) / 2].feature != node.feature {
                same = branches[same].above;
            }
            let sides = [node.left, node.right].into_iter().zip(shares(tree, node));
            for (here, (child, share)) in (2 * number + 1..).zip(sides) {
                let unknown = branches[same].unknown * share;
                let leaf = match child {
                    Child::Leaf(leaf) => Some(tree.leaves[leaf as usize].value),
                    Child::Node(node) => {
                        to[node as usize] = here;
                        None
                    }
                };
                branches[here] = Branch { above, same, share, unknown, leaf };
                different[here] = different[above] + usize::from(same == 0);
            }
        }
        let features = different.into_iter().max().unwrap_or(0);
        Branches { nodes: &tree.nodes, branches, features }
    }

    fn add<const Q: usize>(
        &self,
        rule: &Quadrature<Q>,
        features: &[f32],
        scratch: &mut Scratch,
        values: &mut [f64],
    ) {
        let count = self.branches.len();
        // Values of other trees are overwritten before they are read.
        scratch.known.resize(scratch.known.len().max(count), 1.0);
        scratch.reached.resize(scratch.reached.len().max(count * Q), 1.0);
        let known = &mut scratch.known[..count];
        let reached = &mut scratch.reached.as_chunks_mut::<Q>().0[..count];
        self.down(rule, features, known, reached);
        self.up(rule, known, reached, values);
    }

    /// Computes k and P.
    #[inline(always)]
    fn down<const Q: usize>(
        &self,
        rule: &Quadrature<Q>,
        features: &[f32],
        known: &mut [f64],
        reached: &mut [[f64; Q]],
    ) {
        (known[0], reached[0]) = (1.0, [1.0; Q]);
        for (number, node) in self.nodes.iter().enumerate() {
            let left = node.goes_left(features[node.feature as usize]);
            for (here, on_path) in [(2 * number + 1, left), (2 * number + 2, !left)] {
                let Branch { above, same, share, unknown, .. } = self.branches[here];
                let (k_before, u_before) = (known[same], self.branches[same].unknown);
                let k = if on_path { k_before } else { 0.0 };
                known[here] = k;
                let above = reached[above];
                let here = &mut reached[here];
                if k_before == 0.0 {
                    // The item has left this path before; only the rows matter.
                    (0..Q).for_each(|q| here[q] = above[q] * share);
                } else if same == 0 {
                    (0..Q).for_each(|q| here[q] = above[q] * rule.mix(q, unknown, k));
                } else {
                    for q in 0..Q {
                        let before = rule.mix(q, u_before, k_before);
                        here[q] = above[q] * rule.mix(q, unknown, k) / before;
                    }
                }
            }
        }
    }

    /// Sums leaf x P. The leaves below count for the last branch of a feature only, no longer for the
    /// branches of the same feature above.
    #[inline(always)]
    fn up<const Q: usize>(
        &self,
        rule: &Quadrature<Q>,
        known: &[f64],
        reached: &mut [[f64; Q]],
        values: &mut [f64],
    ) {
        let fraction = |q, u: f64, k: f64| (k - u) / rule.mix(q, u, k);
        for (number, node) in self.nodes.iter().enumerate().rev() {
            let mut both = [0.0; Q];
            for here in [2 * number + 1, 2 * number + 2] {
                let Branch { same, unknown, leaf, .. } = self.branches[here];
                let leaf = leaf.unwrap_or(1.0);
                let below = reached[here].map(|sum| leaf * sum);
                (0..Q).for_each(|q| both[q] += below[q]);
                let (k, k_before, u_before) =
                    (known[here], known[same], self.branches[same].unknown);
                let unreachable = k == 0.0 && unknown == 0.0;
                if unreachable || k_before == 0.0 {
                    // Once the item has left the path, the branch makes no difference.
                    continue;
                }
                let mut value = [0.0; Q];
                if same == 0 {
                    (0..Q).for_each(|q| value[q] = below[q] * fraction(q, unknown, k));
                } else {
                    for q in 0..Q {
                        let before = fraction(q, u_before, k_before);
                        value[q] = below[q] * (fraction(q, unknown, k) - before);
                    }
                }
                let sum = (0..Q).fold(0.0, |sum, q| sum + rule.weights[q] * value[q]);
                values[node.feature as usize] += sum;
            }
            reached[self.branches[2 * number + 1].above] = both;
        }
    }
}

/// v(nothing known); children are processed before their parents.
fn expected(tree: &Tree) -> f64 {
    let mut nodes = vec![0.0; tree.nodes.len()];
    let value = |nodes: &[f64], child: Child| match child {
        Child::Leaf(leaf) => tree.leaves[leaf as usize].value,
        Child::Node(node) => nodes[node as usize],
    };
    for (number, node) in tree.nodes.iter().enumerate().rev() {
        let [left, right] = shares(tree, node);
        nodes[number] = left * value(&nodes, node.left) + right * value(&nodes, node.right);
    }
    nodes.first().copied().unwrap_or(tree.leaves[0].value)
}

/// The shares of a node's training rows that went left and right; halves if there were none.
fn shares(tree: &Tree, node: &Node) -> [f64; 2] {
    let rows = |child: Child| match child {
        Child::Leaf(leaf) => f64::from(tree.leaves[leaf as usize].rows),
        Child::Node(node) => f64::from(tree.nodes[node as usize].rows),
    };
    let (left, right) = (rows(node.left), rows(node.right));
    match left + right {
        0.0 => [0.5; 2],
        all => [left / all, right / all],
    }
}

#[cfg(test)]
mod tests;
