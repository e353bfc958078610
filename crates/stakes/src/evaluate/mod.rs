//! How much cost orders save: figures with intervals, reference orders beside them, paired tests,
//! cost curves, and whether scores that are expected costs are right.

pub mod scores;
pub(crate) mod table;

use std::fmt;

use serde::Serialize;
use stakes_core::cost::{Capacity, CostModel, Problem};
use stakes_core::data::Dataset;
use stakes_core::goal::{DEFAULT_ITEMS, Goal};
use stakes_core::metric::{Metric, Scale, Spec};
use stakes_eval::curve::{Curve, cost_curve};
use stakes_eval::reliability::{Reliability, reliability};
use stakes_eval::study::{IDEAL, RANDOM, Scores, Study, StudyOptions, study};
use stakes_model::Model;
use stakes_stats::IntervalMethod;

pub use table::{metric_names, score_names, shown};

use crate::Error;
use crate::judge::score_name;
use crate::text::{Layout, Page};

/// The maximum number of points of a curve.
const MAX_DEPTH: usize = 2000;

/// What to measure.
#[derive(Debug, Clone, Default)]
pub struct EvaluateOptions {
    /// The metrics; cutoff, policy and budget are those of the goal where a metric has none.
    /// Without metrics, that of the goal.
    pub metrics: Vec<Spec>,
    /// Intervals, reference orders and tests.
    pub study: StudyOptions,
    /// Whether scores are expected costs, to be compared with the observed ones.
    pub calibration: bool,
    /// The capacity that was asked for, to mark in pictures; otherwise that of the first metric
    /// that has one.
    pub k: Option<Capacity>,
}

/// The figures of scores on data.
///
/// As JSON it is the documented contract of `stakes evaluate --json`.
#[derive(Debug, Clone, Serialize)]
pub struct Evaluation {
    /// The version of this library.
    pub stakes: &'static str,
    /// The size of the data.
    pub data: DataSize,
    /// What was asked for.
    pub settings: Settings,
    /// Figures and comparisons.
    #[serde(flatten)]
    pub study: Study,
    /// The share of all cost that is reached at each position.
    pub curves: Vec<Curve>,
    /// Expected costs beside observed ones, if that was asked for.
    pub calibration: Vec<Reliability>,
    /// The name of the cost.
    #[serde(skip)]
    pub cost_name: String,
    /// The cost of all items.
    #[serde(skip)]
    pub total_cost: f64,
    /// The number of items to mark in pictures; `None` under a budget.
    #[serde(skip)]
    pub mark: Option<usize>,
    /// How intervals and tests were made.
    #[serde(skip)]
    pub options: StudyOptions,
}

/// The size of a data set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DataSize {
    /// The file.
    pub source: String,
    /// The number of items.
    pub items: usize,
    /// The number of lists.
    pub lists: usize,
}

impl From<&Dataset> for DataSize {
    fn from(data: &Dataset) -> Self {
        DataSize { source: data.source().to_owned(), items: data.len(), lists: data.n_lists() }
    }
}

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Settings {
    /// The cost.
    pub cost: String,
    /// The capacity.
    pub k: Option<String>,
    /// The confidence of the intervals.
    pub level: Option<f64>,
    /// How intervals are computed.
    pub interval: Option<IntervalMethod>,
    /// The number of resamples, if lists are resampled.
    pub resamples: Option<usize>,
    /// The seed of resamples and random orders.
    pub seed: u64,
}

/// Evaluation of models by a goal.
pub trait EvaluateModel {
    /// The figure of a model on these lists with its interval, beside reference orders.
    fn evaluate(&self, data: &Dataset, model: &Model) -> Result<Evaluation, Error>;
}

impl EvaluateModel for Goal {
    fn evaluate(&self, data: &Dataset, model: &Model) -> Result<Evaluation, Error> {
        let problem = Problem::new(data, self)?;
        let scores = [Scores { name: score_name(model), values: model.score(data)? }];
        let options = EvaluateOptions { k: self.capacity(), ..EvaluateOptions::default() };
        evaluate_scores(&problem, self, &scores, &options, &|_| {})
    }
}

/// Measures scores. `progress` is told of each metric as it begins.
///
/// The goal is that of the problem, as it was asked for: percentages stay in the names of metrics.
pub fn evaluate_scores(
    problem: &Problem<'_>,
    goal: &Goal,
    scores: &[Scores],
    options: &EvaluateOptions,
    progress: &dyn Fn(&str),
) -> Result<Evaluation, Error> {
    let data = problem.data();
    let metrics = metrics(goal, &options.metrics, Scale::of(data))?;
    let study = study(problem, &metrics, scores, &options.study, progress)?;
    let intervals = options.study.intervals.as_ref();
    let calibration = match options.calibration {
        true => {
            let one = |score: &Scores| reliability(problem, &score.name, &score.values, intervals);
            scores.iter().map(one).collect::<Result<_, _>>()?
        }
        false => Vec::new(),
    };
    let k = marked_k(options.k, &metrics, data);
    Ok(Evaluation {
        stakes: env!("CARGO_PKG_VERSION"),
        data: data.into(),
        settings: Settings {
            cost: goal.cost.to_string(),
            k: options.k.map(|k| k.to_string()),
            level: intervals.map(|options| options.level),
            interval: intervals.map(|options| options.method),
            resamples: intervals.filter(|o| o.method.resamples()).map(|o| o.resamples),
            seed: options.study.test_options.seed,
        },
        study,
        curves: curves(problem, scores, k, options.study.references),
        calibration,
        cost_name: cost_name(problem),
        total_cost: problem.cost().iter().sum(),
        // Money does not end at a position.
        mark: goal.budget().is_none().then_some(k),
        options: options.study.clone(),
    })
}

/// Metrics with cutoff, policy and budget of the goal filled in; that of the goal if there are
/// none.
pub fn metrics(goal: &Goal, asked: &[Spec], scale: Scale) -> Result<Vec<Metric>, Error> {
    let asked = if asked.is_empty() { std::slice::from_ref(&goal.metric) } else { asked };
    let complete = |spec: &Spec| goal.complete(spec.clone()).build(scale);
    let metrics = asked.iter().map(complete).collect::<Result<Vec<_>, _>>()?;
    for (i, metric) in metrics.iter().enumerate() {
        if metrics[..i].iter().any(|m| m.name() == metric.name()) {
            return Err(Error::MetricTwice(metric.name()));
        }
    }
    Ok(metrics)
}

/// The name of the cost: the impact's column, or the expression.
pub fn cost_name(problem: &Problem<'_>) -> String {
    match (&problem.goal().cost, &problem.data().columns().impact) {
        (CostModel::Impact, Some(impact)) => impact.clone(),
        (cost, _) => cost.to_string(),
    }
}

fn marked_k(asked: Option<Capacity>, metrics: &[Metric], data: &Dataset) -> usize {
    let of_metrics = || metrics.iter().find_map(|m| m.cutoff());
    let k = asked.or_else(of_metrics).unwrap_or(Capacity::Items(DEFAULT_ITEMS));
    match k.resolve(data.mean_list_length()) {
        Capacity::Items(k) | Capacity::Range(_, k) => k,
        Capacity::All | Capacity::Percent(_) => DEFAULT_ITEMS,
    }
}

fn curves(problem: &Problem<'_>, scores: &[Scores], k: usize, references: bool) -> Vec<Curve> {
    let data = problem.data();
    let longest = data.lists().map(|items| items.len()).max().unwrap_or(1);
    // Far enough beyond k to see what more capacity would bring, in a picture's resolution.
    let depth = (4 * k).min(longest).min(MAX_DEPTH);
    let curve = |name: &str, reference, values: &[f64]| Curve {
        name: name.to_owned(),
        reference,
        shares: cost_curve(problem, values, depth),
    };
    let mut curves: Vec<Curve> = scores.iter().map(|s| curve(&s.name, false, &s.values)).collect();
    if references {
        curves.push(curve(RANDOM, true, &vec![0.0; data.len()]));
        curves.push(curve(IDEAL, true, problem.cost()));
    }
    curves
}

impl Evaluation {
    /// Writes the figures as a table, with what must be known to read them.
    pub fn write(&self, page: &mut Page) {
        table::write(page, self);
    }
}

impl fmt::Display for Evaluation {
    /// See [`Evaluation::write`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = Page::new(Layout::default());
        self.write(&mut page);
        f.write_str(&page.finish())
    }
}
