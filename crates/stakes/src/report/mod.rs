//! Models and trainings as reports: plain structs whose JSON is the documented contract of
//! `stakes train --json` and `stakes model info --json` (docs/train-json.md). Fields are added,
//! never renamed or removed.
//!
//! * [`ModelReport`]: the learner of a model, its goal, and how the training went.
//! * [`ModelInfo`]: the same, with the size of the model and of its data.
//! * [`TrainingReport`]: a model with the data of its training and how good it is
//!   ([`Fitted::report`](crate::fit::Fitted::report)).

mod info;
mod rerank;
mod training;

use std::collections::BTreeMap;

use serde::Serialize;
use stakes_learn::Ended;
use stakes_model::{Bound, Calibration, GoalRecord, Member, Model, StageSummary};

pub use info::{DataReport, ModelInfo, changed_parameters};
pub use rerank::{BaseReport, ProofReport, RerankReport};
pub use training::{TrainingReport, TrialReport, TuningReport};

/// The version of this library, which every report begins with.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The learner of a model, its goal, and how the training went.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelReport {
    /// The version of this library.
    pub stakes: &'static str,
    /// The file of the model.
    pub model: String,
    /// The name of the learner.
    pub learner: String,
    /// All parameters of the learner, as texts.
    pub parameters: BTreeMap<String, String>,
    /// The seed of all random draws.
    pub seed: u64,
    /// What the model was trained for, and the columns that had a role.
    pub goal: GoalRecord,
    /// The stages of training.
    pub stages: Vec<StageReport>,
    /// The members of a blend; empty for a single learner.
    pub members: Vec<Member>,
    /// All features, the most important first.
    pub importance: Vec<FeatureImportance>,
    /// The expected cost by score, if the model is calibrated.
    pub calibration: Option<Calibration>,
    /// A bound on the rank loss on new pairs, for learners that have one.
    pub bound: Option<Bound>,
    /// The second stage, if the model re-ranks.
    pub rerank: Option<RerankReport>,
}

/// A stage of training.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StageReport {
    /// What the stage fits.
    pub name: String,
    /// What the curve shows.
    pub measure: String,
    /// The number of rounds that were made.
    pub made: usize,
    /// The number of rounds that the model keeps.
    pub kept: usize,
    /// Why the stage ended.
    pub ended: Ended,
    /// The measured value after each round.
    pub curve: Vec<f64>,
    /// Further curves.
    pub also: Vec<CurveReport>,
}

/// A curve beside the one of a stage's measure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CurveReport {
    /// What it shows.
    pub measure: String,
    /// The value after each round.
    pub curve: Vec<f64>,
}

/// A feature and how much a model uses it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeatureImportance {
    /// The name of the feature.
    pub feature: String,
    /// Its share of the gain of all splits, or of all weights.
    pub gain: f64,
    /// The number of splits that test it, or of its inputs.
    pub splits: usize,
}

impl ModelReport {
    /// A report on the model in this file.
    pub fn new(path: &str, model: &Model) -> Self {
        ModelReport {
            stakes: VERSION,
            model: path.to_owned(),
            learner: model.learner.clone(),
            parameters: model.parameters.clone(),
            seed: model.seed,
            goal: model.goal_record(),
            stages: model.stages.iter().map(StageReport::from).collect(),
            members: model.members.clone(),
            importance: importance(model),
            calibration: model.calibration.clone(),
            bound: model.bound.clone(),
            rerank: model.rerank.as_ref().map(RerankReport::from),
        }
    }
}

impl From<&StageSummary> for StageReport {
    fn from(stage: &StageSummary) -> Self {
        let curve = |(measure, curve): &(String, Vec<f64>)| CurveReport {
            measure: measure.clone(),
            curve: curve.clone(),
        };
        StageReport {
            name: stage.name.clone(),
            measure: stage.measure.clone(),
            made: stage.curve.len(),
            kept: stage.kept,
            ended: stage.ended,
            curve: stage.curve.clone(),
            also: stage.extra_curves.iter().map(curve).collect(),
        }
    }
}

/// The features of a model, the most important first.
pub fn importance(model: &Model) -> Vec<FeatureImportance> {
    let row = |(feature, gain, splits): (usize, f64, usize)| FeatureImportance {
        feature: model.features[feature].name.clone(),
        gain,
        splits,
    };
    model.importance().into_iter().map(row).collect()
}
