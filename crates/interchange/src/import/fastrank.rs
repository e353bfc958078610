//! fastrank's JSON: a linear score, a single feature, a tree, or a weighted sum of these.
//!
//! A test is `x <= split` of a 64-bit threshold, and missing features are 0. fastrank knows features by number: by
//! column of a matrix, or by the number in a LETOR file.

use std::collections::BTreeMap;

use serde::Deserialize;
use stakes_model::tree::{Leaf, Tree, scale_leaves};
use stakes_model::{Input, Link, Net};

use super::Content;
use super::error::Fault;
use super::found::{Found, numbered};
use super::threshold::Thresholds;
use super::tree::{Part, Sharing, Split, assemble};

/// Far above the widest data, and small enough to allocate.
const MAX_FEATURES: usize = 1 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
enum Model {
    Linear { weights: Vec<f64> },
    SingleFeature { fid: u32, dir: f64 },
    DecisionTree(Node),
    Ensemble { weights: Vec<f64>, models: Vec<Model> },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
enum Node {
    FeatureSplit { fid: u32, split: f64, lhs: Box<Node>, rhs: Box<Node> },
    LeafNode(f64),
}

pub(super) fn recognise(content: &Content<'_>) -> bool {
    ["Linear", "SingleFeature", "DecisionTree", "Ensemble"].iter().any(|key| content.has(key))
}

/// A sum of trees and weights.
#[derive(Default)]
struct Sum {
    trees: Vec<Tree>,
    weights: BTreeMap<u32, f64>,
    thresholds: Thresholds,
}

pub(super) fn read(content: &[u8]) -> Result<Found, Fault> {
    let model: Model = super::json(content)?;
    let mut sum = Sum::default();
    sum.add(&model, 1.0)?;
    let tested = sum.trees.iter().flat_map(|tree| &tree.nodes).map(|node| node.feature);
    let width = tested.chain(sum.weights.keys().copied()).max().map_or(0, |last| last as usize + 1);
    if width > MAX_FEATURES {
        return Err(Fault::refused(format!(
            "it has {width} features; at most {MAX_FEATURES} are read"
        )));
    }
    let kind = match &model {
        Model::Linear { .. } => "linear",
        Model::SingleFeature { .. } => "single feature",
        Model::DecisionTree(_) => "tree",
        Model::Ensemble { .. } => "ensemble",
    };
    let net = (!sum.weights.is_empty()).then(|| {
        let input = |&feature: &u32| Input::Number { feature, mean: 0.0, deviation: 1.0 };
        Net::linear(
            sum.weights.keys().map(input).collect(),
            sum.weights.values().copied().collect(),
        )
    });
    Ok(Found {
        learner: "fastrank",
        parameters: BTreeMap::from([("model".to_owned(), kind.to_owned())]),
        features: numbered((0..width).map(|feature| feature.to_string())),
        named: false,
        link: Link::Identity,
        start: 0.0,
        trees: sum.trees,
        trees_per_round: 1,
        is_mean: false,
        net,
        notes: sum.thresholds.note().into_iter().collect(),
    })
}

impl Sum {
    fn add(&mut self, model: &Model, factor: f64) -> Result<(), Fault> {
        match model {
            Model::Linear { weights } => {
                for (feature, weight) in (0..).zip(weights) {
                    self.weigh(feature, factor * weight)?;
                }
                Ok(())
            }
            Model::SingleFeature { fid, dir } => self.weigh(*fid, factor * dir),
            Model::DecisionTree(root) => {
                let mut tree = self.tree(root)?;
                if factor != 1.0 {
                    scale_leaves(std::slice::from_mut(&mut tree), factor);
                }
                if let Some(leaf) = tree.leaves.iter().find(|leaf| !leaf.value.is_finite()) {
                    return Err(Fault::new("LeafNode", format!("a value is {}", leaf.value)));
                }
                self.trees.push(tree);
                Ok(())
            }
            Model::Ensemble { weights, models } => {
                if weights.len() != models.len() {
                    let what = format!("has {} weights for {} models", weights.len(), models.len());
                    return Err(Fault::new("Ensemble", what));
                }
                weights.iter().zip(models).try_for_each(|(weight, m)| self.add(m, factor * weight))
            }
        }
    }

    fn weigh(&mut self, feature: u32, weight: f64) -> Result<(), Fault> {
        let sum = self.weights.entry(feature).or_default();
        *sum += weight;
        match sum.abs() <= 1e300 {
            true => Ok(()),
            false => Err(Fault::new("weights", format!("a weight is {sum}; it must be finite"))),
        }
    }

    fn tree(&mut self, root: &Node) -> Result<Tree, Fault> {
        let mut places = vec![root];
        let mut at = 0;
        while let Some(&node) = places.get(at) {
            if let Node::FeatureSplit { lhs, rhs, .. } = node {
                places.extend([&**lhs, &**rhs]);
            }
            at += 1;
        }
        // Children follow in the order of their parents.
        let mut next = 1;
        let child = places.iter().map(|node| match node {
            Node::FeatureSplit { .. } => {
                next += 2;
                next - 2
            }
            Node::LeafNode(_) => 0,
        });
        let child: Vec<usize> = child.collect();
        assemble(0, places.len(), Sharing::Never, |place| match places[place] {
            Node::LeafNode(value) => Ok(Part::Leaf(Leaf { value: *value, rows: 0 })),
            Node::FeatureSplit { fid, split, .. } => {
                let test = self.thresholds.at_most(*fid, *split);
                Ok(Part::Split(Split {
                    feature: *fid,
                    test: test.map_err(|what| Fault::new("split", what))?,
                    missing_left: 0.0 <= *split,
                    left: child[place],
                    right: child[place] + 1,
                    gain: 0.0,
                    rows: 0,
                }))
            }
        })
    }
}
