//! Trees as nested CASE.

use stakes_model::ModelFeature;
use stakes_model::tree::{Child, Node, Test, Tree};

use super::{exponent, identifier, number, text};
use crate::export::lightgbm::others;
use crate::export::threshold::at_most_f64;

/// A tree.
pub(super) fn tree_text(tree: &Tree, features: &[ModelFeature]) -> String {
    let root = if tree.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
    match branch(root, tree, features) {
        Branch::Leaf(value) => number(value),
        Branch::Case(text) => format!("CASE{text} END"),
    }
}

/// A leaf, or the inside of a CASE, whose type is double.
enum Branch {
    Leaf(f64),
    Case(String),
}

fn branch(child: Child, tree: &Tree, features: &[ModelFeature]) -> Branch {
    let node = match child {
        Child::Leaf(leaf) => return Branch::Leaf(tree.leaves[leaf as usize].value),
        Child::Node(node) => &tree.nodes[node as usize],
    };
    let Some((test, then, otherwise)) = split(node, features) else {
        // Nothing known goes there.
        let missing = if node.missing_left { node.left } else { node.right };
        return branch(missing, tree, features);
    };
    let then = match branch(then, tree, features) {
        Branch::Leaf(value) => number(value),
        Branch::Case(text) => format!("CASE{text} END"),
    };
    Branch::Case(match branch(otherwise, tree, features) {
        Branch::Leaf(value) => format!(" WHEN {test} THEN {then} ELSE {}", exponent(value)),
        Branch::Case(text) => format!(" WHEN {test} THEN {then}{text}"),
    })
}

/// A test that is not true for missing values, and the children for which it is true and is not.
fn split(node: &Node, features: &[ModelFeature]) -> Option<(String, Child, Child)> {
    let feature = &features[node.feature as usize];
    let column = identifier(&feature.name);
    let (then, otherwise) =
        if node.missing_left { (node.right, node.left) } else { (node.left, node.right) };
    let test = match node.test {
        Test::AtMost(threshold) => {
            let threshold = at_most_f64(threshold);
            match node.missing_left {
                true => format!("0e0 - {column} < {}", exponent(-threshold)),
                false => format!("{column} <= {}", exponent(threshold)),
            }
        }
        Test::In(set) => {
            let set = if node.missing_left { others(set, feature) } else { set };
            let known = feature.categories.as_deref().unwrap_or(&[]);
            let names: Vec<String> =
                set.codes().filter_map(|c| known.get(usize::from(c))).map(|n| text(n)).collect();
            if names.is_empty() {
                return None;
            }
            format!("{column} IN ({})", names.join(", "))
        }
    };
    Some((test, then, otherwise))
}
