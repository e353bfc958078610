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
mod leaks;
mod record;
mod run;

use std::time::Duration;

use stakes_core::data::Dataset;
use stakes_core::goal::Goal;
use stakes_core::jobs::Jobs;
use stakes_core::metric::Metric;
use stakes_core::shards::Shards;
use stakes_core::split::HoldOut;
use stakes_learn::CurrentFeature;
use stakes_learn::tune::Tuned;
use stakes_learn::{Checkpoint, Configured, Ended, GivenCosts, Kind, Learner, learner};
use stakes_model::Model;

pub use division::{Division, Origin};
pub use record::Interruption;
pub use run::{checkpoint_file, tuning_file};

use crate::model_file::check_model_name;
use crate::{Error, Note, Observer, Task};

/// The bytes of features that are read into memory unless something else is asked for.
const STREAM_ABOVE: u64 = 1 << 30;

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
    unfinished: Option<Checkpoint>,
    trials: Option<usize>,
    current: Option<CurrentFeature>,
    shards: Shards,
    jobs: Jobs,
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
    /// The trees that each round of boosting has: one, or one per fold where folds are trained in step.
    pub trees_per_round: usize,
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
        Fit::configured(Configured::from(learner))
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
            unfinished: None,
            trials: None,
            current: None,
            shards: Shards::alone(),
            jobs: Jobs::here(),
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

    /// Sets the feature that is acted by today: a blend takes it alone where that is better.
    #[must_use]
    pub fn current(self, current: Option<CurrentFeature>) -> Self {
        Fit { current, ..self }
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

    /// Resumes an interrupted run of which this is the checkpoint.
    #[must_use]
    pub fn resume_from(self, checkpoint: Checkpoint) -> Self {
        Fit { unfinished: Some(checkpoint), ..self }
    }

    /// Tunes the parameters in this many trials, and keeps the best on the validation lists.
    #[must_use]
    pub fn tune(self, trials: usize) -> Self {
        Fit { trials: Some(trials), ..self }
    }

    /// Trains with data of which other shards have more lists: all of them call this with their own, at the same
    /// time, and get the same model. It has no profile of its data to [monitor](crate::monitor) with.
    #[must_use]
    pub fn shards(self, shards: Shards) -> Self {
        Fit { shards, ..self }
    }

    /// How many bytes of features may be in memory before they stay in their files
    /// ([`ReadOptions::stream_above`](stakes_io::ReadOptions::stream_above)): as asked, or 1 GiB. `None` if this training needs all of
    /// them in memory, which is an error if something is asked.
    pub fn stream_above(&self, asked: Option<u64>) -> Result<Option<u64>, Error> {
        let learner = self.learner();
        let what = match (learner.streams_above(), &self.task) {
            (None, _) => learner.name(),
            _ if self.init_model.is_some() => "continuing from a model",
            (Some(_), task) if *task != Task::Rank => "a task of classes",
            (Some(values), _) => {
                let least = (values * size_of::<f32>()) as u64;
                return Ok(Some(asked.unwrap_or(STREAM_ABOVE).max(least)));
            }
        };
        match asked {
            None => Ok(None),
            Some(_) => Err(Error::Streaming { what: what.to_owned() }),
        }
    }

    /// Has trainings that do not depend on each other made elsewhere: members of a blend, trials of a tuning, and the folds
    /// of learners whose folds are not trained in step. The model is the same. Of all others a run is one training, and
    /// is refused.
    #[must_use]
    pub fn jobs(self, jobs: Jobs) -> Self {
        Fit { jobs, ..self }
    }

    /// The learner.
    pub fn learner(&self) -> &dyn Learner {
        &*self.configured.learner
    }

    /// Checks everything that can be checked before data are read.
    pub fn check(&self) -> Result<(), Error> {
        self.check_folds()?;
        self.check_shards()?;
        self.check_jobs()?;
        // One job writes nothing, and takes up what it is given.
        let Some(output) = self.output.as_ref().filter(|_| !self.jobs.is_only_one()) else {
            return Ok(());
        };
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

    /// Refuses what needs all lists in one place.
    fn check_shards(&self) -> Result<(), Error> {
        let learner = self.learner();
        let what = match () {
            _ if self.shards.are_one() => return Ok(()),
            _ if !learner.takes_shards() => learner.name().to_owned(),
            _ if self.trials.is_some() => "tuning".to_owned(),
            _ if self.base.is_some() => "re-ranking".to_owned(),
            _ if self.costs.is_some() => "a file of costs".to_owned(),
            _ if self.task != Task::Rank => "a task of classes".to_owned(),
            _ => return Ok(()),
        };
        Err(Error::Shards { what })
    }

    /// Refuses to give out what is one training.
    fn check_jobs(&self) -> Result<(), Error> {
        let learner = self.learner();
        let has_folds = matches!(self.validation, Validation::Folds(_)) && !learner.cross_fits();
        let is_one = learner.kind() != Kind::Blend && self.trials.is_none() && !has_folds;
        match self.jobs.are_elsewhere() && is_one {
            true => Err(Error::OneTraining { learner: learner.name().to_owned() }),
            false => Ok(()),
        }
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
}

pub(crate) fn is_interrupted(model: &Model) -> bool {
    model.stages.iter().any(|stage| stage.ended == Ended::Interrupted)
}
