//! The result of a comparison.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use stakes_core::split::Fold;
use stakes_eval::study::BestFeature;
use stakes_stats::IntervalMethod;

use super::{CurvePoint, Figure, Part, Versus, Wins, table};
use crate::Note;
use crate::evaluate::DataSize;
use crate::text::{Layout, Page};

/// The result of a comparison. As JSON it is the contract of `stakes compare --json`.
#[derive(Debug, Clone, Serialize)]
pub struct Compared {
    /// The version of this library.
    pub stakes: &'static str,
    /// The size of the data.
    pub data: DataSize,
    /// What was asked for.
    pub settings: Settings,
    /// The folds.
    pub folds: Vec<FoldSize>,
    /// Who was compared: the given ones, those that always are, the present order, references.
    pub contestants: Vec<Entrant>,
    /// One figure per metric and contestant.
    pub results: Vec<Figure>,
    /// All against the contestant that saves most, and all against the present order.
    pub comparisons: Vec<Versus>,
    /// Every contestant against every other, by lists.
    pub wins: Vec<Wins>,
    /// The contestant that saves most.
    pub best: String,
    /// What it comes to, a sentence at a time.
    pub verdict: Vec<String>,
    /// What learners are worth that learned from fewer lists, if that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub learning_curve: Vec<CurvePoint>,
    /// What should be known beside.
    pub notes: Vec<Note>,
    /// How long the training of each contestant took: the only figures that depend on the machine.
    pub times: Vec<Time>,
}

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Settings {
    /// The cost.
    pub cost: String,
    /// The goal, in words.
    pub goal: String,
    /// The metric of the goal, by which learners are trained and tuned.
    pub metric: String,
    /// The metric of saved cost, by which the verdict is made.
    pub saved: String,
    /// The plan of folds.
    pub folds: String,
    /// The seed.
    pub seed: u64,
    /// Settings that were tried for each learner and fold; 0: none but the given ones.
    pub trials: usize,
    /// The confidence of the intervals.
    pub level: f64,
    /// How intervals are computed.
    pub interval: IntervalMethod,
    /// The paired test.
    pub test: &'static str,
    /// The correction.
    pub correction: &'static str,
    /// How often a list is tested, on average.
    pub repeats: f64,
}

/// A fold and its number of lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FoldSize {
    /// Its name.
    pub label: String,
    /// Lists to train with.
    pub train: usize,
    /// Lists to validate with; 0 if learners choose them among those to train with.
    pub validation: usize,
    /// Lists to test.
    pub test: usize,
}

/// A contestant in results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entrant {
    /// The name.
    pub name: String,
    /// The name in sentences.
    pub shown: String,
    /// What it is.
    pub part: Part,
    /// The learner, if it is one.
    pub learner: Option<String>,
    /// Its parameters before tuning.
    pub parameters: BTreeMap<String, String>,
    /// What tuning chose instead, fold after fold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tuned: Vec<BTreeMap<String, String>>,
    /// The best single feature of each fold, if that is the contestant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<BestFeature>,
}

/// The duration of the trainings of a contestant.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Time {
    /// The contestant.
    pub contestant: String,
    /// Seconds over all folds.
    pub seconds: f64,
}

impl From<&Fold> for FoldSize {
    fn from(fold: &Fold) -> Self {
        FoldSize {
            label: fold.label.clone(),
            train: fold.train.len(),
            validation: fold.validation.len(),
            test: fold.test.len(),
        }
    }
}

impl Compared {
    /// The figure of a contestant under a metric.
    pub fn figure(&self, contestant: &str, metric: &str) -> Option<&Figure> {
        self.results.iter().find(|f| f.contestant == contestant && f.metric == metric)
    }

    /// What a contestant is called in sentences.
    pub fn shown<'n>(&'n self, name: &'n str) -> &'n str {
        let entrant = self.contestants.iter().find(|entrant| entrant.name == name);
        entrant.map_or(name, |entrant| &entrant.shown)
    }

    /// Writes figures, tests and the verdict as a page. The same run gives the same text.
    pub fn write(&self, page: &mut Page) {
        table::write(page, self);
    }

    /// Writes how long trainings took.
    pub fn write_times(&self, page: &mut Page) {
        table::write_times(page, self);
    }
}

impl fmt::Display for Compared {
    /// See [`Compared::write`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = Page::new(Layout::default());
        self.write(&mut page);
        f.write_str(&page.finish())
    }
}
