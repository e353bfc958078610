//! The trials themselves: brought to a rung, judged there, kept or let go.

use stakes_core::cost::Problem;
use stakes_core::metric::{Direction, Metric, evaluate};

use super::halving::{Ladder, best, best_first, better_half};
use super::space::with_rounds;
use super::{Rung, Trial, Tuned, UnfinishedTuning};
use crate::fit::{
    Checkpoint, Ended, FitContext, FitError, Flow, Round, StageState, Watch, fit_prepared,
};
use crate::params::Settings;
use crate::prepared::Prepared;
use crate::{LearnerInfo, Model};

/// A tuning on its way.
pub(super) struct Tuner<'t, 'c> {
    pub(super) learner: &'static LearnerInfo,
    /// By trial, with all rounds.
    pub(super) settings: Vec<Settings>,
    pub(super) prepared: &'t Prepared<'t>,
    pub(super) validation: &'t Problem<'t>,
    pub(super) metric: Metric,
    pub(super) ladder: Ladder,
    pub(super) so_far: UnfinishedTuning,
    /// By trial, the first stage, to go on from.
    pub(super) states: Vec<Option<StageState>>,
    /// The best model that is at hand, and the best that has all its rounds.
    pub(super) kept: Option<Kept>,
    pub(super) finished: Option<Kept>,
    pub(super) cx: &'t mut FitContext<'c>,
}

/// A model and how good it is.
#[derive(Clone)]
pub(super) struct Kept {
    trial: usize,
    value: f64,
    model: Model,
}

impl Tuner<'_, '_> {
    /// Rung by rung, until one is the best.
    pub(super) fn climb(mut self) -> Result<Tuned, FitError> {
        self.cx.watch.tried(&self.so_far);
        let mut alive: Vec<usize> = (0..self.settings.len()).collect();
        for rung in 0..self.ladder.rungs {
            if rung > 0 {
                alive = better_half(self.values(&alive, rung - 1), self.metric.direction());
                // The others are not gone on with.
                let gone = (0..self.states.len()).filter(|trial| !alive.contains(trial));
                gone.collect::<Vec<_>>().into_iter().for_each(|trial| self.states[trial] = None);
            }
            for (place, &trial) in alive.iter().enumerate() {
                if self.so_far.trials[trial].rungs.len() > rung {
                    continue;
                }
                let what = self.words(rung, place + 1, alive.len());
                let (model, interrupted) = self.learn(trial, rung, what)?;
                if interrupted {
                    return Ok(self.broken_off(model));
                }
                self.judge(trial, rung, model)?;
            }
        }
        let last = self.ladder.rungs - 1;
        let winner = best(&self.values(&alive, last), self.metric.direction());
        let Some((winner, _)) = winner else { unreachable!("there are two trials at least") };
        if let Some(kept) = self.finished.take_if(|kept| kept.trial == winner) {
            return Ok(self.end(Some(winner), Some(kept.model), false));
        }
        // Its value is known from a run before this one.
        let (model, interrupted) = self.learn(winner, last, "what was chosen".into())?;
        match interrupted {
            true => Ok(self.broken_off(model)),
            false => Ok(self.end(Some(winner), Some(model), false)),
        }
    }

    /// Values of trials on a rung that all of them came to.
    fn values(&self, trials: &[usize], rung: usize) -> Vec<(usize, f64)> {
        trials.iter().map(|&trial| (trial, self.so_far.trials[trial].rungs[rung].value)).collect()
    }

    /// The best value that is known, on whichever rung.
    fn best_known(&self) -> Option<(usize, f64)> {
        let values = self.so_far.trials.iter().enumerate();
        let values = values.flat_map(|(i, t)| t.rungs.iter().map(move |rung| (i, rung.value)));
        best(&values.collect::<Vec<_>>(), self.metric.direction())
    }

    fn words(&self, rung: usize, place: usize, of: usize) -> String {
        let (rung, rungs) = (rung + 1, self.ladder.rungs);
        let best = self.best_known().map_or(String::new(), |(_, best)| format!(", best {best:.4}"));
        format!("rung {rung} of {rungs}, trial {place} of {of}{best}")
    }

    /// Brings a trial to a rung, from where it is. Says whether it was interrupted.
    fn learn(
        &mut self,
        trial: usize,
        rung: usize,
        what: String,
    ) -> Result<(Model, bool), FitError> {
        let settings = with_rounds(&self.settings[trial], |all| self.ladder.rounds(all, rung))?;
        let header = Checkpoint {
            parameters: settings.to_texts(),
            features: self.prepared.features.clone(),
            ..self.so_far.run.clone()
        };
        let resume = self.states[trial].take().map(|mut first| {
            // That all rounds were made held on the rung below.
            first.ended = first.ended.filter(|ended| *ended != Ended::AllRounds);
            Checkpoint { stages: vec![first], ..header.clone() }
        });
        let mut inside = Inside { outside: &mut *self.cx.watch, what };
        let mut cx = FitContext {
            validation: Some(self.validation),
            seed: self.cx.seed,
            resume,
            costs: self.cx.costs,
            ..FitContext::new(&mut inside)
        };
        let fitted = fit_prepared(self.learner, &settings, self.prepared, header, &mut cx)?;
        self.states[trial] = fitted.stages.into_iter().next();
        let interrupted = fitted.model.stages.iter().any(|s| s.ended == Ended::Interrupted);
        Ok((fitted.model, interrupted))
    }

    /// How good a trial has become.
    fn judge(&mut self, trial: usize, rung: usize, model: Model) -> Result<(), FitError> {
        let scores = model.score(self.validation.data());
        let scores = scores.map_err(|error| FitError::Data(error.to_string()))?;
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
        self.cx.watch.tried(&self.so_far);
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

    /// The best so far, if its model is at hand; `partial` where nothing else is known.
    fn broken_off(mut self, partial: Model) -> Tuned {
        let known = self.best_known();
        let model = match (known, self.kept.take()) {
            (None, _) => Some(partial),
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

/// Trials by how far they came and how good they were there.
fn ranking(trials: &[Trial], direction: Direction) -> Vec<usize> {
    let value = |i: usize| (i, trials[i].rungs.last().map_or(f64::NAN, |rung| rung.value));
    let mut order: Vec<usize> = (0..trials.len()).collect();
    order.sort_by(|&a, &b| {
        let further = trials[b].rungs.len().cmp(&trials[a].rungs.len());
        further.then_with(|| best_first(&value(a), &value(b), direction))
    });
    order
}

/// Watches one trial and tells of the whole.
struct Inside<'w> {
    outside: &'w mut dyn Watch,
    what: String,
}

impl Watch for Inside<'_> {
    fn stage(&mut self, _: &str) {
        self.outside.stage(&self.what);
    }

    fn round(&mut self, round: &Round<'_>) -> Flow {
        self.outside.round(&Round { stage: &self.what, ..*round })
    }
}
