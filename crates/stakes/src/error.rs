//! One error for all workflows.

use stakes_core::act::ReachError;
use stakes_core::cost::CostError;
use stakes_core::data::DataError;
use stakes_core::metric::{EvaluateError, SpecError};
use stakes_core::split::HoldOutError;
use stakes_eval::study::StudyError;
use stakes_io::{ReadError, WriteError};
use stakes_learn::FitError;
use stakes_learn::params::ParamError;
use stakes_model::ModelError;
use stakes_model::explain::PermutationError;
use stakes_stats::StatsError;

/// A workflow that cannot be carried out.
///
/// Messages name the field and the value. A program adds how it is called there, such as a flag.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
#[non_exhaustive]
pub enum Error {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Cost(#[from] CostError),
    #[error(transparent)]
    Metric(#[from] SpecError),
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    #[error(transparent)]
    Study(#[from] StudyError),
    #[error(transparent)]
    Stats(#[from] StatsError),
    #[error(transparent)]
    HoldOut(#[from] HoldOutError),
    #[error(transparent)]
    Reach(#[from] ReachError),
    #[error(transparent)]
    Param(#[from] ParamError),
    #[error(transparent)]
    Fit(#[from] FitError),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Permutation(#[from] PermutationError),

    #[error(
        "{path}: models are JSON; give the file a name that ends in .json, or .json.zst to \
         compress it"
    )]
    ModelName { path: String },
    #[error(
        "{data}: all its lists are training lists, row by row; give other lists to validate with, or \
         hold some out: a model is better on what it was trained on"
    )]
    TrainingLists { data: String },
    #[error("{data}: there is no list `{list}`; {hint}")]
    UnknownList { data: String, list: String, hint: String },
    #[error("the model has no feature `{feature}`; {hint}")]
    UnknownFeature { feature: String, hint: String },
    #[error("{0}")]
    UnknownLearner(String),
    #[error(
        "the model re-ranks what another puts first, so an item has one of two scores with reasons \
         of their own; explain one of its stages"
    )]
    TwoStages,
    #[error("the model has one stage; only models that re-rank have two")]
    OneStage,
    #[error("the model distinguishes classes of rows, it does not rank items of lists; classify")]
    ClassModel,
    #[error("the model ranks items of lists, it does not distinguish classes of rows; rank")]
    RankingModel,
    #[error("{learner} does not distinguish classes; {able} do")]
    NotForClasses { learner: String, able: String },
    #[error(
        "the parameter pair-costs is about items; what it costs to take one class for another is \
         class-costs"
    )]
    PairCostsOfClasses,
    #[error("the parameter class-costs is about classes of rows; costs of items are pair-costs")]
    ClassCostsOfItems,
    #[error("score {name} is given twice; give each score a name of its own")]
    ScoreTwice { name: String },
    #[error("a score cannot be called {name}: that is a reference order")]
    ReservedScore { name: String },
    #[error("{place}: score {name} is {met}; every item needs a finite score")]
    Score { place: String, name: String, met: String },
    #[error("metric {0} is asked for twice; name each once")]
    MetricTwice(String),
    #[error(
        "{path}: there is no unfinished run to resume; a checkpoint is beside the model only while \
         it is trained or after an interruption"
    )]
    NoCheckpoint { path: String },
    #[error(
        "{path}: there is no unfinished tuning to resume; it is beside the model only while \
         settings are tried or after an interruption"
    )]
    NoTuning { path: String },
    #[error("{0}")]
    Classes(String),
}
