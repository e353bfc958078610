//! From data and a goal to a model: [`FitLearner::fit`] with defaults, [`Fit`] with options.
//!
//! By default 20 % of the lists are held out; they decide when training stops and calibrate the model.
//!
//! ```
//! # fn main() -> Result<(), stakes::Error> {
//! use stakes::data::Role;
//! use stakes::prelude::*;
//! use stakes::synth::Storms;
//! # let storms = Storms { lists: 12, networks: 10, rows: 90, ..Storms::default() }.generate().expect("storms");
//! let goal = Goal::act_on(3);
//! let fit = Fit::with_parameters("cs-mart", [("rounds", "20")])?.seed(7);
//! let model = fit.fit(&storms, &goal)?;
//! // The lists and their items are known by the same columns as in training.
//! assert_eq!(model.columns[&Role::List], "storm");
//! # Ok(())
//! # }
//! ```

mod division;
mod record;

use std::path::Path;
use std::time::{Duration, Instant};

use stakes_core::data::Dataset;
use stakes_core::goal::Goal;
use stakes_core::metric::Metric;
use stakes_core::split::{Folds, HoldOut};
use stakes_learn::learner::training_seconds;
use stakes_learn::run::PartOfRun;
use stakes_learn::tune::{self, Tuned, UnfinishedTuning};
use stakes_learn::{
    Checkpoint, Configured, Ended, FitContext, FitError, GivenCosts, Kind, Learner, Work, auto,
    learner, train,
};
use stakes_model::{Calibration, Model};

pub use division::{Division, Origin};
pub use record::Interruption;

use self::division::check_unseen;
use self::record::Recorder;
use crate::model_file::{ModelFile, check_model_name};
use crate::observer::{Silent, or_silent};
use crate::{Error, Note, Observer, Task};

/// Adds `fit` to every learner, ours or your own.
pub trait FitLearner: Learner {
    /// Holds lists out for validation if there are enough, and trains on the rest; a blend
    /// cross-validates instead. [`Fit`] has options.
    ///
    /// ```
    /// use stakes::learn::boosted::{Boosting, CsMart};
    /// use stakes::prelude::*;
    /// # let storms = stakes::synth::Storms { lists: 12, networks: 10, rows: 90, ..Default::default() };
    /// # let storms = storms.generate()?;
    /// let boosting = Boosting { rounds: 20, ..Boosting::default() };
    /// let model = CsMart { boosting, ..CsMart::default() }.fit(&storms, &Goal::act_on(3))?;
    /// assert_eq!(model.learner, "cs-mart");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn fit(&self, data: &Dataset, goal: &Goal) -> Result<Model, Error> {
        Fit::new(self.boxed()).fit(data, goal)
    }
}

impl<L: Learner + ?Sized> FitLearner for L {}

/// How validation lists are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Validation {
    /// If at least 5 lists have a cost to save: five folds for boosted trees, unless times are known or
    /// there is so much data that folds would take long; else 20 % of the lists, the latest if times
    /// are known. None for a blend, which has folds.
    #[default]
    Auto,
    /// Hold out this part of the lists.
    HoldOut(HoldOut),
    /// Each list is left out by the models of one fold, which score it: these scores judge and
    /// calibrate the model. Boosted trees are trained in all folds in step, the scores decide when to
    /// stop, and the model is the mean over the folds. Other learners are trained on all lists, with
    /// as many rounds as they are told, and once more for every fold.
    Folds(usize),
}

/// A learner with the options of its training; [`Fit::fit`] makes the model.
#[derive(Clone)]
pub struct Fit<'a> {
    configured: Configured,
    task: Task,
    validation: Validation,
    metric: Option<&'a Metric>,
    seed: u64,
    init_model: Option<&'a Model>,
    base: Option<&'a Model>,
    costs: Option<GivenCosts>,
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
    /// What should be known about the training; with [`Fit::fit_with`] also about the data.
    pub notes: Vec<Note>,
}

impl Fitted {
    /// Whether the observer stopped the run.
    pub fn is_interrupted(&self) -> bool {
        self.interruption.is_some()
    }
}

impl<'a> Fit<'a> {
    /// Fits one of our learners ([`stakes_learn::learners`]), by name, with its default parameters.
    pub fn with(name: &str) -> Result<Self, Error> {
        Fit::with_parameters(name, [])
    }

    /// Fits one of our learners, by name, with these parameters as text. (In code, a learner is a struct
    /// whose fields can be set: see [`FitLearner::fit`].)
    pub fn with_parameters<'t>(
        name: &str,
        parameters: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> Result<Self, Error> {
        Fit::for_task(Task::Rank, name, parameters)
    }

    /// Fits a task by one of our learners, by name, with these parameters; all others have the defaults
    /// of the task.
    pub fn for_task<'t>(
        task: Task,
        name: &str,
        parameters: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> Result<Self, Error> {
        let learner = task.learner(learner(name).map_err(Error::UnknownLearner)?)?;
        Fit::configured(Configured::new(learner, parameters)?).task(task)
    }

    /// Fits any learner, for instance your own, with the parameters that it has.
    pub fn new(learner: Box<dyn Learner>) -> Self {
        Fit::configured(Configured { learner, given: Default::default() })
    }

    /// Fits a learner of which some parameters are given: tuning keeps those fixed.
    pub fn configured(configured: Configured) -> Self {
        Fit {
            configured,
            task: Task::default(),
            validation: Validation::default(),
            metric: None,
            seed: 0,
            init_model: None,
            base: None,
            costs: None,
            output: None,
            checkpoint_interval: Duration::from_secs(30),
            resume: false,
            trials: None,
        }
    }

    /// Sets the task, which the learner must support.
    pub fn task(self, task: Task) -> Result<Self, Error> {
        task.check(&*self.configured.learner)?;
        Ok(Fit { task, ..self })
    }

    /// Sets the seed of all random draws.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Fit { seed, ..self }
    }

    /// Sets the part of the lists that is held out for validation.
    #[must_use]
    pub fn hold_out(self, part: impl Into<HoldOut>) -> Self {
        Fit { validation: Validation::HoldOut(part.into()), ..self }
    }

    /// Trains on all lists, and cross-validates with this many folds.
    #[must_use]
    pub fn folds(self, folds: usize) -> Self {
        Fit { validation: Validation::Folds(folds), ..self }
    }

    /// Uses your own metric instead of that of the goal for early stopping and tuning.
    #[must_use]
    pub fn metric(self, metric: &'a Metric) -> Self {
        Fit { metric: Some(metric), ..self }
    }

    /// Continues the training of a model: new trees are added to its trees.
    #[must_use]
    pub fn continue_from(self, model: &'a Model) -> Self {
        Fit { init_model: Some(model), ..self }
    }

    /// Sets the base model whose top items the learner `exact-rerank` re-ranks.
    #[must_use]
    pub fn rerank(self, base: &'a Model) -> Self {
        Fit { base: Some(base), ..self }
    }

    /// Sets the costs of pairs of items or of classes, for learners that use them. They replace those of
    /// the file that the parameters of the learner name.
    #[must_use]
    pub fn costs(self, costs: GivenCosts) -> Self {
        Fit { costs: Some(costs), ..self }
    }

    /// Reads the costs of pairs or classes from the file that the parameters of the learner name, if
    /// they name one: a mistake in it is then found before data are read.
    pub fn read_costs(self) -> Result<Self, Error> {
        let costs = self.task.read_costs(&*self.configured.learner)?;
        Ok(Fit { costs, ..self })
    }

    /// Returns the costs that were set or read.
    pub fn given_costs(&self) -> Option<&GivenCosts> {
        self.costs.as_ref()
    }

    /// Writes the model to a file, and during training checkpoints next to it.
    #[must_use]
    pub fn output(self, path: &str) -> Self {
        Fit { output: Some(path.to_owned()), ..self }
    }

    /// Sets the time between checkpoints.
    #[must_use]
    pub fn checkpoint_interval(self, interval: Duration) -> Self {
        Fit { checkpoint_interval: interval, ..self }
    }

    /// Resumes the interrupted run whose checkpoint is next to the output.
    #[must_use]
    pub fn resume(self, resume: bool) -> Self {
        Fit { resume, ..self }
    }

    /// Tunes the parameters in this many trials, and keeps the best on the validation lists.
    #[must_use]
    pub fn tune(self, trials: usize) -> Self {
        Fit { trials: Some(trials), ..self }
    }

    /// The learner.
    pub fn learner(&self) -> &dyn Learner {
        &*self.configured.learner
    }

    /// Checks everything that can be checked before data are read.
    pub fn check(&self) -> Result<(), Error> {
        self.check_folds()?;
        let Some(output) = &self.output else { return Ok(()) };
        check_model_name(output)?;
        stakes_io::check_target(output)?;
        match (self.resume, self.trials) {
            (false, _) => Ok(()),
            (true, Some(_)) => self.unfinished_tuning().map(drop),
            (true, None) => self.unfinished_run().map(drop),
        }
    }

    /// Refuses folds that would have no effect, or figures that would be worthless.
    fn check_folds(&self) -> Result<(), Error> {
        let Validation::Folds(folds) = self.validation else { return Ok(()) };
        let learner = &*self.configured.learner;
        let seen = "may have been trained on the lists that a fold leaves out";
        let why = match folds {
            ..2 => format!("there are {folds} of them; allowed are 2 or more"),
            _ if learner.kind() == Kind::Blend => {
                format!("{} cross-validates by itself; choose a single learner", learner.name())
            }
            _ if self.trials.is_some() => "tuning needs lists that are held out".to_owned(),
            _ if self.init_model.is_some() => format!("a model to continue from {seen}"),
            _ if self.base.is_some() => format!("a trained base {seen}"),
            _ => return Ok(()),
        };
        Err(Error::Folds(why))
    }

    /// Fits a model: holds lists out for validation if there are enough, and trains on the rest.
    ///
    /// [`Fit::fit_with`] also returns notes about the data and the training.
    pub fn fit(&self, data: &Dataset, goal: &Goal) -> Result<Model, Error> {
        let fitted = self.fit_with(data, goal, None)?;
        Ok(fitted.model.expect("a run that is not interrupted ends with a model"))
    }

    /// As [`Fit::fit`], with an observer that can follow and stop the training, and with everything that is
    /// known about it.
    pub fn fit_with(
        &self,
        data: &Dataset,
        goal: &Goal,
        mut observer: Option<&mut dyn Observer>,
    ) -> Result<Fitted, Error> {
        let division = self.divide(data, goal)?;
        if let Some(observer) = &mut observer {
            division.notes.iter().for_each(|note| observer.note(note));
        }
        let mut fitted = self.run(&division, observer)?;
        fitted.notes.splice(..0, division.notes);
        Ok(fitted)
    }

    /// Trains on the training lists of a [`Division`]. Its validation lists, if there are any, decide
    /// when to stop and calibrate the model.
    pub fn run(
        &self,
        division: &Division<'_>,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Fitted, Error> {
        self.check()?;
        let begun = Instant::now();
        let file = self.output.as_deref().map(|output| match self.trials {
            Some(_) => tuning_file(output),
            None => checkpoint_file(output),
        });
        let mut silent = Silent;
        let observer = or_silent(observer, &mut silent);
        let mut recorder =
            Recorder::new(observer, file.clone(), self.trials.is_some(), self.checkpoint_interval);
        let mut fitted = self.train(division, file.as_deref(), &mut recorder)?;
        if let (Origin::Folds(folds), false) = (division.origin, fitted.is_interrupted())
            && !self.cross_fits()
        {
            self.cross_validate(&mut fitted, folds, division, &mut recorder)?;
        }
        let (interruption, notes) = recorder.finish();
        fitted.interruption = fitted.interruption.or(interruption);
        Ok(Fitted { notes, seconds: begun.elapsed().as_secs_f64(), ..fitted })
    }

    /// Trains and writes the model. `file` is for checkpoints.
    fn train(
        &self,
        division: &Division<'_>,
        file: Option<&str>,
        recorder: &mut Recorder<'_>,
    ) -> Result<Fitted, Error> {
        let (problem, validation) = (division.problem()?, division.validation_problem()?);
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
        let learner = self.learner();
        let (folds, after) = match division.origin {
            Origin::Folds(n) if self.cross_fits() => (Folds::new(&problem, n, self.seed), 0.0),
            Origin::Folds(n) => {
                (None, auto::cross_validation_seconds(learner, &division.training, n))
            }
            _ => (None, 0.0),
        };
        if let Some(work) = learner.work(&problem) {
            recorder.note(plan(&work));
        }
        let mut cx = FitContext {
            validation: validation.as_ref(),
            folds: folds.as_ref(),
            metric: self.metric,
            seed: self.seed,
            resume,
            init_model: self.init_model,
            base: self.base,
            costs: division.costs.as_ref(),
            part: PartOfRun { before: 0.0, after },
            observer: Some(recorder),
        };
        let trained = match self.trials {
            Some(trials) => {
                tune::train(&self.configured, &problem, &mut cx, trials, known).map(Trained::from)
            }
            None => train(learner, &problem, &mut cx).map(Trained::from),
        };
        let Trained { mut model, out_of_fold, tuned, interrupted } = trained?;
        let (search_seconds, stopped) = recorder.end_training();
        if let Some(model) = &mut model {
            model.columns.clone_from(&division.columns);
            self.save(model)?;
        }
        let mut interruption = interrupted.then(|| stopped.unwrap_or_default());
        match (&mut interruption, file) {
            (Some(interruption), Some(file)) if self.trials.is_some() => {
                interruption.can_resume = Path::new(file).exists();
            }
            // There may be none to remove.
            (None, Some(file)) => drop(std::fs::remove_file(file)),
            _ => {}
        }
        Ok(Fitted {
            model,
            out_of_fold,
            tuned,
            interruption,
            seconds: 0.0,
            search_seconds,
            notes: Vec::new(),
        })
    }

    /// Scores all items by models that were not trained on their lists, and calibrates the model by
    /// these scores.
    fn cross_validate(
        &self,
        fitted: &mut Fitted,
        folds: usize,
        division: &Division<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), Error> {
        let problem = division.problem()?;
        let (data, learner) = (&division.training, self.learner());
        let before = training_seconds(learner, data.features().width(), data.len());
        let mut cx = FitContext {
            metric: self.metric,
            seed: self.seed,
            costs: division.costs.as_ref(),
            part: PartOfRun { before, after: 0.0 },
            observer: Some(recorder),
            ..FitContext::default()
        };
        fitted.out_of_fold = auto::out_of_fold(learner, &problem, &mut cx, folds)?;
        if let (Some(model), Some(scores)) = (&mut fitted.model, &fitted.out_of_fold) {
            let calibration = Calibration::of_scores(&problem, scores);
            model.calibration = calibration.map_err(FitError::from)?;
            self.save(model)?;
        }
        Ok(())
    }

    /// Whether folds are trained in step, as one model.
    fn cross_fits(&self) -> bool {
        self.learner().cross_fits()
    }

    fn save(&self, model: &Model) -> Result<(), Error> {
        self.output.as_deref().map_or(Ok(()), |output| model.save(output))
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

/// Returns the name of the file with the unfinished run of a model. It exists during training and after
/// an interruption.
pub fn checkpoint_file(output: &str) -> String {
    format!("{output}.checkpoint")
}

/// Returns the name of the file with the unfinished tuning of a model. It exists during tuning and after
/// an interruption.
pub fn tuning_file(output: &str) -> String {
    format!("{output}.tuning.json")
}

fn plan(work: &Work) -> Note {
    let &Work { members, folds, seconds } = work;
    // The second thread is worth less than the first: small trees have little to share.
    let seconds = seconds / (1.0 + 0.5 * (stakes_learn::threads() - 1) as f64);
    Note::Plan { members, folds, seconds }
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
