//! The JSON of the learning-to-rank plugins of Elasticsearch and OpenSearch (`model/xgboost+json`): XGBoost's own
//! dump of trees, nested, with features by name, within an object that names the objective.
//!
//! Both compare 32-bit numbers by `<` and add 32-bit leaves. OpenSearch follows `missing`; the plugin of
//! Elasticsearch ignores it: a feature without a value is 0, or NaN in newer versions, which goes to `no`.

use serde::Serialize;
use stakes_model::tree::{Child, Test, Tree};
use stakes_model::{Link, Model};

use super::lightgbm::sum_of;
use super::precision::{Precision, SINGLE};
use super::threshold::below_f32;
use super::{ExportOptions, Written, parts};

/// Readers recurse.
const MAX_DEPTH: usize = 100;

pub(super) fn opensearch_refusals(model: &Model, _: bool) -> Vec<String> {
    let mut reasons = parts::beyond_one_sum_of_floats(model);
    reasons.extend(parts::categories(model));
    reasons.extend(parts::too_deep(model, MAX_DEPTH));
    if super::one_sum::OneSum::of(&model.scorer).is_ok_and(|sum| sum.link == Link::Exp) {
        reasons.push(
            "its score is exp of a sum, and the plugin knows no objective that applies it".into(),
        );
    }
    reasons
}

pub(super) fn es_ltr_refusals(model: &Model, no_missing: bool) -> Vec<String> {
    let mut reasons = opensearch_refusals(model, no_missing);
    if !no_missing {
        // To the right where 0 goes there as well, so that old and new versions of the plugin agree.
        let never = |threshold: f32| threshold >= 0.0;
        let as_zero = parts::missing(model, "0", never);
        let as_no = parts::missing(model, "the side `no`", |_| false);
        reasons.extend(as_no.or(as_zero));
    }
    reasons
}

#[derive(Serialize)]
struct File {
    objective: &'static str,
    splits: Vec<Node>,
}

/// A split or a leaf. Numbers are 32-bit ones, written with all digits of 64 bits: plugins parse them as such.
#[derive(Serialize)]
#[serde(untagged)]
enum Node {
    Leaf {
        nodeid: usize,
        leaf: f64,
    },
    Split {
        nodeid: usize,
        depth: usize,
        split: String,
        split_condition: f64,
        yes: usize,
        no: usize,
        missing: usize,
        children: [Box<Node>; 2],
    },
}

impl Node {
    fn id(&self) -> usize {
        match self {
            Node::Leaf { nodeid, .. } | Node::Split { nodeid, .. } => *nodeid,
        }
    }

    fn of(child: Child, tree: &Tree, model: &Model, depth: usize, next: &mut usize) -> Node {
        let nodeid = *next;
        *next += 1;
        let node = match child {
            Child::Leaf(leaf) => {
                let leaf = f64::from(tree.leaves[leaf as usize].value as f32);
                return Node::Leaf { nodeid, leaf };
            }
            Child::Node(node) => &tree.nodes[node as usize],
        };
        let Test::AtMost(threshold) = node.test else { unreachable!("categories are refused") };
        let [yes, no] = [node.left, node.right]
            .map(|child| Box::new(Node::of(child, tree, model, depth + 1, next)));
        Node::Split {
            nodeid,
            depth,
            split: model.features[node.feature as usize].name.clone(),
            split_condition: f64::from(below_f32(threshold)),
            missing: if node.missing_left { yes.id() } else { no.id() },
            yes: yes.id(),
            no: no.id(),
            children: [yes, no],
        }
    }
}

pub(super) fn write(model: &Model, _: &ExportOptions) -> Written {
    let sum = sum_of(model);
    let objective = match sum.link {
        Link::Logistic => "binary:logistic",
        Link::Identity | Link::Exp => "reg:linear",
    };
    let splits = sum.trees_with_start();
    let root = |tree: &Tree| if tree.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
    let splits = splits.iter().map(|tree| Node::of(root(tree), tree, model, 0, &mut 0)).collect();
    let mut bytes = serde_json::to_vec(&File { objective, splits })
        .unwrap_or_else(|error| unreachable!("numbers and texts: {error}"));
    bytes.push(b'\n');
    let names = model.features.iter().map(|feature| feature.name.clone()).collect();
    let notes = vec!["features must have these names in the feature set".to_owned()];
    Written { bytes, notes, precision: Precision::of_sum(&sum, SINGLE), names }
}
