//! The JSON models of XGBoost 3.
//!
//! One sum of trees in 32-bit arithmetic; the link function is that of the objective. A split tests `<`, so its
//! condition is the next number above our threshold.
//!
//! **Categories.** Codes of the set go to the right; codes beyond it, and so unseen ones, to the left. So the left
//! side is where our missing values go: if that is our left, the set is that of the other known categories;
//! otherwise the children are swapped. Where nothing known is left for the right, the split decides nothing and is left out.
//! Names of categories go along (`cats`), and XGBoost recodes data frames by them.

use serde::Serialize;
use serde_json::{Value, json};
use stakes_model::tree::{Child, Test, Tree};
use stakes_model::{Link, Model, ModelFeature};

use super::lightgbm::{means, others, sum_of};
use super::precision::{Precision, SINGLE};
use super::threshold::below_f32;
use super::{ExportOptions, Written, names};

/// The parent of a root.
const NO_PARENT: i32 = i32::MAX;

pub(super) fn write(model: &Model, _: &ExportOptions) -> Written {
    let mut notes = Vec::new();
    let sum = sum_of(model);
    let all = model.features.iter().map(|feature| feature.name.clone());
    let names = names::allowed(all, |c| !"[]<".contains(c), &mut notes);
    let trees = sum.trees_with_start();
    let trees: Vec<Nodes> =
        trees.iter().enumerate().map(|(id, tree)| Nodes::of(id, tree, &model.features)).collect();
    // The neutral base score: the constant term is in the first tree.
    let (objective, base) = match sum.link {
        Link::Identity => (
            json!({"name": "reg:squarederror", "reg_loss_param": {"scale_pos_weight": "1"}}),
            "0E0",
        ),
        Link::Exp => (
            json!({"name": "reg:tweedie", "tweedie_regression_param": {"tweedie_variance_power": "1.5"}}),
            "1E0",
        ),
        Link::Logistic => (
            json!({"name": "binary:logistic", "reg_loss_param": {"scale_pos_weight": "1"}}),
            "5E-1",
        ),
    };
    if model.features.iter().any(|feature| feature.categories.is_some()) {
        notes.push(
            "XGBoost refuses names of categories that the model does not know: make them missing"
                .into(),
        );
    }
    if sum.link == Link::Exp {
        notes.push("scores above 3.4e38 are infinite there".into());
    }
    let kind = |f: &ModelFeature| if f.categories.is_some() { "c" } else { "float" };
    let model_of_trees = TreesFile {
        cats: categories(&model.features),
        gbtree_model_param: json!({"num_parallel_tree": "1", "num_trees": trees.len().to_string()}),
        iteration_indptr: (0..=trees.len()).collect(),
        tree_info: vec![0; trees.len()],
        trees,
    };
    let learner = Learner {
        attributes: json!({}),
        feature_names: &names,
        feature_types: model.features.iter().map(kind).collect(),
        gradient_booster: Booster { model: model_of_trees, name: "gbtree" },
        learner_model_param: json!({
            "base_score": format!("[{base}]"),
            "boost_from_average": "1",
            "num_class": "0",
            "num_feature": model.features.len().to_string(),
            "num_target": "1",
        }),
        objective,
    };
    let mut bytes = serde_json::to_vec(&File { learner, version: [3, 2, 0] })
        .unwrap_or_else(|error| unreachable!("numbers and texts: {error}"));
    bytes.push(b'\n');
    let precision = Precision::of_sum(&sum, SINGLE);
    Written { bytes, notes, precision, names }
}

/// The file. Structs rather than JSON values, so that 32-bit numbers are written with the digits they need.
#[derive(Serialize)]
struct File<'a> {
    learner: Learner<'a>,
    version: [u32; 3],
}

#[derive(Serialize)]
struct Learner<'a> {
    attributes: Value,
    feature_names: &'a [String],
    feature_types: Vec<&'static str>,
    gradient_booster: Booster,
    learner_model_param: Value,
    objective: Value,
}

#[derive(Serialize)]
struct Booster {
    model: TreesFile,
    name: &'static str,
}

#[derive(Serialize)]
struct TreesFile {
    cats: Value,
    gbtree_model_param: Value,
    iteration_indptr: Vec<usize>,
    tree_info: Vec<u8>,
    trees: Vec<Nodes>,
}

/// The names of all categories: their bytes, and their order.
fn categories(features: &[ModelFeature]) -> Value {
    let mut segments = vec![0];
    let mut sorted: Vec<usize> = Vec::new();
    let mut encoded = Vec::new();
    for feature in features {
        let known = feature.categories.as_deref().unwrap_or(&[]);
        let mut offsets = if feature.categories.is_some() { vec![0] } else { Vec::new() };
        let mut bytes: Vec<u8> = Vec::new();
        for name in known {
            bytes.extend(name.as_bytes());
            offsets.push(bytes.len());
        }
        encoded.push(json!({"offsets": offsets, "values": bytes}));
        let mut order: Vec<usize> = (0..known.len()).collect();
        order.sort_by(|a, b| known[*a].as_bytes().cmp(known[*b].as_bytes()));
        sorted.extend(order);
        segments.push(sorted.len());
    }
    json!({"enc": encoded, "feature_segments": segments, "sorted_idx": sorted})
}

/// The nodes and leaves of a tree as XGBoost has them: one array, the root first.
#[derive(Default, Serialize)]
struct Nodes {
    base_weights: Vec<f32>,
    categories: Vec<u8>,
    categories_nodes: Vec<usize>,
    categories_segments: Vec<usize>,
    categories_sizes: Vec<usize>,
    default_left: Vec<u8>,
    id: usize,
    left_children: Vec<i32>,
    loss_changes: Vec<f32>,
    parents: Vec<i32>,
    right_children: Vec<i32>,
    split_conditions: Vec<f32>,
    split_indices: Vec<u32>,
    split_type: Vec<u8>,
    sum_hessian: Vec<f32>,
    tree_param: Value,
}

impl Nodes {
    fn of(id: usize, tree: &Tree, features: &[ModelFeature]) -> Nodes {
        let means = means(tree);
        let mut nodes = Nodes { id, ..Nodes::default() };
        let root = if tree.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
        // By level: readers take the right child for the one after the left child.
        let mut all = vec![(root, NO_PARENT)];
        let mut here = 0;
        while let Some(&(child, parent)) = all.get(here) {
            nodes.parents.push(parent);
            let children = nodes.push(child, tree, features, &means);
            let (left, right) = match children {
                Some(_) => (all.len() as i32, all.len() as i32 + 1),
                None => (-1, -1),
            };
            nodes.left_children.push(left);
            nodes.right_children.push(right);
            all.extend(children.into_iter().flatten().map(|child| (child, here as i32)));
            here += 1;
        }
        nodes.tree_param = json!({
            "num_deleted": "0",
            "num_feature": features.len().to_string(),
            "num_nodes": nodes.parents.len().to_string(),
            "size_leaf_vector": "1",
        });
        nodes
    }

    /// Adds a node or a leaf; returns the children.
    fn push(
        &mut self,
        mut child: Child,
        tree: &Tree,
        features: &[ModelFeature],
        means: &[f64],
    ) -> Option<[Child; 2]> {
        loop {
            let at = match child {
                Child::Leaf(leaf) => {
                    let leaf = &tree.leaves[leaf as usize];
                    self.number(leaf.value as f32, 0, leaf.value, 0.0, leaf.rows, false);
                    self.split_type.push(0);
                    return None;
                }
                Child::Node(node) => node as usize,
            };
            let node = &tree.nodes[at];
            let (feature, mean) = (node.feature, means[at]);
            match node.test {
                Test::AtMost(threshold) => {
                    let (condition, left) = (below_f32(threshold), node.missing_left);
                    self.number(condition, feature, mean, node.gain, node.rows, left);
                    self.split_type.push(0);
                    return Some([node.left, node.right]);
                }
                Test::In(set) => {
                    let (set, left, right) = match node.missing_left {
                        true => (others(set, &features[feature as usize]), node.left, node.right),
                        false => (set, node.right, node.left),
                    };
                    let codes: Vec<u8> = set.codes().collect();
                    if codes.is_empty() {
                        child = left;
                        continue;
                    }
                    self.categories_nodes.push(self.split_type.len());
                    self.categories_segments.push(self.categories.len());
                    self.categories_sizes.push(codes.len());
                    self.categories.extend(codes);
                    self.number(0.0, feature, mean, node.gain, node.rows, true);
                    self.split_type.push(1);
                    return Some([left, right]);
                }
            }
        }
    }

    fn number(
        &mut self,
        condition: f32,
        feature: u32,
        mean: f64,
        gain: f64,
        rows: u32,
        left: bool,
    ) {
        self.split_conditions.push(condition);
        self.split_indices.push(feature);
        self.base_weights.push(mean.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32);
        self.loss_changes.push(gain.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32);
        self.sum_hessian.push(rows as f32);
        self.default_left.push(u8::from(left));
    }
}
