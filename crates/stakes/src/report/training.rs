//! A training: the model, the data, and how good the model is.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use stakes_learn::tune::{Trial, Tuned};

use super::ModelReport;
use crate::classes::ClassVerdict;
use crate::evaluate::DataSize;
use crate::fit::{Division, Fitted};
use crate::judge::Verdict;

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

/// How good a model is, on lists or rows that it was not trained on; `None` where there are none.
///
/// As JSON it has the fields `results` and `comparisons` of a [`Verdict`], which are empty for
/// classes, and for classes the field `classes`.
#[derive(Debug, Clone)]
pub enum Judged {
    /// As a ranking.
    Ranking(Option<Verdict>),
    /// By the classes of rows.
    Classes(Option<ClassVerdict>),
}

impl Serialize for Judged {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let study = match self {
            Judged::Ranking(verdict) => verdict.as_ref().map(|verdict| &verdict.study),
            Judged::Classes(_) => None,
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("results", study.map_or(&[][..], |study| &study.results))?;
        map.serialize_entry("comparisons", study.map_or(&[][..], |study| &study.comparisons))?;
        if let Judged::Classes(verdict) = self {
            map.serialize_entry("classes", verdict)?;
        }
        map.end()
    }
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
        division: &Division,
        judged: Judged,
    ) -> Option<TrainingReport> {
        let mut model = ModelReport::new(path, self.model.as_ref()?);
        if let Some(rerank) = &mut model.rerank {
            rerank.seconds = self.search_seconds.or(rerank.seconds);
        }
        Some(TrainingReport {
            model,
            train: (&division.training).into(),
            valid: division.validation.as_ref().map(DataSize::from),
            seconds: self.seconds,
            interrupted: self.is_interrupted(),
            tuning: self.tuned.as_ref().map(TuningReport::from),
            judged,
        })
    }
}
