//! From data and a goal to a model.
//!
//! ```
//! # fn main() -> Result<(), stakes::Error> {
//! use stakes::prelude::*;
//! use stakes::synth::Storms;
//! # let storms = Storms { lists: 12, networks: 10, rows: 90, ..Storms::default() }.generate().expect("storms");
//! let goal = Goal::act_on(3);
//! let fit = Fit::with_parameters("cs-mart", [("rounds", "20")])?.seed(7);
//! let model = fit.fit(&storms, &goal)?;
//! // The lists and their items are known by the same columns as in training.
//! assert_eq!(model.columns["list"], "storm");
//! # Ok(())
//! # }
//! ```

mod division;
mod record;

use std::path::Path;
use std::time::{Duration, Instant};

use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::goal::Goal;
use stakes_core::split::HoldOut;
use stakes_learn::tune::{self, Tuned, UnfinishedTuning};
use stakes_learn::{
    Checkpoint, Configured, Ended, FitContext, GivenCosts, Learner, Observer as RunObserver, Work,
    learner, train,
};
use stakes_model::{Model, Roles};

pub use division::{Division, Origin};
pub use record::Interruption;

use self::division::check_unseen;
use self::record::Recorder;
use crate::model_file::{ModelFile, check_model_name};
use crate::{Error, Note};

/// Observes a long workflow: it is told of every round and may stop it ([`RunObserver`]), and
/// notes arrive when they are known.
pub trait Observer: RunObserver {
    /// There is something to know.
    fn note(&mut self, _note: &Note) {}
}

/// Observes nothing.
pub struct Silent;

impl RunObserver for Silent {}

impl Observer for Silent {}

/// Fits any learner, ours or one's own, with its parameters as they are.
pub trait FitLearner: Learner {
    /// Holds lists out to validate the model if there are enough, and trains on the rest; a blend
    /// cross-validates instead. [`Fit`] has options.
    fn fit(&self, data: &Dataset, goal: &Goal) -> Result<Model, Error> {
        Fit::new(self.boxed()).fit(data, goal)
    }
}

impl<L: Learner + ?Sized> FitLearner for L {}

/// How the lists that validate a model are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Validation {
    /// 20 % of the lists, if at least 5 have a cost to save; none for a blend, which has folds.
    #[default]
    Auto,
    /// This part of the lists.
    HoldOut(HoldOut),
}

/// How to fit a model.
#[derive(Clone)]
pub struct Fit<'a> {
    configured: Configured,
    validation: Validation,
    seed: u64,
    init_model: Option<&'a Model>,
    base: Option<&'a Model>,
    costs: Option<&'a GivenCosts>,
    columns: Option<Roles>,
    output: Option<String>,
    checkpoint_interval: Duration,
    resume: bool,
    trials: Option<usize>,
}

/// A model and how it came about.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// The model. `None` only if a resumed tuning was interrupted again before it found better
    /// settings than before.
    pub model: Option<Model>,
    /// For each item the score of a model that was not trained on its list, where the learner
    /// has folds and was not interrupted.
    pub out_of_fold: Option<Vec<f64>>,
    /// All settings that were tried, if they were tuned.
    pub tuned: Option<Tuned>,
    /// Where the run was interrupted, if it was.
    pub interruption: Option<Interruption>,
    /// The duration of the training.
    pub seconds: f64,
    /// The part of it that the exact search took, if there was one.
    pub search_seconds: Option<f64>,
}

impl Fitted {
    /// Whether the observer stopped the run.
    pub fn is_interrupted(&self) -> bool {
        self.interruption.is_some()
    }
}

impl<'a> Fit<'a> {
    /// Fits with a learner of the table, by name, and its default parameters.
    pub fn with(name: &str) -> Result<Self, Error> {
        Fit::with_parameters(name, [])
    }

    /// Fits with a learner of the table, by name, and these parameters.
    pub fn with_parameters<'t>(
        name: &str,
        parameters: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> Result<Self, Error> {
        let learner = learner(name).map_err(Error::UnknownLearner)?;
        Ok(Fit::configured(Configured::new(learner, parameters)?))
    }

    /// Fits with a learner and its parameters as they are.
    pub fn new(learner: Box<dyn Learner>) -> Self {
        Fit::configured(Configured { learner, given: Default::default() })
    }

    /// Fits with a learner whose given parameters are not tuned.
    pub fn configured(configured: Configured) -> Self {
        Fit {
            configured,
            validation: Validation::default(),
            seed: 0,
            init_model: None,
            base: None,
            costs: None,
            columns: None,
            output: None,
            checkpoint_interval: Duration::from_secs(30),
            resume: false,
            trials: None,
        }
    }

    /// Sets the seed of all random draws.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Fit { seed, ..self }
    }

    /// Sets the part of the lists that is held out to validate the model.
    #[must_use]
    pub fn hold_out(self, part: impl Into<HoldOut>) -> Self {
        Fit { validation: Validation::HoldOut(part.into()), ..self }
    }

    /// Continues the training of a model: its trees are the first rounds.
    #[must_use]
    pub fn continue_from(self, model: &'a Model) -> Self {
        Fit { init_model: Some(model), ..self }
    }

    /// Sets the model whose first items are re-ranked, for the learner that does.
    #[must_use]
    pub fn rerank(self, base: &'a Model) -> Self {
        Fit { base: Some(base), ..self }
    }

    /// Sets costs of pairs of items or of classes, for learners that use them.
    #[must_use]
    pub fn costs(self, costs: &'a GivenCosts) -> Self {
        Fit { costs: Some(costs), ..self }
    }

    /// Records these columns in the model instead of those of the data.
    #[must_use]
    pub fn columns(self, columns: Roles) -> Self {
        Fit { columns: Some(columns), ..self }
    }

    /// Writes the model to a file, and checkpoints beside it while it is trained.
    #[must_use]
    pub fn output(self, path: &str) -> Self {
        Fit { output: Some(path.to_owned()), ..self }
    }

    /// Sets the time between checkpoints.
    #[must_use]
    pub fn checkpoint_interval(self, interval: Duration) -> Self {
        Fit { checkpoint_interval: interval, ..self }
    }

    /// Resumes the interrupted run whose checkpoint is beside the output.
    #[must_use]
    pub fn resume(self, resume: bool) -> Self {
        Fit { resume, ..self }
    }

    /// Tries this many settings of the learner and keeps the best on the validation lists.
    #[must_use]
    pub fn tune(self, trials: usize) -> Self {
        Fit { trials: Some(trials), ..self }
    }

    /// The learner.
    pub fn learner(&self) -> &dyn Learner {
        &*self.configured.learner
    }

    /// Refuses what can be refused before any data are read.
    pub fn check(&self) -> Result<(), Error> {
        let Some(output) = &self.output else { return Ok(()) };
        check_model_name(output)?;
        stakes_io::check_target(output)?;
        match (self.resume, self.trials) {
            (false, _) => Ok(()),
            (true, Some(_)) => self.unfinished_tuning().map(drop),
            (true, None) => self.unfinished_run().map(drop),
        }
    }

    /// Fits a model: holds lists out to validate it if there are enough, and trains on the rest.
    pub fn fit(&self, data: &Dataset, goal: &Goal) -> Result<Model, Error> {
        let goal = goal.clone().resolve(data.mean_list_length());
        let (sides, _) = self.choose(data, &goal)?;
        let fitted = match sides.held_out.is_empty() {
            true => self.run(data, None, &goal, &mut Silent)?,
            false => {
                let kept = data.take_lists(&sides.kept);
                let held_out = data.take_lists(&sides.held_out);
                self.run(&kept, Some(&held_out), &goal, &mut Silent)?
            }
        };
        Ok(fitted.model.expect("a run that is not interrupted ends with a model"))
    }

    /// Trains on all these lists. The others, if there are any, tell when to stop and calibrate
    /// the model.
    pub fn run(
        &self,
        data: &Dataset,
        validation: Option<&Dataset>,
        goal: &Goal,
        observer: &mut dyn Observer,
    ) -> Result<Fitted, Error> {
        self.check()?;
        let problem = Problem::new(data, goal)?;
        let validation = validation.map(|data| Problem::new(data, problem.goal())).transpose()?;
        if let Some(validation) = &validation {
            check_unseen(&problem, validation)?;
        }
        let known = match self.resume && self.trials.is_some() {
            true => Some(self.unfinished_tuning()?),
            false => None,
        };
        let resume = match self.resume && self.trials.is_none() {
            true => Some(self.unfinished_run()?),
            false => None,
        };
        let learner = &*self.configured.learner;
        if let Some(work) = learner.work(&problem) {
            observer.note(&plan(&work));
        }
        let begun = Instant::now();
        let file = self.output.as_deref().map(|output| match self.trials {
            Some(_) => tuning_file(output),
            None => checkpoint_file(output),
        });
        let mut recorder =
            Recorder::new(observer, file.clone(), self.trials.is_some(), self.checkpoint_interval);
        let mut cx = FitContext {
            validation: validation.as_ref(),
            seed: self.seed,
            resume,
            init_model: self.init_model,
            base: self.base,
            costs: self.costs,
            observer: Some(&mut recorder),
            ..FitContext::default()
        };
        let trained = match self.trials {
            Some(trials) => {
                tune::train(&self.configured, &problem, &mut cx, trials, known).map(Trained::from)
            }
            None => train(learner, &problem, &mut cx).map(Trained::from),
        };
        let Trained { mut model, out_of_fold, tuned, interrupted } = trained?;
        let seconds = begun.elapsed().as_secs_f64();
        let (search_seconds, stopped) = recorder.finish();
        if let (Some(model), Some(columns)) = (&mut model, &self.columns) {
            model.columns.clone_from(columns);
        }
        if let (Some(model), Some(output)) = (&model, &self.output) {
            model.save(output)?;
        }
        let mut interruption = interrupted.then(|| stopped.unwrap_or_default());
        match (&mut interruption, &file) {
            (Some(interruption), Some(file)) if self.trials.is_some() => {
                interruption.can_resume = Path::new(file).exists();
            }
            // There may be none to remove.
            (None, Some(file)) => drop(std::fs::remove_file(file)),
            _ => {}
        }
        Ok(Fitted { model, out_of_fold, tuned, interruption, seconds, search_seconds })
    }

    fn unfinished_run(&self) -> Result<Checkpoint, Error> {
        let path = checkpoint_file(self.output.as_deref().unwrap_or_default());
        if !Path::new(&path).exists() {
            return Err(Error::NoCheckpoint { path });
        }
        Ok(Checkpoint::from_json(&stakes_io::read_bytes(&path)?, &path)?)
    }

    fn unfinished_tuning(&self) -> Result<UnfinishedTuning, Error> {
        let path = tuning_file(self.output.as_deref().unwrap_or_default());
        if !Path::new(&path).exists() {
            return Err(Error::NoTuning { path });
        }
        Ok(UnfinishedTuning::from_json(&stakes_io::read_bytes(&path)?, &path)?)
    }
}

/// The file with the unfinished run of a model. It is there while the model is trained, and
/// after an interruption.
pub fn checkpoint_file(output: &str) -> String {
    format!("{output}.checkpoint")
}

/// The file with the unfinished tuning of a model. It is there while settings are tried, and
/// after an interruption.
pub fn tuning_file(output: &str) -> String {
    format!("{output}.tuning.json")
}

fn plan(work: &Work) -> Note {
    let &Work { members, folds, refits, seconds } = work;
    // The second thread is worth less than the first: small trees have little to share.
    let seconds = seconds / (1.0 + 0.5 * (stakes_learn::threads() - 1) as f64);
    Note::Plan { members, folds, refits, seconds }
}

/// The outcome of a training, of whichever kind.
struct Trained {
    model: Option<Model>,
    out_of_fold: Option<Vec<f64>>,
    tuned: Option<Tuned>,
    interrupted: bool,
}

impl From<stakes_learn::Fitted> for Trained {
    fn from(fitted: stakes_learn::Fitted) -> Self {
        let stakes_learn::Fitted { model, out_of_fold, .. } = fitted;
        let interrupted = is_interrupted(&model);
        Trained { model: Some(model), out_of_fold, tuned: None, interrupted }
    }
}

impl From<Tuned> for Trained {
    fn from(mut tuned: Tuned) -> Self {
        let (model, interrupted) = (tuned.model.take(), tuned.interrupted);
        Trained { model, out_of_fold: None, tuned: Some(tuned), interrupted }
    }
}

pub(crate) fn is_interrupted(model: &Model) -> bool {
    model.stages.iter().any(|stage| stage.ended == Ended::Interrupted)
}
