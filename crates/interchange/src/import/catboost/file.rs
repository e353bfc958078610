//! The shape of a CatBoost model's JSON, as far as it is read.

use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct File {
    pub(super) features_info: Features,
    pub(super) model_info: Option<Info>,
    /// Symmetric trees.
    pub(super) oblivious_trees: Option<Vec<Oblivious>>,
    /// Trees of the other growing policies.
    pub(super) trees: Option<Vec<Nested>>,
    pub(super) scale_and_bias: Option<(f64, Vec<f64>)>,
}

#[derive(Deserialize)]
pub(super) struct Features {
    #[serde(default)]
    pub(super) float_features: Vec<Float>,
    #[serde(default)]
    pub(super) categorical_features: Vec<Categorical>,
    #[serde(default)]
    pub(super) text_features: Vec<serde::de::IgnoredAny>,
    #[serde(default)]
    pub(super) embedding_features: Vec<serde::de::IgnoredAny>,
    /// The names of categories, which are known by their hash.
    pub(super) cat_features_hash: Option<Vec<Hash>>,
}

#[derive(Deserialize)]
pub(super) struct Float {
    #[serde(default)]
    pub(super) feature_id: String,
    pub(super) feature_index: u32,
    pub(super) flat_feature_index: u32,
    #[serde(default)]
    pub(super) nan_value_treatment: String,
}

#[derive(Deserialize)]
pub(super) struct Categorical {
    #[serde(default)]
    pub(super) feature_id: String,
    pub(super) feature_index: u32,
    pub(super) flat_feature_index: u32,
    /// The categories that are tested one by one.
    #[serde(default)]
    pub(super) values: Vec<i64>,
}

#[derive(Deserialize)]
pub(super) struct Hash {
    pub(super) hash: i64,
    pub(super) value: String,
}

#[derive(Deserialize)]
pub(super) struct Info {
    pub(super) params: Option<Params>,
}

#[derive(Deserialize)]
pub(super) struct Params {
    pub(super) loss_function: Option<Loss>,
}

#[derive(Deserialize)]
pub(super) struct Loss {
    #[serde(rename = "type")]
    pub(super) name: String,
}

/// Every level has one test; a leaf's number has bit i if test i is true.
#[derive(Deserialize)]
pub(super) struct Oblivious {
    pub(super) leaf_values: Vec<f64>,
    #[serde(default)]
    pub(super) leaf_weights: Vec<f64>,
    #[serde(default)]
    pub(super) splits: Option<Vec<Split>>,
}

#[derive(Deserialize)]
pub(super) struct Nested {
    pub(super) left: Option<Box<Nested>>,
    pub(super) right: Option<Box<Nested>>,
    pub(super) split: Option<Split>,
    pub(super) value: Option<Value>,
    pub(super) weight: Option<f64>,
}

/// One number for each output.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Value {
    One(f64),
    Many(Vec<f64>),
}

#[derive(Deserialize)]
pub(super) struct Split {
    pub(super) split_type: String,
    pub(super) float_feature_index: Option<u32>,
    pub(super) border: Option<f32>,
    pub(super) cat_feature_index: Option<u32>,
    pub(super) value: Option<i64>,
}
