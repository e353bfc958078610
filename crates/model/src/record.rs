//! Records of training: how it went, and what is needed to resume it. Learners fill them, files hold
//! them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use stakes_core::goal::Goal;

use crate::tree::Tree;
use crate::{Fingerprint, ModelFeature, Roles};

/// Why a stage ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// All rounds were run.
    AllRounds,
    /// Validation had not improved for `patience` rounds.
    NoImprovement,
    /// No further split or step reduces the loss.
    NothingLeft,
    /// The observer stopped it.
    Interrupted,
}

/// The summary of one stage of training (boosting has one, a two-part model two).
#[derive(Debug, Clone, PartialEq)]
pub struct StageSummary {
    /// What the stage fits: `score`, `chance`, `size`.
    pub name: String,
    /// What the curve shows: the name of a metric or loss, and the data.
    pub measure: String,
    /// The measured value after each round.
    pub curve: Vec<f64>,
    /// The number of rounds that the model keeps.
    pub kept: usize,
    /// Why it ended.
    pub ended: Ended,
    /// Further curves that the learner reports, with their names.
    pub extra_curves: Vec<(String, Vec<f64>)>,
}

/// An unfinished training run: all that is needed to resume it.
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
    /// See [`Model::features`](crate::Model::features).
    pub features: Vec<ModelFeature>,
    /// See [`Model::data`](crate::Model::data).
    pub data: Fingerprint,
    /// The fingerprint of the validation lists, if there are any.
    pub validation: Option<Fingerprint>,
    /// The stages so far.
    pub stages: Vec<StageState>,
}

/// A stage of training, finished or not.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StageState {
    /// All trees so far, including those after the best round.
    pub trees: Vec<Tree>,
    /// The weights so far, for a net or a linear score.
    pub weights: Option<WeightState>,
    /// The measured value after each round.
    pub curve: Vec<f64>,
    /// Why it ended, if it has.
    pub ended: Option<Ended>,
}

/// The state of a learner that fits weights instead of trees. All numbers are finite.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WeightState {
    /// The current weights.
    pub current: Vec<f64>,
    /// Further state that resuming needs, such as momenta.
    pub memory: Vec<f64>,
    /// The weights of the best round.
    pub best: Vec<f64>,
}

/// Parameters that are tried by tuning, and their results.
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
pub struct UnfinishedTuning {
    /// The run: learner, settings as given, seed, goal and data. It has no stages.
    pub run: Checkpoint,
    /// The trials, with their results so far.
    pub trials: Vec<Trial>,
}

impl Checkpoint {
    /// Describes how another run differs from this one; empty if it is the same run.
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
        let data = |data: &Fingerprint| format!("{} ({:016x})", data.size(), data.hash);
        compare("the data".into(), data(&self.data), data(&now.data));
        let validation = |v: &Option<Fingerprint>| v.as_ref().map_or("none".to_owned(), data);
        compare("validation".into(), validation(&self.validation), validation(&now.validation));
        differences
    }
}
