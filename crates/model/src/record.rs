//! How a training run went, and all that is needed to resume one: plain data that learners fill
//! and files hold.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use stakes_core::goal::Goal;

use crate::tree::Tree;
use crate::{Fingerprint, ModelFeature, Roles};

/// Why a stage ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// All rounds were made.
    AllRounds,
    /// Validation had not improved for `patience` rounds.
    NoImprovement,
    /// Nothing was left to learn: no split improves the loss.
    NothingLeft,
    /// The observer stopped it.
    Interrupted,
}

/// How one stage of learning went (boosting has one; a two-part model has two).
#[derive(Debug, Clone, PartialEq)]
pub struct StageSummary {
    /// What was learnt: `score`, `chance`, `size`.
    pub name: String,
    /// What the curve shows: a metric or the loss's name, and on which data.
    pub measure: String,
    /// Its value after each round.
    pub curve: Vec<f64>,
    /// Rounds that the model keeps.
    pub kept: usize,
    /// Why it ended.
    pub ended: Ended,
    /// Further curves by their names, such as losses that a learner keeps an eye on.
    pub also: Vec<(String, Vec<f64>)>,
}

/// An unfinished run.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// The name of the learner.
    pub learner: String,
    /// See [`Model::parameters`](crate::Model::parameters).
    pub parameters: BTreeMap<String, String>,
    /// See [`Model::seed`](crate::Model::seed).
    pub seed: u64,
    /// See [`Model::goal`](crate::Model::goal).
    pub goal: Goal,
    /// See [`Model::columns`](crate::Model::columns).
    pub columns: Roles,
    /// See [`Model::features`](crate::Model::features): what the feature numbers in trees stand for.
    pub features: Vec<ModelFeature>,
    /// See [`Model::data`](crate::Model::data).
    pub data: Fingerprint,
    /// The validation lists, if there were some.
    pub validation: Option<Fingerprint>,
    /// The stages so far.
    pub stages: Vec<StageState>,
}

/// A stage of training, finished or not.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StageState {
    /// Every tree so far, including those after the best round.
    pub trees: Vec<Tree>,
    /// The weights so far of a net or a linear score.
    pub numbers: Option<Numbers>,
    /// The measured value after each round.
    pub curve: Vec<f64>,
    /// Why it ended, if it has.
    pub ended: Option<Ended>,
}

/// The state of a learner that fits weights instead of trees. All of them are finite.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Numbers {
    /// The current weights.
    pub now: Vec<f64>,
    /// Further state that resuming needs, such as momenta.
    pub memory: Vec<f64>,
    /// The weights of the best round.
    pub best: Vec<f64>,
}

/// Settings that were tried while tuning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// The values of the tuned parameters.
    pub parameters: BTreeMap<String, String>,
    /// The results on each rung that the trial reached, the lowest first.
    pub rungs: Vec<Rung>,
}

/// The result of a trial on a rung.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rung {
    /// Rounds made, of all stages together.
    pub rounds: usize,
    /// The goal's metric on the validation lists.
    pub value: f64,
}

/// An unfinished tuning: all that is needed to resume it.
#[derive(Debug, Clone, PartialEq)]
pub struct Unfinished {
    /// The run: learner, settings as given, seed, goal and data. It has no stages.
    pub run: Checkpoint,
    /// The trials, with their results so far.
    pub trials: Vec<Trial>,
}

impl Checkpoint {
    /// In what another run differs from this one, in words; nothing if it is the same run.
    pub fn differences(&self, now: &Checkpoint) -> Vec<String> {
        let mut differences = Vec::new();
        let mut compare = |what: String, then: String, now: String| {
            if then != now {
                differences.push(format!("{what} was {then} and is now {now}"));
            }
        };
        compare("the learner".into(), self.learner.clone(), now.learner.clone());
        for (key, value) in &now.parameters {
            let then = self.parameters.get(key).cloned().unwrap_or_default();
            compare(key.clone(), then, value.clone());
        }
        compare("the seed".into(), self.seed.to_string(), now.seed.to_string());
        compare("the goal".into(), self.goal.to_string(), now.goal.to_string());
        let data = |data: &Fingerprint| {
            format!("{} items in {} lists ({:016x})", data.items, data.lists, data.hash)
        };
        compare("the data".into(), data(&self.data), data(&now.data));
        let validation = |v: &Option<Fingerprint>| v.as_ref().map_or("none".to_owned(), data);
        compare("validation".into(), validation(&self.validation), validation(&now.validation));
        differences
    }
}
