//! Work that may be done elsewhere: jobs that do not depend on each other.
//!
//! Workflows of many trainings (members of a blend, trials of a tuning, folds, cells of a comparison) give each of them a
//! name. There are three ways to go through them:
//!
//! - *here*, the default: all are done in this process;
//! - *elsewhere*: [`Elsewhere`] gets the names, and gives the bytes of each result back. The workflow takes them up as it
//!   would take up what an interrupted run has left, so that the outcome is the same to the byte;
//! - *only one*: that is what a machine elsewhere does. It makes the same call with the same data and options, and the
//!   workflow ends as soon as the named job is done ([`JobError::Done`]). So a job needs no description of its own.
//!
//! A job may begin with something: what the results so far came to, and what must be the same on both sides. Jobs within
//! a job are done where it is done.
//!
//! ```
//! use std::sync::Arc;
//! use stakes_core::jobs::{Elsewhere, Heard, Job, JobError, Jobs};
//!
//! /// The squares of some numbers, each of which is a job.
//! fn squares(numbers: &[u8], jobs: &Jobs) -> Result<Vec<u8>, JobError> {
//!     let square = |number: u8| number * number;
//!     if let Some(wanted) = jobs.wanted() {
//!         let number = wanted.numbers("number").and_then(|[at]| numbers.get(at).copied());
//!         return Err(number.map_or(jobs.unknown(), |number| jobs.end(vec![square(number)])));
//!     }
//!     let mut found: Vec<u8> = numbers.iter().map(|&number| if jobs.are_here() { square(number) } else { 0 }).collect();
//!     if !jobs.are_here() {
//!         let named = (0..numbers.len()).map(|at| Job::new(format!("number {at}"), Vec::new()));
//!         jobs.share(&named.collect::<Vec<_>>(), |heard| {
//!             if let Some((at, result)) = heard {
//!                 found[at] = result[0];
//!             }
//!             Ok::<bool, JobError>(true)
//!         })?;
//!     }
//!     Ok(found)
//! }
//!
//! struct Nearby;
//! impl Elsewhere for Nearby {
//!     fn work(&self, jobs: &[Job], hear: &mut dyn FnMut(Heard) -> bool) -> Result<(), String> {
//!         for (at, job) in jobs.iter().enumerate().rev() {
//!             let only = Jobs::only(job.clone());
//!             let ended = squares(&[3, 4], &only);
//!             let done = only.result().ok_or_else(|| format!("{ended:?}"));
//!             hear(Heard::Done(at, done));
//!         }
//!         Ok(())
//!     }
//! }
//!
//! assert_eq!(squares(&[3, 4], &Jobs::here())?, [9, 16]);
//! assert_eq!(squares(&[3, 4], &Jobs::elsewhere(Arc::new(Nearby)))?, [9, 16]);
//! # Ok::<(), JobError>(())
//! ```

use std::fmt;
use std::sync::{Arc, OnceLock};

/// Between the parts of a name.
const SEPARATOR: &str = ": ";

/// A job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its name, which says what is to be done to whoever makes the same call.
    pub name: String,
    /// What it begins with.
    pub begun: Vec<u8>,
}

impl Job {
    /// A job of this name that begins with these bytes.
    #[must_use]
    pub fn new(name: impl Into<String>, begun: Vec<u8>) -> Self {
        Job { name: name.into(), begun }
    }

    /// The numbers after a word in the name, each after its own word: `trial 3 rung 1` has 3 and 1.
    #[must_use]
    pub fn numbers<const N: usize>(&self, words: &str) -> Option<[usize; N]> {
        let mut parts = self.name.split(' ');
        let mut numbers = [0; N];
        let mut words = words.split(' ');
        for number in &mut numbers {
            if parts.next()? != words.next()? {
                return None;
            }
            *number = parts.next()?.parse().ok()?;
        }
        parts.next().is_none().then_some(numbers)
    }
}

/// What is heard from elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// Nothing yet.
    Nothing,
    /// The job of this number is done: the bytes of its result, or why there are none.
    Done(usize, Result<Vec<u8>, String>),
}

/// Does jobs elsewhere.
pub trait Elsewhere: Send + Sync {
    /// Does jobs, in any order. `hear` is told of every result as soon as it is there and, while there is none, several
    /// times a second that there is nothing. When it answers `false`, what is not done is dropped. The error is about
    /// the place, not about a job.
    fn work(&self, jobs: &[Job], hear: &mut dyn FnMut(Heard) -> bool) -> Result<(), String>;
}

/// Why a workflow has no outcome of its own.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JobError {
    /// Only one job was asked for, and it is done: [`Jobs::result`] has its result.
    #[error("`{0}` is done, and nothing else was asked for")]
    Done(String),
    /// A job failed.
    #[error("{name}, elsewhere: {why}")]
    Failed {
        /// The job.
        name: String,
        /// Why.
        why: String,
    },
    /// The place where jobs are done failed.
    #[error("work elsewhere has failed: {0}")]
    Lost(String),
    /// There is no such job.
    #[error(
        "there is no job `{0}` on this machine; data, options and program must be the same on all machines"
    )]
    Unknown(String),
    /// Something is not as it was where the job was given out.
    #[error("not the same on all machines: {0}; data, options and program must be")]
    Differs(String),
    /// What came back cannot be the result of the job.
    #[error(
        "what came back of {name} cannot be its result: {why}; the program must be the same on all machines"
    )]
    Damaged {
        /// The job.
        name: String,
        /// Why.
        why: String,
    },
    /// It was stopped before there was anything to show.
    #[error("it was stopped before the first result was there")]
    Stopped,
}

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

#[cfg(test)]
mod tests {
    use super::*;

    /// Tells what it is given.
    struct Given(Vec<Heard>);

    impl Elsewhere for Given {
        fn work(&self, _: &[Job], hear: &mut dyn FnMut(Heard) -> bool) -> Result<(), String> {
            self.0.iter().all(|heard| hear(heard.clone()));
            Ok(())
        }
    }

    fn shared(heard: Vec<Heard>, stop_after: usize) -> Result<Vec<(usize, Vec<u8>)>, JobError> {
        let jobs = Jobs::elsewhere(Arc::new(Given(heard))).within("part");
        let mut found = Vec::new();
        let named = [Job::new("a 0", Vec::new()), Job::new("a 1", Vec::new())];
        let all = jobs.share(&named, |result| {
            found.extend(result);
            Ok::<bool, JobError>(found.len() < stop_after)
        })?;
        assert_eq!(all, found.len() == 2);
        Ok(found)
    }

    #[test]
    fn results_come_in_any_order_and_only_once() {
        let done = |at| Heard::Done(at, Ok(vec![at as u8]));
        let all = vec![done(1), Heard::Nothing, done(1), done(7), done(0)];
        assert_eq!(shared(all.clone(), 9), Ok(vec![(1, vec![1]), (0, vec![0])]));
        assert_eq!(shared(all, 1), Ok(vec![(1, vec![1])]));
        let lost = shared(vec![done(1)], 9).unwrap_err().to_string();
        assert_eq!(lost, "work elsewhere has failed: nothing was heard of `part: a 0`");
        let failed = vec![Heard::Done(0, Err("no memory".into())), done(1)];
        assert_eq!(shared(failed, 9).unwrap_err().to_string(), "part: a 0, elsewhere: no memory");
    }

    #[test]
    fn a_job_is_found_by_its_name_in_its_part() {
        let only = Jobs::only(Job::new("curve: trial 3 rung 1", vec![7]));
        assert!(!only.within("whole").include_this_part());
        let part = only.within("curve");
        assert!(part.include_this_part());
        let wanted = part.wanted().unwrap();
        assert_eq!((wanted.numbers("trial rung"), wanted.begun.clone()), (Some([3, 1]), vec![7]));
        assert_eq!(wanted.numbers::<1>("trial"), None);
        assert_eq!(wanted.numbers::<2>("trial step"), None);
        assert_eq!(only.result(), None);
        assert_eq!(part.end(vec![8]), JobError::Done("curve: trial 3 rung 1".into()));
        assert_eq!(only.result(), Some(vec![8]));
    }
}
