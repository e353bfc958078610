//! What a model file holds.

use std::collections::BTreeMap;

use serde::Serialize;
use stakes_learn::learner;
use stakes_model::{Fingerprint, ListScaling, Model, Size};

use super::ModelReport;

/// A model, its size and the data that it was trained on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelInfo {
    /// The learner, the goal and the training.
    #[serde(flatten)]
    pub model: ModelReport,
    /// The parameters that are not the learner's defaults.
    pub changed: BTreeMap<String, String>,
    /// The training data.
    pub data: DataReport,
    /// The size.
    #[serde(flatten)]
    pub size: Size,
    /// How numbers are scaled within a list.
    pub within: ListScaling,
    /// The number of features.
    pub features: usize,
}

/// The data that a model was trained on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DataReport {
    /// The number of items.
    pub items: u64,
    /// The number of lists.
    pub lists: u64,
    /// The hash over ids, features and costs, in hexadecimal digits.
    pub fingerprint: String,
}

impl ModelInfo {
    /// What the model in this file holds.
    pub fn new(path: &str, model: &Model) -> Self {
        ModelInfo {
            model: ModelReport::new(path, model),
            changed: changed_parameters(model),
            data: (&model.data).into(),
            size: model.size(),
            within: model.list_scaling,
            features: model.features.len(),
        }
    }
}

impl From<&Fingerprint> for DataReport {
    fn from(data: &Fingerprint) -> Self {
        let fingerprint = format!("{:016x}", data.hash);
        DataReport { items: data.items, lists: data.lists, fingerprint }
    }
}

/// The parameters of a model that are not its learner's defaults; all of them if the learner is not
/// in the table.
pub fn changed_parameters(model: &Model) -> BTreeMap<String, String> {
    let defaults = learner(&model.learner).map(|learner| learner.texts()).unwrap_or_default();
    let mut changed = model.parameters.clone();
    changed.retain(|key, value| defaults.get(key) != Some(value));
    changed
}
