//! A tree as one line of JSON: a column per property, a place per node.
//!
//! ```json
//! {"feature": [0,1], "at_most": [14.0,null], "categories": {"1": [0,2]}, "missing": "LR",
//!  "left": [1,-1], "right": [-3,-2], "gain": [9.5,2.0], "rows": [60,40],
//!  "leaf": [0.5,-0.25,2.0], "leaf_rows": [30,10,20]}
//! ```
//!
//! Node 0 asks `feature 0 <= 14`, node 1 whether feature 1 is category 0 or 2. A child >= 0 is
//! a node; -1 is leaf 0, -2 is leaf 1, and so on. `missing` has a letter per node: the side
//! for items without a value.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::shape::unique;
use super::{Bad, bad};
use crate::ModelFeature;
use crate::tree::{CategorySet, Child, Leaf, Node, Test, Tree};

/// More leaves than any learner grows.
const MOST_LEAVES: usize = 1 << 20;
/// No leaf says more: a million of them still add up to something finite.
pub(super) const MOST_VALUE: f64 = 1e300;

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
    /// The tree, if it is one and asks only what its features can answer.
    pub(super) fn check(self, features: &[ModelFeature]) -> Result<Tree, Bad> {
        self.check_lengths()?;
        self.check_children()?;
        self.check_values()?;
        let nodes = (0..self.feature.len()).map(|i| self.node(i, features));
        let leaves = self.leaf.iter().zip(&self.leaf_rows);
        Ok(Tree {
            nodes: nodes.collect::<Result<_, Bad>>()?,
            leaves: leaves.map(|(&value, &rows)| Leaf { value, rows }).collect(),
        })
    }

    fn check_lengths(&self) -> Result<(), Bad> {
        let nodes = self.feature.len();
        if nodes >= MOST_LEAVES {
            return Err(bad("", format!("{nodes} nodes; at most {} are read", MOST_LEAVES - 1)));
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
                let what = format!("has {length} entries; {nodes} nodes need {expected}");
                return Err(bad(name, what));
            }
        }
        match self.categories.keys().find(|&&node| node as usize >= nodes) {
            Some(node) => Err(bad("categories", format!("there is no node {node} (of {nodes})"))),
            None => Ok(()),
        }
    }

    /// Every node but the first and every leaf hangs below exactly one node that stands
    /// before it. As there are as many places to hang as things to hang, "at most one" is
    /// enough: nothing can be left over, and no path comes back.
    fn check_children(&self) -> Result<(), Bad> {
        let nodes = self.feature.len();
        let mut hangs = vec![false; 2 * nodes + 1];
        for (name, children) in [("left", &self.left), ("right", &self.right)] {
            for (node, &child) in children.iter().enumerate() {
                let refuse = |what: String| Err(bad(format!("{name}[{node}]"), what));
                let place = if child >= 0 { child as usize } else { nodes + !child as usize };
                if child >= 0 && place >= nodes || place > 2 * nodes {
                    let last = -1 - nodes as i64;
                    return refuse(format!(
                        "is {child}; nodes end at {}, leaves at {last}",
                        nodes - 1
                    ));
                }
                if child >= 0 && place <= node {
                    return refuse(format!("is {child}; children stand behind their parent"));
                }
                if std::mem::replace(&mut hangs[place], true) {
                    return refuse(format!("is {child}, which hangs below another node already"));
                }
            }
        }
        Ok(())
    }

    fn check_values(&self) -> Result<(), Bad> {
        for (name, values) in [("gain", &self.gain), ("leaf", &self.leaf)] {
            if let Some(i) = values.iter().position(|v| v.is_nan() || v.abs() > MOST_VALUE) {
                let what = format!("is {}; at most {MOST_VALUE:e} is read", values[i]);
                return Err(bad(format!("{name}[{i}]"), what));
            }
        }
        Ok(())
    }

    fn node(&self, i: usize, features: &[ModelFeature]) -> Result<Node, Bad> {
        let feature = self.feature[i];
        let Some(known) = features.get(feature as usize) else {
            let what = format!("is {feature}; the model has {} features", features.len());
            return Err(bad(format!("feature[{i}]"), what));
        };
        let codes = self.categories.get(&(i as u32));
        let test = match (self.at_most[i], codes, &known.categories) {
            (Some(threshold), None, None) if threshold.is_finite() => Test::AtMost(threshold),
            (Some(threshold), None, None) => {
                return Err(bad(format!("at_most[{i}]"), format!("is {threshold}; not finite")));
            }
            (None, Some(codes), Some(names)) => {
                let sane = codes.is_sorted_by(|a, b| a < b)
                    && codes.last().is_none_or(|&last| usize::from(last) < names.len());
                if !sane {
                    let what = format!(
                        "codes {codes:?}; they must ascend and be below {}, as many categories as \
                         `{}` has",
                        names.len(),
                        known.name
                    );
                    return Err(bad(format!("categories[{i}]"), what));
                }
                Test::In(codes.iter().copied().collect::<CategorySet>())
            }
            (threshold, codes, names) => {
                let is = if names.is_some() { "categorical" } else { "numeric" };
                let asks = match (threshold, codes) {
                    (Some(_), Some(_)) => "for a number and for categories",
                    (Some(_), None) => "for a number",
                    (None, Some(_)) => "for categories",
                    (None, None) => "for nothing",
                };
                let what = format!("asks {asks}; its feature `{}` is {is}", known.name);
                return Err(bad(format!("node {i}"), what));
            }
        };
        let missing_left = match self.missing.as_bytes()[i] {
            b'L' => true,
            b'R' => false,
            _ => return Err(bad(format!("missing[{i}]"), "is neither L nor R")),
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
