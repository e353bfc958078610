//! A sum of trees as one `TreeEnsemble`.
//!
//! **Categories** are tested by membership. Missing and unseen ones are no members, so they go to the false side; where
//! ours go to the left, the set is that of the other known categories, and the children are swapped.

use stakes_model::Model;
use stakes_model::tree::{Child, Test, Tree};

use super::graph::{Graph, bytes, doubles, integer, integers, tensor_attribute};
use super::{FEATURES, NUMBERS};
use crate::export::lightgbm::others;

/// Branches by `<=` and by membership, as `nodes_modes` has them.
const AT_MOST: u8 = 0;
const MEMBER: u8 = 6;
/// `aggregate_function` of a sum.
const SUM: i64 = 1;

/// Adds the sum of trees, each of which has a node; returns a column.
pub(super) fn add(graph: &mut Graph, trees: &[&Tree], model: &Model) -> String {
    let mut all = Ensemble::default();
    trees.iter().for_each(|tree| all.add(tree, model));
    let (nodes, leaves, members) = (all.splits.len(), all.weights.len(), all.members.len());
    let mut attributes = vec![
        integer("aggregate_function", SUM),
        integer("n_targets", 1),
        integer("post_transform", 0),
        integers("tree_roots", all.roots),
        integers("nodes_featureids", all.features),
        integers("nodes_truenodeids", all.true_ids),
        integers("nodes_trueleafs", all.true_leaves),
        integers("nodes_falsenodeids", all.false_ids),
        integers("nodes_falseleafs", all.false_leaves),
        integers("nodes_missing_value_tracks_true", all.missing_true),
        integers("leaf_targetids", vec![0; leaves]),
        tensor_attribute("nodes_modes", bytes(all.modes)),
        tensor_attribute("nodes_splits", doubles(&all.splits, &[nodes])),
        tensor_attribute("leaf_weights", doubles(&all.weights, &[leaves])),
    ];
    if members > 0 {
        attributes.push(tensor_attribute("membership_values", doubles(&all.members, &[members])));
    }
    let rows = graph.cast(FEATURES, NUMBERS);
    graph.learned("TreeEnsemble", &[&rows], attributes)
}

/// The attributes of all trees.
#[derive(Default)]
struct Ensemble {
    roots: Vec<i64>,
    features: Vec<i64>,
    modes: Vec<u8>,
    splits: Vec<f64>,
    missing_true: Vec<i64>,
    true_ids: Vec<i64>,
    true_leaves: Vec<i64>,
    false_ids: Vec<i64>,
    false_leaves: Vec<i64>,
    /// The sets of all tests of membership, each followed by NaN.
    members: Vec<f64>,
    weights: Vec<f64>,
}

impl Ensemble {
    fn add(&mut self, tree: &Tree, model: &Model) {
        let (first_node, first_leaf) = (self.splits.len() as i64, self.weights.len() as i64);
        let place = |child: Child| match child {
            Child::Node(node) => (first_node + i64::from(node), 0),
            Child::Leaf(leaf) => (first_leaf + i64::from(leaf), 1),
        };
        self.roots.push(first_node);
        for node in &tree.nodes {
            self.features.push(i64::from(node.feature));
            let (mut when_true, mut when_false) = (place(node.left), place(node.right));
            match node.test {
                Test::AtMost(threshold) => {
                    self.modes.push(AT_MOST);
                    self.splits.push(f64::from(threshold));
                    self.missing_true.push(i64::from(node.missing_left));
                }
                Test::In(set) => {
                    let set = match node.missing_left {
                        true => others(set, &model.features[node.feature as usize]),
                        false => set,
                    };
                    if node.missing_left {
                        (when_true, when_false) = (when_false, when_true);
                    }
                    let before = self.members.len();
                    self.members.extend(set.codes().map(f64::from));
                    // No code is at most minus infinity: a set without members.
                    let is_empty = self.members.len() == before;
                    self.modes.push(if is_empty { AT_MOST } else { MEMBER });
                    self.splits.push(if is_empty { f64::NEG_INFINITY } else { 0.0 });
                    self.missing_true.push(0);
                    if !is_empty {
                        self.members.push(f64::NAN);
                    }
                }
            }
            self.true_ids.push(when_true.0);
            self.true_leaves.push(when_true.1);
            self.false_ids.push(when_false.0);
            self.false_leaves.push(when_false.1);
        }
        self.weights.extend(tree.leaves.iter().map(|leaf| leaf.value));
    }
}
