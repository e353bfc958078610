//! What each feature adds to what trees say of an item: exact Shapley values.
//!
//! The game: of the features in a set S the item's values are known. A tree is walked down; at
//! a node of a known feature as the item goes, at any other both ways, weighted by the rows
//! that went there in training. v(S) is the mean over the leaves reached. A feature's Shapley
//! value is the mean, over all orders of features, of what v gains when it becomes known; the
//! values add up to (what the tree says) - v(nothing known).
//! All orders are counted at once along each path (TreeSHAP: Lundberg, Erion and Lee,
//! "Consistent individualized feature attribution for tree ensembles", 2018, algorithm 2).
//!
//! Example: `wind <= 14 ? 0 : 8` with 3 of 4 rows on the left says 2 of nobody in particular;
//! of an item with wind 20 it says 8, and the wind has added 6.

use crate::tree::{Child, Tree};

/// Trees whose sum is explained.
pub struct Shapley<'t> {
    trees: &'t [Tree],
    /// What they say of nobody in particular.
    expected: f64,
}

/// A feature on the way to a leaf.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// `None` where the way begins.
    feature: Option<u32>,
    /// Share of the ways that stay on the path while the feature is unknown.
    unknown: f64,
    /// 1 if the item itself stays on the path, else 0.
    known: f64,
    /// Of sets with as many known features as there are steps before this one.
    weight: f64,
}

impl<'t> Shapley<'t> {
    /// For the sum of some trees.
    pub fn new(trees: &'t [Tree]) -> Self {
        Shapley { trees, expected: trees.iter().map(expected).sum() }
    }

    /// What the trees say of nobody in particular.
    pub fn expected(&self) -> f64 {
        self.expected
    }

    /// Adds each feature's value for an item, times a factor.
    pub fn add(&self, features: &[f32], factor: f64, values: &mut [f64]) {
        for tree in self.trees {
            let start = Step { feature: None, unknown: 1.0, known: 1.0, weight: 0.0 };
            let root = if tree.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
            Walk { tree, features, factor, values }.down(root, &[], start);
        }
    }
}

/// v(nothing known).
fn expected(tree: &Tree) -> f64 {
    fn of(tree: &Tree, at: Child) -> f64 {
        match at {
            Child::Leaf(leaf) => tree.leaves[leaf as usize].value,
            Child::Node(node) => {
                let [left, right] = shares(tree, node);
                let node = &tree.nodes[node as usize];
                left * of(tree, node.left) + right * of(tree, node.right)
            }
        }
    }
    of(tree, if tree.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) })
}

/// The shares of a node's rows that went left and right in training; halves if none came.
fn shares(tree: &Tree, node: u32) -> [f64; 2] {
    let rows = |child: Child| match child {
        Child::Leaf(leaf) => f64::from(tree.leaves[leaf as usize].rows),
        Child::Node(node) => f64::from(tree.nodes[node as usize].rows),
    };
    let node = &tree.nodes[node as usize];
    let (left, right) = (rows(node.left), rows(node.right));
    match left + right {
        0.0 => [0.5; 2],
        all => [left / all, right / all],
    }
}

struct Walk<'w> {
    tree: &'w Tree,
    features: &'w [f32],
    factor: f64,
    values: &'w mut [f64],
}

impl Walk<'_> {
    fn down(&mut self, at: Child, before: &[Step], step: Step) {
        let mut path = Vec::with_capacity(before.len() + 1);
        path.extend_from_slice(before);
        extend(&mut path, step);
        match at {
            Child::Leaf(leaf) => {
                let value = self.factor * self.tree.leaves[leaf as usize].value;
                for place in 1..path.len() {
                    let Step { feature: Some(feature), unknown, known, .. } = path[place] else {
                        continue;
                    };
                    let weight = weight_without(&path, place);
                    self.values[feature as usize] += weight * (known - unknown) * value;
                }
            }
            Child::Node(number) => {
                let node = &self.tree.nodes[number as usize];
                let shares = shares(self.tree, number);
                // A feature that was met before is taken out: it counts once per path.
                let met = path.iter().position(|step| step.feature == Some(node.feature));
                let (unknown, known) = met.map_or((1.0, 1.0), |place| {
                    let Step { unknown, known, .. } = path[place];
                    take_out(&mut path, place);
                    (unknown, known)
                });
                let left = node.goes_left(self.features[node.feature as usize]);
                for (child, share, is_way) in
                    [(node.left, shares[0], left), (node.right, shares[1], !left)]
                {
                    let step = Step {
                        feature: Some(node.feature),
                        unknown: unknown * share,
                        known: if is_way { known } else { 0.0 },
                        weight: 0.0,
                    };
                    // A side that nobody takes, known or unknown, says nothing.
                    if step.unknown > 0.0 || step.known > 0.0 {
                        self.down(child, &path, step);
                    }
                }
            }
        }
    }
}

/// Adds a step to a path.
fn extend(path: &mut Vec<Step>, step: Step) {
    let length = path.len();
    let whole = (length + 1) as f64;
    path.push(Step { weight: if length == 0 { 1.0 } else { 0.0 }, ..step });
    for place in (0..length).rev() {
        let weight = path[place].weight;
        path[place + 1].weight += step.known * weight * (place + 1) as f64 / whole;
        path[place].weight = step.unknown * weight * (length - place) as f64 / whole;
    }
}

/// Takes a step out of a path: the inverse of [`extend`], wherever the step stands.
fn take_out(path: &mut Vec<Step>, place: usize) {
    let weights = weights_without(path, place);
    for at in place..path.len() - 1 {
        path[at] = path[at + 1];
    }
    path.pop();
    path.iter_mut().zip(weights).for_each(|(step, weight)| step.weight = weight);
}

/// The sum of the weights of a path without one of its steps.
fn weight_without(path: &[Step], place: usize) -> f64 {
    weights_without(path, place).iter().sum()
}

/// The weights of a path without one of its steps.
fn weights_without(path: &[Step], place: usize) -> Vec<f64> {
    let length = path.len() - 1;
    let whole = (length + 1) as f64;
    let Step { unknown, known, .. } = path[place];
    let mut weights = vec![0.0; length];
    let mut next = path[length].weight;
    for at in (0..length).rev() {
        if known > 0.0 {
            weights[at] = next * whole / ((at + 1) as f64 * known);
            next = path[at].weight - weights[at] * unknown * (length - at) as f64 / whole;
        } else {
            weights[at] = path[at].weight * whole / (unknown * (length - at) as f64);
        }
    }
    weights
}

#[cfg(test)]
mod tests;
