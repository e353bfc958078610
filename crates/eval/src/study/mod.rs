//! Studies: several scores on the same lists, with intervals, reference orders, and paired tests against a
//! baseline.
//!
//! The serialised fields are the documented contract of `stakes evaluate --json`: names and meanings do not
//! change.

mod compare;
mod reference;

use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::metric::{Direction, EvaluateError, Evaluation, ListValue, Metric, evaluate};

pub use compare::Comparison;
pub use reference::{BestFeature, best_feature, ideal_scores};

use stakes_stats::{
    Column, Correction, IntervalOptions, Intervals, PairedTest, StatsError, TestOptions,
};

/// The name of the reference in random order.
pub const RANDOM: &str = "random";
/// The name of the reference in ideal order.
pub const IDEAL: &str = "ideal";
/// The name of the reference ordered by the best single feature.
pub const BEST_FEATURE: &str = "best-feature";

/// A column of scores, one per item.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    /// The name in tables.
    pub name: String,
    /// Finite numbers; higher scores come first.
    pub values: Vec<f64>,
}

/// Options of a study.
#[derive(Debug, Clone)]
pub struct StudyOptions {
    /// The options of intervals; `None` leaves intervals out.
    pub intervals: Option<IntervalOptions>,
    /// Whether the references random, ideal and best single feature are added.
    pub references: bool,
    /// The score or reference that the others are compared with.
    pub baseline: Option<String>,
    /// The paired tests.
    pub tests: Vec<PairedTest>,
    /// Options of the tests.
    pub test_options: TestOptions,
    /// The correction of p values for several comparisons under one metric and test.
    pub correction: Correction,
}

impl Default for StudyOptions {
    fn default() -> Self {
        StudyOptions {
            intervals: Some(IntervalOptions::default()),
            references: true,
            baseline: None,
            tests: PairedTest::ALL.to_vec(),
            test_options: TestOptions::default(),
            correction: Correction::default(),
        }
    }
}

/// Whether a row is a score or a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowKind {
    /// A score of the study.
    Score,
    /// Random, ideal or best single feature.
    Reference,
}

/// The figure of one score under one metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ResultRow {
    /// The score's name.
    pub score: String,
    /// The metric's canonical spec.
    pub metric: String,
    /// The figure; `null` if no list has a value.
    pub value: Option<f64>,
    /// The lower end of the interval; `null` with fewer than two lists.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The number of lists that have a value.
    pub lists: usize,
    /// Whether higher values of the metric are better.
    pub higher_is_better: bool,
    /// Whether it is a score or a reference.
    pub kind: RowKind,
    /// For the best single feature: its name and direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feature: Option<BestFeature>,
    /// The values of the lists; not part of the JSON.
    #[serde(skip)]
    pub per_list: Vec<ListValue>,
}

/// The results of a study.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Study {
    /// One row per score and metric, scores in the given order, references last.
    pub results: Vec<ResultRow>,
    /// One comparison per metric, score other than the baseline, and test.
    pub comparisons: Vec<Comparison>,
}

impl Study {
    /// The figure of a score under a metric.
    pub fn row(&self, score: &str, metric: &str) -> Option<&ResultRow> {
        self.results.iter().find(|r| r.score == score && r.metric == metric)
    }
}

/// Why a study failed.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
pub enum StudyError {
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    #[error(transparent)]
    Stats(#[from] StatsError),
    #[error("there is no score `{met}` to compare with; {hint}")]
    Baseline { met: String, hint: String },
}

/// One score under one metric, before intervals are added.
struct Entry {
    name: String,
    kind: RowKind,
    feature: Option<BestFeature>,
    evaluation: Evaluation,
}

/// Runs a study. `progress` is called with the name of each metric before it is evaluated.
pub fn study(
    problem: &Problem<'_>,
    metrics: &[Metric],
    scores: &[Scores],
    options: &StudyOptions,
    progress: &mut dyn FnMut(&str),
) -> Result<Study, StudyError> {
    let mut study = Study { results: Vec::new(), comparisons: Vec::new() };
    for metric in metrics {
        progress(&metric.name());
        let entries = entries(problem, metric, scores, options)?;
        let columns: Vec<Column<'_>> = entries
            .iter()
            .map(|e| Column {
                parts: &e.evaluation.parts,
                finish: metric.aggregate().finish(),
                range: metric.range(),
            })
            .collect();
        let intervals =
            options.intervals.as_ref().map(|o| Intervals::new(&columns, o)).transpose()?;
        if let Some(baseline) = &options.baseline {
            let compared = compare::compare(metric, &entries, baseline, &intervals, options)?;
            study.comparisons.extend(compared);
        }
        let interval = |i| intervals.as_ref().and_then(|all| all.interval(i));
        let found: Vec<_> = (0..entries.len()).map(interval).collect();
        for (entry, interval) in entries.into_iter().zip(found) {
            study.results.push(ResultRow {
                score: entry.name,
                metric: metric.name(),
                value: entry.evaluation.figure,
                low: interval.map(|i| i.low),
                high: interval.map(|i| i.high),
                lists: entry.evaluation.lists.iter().filter(|l| l.value.is_some()).count(),
                higher_is_better: metric.direction() == Direction::Higher,
                kind: entry.kind,
                feature: entry.feature,
                per_list: entry.evaluation.lists,
            });
        }
    }
    let order = |row: &ResultRow| scores.iter().position(|s| s.name == row.score);
    study.results.sort_by_key(|row| order(row).unwrap_or(usize::MAX));
    Ok(study)
}

fn entries(
    problem: &Problem<'_>,
    metric: &Metric,
    scores: &[Scores],
    options: &StudyOptions,
) -> Result<Vec<Entry>, StudyError> {
    let given = |s: &Scores| -> Result<Entry, StudyError> {
        let evaluation = evaluate(metric, problem, &s.values)?;
        Ok(Entry { name: s.name.clone(), kind: RowKind::Score, feature: None, evaluation })
    };
    let mut entries = scores.iter().map(given).collect::<Result<Vec<_>, _>>()?;
    if options.references {
        let taken = |name: &str| scores.iter().any(|s| s.name == name);
        let references = reference::references(problem, metric, options.test_options.seed)?;
        entries.extend(references.into_iter().filter(|entry| !taken(&entry.name)));
    }
    Ok(entries)
}

/// Whether `a` is better than `b` under a metric.
fn better(metric: &Metric, a: f64, b: f64) -> bool {
    match metric.direction() {
        Direction::Higher => a > b,
        Direction::Lower => a < b,
    }
}

#[cfg(test)]
mod tests;
