//! Why a model cannot be trained.

use stakes_core::cost::CostError;
use stakes_core::data::DataError;
use stakes_core::jobs::JobError;
use stakes_core::metric::{EvaluateError, SpecError};
use stakes_model::ModelError;
use stakes_model::calibration::CalibrationError;

use crate::loss::LossError;
use crate::params::ParamError;

/// A model that cannot be trained.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
pub enum FitError {
    #[error(transparent)]
    Param(#[from] ParamError),
    #[error(transparent)]
    Loss(#[from] LossError),
    #[error(transparent)]
    Metric(#[from] SpecError),
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    #[error(transparent)]
    Cost(#[from] CostError),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    #[error(transparent)]
    Exact(#[from] stakes_exact::ExactError),
    #[error("{0}")]
    Data(String),
    /// Stored features cannot be read.
    #[error(transparent)]
    Read(#[from] DataError),
    #[error(transparent)]
    Jobs(#[from] JobError),
    #[error("the exchange with the other shards has failed: {0}")]
    Shards(String),
    #[error(
        "tuning chooses by validation lists, and there are none: hold some out, or give others"
    )]
    NoValidation,
    #[error(
        "the checkpoint is of another run: {0}; train from the start, or give the same options"
    )]
    OtherRun(String),
    #[error("the checkpoint is damaged: {0}; train from the start")]
    DamagedCheckpoint(String),
}
