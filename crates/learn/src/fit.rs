//! One training run: what it needs beside data and parameters, how it is watched, stopped
//! and taken up again.

use serde::{Deserialize, Serialize};
use stakes_core::cost::Problem;
use stakes_core::metric::{EvaluateError, SpecError};

use crate::model::{Fingerprint, Goal, ModelFeature};
use crate::params::{ParamError, Settings};
use crate::tree::Tree;
use crate::{LearnerInfo, Model};

/// What a training run needs beside data and parameters.
pub struct FitContext<'a> {
    /// Lists that are not learned from: they tell when to stop. Without them the learning
    /// curve is that of the training lists and all rounds are made.
    pub validation: Option<&'a Problem<'a>>,
    /// What is learnt for.
    pub goal: Goal,
    /// Seed of all random draws.
    pub seed: u64,
    /// An interrupted run to take up.
    pub resume: Option<Checkpoint>,
    /// A model whose trees are the first rounds.
    pub first: Option<&'a Model>,
    /// Who watches.
    pub watch: &'a mut dyn Watch,
}

/// Somebody who is told how training goes, and may stop it.
pub trait Watch {
    /// Something begins: `reading features`, `chance`, ...
    fn stage(&mut self, _what: &str) {}

    /// A round is done.
    fn round(&mut self, _round: &Round<'_>) -> Flow {
        Flow::GoOn
    }
}

/// Nobody watches.
pub struct Silent;

impl Watch for Silent {}

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Another round.
    GoOn,
    /// Keep what there is.
    Stop,
}

/// What is known after a round.
pub struct Round<'r> {
    /// Which stage: `score`, `chance`, `size`.
    pub stage: &'r str,
    /// Rounds done, from 1.
    pub done: usize,
    /// Rounds to do at most.
    pub of: usize,
    /// What is measured: a metric or a loss, and on which data.
    pub measure: &'r str,
    /// Its value now.
    pub value: f64,
    /// Its best value, and the round that had it.
    pub best: (usize, f64),
    /// Everything needed to go on from here, made on demand.
    pub checkpoint: &'r dyn Fn() -> Checkpoint,
}

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
    /// The watcher stopped it.
    Interrupted,
}

/// An unfinished run.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// Learner, parameters, seed, goal and data: the same again, or it is another run.
    pub learner: String,
    /// See [`Model::parameters`].
    pub parameters: std::collections::BTreeMap<String, String>,
    /// See [`Model::seed`].
    pub seed: u64,
    /// See [`Model::goal`].
    pub goal: Goal,
    /// See [`Model::features`]: what the numbers in trees stand for.
    pub features: Vec<ModelFeature>,
    /// See [`Model::data`].
    pub data: Fingerprint,
    /// The lists of [`FitContext::validation`], if there were some.
    pub validation: Option<Fingerprint>,
    /// The stages so far.
    pub stages: Vec<StageState>,
}

/// A stage of learning, finished or not.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StageState {
    /// Every tree so far, those after the best round too.
    pub trees: Vec<Tree>,
    /// What was measured after each round.
    pub curve: Vec<f64>,
    /// Why it ended, if it has.
    pub ended: Option<Ended>,
}

/// A model that cannot be learnt.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
pub enum FitError {
    #[error(transparent)]
    Param(#[from] ParamError),
    #[error(transparent)]
    Metric(#[from] SpecError),
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    #[error("{0}")]
    Data(String),
    #[error("the checkpoint is of another run: {0}; train anew without resuming, or give the same")]
    OtherRun(String),
}

/// Learns.
pub fn train(
    learner: &'static LearnerInfo,
    settings: &Settings,
    problem: &Problem<'_>,
    cx: &mut FitContext<'_>,
) -> Result<Model, FitError> {
    let _ = (learner, settings, problem, cx);
    Err(FitError::Data("not yet".into()))
}
