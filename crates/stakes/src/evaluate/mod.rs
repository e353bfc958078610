//! How much cost an order saves: figures with confidence intervals, reference orders, paired tests, cost
//! curves, and the calibration of expected costs.
//!
//! A model is evaluated by its goal ([`EvaluateModel::evaluate`]); scores of any origin by
//! [`evaluate_scores`], here two columns of the data:
//!
//! ```
//! use stakes::evaluate::{EvaluateOptions, evaluate_scores, scores};
//! use stakes::prelude::*;
//! let csv = b"storm,customers,cable,wind\n1,10000,5,14\n1,100,4,15\n1,0,3,16\n2,100,3,13\n2,1,4,12\n";
//! let roles = Roles::new().list("storm").impact("customers");
//! let storms = parse_csv_bytes(csv, roles)?;
//! let goal = Goal::act_on(1);
//! let orders = [scores::column(&storms, "cable")?, scores::column(&storms, "wind")?];
//! let problem = Problem::new(&storms, &goal)?;
//! let found = evaluate_scores(&problem, &goal, &orders, &EvaluateOptions::default(), None)?;
//! let cable = found.study.row("cable", "rcs@1").and_then(|row| row.value).expect("a figure");
//! assert!((cable - 10_001.0 / 10_100.0).abs() < 1e-9); // 10,001 of 10,100 customers
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod by_group;
pub mod notes;
mod pair_classes;
pub mod scores;
mod severity;
pub(crate) mod table;

use std::fmt;

use serde::Serialize;
use stakes_core::cost::{Capacity, CostModel, Problem};
use stakes_core::data::Dataset;
use stakes_core::goal::{DEFAULT_ITEMS, Goal};
use stakes_core::metric::{Metric, Scale, Spec};
use stakes_eval::curve::{Curve, cost_curve};
use stakes_eval::reliability::{Reliability, reliability};
use stakes_eval::study::{BEST_FEATURE, IDEAL, RANDOM, Scores, Study, StudyOptions, study};
use stakes_learn::rankboost::PairCostRule;
use stakes_model::Model;
use stakes_stats::IntervalMethod;

pub use by_group::ScoreFrame;
pub use pair_classes::{ByPairCost, PairClass};
pub use severity::{BySeverity, Fifth};
pub(crate) use table::with_interval;
pub use table::{metric_names, score_names, shown};

use crate::item_groups::ItemGroups;
use crate::observer::{Silent, or_silent};
use crate::scoring::{self, SeenLists, TrainedOn};
use crate::text::{Layout, Page};
use crate::{Error, Observer};

/// The maximum number of points of a curve.
const MAX_DEPTH: usize = 2000;

/// What to measure.
#[derive(Debug, Clone, Default)]
pub struct EvaluateOptions {
    /// The metrics; cutoff, policy and budget are those of the goal where a metric has none.
    /// Without any metrics, that of the goal.
    pub metrics: Vec<Spec>,
    /// Further metrics that you have implemented ([`Metric::custom`]).
    pub own_metrics: Vec<Metric>,
    /// Intervals, reference orders and tests.
    pub study: StudyOptions,
    /// Whether scores are expected costs and should be compared with the observed ones.
    pub calibration: bool,
    /// The groups by which all metrics are shown as well, if they are asked for.
    pub by: Option<ItemGroups>,
    /// Whether all metrics are shown by fifths of the lists by what could be saved in them as well.
    pub by_severity: bool,
    /// The rule of the pair costs by which pairs in order are counted as well, if that is asked for.
    pub by_pair_cost: Option<PairCostRule>,
    /// The capacity to mark in pictures; by default that of the first metric that has one.
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
    /// The models that were trained on some of these lists; to be set by who knows it.
    pub trained_on: Vec<ModelTrainedOn>,
    /// Figures and comparisons.
    #[serde(flatten)]
    pub study: Study,
    /// The share of all cost that is reached at each position.
    pub curves: Vec<Curve>,
    /// Expected costs beside observed ones, if that was asked for.
    pub calibration: Vec<Reliability>,
    /// Every metric of every score by group, if that was asked for.
    pub by: Vec<ScoreFrame>,
    /// Every metric of every score by severity, if that was asked for.
    pub by_severity: Vec<BySeverity>,
    /// The pairs of every score in order by what they cost, if that was asked for.
    pub by_pair_cost: Vec<ByPairCost>,
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

/// A model that was trained on some of the lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelTrainedOn {
    /// The name of its scores.
    pub score: String,
    /// How many lists.
    #[serde(flatten)]
    pub trained_on: TrainedOn,
}

impl ModelTrainedOn {
    /// `None` if it is known that it was not trained on any of the lists.
    pub fn new(score: &str, trained_on: TrainedOn) -> Option<Self> {
        let to_be_told = trained_on.lists > 0 || trained_on.elsewhere;
        to_be_told.then(|| ModelTrainedOn { score: score.to_owned(), trained_on })
    }
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

/// Adds `evaluate` to goals.
pub trait EvaluateModel {
    /// Measures a model on these lists by the metric of the goal: its figure with a confidence interval,
    /// beside reference orders. Lists that the model was trained on are scored as [`scoring`] says.
    fn evaluate(&self, data: &Dataset, model: &Model) -> Result<Evaluation, Error> {
        self.evaluate_with(data, model, &EvaluateOptions::default())
    }

    /// As [`EvaluateModel::evaluate`], with other metrics, intervals and tests.
    fn evaluate_with(
        &self,
        data: &Dataset,
        model: &Model,
        options: &EvaluateOptions,
    ) -> Result<Evaluation, Error>;
}

impl EvaluateModel for Goal {
    fn evaluate_with(
        &self,
        data: &Dataset,
        model: &Model,
        options: &EvaluateOptions,
    ) -> Result<Evaluation, Error> {
        let problem = Problem::new(data, self)?;
        let scored = scoring::score(model, data, SeenLists::default())?;
        let values = model.priorities(scored.values, data, self.reach);
        let scores = [Scores { name: score_name(model), values }];
        let options = EvaluateOptions { k: options.k.or(self.capacity()), ..options.clone() };
        let mut found = evaluate_scores(&problem, self, &scores, &options, None)?;
        found.trained_on.extend(ModelTrainedOn::new(&scores[0].name, scored.trained_on));
        Ok(found)
    }
}

/// The name of a model beside others: its learner, unless it is the name of a reference order.
pub(crate) fn score_name(model: &Model) -> String {
    match model.learner.as_str() {
        name @ (BEST_FEATURE | RANDOM | IDEAL) => format!("{name} (trained)"),
        name => name.to_owned(),
    }
}

/// Measures scores of any origin: one or several models, columns, files ([`scores`]).
///
/// `goal` is that of the problem before percentages became numbers of items, for the names of metrics.
/// The observer hears of each metric when it starts.
pub fn evaluate_scores(
    problem: &Problem<'_>,
    goal: &Goal,
    scores: &[Scores],
    options: &EvaluateOptions,
    observer: Option<&mut dyn Observer>,
) -> Result<Evaluation, Error> {
    let data = problem.data();
    let metrics = all_metrics(goal, options, Scale::of(data))?;
    let mut silent = Silent;
    let observer = or_silent(observer, &mut silent);
    let mut tell = |metric: &str| observer.stage(metric);
    let study = study(problem, &metrics, scores, &options.study, &mut tell)?;
    let intervals = options.study.intervals.as_ref();
    let calibration = match options.calibration {
        true => {
            let one = |score: &Scores| reliability(problem, &score.name, &score.values, intervals);
            scores.iter().map(one).collect::<Result<_, _>>()?
        }
        false => Vec::new(),
    };
    let by = match &options.by {
        Some(groups) => by_group::frames(problem, &metrics, scores, groups, &options.study)?,
        None => Vec::new(),
    };
    let by_severity = match options.by_severity {
        true => severity::by_severity(problem, goal, &study, &metrics)?,
        false => Vec::new(),
    };
    let by_pair_cost = match options.by_pair_cost {
        Some(rule) => pair_classes::by_pair_cost(problem, scores, rule)?,
        None => Vec::new(),
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
        trained_on: Vec::new(),
        study,
        curves: curves(problem, scores, k, options.study.references),
        calibration,
        by,
        by_severity,
        by_pair_cost,
        cost_name: cost_name(problem),
        total_cost: problem.cost().iter().sum(),
        // Money does not end at a position.
        mark: goal.budget().is_none().then_some(k),
        options: options.study.clone(),
    })
}

/// Completes metrics by the cutoff, policy and budget of the goal; without any, returns the metric of
/// the goal.
pub fn metrics(goal: &Goal, asked: &[Spec], scale: Scale) -> Result<Vec<Metric>, Error> {
    let asked = if asked.is_empty() { std::slice::from_ref(&goal.metric) } else { asked };
    let complete = |spec: &Spec| goal.complete(spec.clone()).build(scale);
    let metrics = asked.iter().map(complete).collect::<Result<Vec<_>, _>>()?;
    check_names(&metrics)?;
    Ok(metrics)
}

fn all_metrics(goal: &Goal, options: &EvaluateOptions, scale: Scale) -> Result<Vec<Metric>, Error> {
    let EvaluateOptions { metrics: asked, own_metrics, .. } = options;
    let mut all = match asked.is_empty() && !own_metrics.is_empty() {
        true => Vec::new(),
        false => metrics(goal, asked, scale)?,
    };
    all.extend(own_metrics.iter().cloned());
    check_names(&all)?;
    Ok(all)
}

fn check_names(metrics: &[Metric]) -> Result<(), Error> {
    for (i, metric) in metrics.iter().enumerate() {
        if metrics[..i].iter().any(|m| m.name() == metric.name()) {
            return Err(Error::MetricTwice(metric.name()));
        }
    }
    Ok(())
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
    /// Writes the figures as a table, with the remarks needed to read it.
    pub fn write(&self, page: &mut Page) {
        table::write(page, self);
        by_group::write(page, self);
        severity::write(page, self);
        pair_classes::write(page, self);
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
