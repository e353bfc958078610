//! Tuning: other settings of a learner are tried, within a budget, and the best on validation
//! lists is kept.
//!
//! Some settings are drawn from the values that the learner declares ([`space`]); all of them
//! are learnt for a small part of their rounds, and only the better half goes on, rung by rung
//! ([`halving`]). A trial is judged by the goal's metric of the model that it has become so far,
//! with early stopping as in any training; of equals the earlier one is better, and the settings
//! as given are the first.
//!
//! Going on is exact: what a trial is on a rung is what a training of so many rounds would give,
//! and the model that is chosen is, to the byte, what [`crate::train`] makes of its parameters.
//! The first stage of a learner goes on from the trees it has. Stages after it (the size of a
//! two-part model, the order after an expected cost) see another first stage than before and are
//! learnt anew on each rung.
//!
//! Nothing depends on the clock or on the number of threads. An interrupted tuning is taken up
//! by its values ([`Unfinished`]): a trial is not learnt again to be judged, only to go on.

mod halving;
mod space;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use stakes_core::cost::Problem;
use stakes_core::metric::{Direction, Metric, Scale, Spec, evaluate};

use self::halving::{Ladder, best, best_first, better_half};
use self::space::{Space, with_rounds};
use crate::fit::{
    Checkpoint, Ended, FitContext, FitError, Flow, Round, StageState, Watch, fit_prepared, prepare,
};
use crate::params::Settings;
use crate::prepared::Prepared;
use crate::{LearnerInfo, Model};

/// Settings that were tried.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// What they say of the parameters that are tuned.
    pub parameters: BTreeMap<String, String>,
    /// How good they were on each rung that they came to, the lowest first.
    pub rungs: Vec<Rung>,
}

/// How a trial stood on a rung.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rung {
    /// Rounds made, of all stages together.
    pub rounds: usize,
    /// The goal's metric on the validation lists.
    pub value: f64,
}

/// A tuning on its way: all that is needed to take it up again.
#[derive(Debug, Clone, PartialEq)]
pub struct Unfinished {
    /// The run: learner, settings as given, seed, goal and data. It has no stages.
    pub run: Checkpoint,
    /// What is tried, and what is known of it so far.
    pub trials: Vec<Trial>,
}

/// What tuning came to.
#[derive(Debug, Clone)]
pub struct Tuned {
    /// The model of the best trial; if the tuning was interrupted, of the best so far, unless
    /// that is known from before it was taken up.
    pub model: Option<Model>,
    /// All trials; the first has the settings as given.
    pub trials: Vec<Trial>,
    /// How many rungs there were to come to.
    pub rungs: usize,
    /// The best trial, or the best so far.
    pub chosen: Option<usize>,
    /// All trials, the best first: who came to a higher rung, then by value.
    pub ranking: Vec<usize>,
    /// Whether the watcher stopped it.
    pub interrupted: bool,
}

/// Tries `trials` settings of a learner, or as many as there are: those given, and others that
/// differ in what was not given. Lists to validate with are needed; [`FitContext::resume`] has
/// no say here, `resume` has. The watcher is told of every round and, by [`Watch::tried`], of
/// every value.
///
/// ```
/// use stakes_core::cost::{Capacity, CostModel, Problem};
/// use stakes_learn::{FitContext, Silent, learner, model::Goal, params::Settings, tune};
/// # use stakes_core::data::{Columns, DatasetBuilder, Feature, Row};
/// # let storms = |first: u64| -> Result<_, Box<dyn std::error::Error>> {
/// #     let columns = Columns {
/// #         list: Some("storm".into()), impact: Some("customers".into()),
/// #         ..Columns::of_features(vec![Feature::numeric("wind")])
/// #     };
/// #     let mut builder = DatasetBuilder::new("storms", columns)?;
/// #     for i in 0..80u64 {
/// #         let (list, wind) = ((first + i % 2).to_string(), ((i + first) * 7 % 40) as f32);
/// #         let impact = Some(wind.into());
/// #         builder.push(Row { line: i, list: &list, impact, features: &[wind], ..Row::default() })?;
/// #     }
/// #     Ok(builder.finish()?)
/// # };
/// # let (data, others) = (storms(0)?, storms(2)?);
/// // Two storms to learn from and two others to choose by; the wind decides what each costs.
/// let problem = Problem::new(&data, &CostModel::Impact)?;
/// let validation = Problem::new(&others, &CostModel::Impact)?;
/// let info = learner("cs-mart")?;
/// let settings = Settings::new(info, [("rounds", "20"), ("rate", "0.3")])?;
/// let goal = Goal {
///     cost: "y".into(), k: Some(Capacity::Items(5)), metric: "rcs@5".into(), ..Goal::default()
/// };
/// let mut silent = Silent;
/// let mut cx =
///     FitContext { validation: Some(&validation), ..FitContext::new(goal, &mut silent) };
/// let tuned = tune::train(info, &settings, &problem, &mut cx, 6, None)?;
/// let chosen = &tuned.trials[tuned.chosen.unwrap()];
/// assert!(chosen.rungs[2].value >= tuned.trials[0].rungs[2].value);
/// // What was given stays: neither rate nor rounds were tuned.
/// assert_eq!(tuned.model.unwrap().parameters["rate"], "0.3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn train(
    learner: &'static LearnerInfo,
    settings: &Settings,
    problem: &Problem<'_>,
    cx: &mut FitContext<'_>,
    trials: usize,
    resume: Option<Unfinished>,
) -> Result<Tuned, FitError> {
    rayon::scope(|_| train_within(learner, settings, problem, cx, trials, resume))
}

fn train_within(
    learner: &'static LearnerInfo,
    settings: &Settings,
    problem: &Problem<'_>,
    cx: &mut FitContext<'_>,
    trials: usize,
    resume: Option<Unfinished>,
) -> Result<Tuned, FitError> {
    let refuse = |words: &str| Err(FitError::Data(words.into()));
    if learner.is_blend() {
        return refuse(
            "a blend of learners is not tuned, it chooses by itself: give it more effort \
             (--effort high), or name the learner to tune (--learner cs-mart)",
        );
    }
    if cx.first.is_some() {
        return refuse(
            "settings are tuned from the beginning, not on top of a model: train without tuning, \
             or without a model to go on from",
        );
    }
    let Some(validation) = cx.validation else {
        return refuse(
            "tuning chooses by lists that are not learnt from, and there are none: hold some out \
             (--hold-out 20%), or give others (--valid FILE)",
        );
    };
    let space = Space::new(learner, settings);
    let drawn = space.draw(trials, cx.seed)?;
    if drawn.len() < 2 {
        return refuse(
            "there is nothing to tune: every parameter that could be is given; leave some of them \
             out, or ask for two trials at least",
        );
    }
    cx.resume = None;
    let (prepared, run) = prepare(learner, settings, problem, cx, None)?;
    let run = Checkpoint { features: Vec::new(), ..run };
    let trial = |s: &Settings| Trial { parameters: space.tuned(s), rungs: Vec::new() };
    let mut so_far = Unfinished { run, trials: drawn.iter().map(trial).collect() };
    let ladder = Ladder::of(drawn.len());
    if let Some(known) = resume {
        so_far.take_up(known, ladder.rungs)?;
    }
    let metric = cx.goal.metric.parse::<Spec>()?.build(Scale::of(validation.data()))?;
    let states = vec![None; drawn.len()];
    Tuner {
        learner,
        settings: drawn,
        prepared: &prepared,
        validation,
        metric,
        ladder,
        so_far,
        states,
        kept: None,
        finished: None,
        cx,
    }
    .climb()
}

impl Unfinished {
    /// Takes over what is known, if it is of the same tuning.
    fn take_up(&mut self, known: Unfinished, rungs: usize) -> Result<(), FitError> {
        known.run.check_same_run(&self.run)?;
        let other = |what: String| Err(FitError::OtherRun(what));
        let (then, now) = (known.trials.len(), self.trials.len());
        if then != now {
            return other(format!("{then} settings were to be tried and now {now}"));
        }
        let pairs = known.trials.iter().zip(&self.trials);
        if let Some(at) = { pairs }.position(|(a, b)| a.parameters != b.parameters) {
            let at = at + 1;
            return other(format!(
                "other values were to be tried (those of trial {at} differ): the parameters that \
                 are given must be the same, and the program"
            ));
        }
        self.trials = known.trials;
        self.trials.iter_mut().for_each(|trial| trial.rungs.truncate(rungs));
        Ok(())
    }
}

/// A tuning on its way.
struct Tuner<'t, 'c> {
    learner: &'static LearnerInfo,
    /// By trial, with all rounds.
    settings: Vec<Settings>,
    prepared: &'t Prepared<'t>,
    validation: &'t Problem<'t>,
    metric: Metric,
    ladder: Ladder,
    so_far: Unfinished,
    /// By trial, the first stage, to go on from.
    states: Vec<Option<StageState>>,
    /// The best model that is at hand, and the best that has all its rounds.
    kept: Option<Kept>,
    finished: Option<Kept>,
    cx: &'t mut FitContext<'c>,
}

#[derive(Clone)]
struct Kept {
    trial: usize,
    value: f64,
    model: Model,
}

impl Tuner<'_, '_> {
    fn climb(mut self) -> Result<Tuned, FitError> {
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
            ..FitContext::new(self.cx.goal.clone(), &mut inside)
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
