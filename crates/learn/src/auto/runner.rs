//! One training after another as one run: observed, stopped and resumed as a whole.
//!
//! A checkpoint of the whole holds the stages of all trainings so far, one after the other.
//! Trainings come in the same order each time, and each knows how many stages it has; so those
//! that are finished are taken from the checkpoint without a round, and the one that was interrupted
//! continues.

use stakes_core::cost::Problem;

use stakes_model::{Checkpoint, Ended, Model, ModelFeature, StageState};

use crate::error::FitError;
use crate::learner::{Learner, fit_stages, header};
use crate::run::{FitContext, Flow, Observer, Round};

pub(super) struct Runner<'a, 'c> {
    cx: &'a mut FitContext<'c>,
    header: Checkpoint,
    /// Stages of the resumed run that are still to be used, and its features.
    rest: Vec<StageState>,
    resumed_features: Vec<ModelFeature>,
    /// Stages of the trainings that are finished.
    done: Vec<StageState>,
    begun: usize,
    fits: usize,
    /// Whether the observer stopped it.
    pub(super) stopped: bool,
}

impl<'a, 'c> Runner<'a, 'c> {
    /// `fits` is the maximum number of trainings.
    pub(super) fn new(header: Checkpoint, cx: &'a mut FitContext<'c>, fits: usize) -> Self {
        let resumed = cx.resume.take().map(|checkpoint| (checkpoint.stages, checkpoint.features));
        let (rest, resumed_features) = resumed.unwrap_or_default();
        let done = Vec::new();
        Runner { cx, header, rest, resumed_features, done, begun: 0, fits, stopped: false }
    }

    pub(super) fn into_header(self) -> Checkpoint {
        self.header
    }

    /// Trains; `None` if it was interrupted.
    pub(super) fn fit(
        &mut self,
        learner: &dyn Learner,
        problem: &Problem<'_>,
        seed: u64,
        what: &str,
        known: Option<&[ModelFeature]>,
    ) -> Result<Option<Model>, FitError> {
        let model = self.partial(learner, problem, seed, what, known)?;
        Ok((!self.stopped).then_some(model))
    }

    /// Trains, as far as it comes before an interruption.
    pub(super) fn partial(
        &mut self,
        learner: &dyn Learner,
        problem: &Problem<'_>,
        seed: u64,
        what: &str,
        known: Option<&[ModelFeature]>,
    ) -> Result<Model, FitError> {
        self.begun += 1;
        let FitContext { metric, costs, .. } = *self.cx;
        let mut inside = Inside {
            outside: self.cx.observer(),
            what: format!("{} of {}: {what}", self.begun, self.fits),
            header: &self.header,
            done: &self.done,
        };
        let mut cx =
            FitContext { metric, seed, costs, observer: Some(&mut inside), ..FitContext::default() };
        if !self.rest.is_empty() {
            let stages = std::mem::take(&mut self.rest);
            let features = self.resumed_features.clone();
            cx.resume = Some(Checkpoint { stages, features, ..header(learner, problem, &cx) });
        }
        let rest = cx.resume.as_ref().map_or(Vec::new(), |resumed| resumed.stages.clone());
        let fitted = match known {
            Some(_) => fit_stages(learner, problem, &mut cx, known)?,
            // Also of a learner that is made of others.
            None => learner.fit_problem(problem, &mut cx)?,
        };
        self.rest = rest.into_iter().skip(fitted.stages.len()).collect();
        self.stopped |= fitted.model.stages.iter().any(|s| s.ended == Ended::Interrupted);
        self.done.extend(fitted.stages);
        Ok(fitted.model)
    }
}

/// Observes one training and reports on the whole.
struct Inside<'w> {
    outside: Option<&'w mut (dyn Observer + 'w)>,
    what: String,
    header: &'w Checkpoint,
    done: &'w [StageState],
}

impl Observer for Inside<'_> {
    fn stage(&mut self, _: &str) {
        if let Some(outside) = &mut self.outside {
            outside.stage(&self.what);
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
        let round = Round { stage: &self.what, checkpoint: &checkpoint, ..*round };
        self.outside.as_mut().map_or(Flow::Continue, |outside| outside.round(&round))
    }
}
