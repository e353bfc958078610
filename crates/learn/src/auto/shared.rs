//! Members that are trained elsewhere. A job is a member with all its folds; its result is what a checkpoint holds of it.
//! The stages of all members, one after the other, are those of a run that made them here: it is resumed, and makes no
//! round of its own. Simple orders take no time, and stay here.

use stakes_core::jobs::{Job, JobError};
use stakes_model::{Checkpoint, Ended, StageState};

use super::Portfolio;
use crate::error::FitError;
use crate::given_out;
use crate::learner::training_seconds;
use crate::run::Awaited;

impl Portfolio<'_, '_, '_> {
    /// Has the members trained elsewhere, if that is asked for; or trains the one that is asked for, and ends.
    pub(super) fn share(&mut self) -> Result<(), FitError> {
        let jobs = self.runner.jobs();
        match jobs.wanted() {
            Some(wanted) => Err(self.only(&wanted)?.into()),
            None if jobs.are_elsewhere() => self.gather(),
            None => Ok(()),
        }
    }

    fn checkpoint(&self, stages: Vec<StageState>) -> Checkpoint {
        self.runner.checkpoint(&self.prepared.features, stages)
    }

    /// Trains one member.
    fn only(&mut self, wanted: &Job) -> Result<JobError, FitError> {
        let jobs = self.runner.jobs();
        let blended = 0..self.plan.blended;
        let number = wanted.numbers("member").filter(|[number]| blended.contains(number));
        let Some([number]) = number else { return Err(jobs.unknown().into()) };
        let begun = given_out::begun(wanted, &self.checkpoint(Vec::new()))?;
        self.runner.take_up(self.checkpoint(begun));
        self.train(number)?;
        if self.runner.stopped {
            return Err(JobError::Stopped.into());
        }
        let trained = self.checkpoint(self.runner.stages().to_vec());
        Ok(jobs.end(trained.to_json().into_bytes()))
    }

    /// Gathers the stages of all members.
    fn gather(&mut self) -> Result<(), FitError> {
        let mut rest = self.runner.take_rest();
        let mut members: Vec<Option<Vec<StageState>>> = Vec::new();
        let mut todo = Vec::new();
        for (number, member) in self.plan.learners().take(self.plan.blended).enumerate() {
            let stages = member.stage_rounds().len();
            let own: Vec<StageState> = rest.drain(..stages.min(rest.len())).collect();
            let is_whole = own.len() == stages && own.iter().all(has_ended);
            if !is_whole {
                let begun = self.checkpoint(own.clone());
                todo.push((number, given_out::job(format!("member {number}"), &begun)));
            }
            members.push(is_whole.then_some(own));
        }
        // What takes longest begins first.
        let data = self.problem.data();
        let seconds = |number: usize| {
            training_seconds(&*self.plan.members[number], data.features().width(), data.len())
        };
        todo.sort_by(|(a, _), (b, _)| seconds(*b).total_cmp(&seconds(*a)));
        let (todo, jobs): (Vec<usize>, Vec<Job>) = todo.into_iter().unzip();
        let now = self.checkpoint(Vec::new());
        let of = members.len();
        let all = self.runner.jobs().share(&jobs, |heard| {
            if let Some((at, bytes)) = heard {
                members[todo[at]] = Some(given_out::result(&jobs[at], &bytes, &now)?);
            }
            let done = members.iter().flatten().count();
            // A run that is resumed knows its members by their place.
            let checkpoint = || Checkpoint { stages: leading(&members), ..now.clone() };
            let awaited = Awaited { done, of, checkpoint: Some(&checkpoint) };
            Ok::<bool, FitError>(self.runner.tell_awaited(&awaited))
        })?;
        if !all {
            return Err(JobError::Stopped.into());
        }
        let stages = leading(&members).into_iter().chain(rest).collect();
        self.runner.take_up(Checkpoint { stages, ..now });
        Ok(())
    }
}

fn has_ended(stage: &StageState) -> bool {
    stage.ended.is_some_and(|ended| ended != Ended::Interrupted)
}

/// The stages of the first members that are done.
fn leading(members: &[Option<Vec<StageState>>]) -> Vec<StageState> {
    members.iter().map_while(Option::as_ref).flatten().cloned().collect()
}
