//! Trials that are trained elsewhere. A job is one trial on one rung: it begins with the first stage of the rung below, and
//! comes to all its stages. Here they are taken up without a round, and judged.

use stakes_core::jobs::{Job, JobError};
use stakes_model::Checkpoint;

use super::climb::Tuner;
use crate::error::FitError;
use crate::given_out;
use crate::run::{Awaited, Flow};

impl Tuner<'_, '_> {
    /// Trains one trial on one rung.
    pub(super) fn only(&mut self, wanted: &Job) -> Result<JobError, FitError> {
        let jobs = self.cx.jobs.clone();
        let is_known =
            |&[rung, trial]: &[usize; 2]| rung < self.ladder.rungs && trial < self.learners.len();
        let Some([rung, trial]) = wanted.numbers("rung trial").filter(is_known) else {
            return Err(jobs.unknown().into());
        };
        let header = self.header(&*self.learner(trial, rung));
        let begun = given_out::begun(wanted, &header)?;
        let (fitted, interrupted) = self.learn(trial, rung, begun, wanted.name.clone(), 0.0)?;
        if interrupted {
            return Err(JobError::Stopped.into());
        }
        let trained = Checkpoint { stages: fitted.stages, ..header };
        Ok(jobs.end(trained.to_json().into_bytes()))
    }

    /// Has the trials of a rung that have no value there trained elsewhere, if that is asked for. Returns whether all of
    /// them have one now.
    pub(super) fn share(&mut self, rung: usize, alive: &[usize]) -> Result<bool, FitError> {
        let jobs = self.cx.jobs.clone();
        if !jobs.are_elsewhere() {
            return Ok(true);
        }
        let has_value = |trial: &usize| self.so_far.trials[*trial].rungs.len() > rung;
        let todo: Vec<usize> = alive.iter().copied().filter(|trial| !has_value(trial)).collect();
        let headers: Vec<Checkpoint> =
            todo.iter().map(|&trial| self.header(&*self.learner(trial, rung))).collect();
        let mut named = Vec::new();
        for (&trial, header) in todo.iter().zip(&headers) {
            let begun = Checkpoint { stages: self.first_stage(trial), ..header.clone() };
            named.push(given_out::job(format!("rung {rung} trial {trial}"), &begun));
        }
        let (mut done, of) = (0, named.len());
        jobs.share(&named, |heard| {
            if let Some((at, bytes)) = heard {
                let stages = given_out::result(&named[at], &bytes, &headers[at])?;
                let what = self.words(rung, done + 1, of);
                let (fitted, _) = self.learn(todo[at], rung, stages, what, 0.0)?;
                self.judge(todo[at], rung, fitted.model)?;
                done += 1;
            }
            let awaited = Awaited { done, of, checkpoint: None };
            Ok(self.cx.tell_awaited(&awaited) == Flow::Continue)
        })
    }
}
