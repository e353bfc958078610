//! The rows of the table of metrics.

use super::{Aggregate, Metric, Options, Rule, Scale, SpecError};
use crate::data::ListView;

/// A row of [`super::METRICS`].
pub struct MetricInfo {
    /// The name in specs.
    pub name: &'static str,
    /// Other names people use.
    pub aliases: &'static [&'static str],
    /// The family it belongs to.
    pub family: Family,
    /// The metric in a few words.
    pub title: &'static str,
    /// The formula in plain text.
    pub formula: &'static str,
    /// Where it comes from.
    pub citation: &'static str,
    /// Whether higher or lower values are better.
    pub direction: Direction,
    /// Smallest and largest value.
    pub range: (f64, f64),
    /// Whether it depends on the order alone or on the scores' values.
    pub reads: Reads,
    /// For metrics without a `ties` option: whether tied scores get the mean over their orders
    /// all the same (a tied pair counts 1/2).
    pub halves_ties: bool,
    /// How the values of lists become one figure.
    pub aggregate: Aggregate,
    /// Whether it takes `@k`.
    pub cutoff: CutoffUse,
    /// Whether it takes another metric in brackets.
    pub takes_inner: bool,
    /// Whether it is a normalised gain of graded relevance: NDCG and its kin.
    pub graded: bool,
    /// Its options.
    pub options: &'static [OptionInfo],
    /// Builds the rule.
    pub build: fn(&Options<'_>) -> Result<Box<dyn Rule>, SpecError>,
}

impl MetricInfo {
    /// The lists that have no value and are left out of the figure, with the default options.
    pub fn left_out(&self) -> Option<&'static str> {
        let cutoff = if self.cutoff == CutoffUse::Required { "@1" } else { "" };
        let metric = Metric::parse(&format!("{}{cutoff}", self.name), Scale::default()).ok()?;
        let has_value = |impact: f64| {
            let (impact, price) = ([impact; 2], [1.0; 2]);
            let list = ListView { price: Some(&price), ..ListView::of_impact(&impact) };
            metric.prepare(&list).of_scores(&[1.0, 0.0]).is_some()
        };
        match (has_value(1.0), has_value(0.0)) {
            (false, _) => Some("lists whose items are all of one level"),
            (true, false) => Some("lists in which everything is 0"),
            (true, true) => None,
        }
    }
}

impl std::fmt::Debug for MetricInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Names are unique in the table.
impl PartialEq for MetricInfo {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The families of metrics, in the order of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// The cost captured by the first items.
    CostSensitive,
    /// Metrics of information retrieval: graded or binary relevance.
    Retrieval,
    /// Distances and correlations of two rankings.
    Distance,
    /// Shares of pairs in order: bipartite, multipartite and partial rankings.
    Pairs,
    /// Conditional linear rank statistics.
    RankStatistic,
    /// The losses of pairwise boosting, and CSDCG.
    Boosting,
    /// Errors of scores as predictions.
    Regression,
}

impl Family {
    /// Returns the family's heading.
    pub fn title(self) -> &'static str {
        match self {
            Family::CostSensitive => "Cost captured",
            Family::Retrieval => "Information retrieval",
            Family::Distance => "Distance and correlation of rankings",
            Family::Pairs => "Bipartite, multipartite and partial rankings",
            Family::RankStatistic => "Conditional linear rank statistics",
            Family::Boosting => "Pairwise boosting losses",
            Family::Regression => "Regression",
        }
    }
}

/// Whether higher or lower values are better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Higher values are better.
    Higher,
    /// Lower values are better.
    Lower,
}

/// Whether a metric depends on the order alone or on the scores' values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    /// Only the order they give.
    Order,
    /// Their values.
    Values,
}

/// Whether a metric takes a cutoff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutoffUse {
    /// No.
    None,
    /// The whole list without one.
    Optional,
    /// It is not defined without one.
    Required,
}

/// An option of a metric.
pub struct OptionInfo {
    /// The key.
    pub key: &'static str,
    /// The value when it is not given.
    pub default: &'static str,
    /// The allowed values.
    pub allowed: Allowed,
    /// What it does.
    pub help: &'static str,
}

/// The values that an option takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Allowed {
    /// One of these.
    OneOf(&'static [&'static str]),
    /// A number in `[low, high]`.
    Number(f64, f64),
    /// A [`Policy`](crate::cost::Policy).
    Policy,
    /// An amount of money above 0.
    Money,
    /// Text that the metric parses itself.
    Text,
}
