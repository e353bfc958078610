//! A training: the model, the data, and how good the model is.

use serde::Serialize;
use stakes_learn::tune::{Trial, Tuned};

use super::ModelReport;
use crate::evaluate::DataSize;
use crate::fit::{Division, Fitted};
use crate::judge::Judged;

/// A training: the model, the data, and how good the model is.
#[derive(Debug, Clone, Serialize)]
pub struct TrainingReport {
    /// The model.
    #[serde(flatten)]
    pub model: ModelReport,
    /// The lists that it was trained on.
    pub train: DataSize,
    /// The lists that it was validated with, if there were any.
    pub valid: Option<DataSize>,
    /// The duration of the training.
    pub seconds: f64,
    /// Whether it was interrupted.
    pub interrupted: bool,
    /// All settings that were tried, if they were tuned.
    pub tuning: Option<TuningReport>,
    /// How good the model is.
    #[serde(flatten)]
    pub judged: Judged,
}

/// All settings that were tried.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TuningReport {
    /// The number of rungs.
    pub rungs: usize,
    /// The number of the best trial, from 1.
    pub chosen: Option<usize>,
    /// The trials.
    pub trials: Vec<TrialReport>,
}

/// Settings and their results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrialReport {
    /// The number of the trial, from 1: the settings as given.
    pub trial: usize,
    /// The settings, and their results on each rung.
    #[serde(flatten)]
    pub result: Trial,
}

impl From<&Tuned> for TuningReport {
    fn from(tuned: &Tuned) -> Self {
        let trials = (1..).zip(tuned.trials.iter().cloned());
        TuningReport {
            rungs: tuned.rungs,
            chosen: tuned.chosen.map(|trial| trial + 1),
            trials: trials.map(|(trial, result)| TrialReport { trial, result }).collect(),
        }
    }
}

impl Fitted {
    /// The report on this training, whose model is in the file `path`; `None` if there is no model.
    pub fn report(
        &self,
        path: &str,
        division: &Division<'_>,
        judged: Judged,
    ) -> Option<TrainingReport> {
        let mut model = ModelReport::new(path, self.model.as_ref()?);
        if let Some(rerank) = &mut model.rerank {
            rerank.seconds = self.search_seconds.or(rerank.seconds);
        }
        Some(TrainingReport {
            model,
            train: (&*division.training).into(),
            valid: division.validation.as_ref().map(DataSize::from),
            seconds: self.seconds,
            interrupted: self.is_interrupted(),
            tuning: self.tuned.as_ref().map(TuningReport::from),
            judged,
        })
    }
}
