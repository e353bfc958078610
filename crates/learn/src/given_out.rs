//! Trainings that are given out as [jobs](stakes_core::jobs): a job begins with a checkpoint and comes to one. Whoever
//! gave it out takes the result up as if the training had been made here, interrupted after its last round, and resumed.

use stakes_core::jobs::{Job, JobError};
use stakes_model::{Checkpoint, StageState};

use crate::error::FitError;
use crate::learner::{check_same_features, check_same_run};

/// A training that begins with a checkpoint.
pub(crate) fn job(name: String, begun: &Checkpoint) -> Job {
    Job::new(name, begun.to_json().into_bytes())
}

/// What a job begins with, which must be of the run that is `now`.
pub(crate) fn begun(job: &Job, now: &Checkpoint) -> Result<Vec<StageState>, FitError> {
    let differs = |error: FitError| match error {
        FitError::OtherRun(what) => JobError::Differs(what).into(),
        error => error,
    };
    read(&job.begun, now).map_err(differs)
}

/// What a job came to.
pub(crate) fn result(
    job: &Job,
    bytes: &[u8],
    now: &Checkpoint,
) -> Result<Vec<StageState>, FitError> {
    read(bytes, now).map_err(|error| {
        JobError::Damaged { name: job.name.clone(), why: error.to_string() }.into()
    })
}

fn read(bytes: &[u8], now: &Checkpoint) -> Result<Vec<StageState>, FitError> {
    let then = Checkpoint::from_json(bytes, "a training elsewhere")?;
    check_same_run(&then, now)?;
    check_same_features(&then, now)?;
    Ok(then.stages)
}
