//! The shape of an XGBoost model's JSON, as far as it is read.

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Deserialize)]
pub(super) struct File {
    pub(super) learner: Learner,
    #[serde(default)]
    pub(super) version: Vec<u32>,
}

#[derive(Deserialize)]
pub(super) struct Learner {
    #[serde(default)]
    pub(super) attributes: BTreeMap<String, Value>,
    #[serde(default)]
    pub(super) feature_names: Vec<String>,
    #[serde(default)]
    pub(super) feature_types: Vec<String>,
    pub(super) gradient_booster: Booster,
    pub(super) learner_model_param: Params,
    pub(super) objective: Objective,
}

#[derive(Deserialize)]
pub(super) struct Params {
    pub(super) base_score: String,
    #[serde(deserialize_with = "number")]
    pub(super) num_feature: u64,
    #[serde(default, deserialize_with = "number")]
    pub(super) num_class: u64,
    #[serde(default = "one", deserialize_with = "number")]
    pub(super) num_target: u64,
}

#[derive(Deserialize)]
pub(super) struct Objective {
    pub(super) name: String,
}

/// `gbtree` has a model, `dart` a `gbtree` and weights, `gblinear` a model of weights.
#[derive(Deserialize)]
pub(super) struct Booster {
    pub(super) name: String,
    pub(super) model: Option<Model>,
    pub(super) gbtree: Option<Box<Booster>>,
    pub(super) weight_drop: Option<Vec<f32>>,
}

#[derive(Deserialize)]
pub(super) struct Model {
    pub(super) trees: Option<Vec<Tree>>,
    #[serde(default)]
    pub(super) tree_info: Vec<i64>,
    pub(super) gbtree_model_param: Option<TreesParams>,
    pub(super) cats: Option<Cats>,
    pub(super) weights: Option<Vec<f32>>,
}

#[derive(Deserialize)]
pub(super) struct TreesParams {
    #[serde(default = "one", deserialize_with = "number")]
    pub(super) num_parallel_tree: u64,
}

/// The names of categories, from version 3.1 on.
#[derive(Deserialize)]
pub(super) struct Cats {
    #[serde(default)]
    pub(super) enc: Vec<Encoding>,
}

/// The names of one feature's categories: numbers, or the bytes of texts one after another.
#[derive(Deserialize)]
pub(super) struct Encoding {
    pub(super) offsets: Option<Vec<usize>>,
    pub(super) values: Vec<i64>,
}

#[derive(Deserialize)]
pub(super) struct Tree {
    pub(super) left_children: Vec<i64>,
    pub(super) right_children: Vec<i64>,
    pub(super) split_indices: Vec<u32>,
    pub(super) split_conditions: Vec<f32>,
    pub(super) default_left: Vec<Flag>,
    #[serde(default)]
    pub(super) loss_changes: Vec<Option<f64>>,
    #[serde(default)]
    pub(super) sum_hessian: Vec<Option<f64>>,
    #[serde(default)]
    pub(super) split_type: Vec<u8>,
    #[serde(default)]
    pub(super) categories: Vec<u32>,
    #[serde(default)]
    pub(super) categories_nodes: Vec<u64>,
    #[serde(default)]
    pub(super) categories_segments: Vec<usize>,
    #[serde(default)]
    pub(super) categories_sizes: Vec<usize>,
    pub(super) tree_param: TreeParams,
}

#[derive(Deserialize)]
pub(super) struct TreeParams {
    #[serde(default = "one", deserialize_with = "number")]
    pub(super) size_leaf_vector: u64,
}

/// 0 and 1 from version 1.6 on, false and true before.
#[derive(Deserialize, Clone, Copy)]
#[serde(untagged)]
pub(super) enum Flag {
    Bool(bool),
    Number(u8),
}

impl Flag {
    pub(super) fn is_set(self) -> bool {
        matches!(self, Flag::Bool(true) | Flag::Number(1..))
    }
}

fn one() -> u64 {
    1
}

/// Numbers are written as texts.
fn number<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let text = match Value::deserialize(from)? {
        Value::String(text) => text,
        other => other.to_string(),
    };
    text.parse().map_err(|_| serde::de::Error::custom(format!("`{text}` must be a whole number")))
}
