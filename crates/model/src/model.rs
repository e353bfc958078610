//! A trained model: all that scoring needs, and a record of how it was trained.

use std::collections::BTreeMap;

use serde::Serialize;
use stakes_core::data::{Dataset, Feature, FeatureKind, Role};
use stakes_core::goal::Goal;

use crate::calibration::Calibration;
use crate::{Bound, Checkpoint, ListScaling, MAX_CATEGORIES, Rerank, Scorer, StageSummary};

/// Names of columns by role.
pub type RoleColumns = BTreeMap<Role, String>;

/// Returns the roles of the columns of a data set.
pub fn roles_of(data: &Dataset) -> RoleColumns {
    data.columns().roles().map(|(role, name)| (role, name.to_owned())).collect()
}

/// A trained model.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The name of the learner.
    pub learner: String,
    /// All parameters of the learner, as text.
    pub parameters: BTreeMap<String, String>,
    /// The seed of all random draws.
    pub seed: u64,
    /// The goal that the model was trained for.
    pub goal: Goal,
    /// The columns that had a role in training; new data are read with the same roles.
    pub columns: RoleColumns,
    /// The features that the model reads, in the order of [`crate::tree::Node::feature`].
    pub features: Vec<ModelFeature>,
    /// How the numbers of a list are scaled before scoring.
    pub list_scaling: ListScaling,
    /// The fingerprint of the training data.
    pub data: Fingerprint,
    /// A summary of each stage of training.
    pub stages: Vec<StageSummary>,
    /// The members of a blend; empty for a single learner.
    pub members: Vec<Member>,
    /// The score; for a model that re-ranks, the score of its first stage.
    pub scorer: Scorer,
    /// The expected cost by score, if there were enough held-out lists to fit it.
    pub calibration: Option<Calibration>,
    /// A bound on the rank loss on new pairs, for learners that have one.
    pub bound: Option<Bound>,
    /// The second stage, if the model re-ranks.
    pub rerank: Option<Rerank>,
}

impl Model {
    /// The model that a run made, without a record of its stages.
    pub fn new(run: Checkpoint, scorer: Scorer) -> Self {
        Model {
            learner: run.learner,
            parameters: run.parameters,
            seed: run.seed,
            goal: run.goal,
            columns: run.columns,
            features: run.features,
            list_scaling: ListScaling::None,
            data: run.data,
            stages: Vec::new(),
            members: Vec::new(),
            scorer,
            calibration: None,
            bound: None,
            rerank: None,
        }
    }
}

/// A learner that is part of a blend.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Member {
    /// The name of the learner.
    pub learner: String,
    /// All parameters of the learner, as text.
    pub parameters: BTreeMap<String, String>,
    /// The value of the goal's metric on held-out lists; `None` if there were none.
    pub figure: Option<f64>,
    /// The weight in the blend; the weights of all members sum to 1.
    pub weight: f64,
}

/// A feature that a model reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelFeature {
    /// The name of the column.
    pub name: String,
    /// The known categories, by code; `None` for numeric features. Other categories are treated
    /// as missing.
    pub categories: Option<Vec<String>>,
}

impl ModelFeature {
    /// The features of a data set, with as many categories as a model distinguishes. Their codes are
    /// those of the data.
    pub fn all_of(data: &Dataset) -> Vec<Self> {
        let categories = |feature: &Feature| match &feature.kind {
            FeatureKind::Numeric => None,
            FeatureKind::Categorical(names) => {
                Some(names.iter().take(MAX_CATEGORIES).cloned().collect())
            }
        };
        let own = |f: &Feature| ModelFeature { name: f.name.clone(), categories: categories(f) };
        data.feature_info().iter().map(own).collect()
    }
}

/// Identifies data, whatever the order of its rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fingerprint {
    /// The number of items.
    pub items: u64,
    /// The number of lists.
    pub lists: u64,
    /// A hash over ids, features and costs.
    pub hash: u64,
}
