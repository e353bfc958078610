//! Where jobs are done.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::{Elsewhere, Heard, Job, JobError};

/// Between the parts of a name.
const SEPARATOR: &str = ": ";

/// Where the jobs of a workflow are done.
#[derive(Clone, Default)]
pub struct Jobs {
    place: Place,
    /// In front of all names.
    scope: String,
}

#[derive(Clone, Default)]
enum Place {
    #[default]
    Here,
    Elsewhere(Arc<dyn Elsewhere>),
    OnlyOne(Arc<OnlyOne>),
}

struct OnlyOne {
    job: Job,
    result: OnceLock<Vec<u8>>,
}

impl Jobs {
    /// All are done in this process.
    #[must_use]
    pub fn here() -> Self {
        Jobs::default()
    }

    /// They are done elsewhere.
    #[must_use]
    pub fn elsewhere(place: Arc<dyn Elsewhere>) -> Self {
        Jobs { place: Place::Elsewhere(place), ..Jobs::default() }
    }

    /// Only this one is done, and the workflow ends there.
    #[must_use]
    pub fn only(job: Job) -> Self {
        let place = Place::OnlyOne(Arc::new(OnlyOne { job, result: OnceLock::new() }));
        Jobs { place, ..Jobs::default() }
    }

    /// Those of a part of the workflow, whose names differ from those of its other parts.
    #[must_use]
    pub fn within(&self, part: &str) -> Self {
        Jobs { place: self.place.clone(), scope: format!("{}{part}{SEPARATOR}", self.scope) }
    }

    /// Whether all are done in this process.
    #[must_use]
    pub fn are_here(&self) -> bool {
        matches!(self.place, Place::Here)
    }

    /// Whether they are done elsewhere.
    #[must_use]
    pub fn are_elsewhere(&self) -> bool {
        matches!(self.place, Place::Elsewhere(_))
    }

    /// Whether only one is done.
    #[must_use]
    pub fn is_only_one(&self) -> bool {
        matches!(self.place, Place::OnlyOne(_))
    }

    /// Whether this part of the workflow is to be gone through; not if only one job is asked for that is of another
    /// part.
    #[must_use]
    pub fn include_this_part(&self) -> bool {
        match &self.place {
            Place::OnlyOne(only) => only.job.name.starts_with(&self.scope),
            Place::Here | Place::Elsewhere(_) => true,
        }
    }

    /// The one job that is asked for, by its name in this part of the workflow, if only one is.
    #[must_use]
    pub fn wanted(&self) -> Option<Job> {
        let Place::OnlyOne(only) = &self.place else { return None };
        let Job { name, begun } = &only.job;
        Some(Job::new(name.strip_prefix(&self.scope).unwrap_or_default(), begun.clone()))
    }

    /// Keeps the result of the one job that is asked for, and returns what the workflow ends with.
    #[must_use]
    pub fn end(&self, result: Vec<u8>) -> JobError {
        let Place::OnlyOne(only) = &self.place else { return self.unknown() };
        // Nothing else is done after it.
        let _ = only.result.set(result);
        JobError::Done(only.job.name.clone())
    }

    /// What the workflow ends with if it has no such job.
    #[must_use]
    pub fn unknown(&self) -> JobError {
        match &self.place {
            Place::OnlyOne(only) => JobError::Unknown(only.job.name.clone()),
            Place::Here | Place::Elsewhere(_) => JobError::Unknown(self.scope.clone()),
        }
    }

    /// The result of the one job that was asked for, once it is done.
    #[must_use]
    pub fn result(&self) -> Option<Vec<u8>> {
        match &self.place {
            Place::OnlyOne(only) => only.result.get().cloned(),
            Place::Here | Place::Elsewhere(_) => None,
        }
    }

    /// Has jobs done elsewhere. `hear` gets every result with the number of its job, and nothing several times a second;
    /// it says whether to go on. Returns whether all are done.
    pub fn share<E: From<JobError>>(
        &self,
        jobs: &[Job],
        mut hear: impl FnMut(Option<(usize, Vec<u8>)>) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let Place::Elsewhere(place) = &self.place else { return Ok(jobs.is_empty()) };
        let full = |job: &Job| Job::new(format!("{}{}", self.scope, job.name), job.begun.clone());
        let named: Vec<Job> = jobs.iter().map(full).collect();
        let mut is_done = vec![false; jobs.len()];
        let mut failed = None;
        let mut stopped = false;
        let mut told = |heard: Heard| {
            let going_on = match heard {
                Heard::Nothing => hear(None),
                Heard::Done(at, _) if is_done.get(at) != Some(&false) => Ok(true),
                Heard::Done(at, Ok(result)) => {
                    is_done[at] = true;
                    hear(Some((at, result)))
                }
                Heard::Done(at, Err(why)) => {
                    Err(JobError::Failed { name: named[at].name.clone(), why }.into())
                }
            };
            stopped = !matches!(going_on, Ok(true));
            failed = going_on.err();
            !stopped
        };
        let worked = if named.is_empty() { Ok(()) } else { place.work(&named, &mut told) };
        if let Some(error) = failed {
            return Err(error);
        }
        worked.map_err(JobError::Lost)?;
        match is_done.iter().position(|done| !done) {
            None => Ok(true),
            Some(_) if stopped => Ok(false),
            Some(at) => {
                Err(JobError::Lost(format!("nothing was heard of `{}`", named[at].name)).into())
            }
        }
    }
}

impl fmt::Debug for Jobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Here => f.write_str("here"),
            Place::Elsewhere(_) => f.write_str("elsewhere"),
            Place::OnlyOne(only) => write!(f, "only {}", only.job.name),
        }
    }
}
