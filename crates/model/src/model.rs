//! A trained model: everything that scoring needs, and how the model came about.

use std::collections::BTreeMap;

use stakes_core::data::Dataset;
use stakes_core::goal::Goal;

use crate::calibration::Calibration;
use crate::{Bound, Rerank, Scorer, StageSummary, Within};

/// Names of columns by role.
pub type Roles = BTreeMap<String, String>;

/// The roles of the columns of a data set.
pub fn roles_of(data: &Dataset) -> Roles {
    let c = data.columns();
    let roles = [
        ("list", &c.list),
        ("impact", &c.impact),
        ("id", &c.id),
        ("weight", &c.weight),
        ("price", &c.price),
        ("time", &c.time),
        ("group", &c.group),
        ("class", &c.class),
    ];
    let named = roles.into_iter().filter_map(|(role, name)| Some((role, name.clone()?)));
    named.map(|(role, name)| (role.to_owned(), name)).collect()
}

/// A trained model.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Name of the learner in the table of learners.
    pub learner: String,
    /// Its parameters, all of them, as texts.
    pub parameters: BTreeMap<String, String>,
    /// The seed of all random draws.
    pub seed: u64,
    /// What it was trained for.
    pub goal: Goal,
    /// The columns that played a role in training: new data are read in the same way.
    pub columns: Roles,
    /// The columns it reads, in the order of [`crate::tree::Node::feature`].
    pub features: Vec<ModelFeature>,
    /// What is done with the numbers of a list before they are scored.
    pub within: Within,
    /// What it was learnt from.
    pub data: Fingerprint,
    /// How learning went.
    pub stages: Vec<StageSummary>,
    /// What it is blended from; empty for a single learner.
    pub members: Vec<Member>,
    /// The scores; of a model that re-ranks, those of the first stage.
    pub scorer: Scorer,
    /// What scores stand for in costs, if lists that were not learnt from could tell.
    pub calibration: Option<Calibration>,
    /// How far the rank loss on new pairs may be from that on training pairs, where theory tells.
    pub bound: Option<Bound>,
    /// What puts the items in a new order that the scores put first, if they are re-ranked.
    pub rerank: Option<Rerank>,
}

/// A learner that a blend counts on.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Name of the learner in the table of learners.
    pub learner: String,
    /// Its parameters, all of them, as texts.
    pub parameters: BTreeMap<String, String>,
    /// Its figure on lists that it did not learn from; `None` where there were none.
    pub figure: Option<f64>,
    /// How much it counts; those of all members add up to 1.
    pub weight: f64,
}

/// A feature as the model knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelFeature {
    /// Name of the column.
    pub name: String,
    /// For names instead of numbers: the categories the model knows, by code. Others count
    /// as missing.
    pub categories: Option<Vec<String>>,
}

/// What identifies the training data, whatever the order of its rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fingerprint {
    /// Number of items.
    pub items: u64,
    /// Number of lists.
    pub lists: u64,
    /// A hash over ids, features and costs.
    pub hash: u64,
}
