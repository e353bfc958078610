//! The run of a fit: trained, recorded in checkpoints, resumed, cross-validated and saved.

use std::path::Path;
use std::time::Instant;

use stakes_core::jobs::JobError;
use stakes_core::shards::Shards;
use stakes_core::split::Folds;
use stakes_learn::learner::training_seconds;
use stakes_learn::run::PartOfRun;
use stakes_learn::tune::{self, Tuned, UnfinishedTuning};
use stakes_learn::{Checkpoint, FitContext, FitError, Work, auto, train};
use stakes_model::{Calibration, Model};

use super::division::check_unseen;
use super::record::Recorder;
use super::{Division, Fit, Fitted, Origin, is_interrupted};
use crate::model_file::ModelFile;
use crate::observer::{Silent, or_silent};
use crate::{Error, Note, Observer, profile};

impl Fit<'_> {
    /// Trains on the training lists of a [`Division`]. Its validation lists, if there are any, decide
    /// when to stop and calibrate the model.
    pub fn run(
        &self,
        division: &Division<'_>,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Fitted, Error> {
        self.check()?;
        let begun = Instant::now();
        let output = self.output.as_deref().filter(|_| !self.jobs.is_only_one());
        let file = output.map(|output| match self.trials {
            Some(_) => tuning_file(output),
            None => checkpoint_file(output),
        });
        let mut silent = Silent;
        let observer = or_silent(observer, &mut silent);
        let mut recorder =
            Recorder::new(observer, file.clone(), self.trials.is_some(), self.checkpoint_interval);
        if let (true, Origin::Folds(folds)) = (self.jobs.is_only_one(), division.origin) {
            // It is one of the folds.
            self.out_of_fold(folds, division, &mut recorder)?;
            return Err(self.jobs.unknown().into());
        }
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
            check_unseen(&problem, validation, &self.shards)?;
        }
        let resumes = self.resume && !self.jobs.is_only_one();
        let known = match resumes && self.trials.is_some() {
            true => Some(self.unfinished_tuning()?),
            false => None,
        };
        let resume = match resumes && self.trials.is_none() {
            true => Some(self.unfinished_run()?),
            false => self.unfinished.clone(),
        };
        let learner = self.learner();
        let (folds, after) = match division.origin {
            Origin::Folds(n) if self.cross_fits() => {
                (Folds::among(&problem, n, self.seed, &self.shards), 0.0)
            }
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
            shards: self.shards.clone(),
            jobs: self.jobs.clone(),
            resume,
            init_model: self.init_model,
            base: self.base,
            costs: division.costs.as_ref(),
            current: self.current.clone(),
            part: PartOfRun { before: 0.0, after },
            observer: Some(recorder),
        };
        let trained = match self.trials {
            Some(trials) => {
                tune::train(&self.configured, &problem, &mut cx, trials, known).map(Trained::from)
            }
            None => train(learner, &problem, &mut cx).map(Trained::from),
        };
        let Trained { mut model, out_of_fold, tuned, interrupted } = match trained {
            Err(FitError::Jobs(JobError::Stopped)) if self.jobs.are_elsewhere() => {
                Trained { model: None, out_of_fold: None, tuned: None, interrupted: true }
            }
            trained => trained?,
        };
        let (search_seconds, stopped) = recorder.end_training();
        if let Some(model) = &mut model {
            model.columns.clone_from(&division.columns);
            remember(model, division, out_of_fold.as_deref(), &self.shards)?;
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
            trees_per_round: folds.as_ref().filter(|f| !f.look_forward()).map_or(1, Folds::len),
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
        fitted.out_of_fold = self.out_of_fold(folds, division, recorder)?;
        if let (Some(model), Some(scores)) = (&mut fitted.model, &fitted.out_of_fold) {
            let calibration = Calibration::of_scores(&problem, scores);
            model.calibration = calibration.map_err(FitError::from)?;
            remember(model, division, Some(scores), &self.shards)?;
            self.save(model)?;
        }
        Ok(())
    }

    /// Scores of all items by models that were not trained on their lists; `None` if it was interrupted.
    fn out_of_fold(
        &self,
        folds: usize,
        division: &Division<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<Option<Vec<f64>>, Error> {
        let (data, learner) = (&division.training, self.learner());
        let before = training_seconds(learner, data.features().width(), data.len());
        let mut cx = FitContext {
            metric: self.metric,
            seed: self.seed,
            jobs: self.jobs.clone(),
            costs: division.costs.as_ref(),
            part: PartOfRun { before, after: 0.0 },
            observer: Some(recorder),
            ..FitContext::default()
        };
        Ok(auto::out_of_fold(learner, &division.problem()?, &mut cx, folds)?)
    }

    /// Whether folds are trained in step, as one model.
    fn cross_fits(&self) -> bool {
        self.learner().cross_fits()
    }

    fn save(&self, model: &Model) -> Result<(), Error> {
        self.output.as_deref().map_or(Ok(()), |output| model.save(output))
    }

    pub(super) fn unfinished_run(&self) -> Result<Checkpoint, Error> {
        let path = checkpoint_file(self.output.as_deref().unwrap_or_default());
        if !Path::new(&path).exists() {
            return Err(Error::NoCheckpoint { path });
        }
        Ok(Checkpoint::from_json(&stakes_io::read_bytes(&path)?, &path)?)
    }

    pub(super) fn unfinished_tuning(&self) -> Result<UnfinishedTuning, Error> {
        let path = tuning_file(self.output.as_deref().unwrap_or_default());
        if !Path::new(&path).exists() {
            return Err(Error::NoTuning { path });
        }
        Ok(UnfinishedTuning::from_json(&stakes_io::read_bytes(&path)?, &path)?)
    }
}

/// Notes in the model which lists it was trained on, and what they looked like. (Rows of classes are told
/// apart by nothing.)
fn remember(
    model: &mut Model,
    division: &Division<'_>,
    out_of_fold: Option<&[f64]>,
    shards: &Shards,
) -> Result<(), Error> {
    if division.classes.is_some() {
        return Ok(());
    }
    model.remember_among(&division.training, out_of_fold, shards)?;
    let training = &division.training;
    let unseen = match (&division.validation, out_of_fold) {
        (Some(data), _) => Some((data, model.score(data)?)),
        (None, Some(scores)) => Some((&**training, scores.to_vec())),
        (None, None) => None,
    };
    model.profile = Some(profile::of_lists(model, training, unseen, &division.goal, shards)?);
    Ok(())
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
