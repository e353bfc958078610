//! One training after another as one run: observed, stopped and resumed as a whole.
//!
//! A checkpoint of the whole holds the stages of all trainings so far, one after the other.
//! Trainings come in the same order each time, and each knows how many stages it has; so those
//! that are finished are taken from the checkpoint without a round, and the one that was interrupted
//! continues.

use stakes_core::cost::Problem;
use stakes_core::jobs::Jobs;
use stakes_core::split::Folds;

use stakes_model::{Checkpoint, Ended, ModelFeature, StageState, StageSummary};

use crate::error::FitError;
use crate::learner::{Learner, fit_prepared, header, round_seconds, training_seconds};
use crate::prepared::Prepared;
use crate::run::{Awaited, FitContext, Fitted, Flow, Observer, PartOfRun, Round};

pub(super) struct Runner<'a, 'c> {
    cx: &'a mut FitContext<'c>,
    header: Checkpoint,
    /// Stages of the resumed run that are still to be used, and its features.
    rest: Vec<StageState>,
    resumed_features: Vec<ModelFeature>,
    /// Stages of the trainings that are finished.
    done: Vec<StageState>,
    /// Estimated seconds of what was trained, and of what is still to be.
    spent: f64,
    pub(super) left: f64,
    /// Whether the observer stopped it.
    pub(super) stopped: bool,
}

impl<'a, 'c> Runner<'a, 'c> {
    /// `left` are the estimated seconds of all trainings.
    pub(super) fn new(header: Checkpoint, cx: &'a mut FitContext<'c>, left: f64) -> Self {
        let resumed = cx.resume.take().map(|checkpoint| (checkpoint.stages, checkpoint.features));
        let (rest, resumed_features) = resumed.unwrap_or_default();
        let done = Vec::new();
        Runner { cx, header, rest, resumed_features, done, spent: 0.0, left, stopped: false }
    }

    pub(super) fn into_header(self) -> Checkpoint {
        self.header
    }

    /// Where trainings are made.
    pub(super) fn jobs(&self) -> Jobs {
        self.cx.jobs.clone()
    }

    /// A checkpoint of this run with these stages.
    pub(super) fn checkpoint(
        &self,
        features: &[ModelFeature],
        stages: Vec<StageState>,
    ) -> Checkpoint {
        Checkpoint { features: features.to_vec(), stages, ..self.header.clone() }
    }

    /// Takes the stages that are still to be used.
    pub(super) fn take_rest(&mut self) -> Vec<StageState> {
        std::mem::take(&mut self.rest)
    }

    /// From here on it is as if a run were resumed with these stages.
    pub(super) fn take_up(&mut self, checkpoint: Checkpoint) {
        self.rest = checkpoint.stages;
        self.resumed_features = checkpoint.features;
    }

    /// The stages of the trainings that are finished.
    pub(super) fn stages(&self) -> &[StageState] {
        &self.done
    }

    /// Tells the observer of trainings elsewhere; whether to go on.
    pub(super) fn tell_awaited(&mut self, awaited: &Awaited<'_>) -> bool {
        self.cx.tell_awaited(awaited) == Flow::Continue
    }

    /// Trains, as far as it comes before an interruption: with data that are prepared, in the folds
    /// that they are prepared for, or with the problem's.
    pub(super) fn train(
        &mut self,
        learner: &dyn Learner,
        problem: &Problem<'_>,
        seed: u64,
        what: &str,
        prepared: Option<(&Prepared<'_>, Option<&Folds>)>,
    ) -> Result<Fitted, FitError> {
        let (features, items) = (problem.data().features().width(), problem.data().len());
        let trainings = prepared.map_or(1.0, |(prepared, _)| prepared.trainings());
        self.left = (self.left - trainings * training_seconds(learner, features, items)).max(0.0);
        let FitContext { metric, costs, part, .. } = *self.cx;
        let part = PartOfRun { before: part.before + self.spent, after: part.after + self.left };
        let mut inside =
            Inside { outside: self.cx.observer(), what, header: &self.header, done: &self.done };
        let mut cx = FitContext {
            metric,
            seed,
            costs,
            part,
            folds: prepared.and_then(|(_, folds)| folds),
            observer: Some(&mut inside),
            ..FitContext::default()
        };
        if !self.rest.is_empty() {
            let stages = std::mem::take(&mut self.rest);
            let features = self.resumed_features.clone();
            cx.resume = Some(Checkpoint { stages, features, ..header(learner, problem, &cx)? });
        }
        let rest = cx.resume.as_ref().map_or(Vec::new(), |resumed| resumed.stages.clone());
        let fitted = match prepared {
            Some((prepared, _)) => {
                let features = prepared.features.clone();
                let header = Checkpoint { features, ..header(learner, problem, &cx)? };
                fit_prepared(learner, prepared, header, &mut cx)?
            }
            // Also of a learner that is made of others.
            None => learner.fit_problem(problem, &mut cx)?,
        };
        self.rest = rest.into_iter().skip(fitted.stages.len()).collect();
        self.stopped |= fitted.model.stages.iter().any(|s| s.ended == Ended::Interrupted);
        let rounds: usize = fitted.stages.iter().map(|stage| stage.curve.len()).sum();
        self.spent += trainings * rounds as f64 * round_seconds(learner, features, items);
        self.done.extend(fitted.stages.iter().cloned());
        Ok(fitted)
    }
}

/// Observes one training and reports on the whole.
struct Inside<'w> {
    outside: Option<&'w mut (dyn Observer + 'w)>,
    what: &'w str,
    header: &'w Checkpoint,
    done: &'w [StageState],
}

impl Observer for Inside<'_> {
    fn stage(&mut self, _: &str) {
        if let Some(outside) = &mut self.outside {
            outside.stage(self.what);
        }
    }

    fn stage_ended(&mut self, _: &str, summary: &StageSummary) {
        if let Some(outside) = &mut self.outside {
            outside.stage_ended(self.what, summary);
        }
    }

    fn round(&mut self, round: &Round<'_>) -> Flow {
        let checkpoint = || {
            let inside = (round.checkpoint)();
            Checkpoint {
                stages: self.done.iter().cloned().chain(inside.stages).collect(),
                features: inside.features,
                ..self.header.clone()
            }
        };
        let round = Round { stage: self.what, checkpoint: &checkpoint, ..*round };
        self.outside.as_mut().map_or(Flow::Continue, |outside| outside.round(&round))
    }
}
