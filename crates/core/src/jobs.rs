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

mod place;
#[cfg(test)]
mod tests;

pub use place::Jobs;

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
