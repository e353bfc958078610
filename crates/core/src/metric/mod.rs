//! Metrics: measures of the quality of an order.
//!
//! A metric has a text form (`rcs@10`, `ndcg@10:gain=linear,ties=stable`) that names all of its
//! conventions. It is prepared once per list; the prepared metric then gives the value of any
//! number of orders of that list, and the change of the value by a swap. How the values of
//! lists become one figure is also a property of the metric: see [`Aggregate`].
//!
//! ```
//! use stakes_core::data::ListView;
//! use stakes_core::metric::{Metric, Scale};
//! let r = Metric::parse("r@3", Scale::default())?;
//! let impacts = [70.0, 50.0, 50.0, 50.0, 0.0, 0.0];
//! let list = ListView::of_impact(&impacts);
//! // 70 first, then two without impact: 70 of the 120 that could have been saved.
//! let value = r.prepare(&list).of_scores(&[9.0, 1.0, 1.0, 1.0, 8.0, 7.0]);
//! assert!((value.unwrap() - 70.0 / 120.0).abs() < 1e-15);
//! # Ok::<(), stakes_core::metric::SpecError>(())
//! ```
//!
//! # A metric of your own
//!
//! The metrics of the table ([`METRICS`]) are found by name. Your own is a [`Rule`], made into a
//! [`Metric`] by [`Metric::custom`]; every function that takes a `Metric` accepts it. Here: the
//! probability that the costliest item is among the first k, ties being broken at random.
//!
//! ```
//! use std::borrow::Cow;
//! use stakes_core::data::ListView;
//! use stakes_core::metric::{ListMetric, Metric, MetricProperties, PreparedLists, Rule};
//!
//! struct Found { k: usize }
//!
//! struct FoundInList { k: usize, costliest: usize }
//!
//! impl Rule for Found {
//!     fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
//!         let costliest = (0..list.len()).max_by(|&a, &b| list.cost[a].total_cmp(&list.cost[b]));
//!         Box::new(FoundInList { k: self.k, costliest: costliest.unwrap_or(0) })
//!     }
//!
//!     fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
//!         Cow::Borrowed(list.cost)
//!     }
//! }
//!
//! impl ListMetric for FoundInList {
//!     fn of_scores(&self, scores: &[f64]) -> Option<f64> {
//!         let its_score = scores.get(self.costliest)?;
//!         let before = scores.iter().filter(|score| *score > its_score).count();
//!         let tied = scores.iter().filter(|score| *score == its_score).count();
//!         Some(self.k.saturating_sub(before).min(tied) as f64 / tied as f64)
//!     }
//! }
//!
//! let properties =
//!     MetricProperties { range: (0.0, 1.0), averages_ties: true, ..MetricProperties::new("found@2") };
//! let found = Metric::custom(properties, Found { k: 2 });
//! let lists = [ListView::of_impact(&[8.0, 2.0, 1.0]), ListView::of_impact(&[0.0, 0.0, 4.0])];
//! let scores = [0.0, 7.0, 9.0, 5.0, 5.0, 5.0];
//! // Missed in the first list; in the second three items are tied for two places.
//! let figure = PreparedLists::new(&found, &lists)?.evaluate(&scores)?.figure;
//! assert_eq!(figure, Some((0.0 + 2.0 / 3.0) / 2.0));
//! # Ok::<(), stakes_core::metric::EvaluateError>(())
//! ```

mod additive;
mod aggregate;
mod average_precision;
mod boosting;
mod budget;
mod cascade;
mod cascade_ties;
mod clrs;
mod convention;
mod cost_sensitive;
mod csdcg;
mod distance;
mod evaluate;
mod exp_sweep;
mod hit;
mod info;
mod item_gains;
mod options;
mod pair_cost;
mod pair_counts;
mod pair_sweep;
mod pairs;
mod part;
mod preference_sets;
mod prepared_lists;
mod properties;
mod rank_dcg;
mod regression;
mod retrieval;
mod reweighted;
mod rule;
mod scale;
mod spec;
mod table;
mod top;

use std::borrow::Cow;
use std::sync::Arc;

use crate::cost::Capacity;
use crate::data::ListView;

pub(crate) use additive::exp2_gain;
pub use aggregate::{Aggregate, ListValue};
pub(crate) use budget::NO_PRICE;
pub use budget::per_price;
pub use convention::{Discount, Gain, OnEmpty, Target};
pub use evaluate::{EvaluateError, Evaluation, evaluate, evaluate_lists, evaluate_random};
pub use info::{Allowed, CutoffUse, Direction, Family, MetricInfo, OptionInfo, Reads};
pub use options::Options;
pub use pair_counts::PairCounts;
pub use pair_sweep::{PairSums, Term as PairTerm, pair_sums};
pub use part::{Finish, Part, ratio, totals};
pub use preference_sets::PreferenceSets;
pub use prepared_lists::PreparedLists;
pub use properties::MetricProperties;
pub use rule::{AdditiveParts, AllListsMetric, ListMetric, Rule, Spending};
pub use scale::Scale;
pub use spec::{Spec, SpecError, split_specs};
pub use table::METRICS;
pub use top::{Top, with_top};

/// A metric with all of its conventions, ready for any list: one of the table ([`METRICS`]), or
/// your own ([`Metric::custom`]).
#[derive(Clone)]
pub struct Metric {
    properties: MetricProperties,
    /// `None` for a custom metric.
    spec: Option<Spec>,
    rule: Arc<dyn Rule>,
}

impl Metric {
    /// Parses the text form of a metric of the table, for data of the given scale.
    pub fn parse(text: &str, scale: Scale) -> Result<Self, SpecError> {
        text.parse::<Spec>()?.build(scale)
    }

    /// Makes a metric from a rule of your own. The module's documentation has an example.
    pub fn custom(properties: MetricProperties, rule: impl Rule + 'static) -> Self {
        Metric { properties, spec: None, rule: Arc::new(rule) }
    }

    /// The name: for a metric of the table its canonical text, without default options.
    pub fn name(&self) -> String {
        self.properties.name.clone()
    }

    /// Whether higher or lower values are better.
    pub fn direction(&self) -> Direction {
        self.properties.direction
    }

    /// The smallest and the largest possible value of a list.
    pub fn range(&self) -> (f64, f64) {
        self.properties.range
    }

    /// Whether the metric depends on the order alone or on the scores' values.
    pub fn reads(&self) -> Reads {
        self.properties.reads
    }

    /// How the values of lists become one figure.
    pub fn aggregate(&self) -> Aggregate {
        self.properties.aggregate
    }

    /// Whether tied scores get the mean value over their orders, so that a constant score has
    /// the mean value over all orders.
    pub fn averages_ties(&self) -> bool {
        self.properties.averages_ties
    }

    /// The parsed text form; `None` for a custom metric.
    pub fn spec(&self) -> Option<&Spec> {
        self.spec.as_ref()
    }

    /// The cutoff `@k`, if it has one; `None` for a custom metric.
    pub fn cutoff(&self) -> Option<Capacity> {
        self.spec.as_ref()?.cutoff
    }

    /// The value of an option as text, given or default; `None` if the metric has no such option.
    pub fn option(&self, key: &str) -> Option<Cow<'_, str>> {
        self.spec.as_ref()?.option(key)
    }

    /// Prepares the metric for a list: see [`Rule::prepare`].
    pub fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        self.rule.prepare(list)
    }

    /// Returns scores that give the best possible order of a list.
    pub fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        self.rule.ideal_scores(list)
    }

    /// Checks that the list has all columns the metric needs: see [`Rule::check`].
    pub fn check(&self, list: &ListView<'_>) -> Result<(), String> {
        self.rule.check(list)
    }
}

impl std::fmt::Debug for Metric {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Metric({})", self.properties.name)
    }
}
