//! The trials themselves: trained up to a rung, measured there, kept or dropped.

use stakes_core::cost::Problem;
use stakes_core::metric::{Direction, Metric, evaluate};

use super::halving::{Ladder, best, best_first, better_half};
use super::space::with_rounds;
use super::{Rung, Trial, Tuned, UnfinishedTuning};
use crate::error::FitError;
use crate::learner::{Learner, fit_prepared, round_seconds};
use crate::prepared::Prepared;
use crate::run::{FitContext, Fitted, Flow, Observer, PartOfRun, Round};
use stakes_model::{Checkpoint, Ended, Model, StageState, StageSummary};

/// A tuning in progress.
pub(super) struct Tuner<'t, 'c> {
    /// By trial, with all rounds.
    pub(super) learners: Vec<Box<dyn Learner>>,
    pub(super) prepared: &'t Prepared<'t>,
    pub(super) validation: &'t Problem<'t>,
    pub(super) metric: Metric,
    pub(super) ladder: Ladder,
    pub(super) so_far: UnfinishedTuning,
    /// By trial, the first stage, to continue from.
    pub(super) states: Vec<Option<StageState>>,
    /// The best model in memory, and the best that has all its rounds.
    pub(super) kept: Option<Kept>,
    pub(super) finished: Option<Kept>,
    /// Estimated seconds of what was trained.
    pub(super) spent: f64,
    pub(super) cx: &'t mut FitContext<'c>,
}

/// A model and its value.
#[derive(Clone)]
pub(super) struct Kept {
    trial: usize,
    value: f64,
    model: Model,
}

impl Tuner<'_, '_> {
    /// Goes from rung to rung, and returns the best trial.
    pub(super) fn climb(mut self) -> Result<Tuned, FitError> {
        self.cx.tell_tried(&self.so_far);
        let mut alive: Vec<usize> = (0..self.learners.len()).collect();
        for rung in 0..self.ladder.rungs {
            if rung > 0 {
                alive = better_half(self.values(&alive, rung - 1), self.metric.direction());
                // The others are dropped.
                let gone = (0..self.states.len()).filter(|trial| !alive.contains(trial));
                gone.collect::<Vec<_>>().into_iter().for_each(|trial| self.states[trial] = None);
            }
            if !self.share(rung, &alive)? {
                return Ok(self.interrupted_with(None));
            }
            for (place, &trial) in alive.iter().enumerate() {
                if self.so_far.trials[trial].rungs.len() > rung {
                    continue;
                }
                let what = self.words(rung, place + 1, alive.len());
                let after = self.seconds_left(rung, &alive[place + 1..], &alive);
                let (fitted, interrupted) = self.go_on(trial, rung, what, after)?;
                if interrupted {
                    return Ok(self.interrupted_with(Some(fitted.model)));
                }
                self.judge(trial, rung, fitted.model)?;
            }
        }
        let last = self.ladder.rungs - 1;
        let winner = best(&self.values(&alive, last), self.metric.direction());
        let Some((winner, _)) = winner else { unreachable!("there are two trials at least") };
        if let Some(kept) = self.finished.take_if(|kept| kept.trial == winner) {
            return Ok(self.end(Some(winner), Some(kept.model), false));
        }
        // Its value is known from the run that is resumed.
        let (fitted, interrupted) = self.go_on(winner, last, "the chosen trial".into(), 0.0)?;
        match interrupted {
            true => Ok(self.interrupted_with(Some(fitted.model))),
            false => Ok(self.end(Some(winner), Some(fitted.model), false)),
        }
    }

    /// Values of trials on a rung that all of them reached.
    fn values(&self, trials: &[usize], rung: usize) -> Vec<(usize, f64)> {
        trials.iter().map(|&trial| (trial, self.so_far.trials[trial].rungs[rung].value)).collect()
    }

    /// The best known value, on any rung.
    fn best_known(&self) -> Option<(usize, f64)> {
        let values = self.so_far.trials.iter().enumerate();
        let values = values.flat_map(|(i, t)| t.rungs.iter().map(move |rung| (i, rung.value)));
        best(&values.collect::<Vec<_>>(), self.metric.direction())
    }

    pub(super) fn words(&self, rung: usize, place: usize, of: usize) -> String {
        let (rung, rungs) = (rung + 1, self.ladder.rungs);
        let best = self.best_known().map_or(String::new(), |(_, best)| format!(", best {best:.4}"));
        format!("rung {rung} of {rungs}, trial {place} of {of}{best}")
    }

    /// The learner of a trial with the rounds that it has on a rung.
    pub(super) fn learner(&self, trial: usize, rung: usize) -> Box<dyn Learner> {
        with_rounds(&*self.learners[trial], |all| self.ladder.rounds(all, rung))
    }

    /// The estimated seconds of a round of a trial.
    fn round_seconds(&self, trial: usize) -> f64 {
        let data = self.prepared.training.data;
        round_seconds(&*self.learners[trial], data.features().width(), data.len())
    }

    /// The estimated seconds of a trial on a rung. Its first stage continues from the rung below.
    fn seconds(&self, trial: usize, rung: usize) -> f64 {
        let all: usize = self.learner(trial, rung).stage_rounds().iter().sum();
        let first = |below| self.learner(trial, below).stage_rounds().first().copied();
        let made = rung.checked_sub(1).and_then(first).unwrap_or(0);
        self.round_seconds(trial) * all.saturating_sub(made) as f64
    }

    /// The estimated seconds of the `next` trials of a rung, and of the rungs above it. Which of the
    /// trials on it continue is not known yet: they count with their mean.
    fn seconds_left(&self, rung: usize, next: &[usize], alive: &[usize]) -> f64 {
        let sum = |trials: &[usize], rung| -> f64 {
            trials.iter().map(|&trial| self.seconds(trial, rung)).sum()
        };
        let mut left = sum(next, rung);
        let mut continuing = alive.len();
        for above in rung + 1..self.ladder.rungs {
            continuing = continuing.div_ceil(2);
            left += sum(alive, above) * continuing as f64 / alive.len() as f64;
        }
        left
    }

    /// Trains a trial up to a rung, from where it is; `after` are the estimated seconds that follow.
    /// Says whether it was interrupted.
    fn go_on(
        &mut self,
        trial: usize,
        rung: usize,
        what: String,
        after: f64,
    ) -> Result<(Fitted, bool), FitError> {
        let first = self.first_stage(trial);
        self.learn(trial, rung, first, what, after)
    }

    /// Takes the stage that a trial goes on with, if it has one.
    pub(super) fn first_stage(&mut self, trial: usize) -> Vec<StageState> {
        // All rounds were made on the rung below; here there are more.
        let more = |first: StageState| StageState {
            ended: first.ended.filter(|ended| *ended != Ended::AllRounds),
            ..first
        };
        self.states[trial].take().map(more).into_iter().collect()
    }

    /// What a checkpoint of a trial begins with.
    pub(super) fn header(&self, learner: &dyn Learner) -> Checkpoint {
        Checkpoint {
            parameters: learner.texts(),
            features: self.prepared.features.clone(),
            ..self.so_far.run.clone()
        }
    }

    /// Trains a trial up to a rung, from these stages.
    pub(super) fn learn(
        &mut self,
        trial: usize,
        rung: usize,
        stages: Vec<StageState>,
        what: String,
        after: f64,
    ) -> Result<(Fitted, bool), FitError> {
        let learner = self.learner(trial, rung);
        let made_before: usize = stages.iter().map(|stage| stage.curve.len()).sum();
        let round = self.round_seconds(trial);
        let part = PartOfRun {
            // Rounds of the rung below are part of the training, and have been counted there.
            before: self.cx.part.before + self.spent - round * made_before as f64,
            after: self.cx.part.after + after,
        };
        let header = self.header(&*learner);
        let resume = (!stages.is_empty()).then(|| Checkpoint { stages, ..header.clone() });
        let (seed, costs, metric) = (self.cx.seed, self.cx.costs, self.cx.metric);
        let mut inside = Inside { outside: self.cx.observer(), what };
        let mut cx = FitContext {
            validation: Some(self.validation),
            seed,
            resume,
            costs,
            metric,
            part,
            observer: Some(&mut inside),
            ..FitContext::default()
        };
        let fitted = fit_prepared(&*learner, self.prepared, header, &mut cx)?;
        let made: usize = fitted.stages.iter().map(|stage| stage.curve.len()).sum();
        self.spent += round * made.saturating_sub(made_before) as f64;
        self.states[trial] = fitted.stages.first().cloned();
        let interrupted = fitted.model.stages.iter().any(|s| s.ended == Ended::Interrupted);
        Ok((fitted, interrupted))
    }

    /// Measures a trial.
    pub(super) fn judge(
        &mut self,
        trial: usize,
        rung: usize,
        model: Model,
    ) -> Result<(), FitError> {
        let data = self.validation.data();
        let scores = model.priorities(model.score(data)?, data, model.goal.reach);
        let figure = evaluate(&self.metric, self.validation, &scores)?.figure;
        let value = figure.ok_or_else(|| {
            FitError::Data(format!(
                "{} has no value on these lists; give other lists to validate with, or another \
                 metric",
                self.metric.name()
            ))
        })?;
        let rounds = model.stages.iter().map(|stage| stage.curve.len()).sum();
        self.so_far.trials[trial].rungs.push(Rung { rounds, value });
        self.cx.tell_tried(&self.so_far);
        let new = Kept { trial, value, model };
        let direction = self.metric.direction();
        let keep = |place: &mut Option<Kept>, new: &Kept| {
            let both = place.iter().chain([new]).map(|kept| (kept.trial, kept.value));
            if best(&both.collect::<Vec<_>>(), direction) == Some((trial, value)) {
                *place = Some(new.clone());
            }
        };
        keep(&mut self.kept, &new);
        if rung + 1 == self.ladder.rungs {
            keep(&mut self.finished, &new);
        }
        Ok(())
    }

    /// The best so far, if its model is in memory; `partial` where nothing else is known.
    fn interrupted_with(mut self, partial: Option<Model>) -> Tuned {
        let known = self.best_known();
        let model = match (known, self.kept.take()) {
            (None, _) => partial,
            (Some(best), Some(kept)) if best == (kept.trial, kept.value) => Some(kept.model),
            _ => None,
        };
        self.end(known.map(|(trial, _)| trial), model, true)
    }

    fn end(self, chosen: Option<usize>, model: Option<Model>, interrupted: bool) -> Tuned {
        let (trials, rungs) = (self.so_far.trials, self.ladder.rungs);
        let ranking = ranking(&trials, self.metric.direction());
        Tuned { model, trials, rungs, chosen, ranking, interrupted }
    }
}

/// Trials by the rung they reached, then by their value there.
fn ranking(trials: &[Trial], direction: Direction) -> Vec<usize> {
    let value = |i: usize| (i, trials[i].rungs.last().map_or(f64::NAN, |rung| rung.value));
    let mut order: Vec<usize> = (0..trials.len()).collect();
    order.sort_by(|&a, &b| {
        let further = trials[b].rungs.len().cmp(&trials[a].rungs.len());
        further.then_with(|| best_first(&value(a), &value(b), direction))
    });
    order
}

/// Observes one trial and reports on the whole.
struct Inside<'w> {
    outside: Option<&'w mut (dyn Observer + 'w)>,
    what: String,
}

impl Observer for Inside<'_> {
    fn stage(&mut self, _: &str) {
        if let Some(outside) = &mut self.outside {
            outside.stage(&self.what);
        }
    }

    fn stage_ended(&mut self, _: &str, summary: &StageSummary) {
        if let Some(outside) = &mut self.outside {
            outside.stage_ended(&self.what, summary);
        }
    }

    fn round(&mut self, round: &Round<'_>) -> Flow {
        let round = Round { stage: &self.what, ..*round };
        self.outside.as_mut().map_or(Flow::Continue, |outside| outside.round(&round))
    }
}
