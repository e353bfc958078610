//! The error of all workflows.

use stakes_core::act::ReachError;
use stakes_core::cost::CostError;
use stakes_core::data::DataError;
use stakes_core::jobs::JobError;
use stakes_core::metric::{EvaluateError, SpecError};
use stakes_core::split::{FoldError, HoldOutError};
use stakes_eval::study::StudyError;
use stakes_fair::{AuditError, ByGroupError, ConstrainedError};
use stakes_interchange::export::ExportError;
use stakes_interchange::import::ImportError;
use stakes_io::{ReadError, WriteError};
use stakes_learn::FitError;
use stakes_learn::params::ParamError;
use stakes_model::ModelError;
use stakes_model::calibration::CalibrationError;
use stakes_model::explain::PermutationError;
use stakes_stats::StatsError;
use stakes_synth::SynthError;

use crate::config_error::ConfigError;

/// Why a workflow failed.
///
/// Messages name the field and the value that was found, and what is allowed. A program adds what it calls
/// the field, such as a flag.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
#[non_exhaustive]
pub enum Error {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Cost(#[from] CostError),
    #[error("{what} Leave out {columns}, or, if known before acting, allow it")]
    Leaks { what: String, columns: String },
    #[error("the present order: {0}")]
    Current(CostError),
    #[error(transparent)]
    Metric(#[from] SpecError),
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    #[error(transparent)]
    Study(#[from] StudyError),
    #[error(transparent)]
    Stats(#[from] StatsError),
    #[error(transparent)]
    Audit(#[from] AuditError),
    #[error("{0}")]
    Orders(String),
    #[error(transparent)]
    ByGroup(#[from] ByGroupError),
    #[error(transparent)]
    Constrained(#[from] ConstrainedError),
    #[error(transparent)]
    HoldOut(#[from] HoldOutError),
    #[error(transparent)]
    Fold(#[from] FoldError),
    #[error(transparent)]
    Reach(#[from] ReachError),
    #[error(transparent)]
    Param(#[from] ParamError),
    #[error(transparent)]
    Fit(#[from] FitError),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Export(#[from] ExportError),
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error(transparent)]
    Calibrate(#[from] CalibrationError),
    #[error(transparent)]
    Permutation(#[from] PermutationError),
    #[error(transparent)]
    Generate(#[from] SynthError),

    #[error(
        "{path}: models are JSON; give the file a name that ends in .json, or .json.zst to \
         compress it"
    )]
    ModelName { path: String },
    #[error(
        "{data}: all its lists are training lists, on which a model looks better than it is; validate \
         with other lists, or hold some out"
    )]
    TrainingLists { data: String },
    #[error("{data}: there is no list `{list}`; {hint}")]
    UnknownList { data: String, list: String, hint: String },
    #[error("{path}: no column can be kept beside the ranking: {why}")]
    NothingToKeep { path: String, why: &'static str },
    #[error("the model has no feature `{feature}`; {hint}")]
    UnknownFeature { feature: String, hint: String },
    #[error("{0}")]
    UnknownLearner(String),
    #[error(
        "the model has two stages, a base and a re-ranking of its top items, each with its own scores \
         and reasons; explain one stage at a time"
    )]
    TwoStages,
    #[error("the model has one stage; only models that re-rank have two")]
    OneStage,
    #[error(
        "the model is not calibrated, so its scores do not give expected costs; train it with lists held out"
    )]
    NotCalibrated,
    #[error("the model predicts classes of rows and cannot rank lists; classify instead")]
    ClassModel,
    #[error("the model ranks lists and cannot predict classes of rows; rank instead")]
    RankingModel,
    #[error("{learner} cannot learn classes; learners that can: {able}")]
    NotForClasses { learner: String, able: String },
    #[error(
        "the parameter pair-costs holds costs of pairs of items; for the costs of confusing classes use \
         class-costs"
    )]
    PairCostsOfClasses,
    #[error(
        "the parameter class-costs holds costs of confusing classes; for pairs of items use pair-costs"
    )]
    ClassCostsOfItems,
    #[error("score {name} is given twice; give each score a different name")]
    ScoreTwice { name: String },
    #[error("a score cannot be called {name}: that is the name of a reference order")]
    ReservedScore { name: String },
    #[error("{place}: score {name} is {met}; every item needs a finite score")]
    Score { place: String, name: String, met: String },
    #[error("metric {0} is given twice; give each metric once")]
    MetricTwice(String),
    #[error(
        "{path}: there is no unfinished run to resume; a checkpoint is next to the model only during \
         training and after an interruption"
    )]
    NoCheckpoint { path: String },
    #[error(
        "{path}: there is no unfinished tuning to resume; its state is next to the model only during \
         tuning and after an interruption"
    )]
    NoTuning { path: String },
    #[error("folds cannot be used here: {0}")]
    Folds(String),
    #[error(
        "{what} needs all lists in one place: train on one machine, or, in shards, boosted trees or a forest with \
         their parameters set"
    )]
    Shards { what: String },
    #[error(
        "{what} needs all features in memory: they can stay in their files only for boosted trees, forests and auto that \
         rank, trained from the start"
    )]
    Streaming { what: String },
    #[error(transparent)]
    Jobs(#[from] JobError),
    #[error(
        "{learner} without tuning is one training, of which nothing can be made elsewhere; auto, tuning, and folds of learners \
         that do not boost trees are several"
    )]
    OneTraining { learner: String },
    #[error("{0}")]
    Classes(String),
    #[error("{0}")]
    Contestant(String),
    #[error("the contestant {name} is named twice; give each a different name")]
    ContestantTwice { name: String },
    #[error("{path}: {why}; nothing was overwritten")]
    RunDirectory { path: String, why: String },
    #[error(
        "a backtest goes by time, and the plan of folds is `{plan}`; give a plan such as time:5 or \
         time:every=1y, and name the column of the times"
    )]
    NotByTime { plan: String },
    #[error("{0}")]
    Paper(String),
    #[error("{0}")]
    Term(String),
    #[error("{name}: {why}")]
    Document { name: String, why: String },
    #[error(
        "{data}: {items} in {lists} are too few to fit expected costs; give more lists with costs, or import \
         without calibration"
    )]
    TooFewToCalibrate { data: String, items: String, lists: String },
    #[error("{0}")]
    Plan(String),
    #[error("{0}")]
    Prepare(String),
    #[error("{0}")]
    Mitigate(String),
    #[error("{0}")]
    Monitor(String),
    #[error(
        "the model keeps nothing of what its training looked like, as those of older versions: give the lists \
         that it was trained on as a reference, or train it again"
    )]
    NoProfile,
    #[error("{0}")]
    Preferences(String),
    #[error("{0}")]
    TooManyPairs(String),
    #[error(
        "{place}: the group `{column}` is missing; every item needs one, or may be left out, or be in a group of \
         its own with all that have none"
    )]
    MissingGroup { place: String, column: String },
    #[error("{source_name}: there is no group column `{column}`; {hint}")]
    NoGroupColumn { source_name: String, column: String, hint: String },
    #[error("{source_name}: column `{column}` has no value `{value}`; {hint}")]
    NoSuchValue { source_name: String, column: String, value: String, hint: String },
    #[error("{source_name}: no item has a group in {columns}")]
    NoGroups { source_name: String, columns: String },
    #[error(
        "several shares, and limits of groups, are kept among a number of items to act on, not under a budget; name the \
         number of items, or use a plan"
    )]
    GroupsUnderBudget,
    #[error("threads cannot be started: {0}")]
    Threads(String),
}
