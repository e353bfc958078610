//! What the table says of a metric.

use super::{Aggregate, Options, Rule, SpecError};

/// A row of [`super::METRICS`].
pub struct MetricInfo {
    /// The name in specs.
    pub name: &'static str,
    /// Other names people use.
    pub aliases: &'static [&'static str],
    /// Its kind.
    pub family: Family,
    /// In a few words.
    pub title: &'static str,
    /// The formula in plain text.
    pub formula: &'static str,
    /// Where it comes from.
    pub citation: &'static str,
    /// Whether more is better.
    pub direction: Direction,
    /// Smallest and largest value.
    pub range: (f64, f64),
    /// Whether it looks at the order alone or at the scores' values.
    pub reads: Reads,
    /// For metrics without a `ties` option: whether equal scores count the mean over their
    /// orders all the same (a tied pair counts 1/2).
    pub halves_ties: bool,
    /// How lists are put together.
    pub aggregate: Aggregate,
    /// Whether it takes `@k`.
    pub cutoff: CutoffUse,
    /// Its options.
    pub options: &'static [OptionInfo],
    /// Makes the rule.
    pub build: fn(&Options<'_>) -> Result<Box<dyn Rule>, SpecError>,
}

/// The kinds of metrics, in the order of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// SPEC 2.1.
    CostSensitive,
    /// SPEC 2.2.
    Retrieval,
    /// SPEC 2.3.
    Distance,
    /// SPEC 2.4.
    Pairs,
    /// SPEC 2.5.
    RankStatistic,
    /// SPEC 2.6.
    Boosting,
    /// SPEC 2.9.
    Regression,
}

impl Family {
    /// A heading.
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

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
}

/// What of the scores a metric looks at.
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
    /// It means nothing without one.
    Required,
}

/// An option of a metric.
pub struct OptionInfo {
    /// The key.
    pub key: &'static str,
    /// The value when it is not given.
    pub default: &'static str,
    /// What it may be.
    pub allowed: Allowed,
    /// What it does.
    pub help: &'static str,
}

/// What values an option takes.
pub enum Allowed {
    /// One of these.
    OneOf(&'static [&'static str]),
    /// A number in `[low, high]`.
    Number(f64, f64),
    /// Text that the metric reads itself.
    Text,
}
