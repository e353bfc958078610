//! A tree as one line of JSON: an array per property, an entry per node.
//!
//! ```json
//! {"feature": [0,1], "at_most": [14.0,null], "categories": {"1": [0,2]}, "missing": "LR",
//!  "left": [1,-1], "right": [-3,-2], "gain": [9.5,2.0], "rows": [60,40],
//!  "leaf": [0.5,-0.25,2.0], "leaf_rows": [30,10,20]}
//! ```
//!
//! Node 0 tests `feature 0 <= 14`, node 1 whether feature 1 is category 0 or 2. A child >= 0 is a
//! node; -1 is leaf 0, -2 is leaf 1, and so on. `missing` has a letter per node: the side that
//! missing values go to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use stakes_core::display::counted;

use super::shape::unique;
use super::{Invalid, invalid};
use crate::ModelFeature;
use crate::tree::{CategorySet, Child, Leaf, Node, Test, Tree};

/// Above what any learner grows.
const MAX_LEAVES: usize = 1 << 20;
/// The largest leaf value: a million of them still have a finite sum.
pub(super) const MAX_VALUE: f64 = 1e300;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TreeFile {
    feature: Vec<u32>,
    at_most: Vec<Option<f32>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "unique")]
    categories: BTreeMap<u32, Vec<u8>>,
    missing: String,
    left: Vec<i32>,
    right: Vec<i32>,
    gain: Vec<f64>,
    rows: Vec<u32>,
    leaf: Vec<f64>,
    leaf_rows: Vec<u32>,
}

impl From<&Tree> for TreeFile {
    fn from(tree: &Tree) -> Self {
        let nodes = &tree.nodes;
        let number = |child: Child| match child {
            Child::Node(node) => node as i32,
            Child::Leaf(leaf) => -1 - leaf as i32,
        };
        let categories = (0..).zip(nodes).filter_map(|(i, n)| match &n.test {
            Test::In(set) => Some((i, set.codes().collect())),
            Test::AtMost(_) => None,
        });
        let threshold = |n: &Node| match n.test {
            Test::AtMost(threshold) => Some(threshold),
            Test::In(_) => None,
        };
        TreeFile {
            feature: nodes.iter().map(|n| n.feature).collect(),
            at_most: nodes.iter().map(threshold).collect(),
            categories: categories.collect(),
            missing: nodes.iter().map(|n| if n.missing_left { 'L' } else { 'R' }).collect(),
            left: nodes.iter().map(|n| number(n.left)).collect(),
            right: nodes.iter().map(|n| number(n.right)).collect(),
            gain: nodes.iter().map(|n| n.gain).collect(),
            rows: nodes.iter().map(|n| n.rows).collect(),
            leaf: tree.leaves.iter().map(|l| l.value).collect(),
            leaf_rows: tree.leaves.iter().map(|l| l.rows).collect(),
        }
    }
}

impl TreeFile {
    /// Builds the tree after checking its structure and that its tests fit the features.
    pub(super) fn check(self, features: &[ModelFeature]) -> Result<Tree, Invalid> {
        self.check_lengths()?;
        self.check_children()?;
        self.check_values()?;
        let nodes = (0..self.feature.len()).map(|i| self.node(i, features));
        let leaves = self.leaf.iter().zip(&self.leaf_rows);
        Ok(Tree {
            nodes: nodes.collect::<Result<_, Invalid>>()?,
            leaves: leaves.map(|(&value, &rows)| Leaf { value, rows }).collect(),
        })
    }

    fn check_lengths(&self) -> Result<(), Invalid> {
        let nodes = self.feature.len();
        if nodes >= MAX_LEAVES {
            return Err(invalid(
                "",
                format!("has {nodes} nodes; at most {} are allowed", MAX_LEAVES - 1),
            ));
        }
        for (name, length, expected) in [
            ("at_most", self.at_most.len(), nodes),
            ("missing", self.missing.len(), nodes),
            ("left", self.left.len(), nodes),
            ("right", self.right.len(), nodes),
            ("gain", self.gain.len(), nodes),
            ("rows", self.rows.len(), nodes),
            ("leaf", self.leaf.len(), nodes + 1),
            ("leaf_rows", self.leaf_rows.len(), nodes + 1),
        ] {
            if length != expected {
                let (length, nodes) = (counted(length, "entry"), counted(nodes, "node"));
                let what = format!("has {length}; {nodes} need {expected}");
                return Err(invalid(name, what));
            }
        }
        match self.categories.keys().find(|&&node| node as usize >= nodes) {
            Some(node) => {
                Err(invalid("categories", format!("there is no node {node} (of {nodes})")))
            }
            None => Ok(()),
        }
    }

    /// Every node but the root, and every leaf, must be the child of exactly one node, which comes
    /// before it. There are as many child places as nodes and leaves to fill them, so it is enough
    /// to check that none is used twice: then none is left over, and there is no cycle.
    fn check_children(&self) -> Result<(), Invalid> {
        let nodes = self.feature.len();
        let mut has_parent = vec![false; 2 * nodes + 1];
        for (name, children) in [("left", &self.left), ("right", &self.right)] {
            for (node, &child) in children.iter().enumerate() {
                let refuse = |what: String| Err(invalid(format!("{name}[{node}]"), what));
                let place = if child >= 0 { child as usize } else { nodes + !child as usize };
                if child >= 0 && place >= nodes || place > 2 * nodes {
                    let last = -1 - nodes as i64;
                    return refuse(format!(
                        "is {child}; the last node is {}, the last leaf {last}",
                        nodes - 1
                    ));
                }
                if child >= 0 && place <= node {
                    return refuse(format!("is {child}; children must come after their parent"));
                }
                if std::mem::replace(&mut has_parent[place], true) {
                    return refuse(format!(
                        "is {child}, which is already the child of another node"
                    ));
                }
            }
        }
        Ok(())
    }

    fn check_values(&self) -> Result<(), Invalid> {
        for (name, values) in [("gain", &self.gain), ("leaf", &self.leaf)] {
            if let Some(i) = values.iter().position(|v| v.is_nan() || v.abs() > MAX_VALUE) {
                let what = format!("is {}; at most {MAX_VALUE:e} is allowed", values[i]);
                return Err(invalid(format!("{name}[{i}]"), what));
            }
        }
        Ok(())
    }

    fn node(&self, i: usize, features: &[ModelFeature]) -> Result<Node, Invalid> {
        let feature = self.feature[i];
        let Some(known) = features.get(feature as usize) else {
            let all = counted(features.len(), "feature");
            let what = format!("is {feature}; the model has {all}");
            return Err(invalid(format!("feature[{i}]"), what));
        };
        let codes = self.categories.get(&(i as u32));
        let test = match (self.at_most[i], codes, &known.categories) {
            (Some(threshold), None, None) if threshold.is_finite() => Test::AtMost(threshold),
            (Some(threshold), None, None) => {
                return Err(invalid(
                    format!("at_most[{i}]"),
                    format!("is {threshold}; must be finite"),
                ));
            }
            (None, Some(codes), Some(names)) => {
                let valid = codes.is_sorted_by(|a, b| a < b)
                    && codes.last().is_none_or(|&last| usize::from(last) < names.len());
                if !valid {
                    let what = format!(
                        "is {codes:?}; codes must ascend and be below {}, the number of \
                         categories of `{}`",
                        names.len(),
                        known.name
                    );
                    return Err(invalid(format!("categories[{i}]"), what));
                }
                Test::In(codes.iter().copied().collect::<CategorySet>())
            }
            (threshold, codes, names) => {
                let is = if names.is_some() { "categorical" } else { "numeric" };
                let tests = match (threshold, codes) {
                    (Some(_), Some(_)) => "a number and categories",
                    (Some(_), None) => "a number",
                    (None, Some(_)) => "categories",
                    (None, None) => "nothing",
                };
                let what = format!("tests {tests}; its feature `{}` is {is}", known.name);
                return Err(invalid(format!("node {i}"), what));
            }
        };
        let missing_left = match self.missing.as_bytes()[i] {
            b'L' => true,
            b'R' => false,
            _ => return Err(invalid(format!("missing[{i}]"), "must be L or R")),
        };
        let child = |c: i32| if c >= 0 { Child::Node(c as u32) } else { Child::Leaf(!c as u32) };
        Ok(Node {
            feature,
            test,
            missing_left,
            left: child(self.left[i]),
            right: child(self.right[i]),
            gain: self.gain[i],
            rows: self.rows[i],
        })
    }
}
