//! Every evaluator of the papers, in one table.
//!
//! A metric has a text form (`rcs@10`, `ndcg@10:gain=linear,ties=stable`) that says all of
//! its conventions, and is prepared once per list; what is prepared can then value many
//! orders of that list and say what a swap would change. How lists are put together is a
//! value too: see [`Aggregate`].
//!
//! ```
//! use stakes_core::data::ListView;
//! use stakes_core::metric::{Metric, Scale};
//! let r = Metric::parse("r@3", Scale::default())?;
//! let impacts = [70.0, 50.0, 50.0, 50.0, 0.0, 0.0];
//! let list = ListView::of_impact(&impacts);
//! // 70 first, then two of no impact: 70 of the 120 that could have been saved.
//! let value = r.prepare(&list).of_scores(&[9.0, 1.0, 1.0, 1.0, 8.0, 7.0]);
//! assert!((value.unwrap() - 70.0 / 120.0).abs() < 1e-15);
//! # Ok::<(), stakes_core::metric::SpecError>(())
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
mod info;
mod item_gains;
mod options;
mod pair_cost;
mod pair_counts;
mod pair_sweep;
mod pairs;
mod part;
mod prepared_lists;
mod rank_dcg;
mod regression;
mod retrieval;
mod reweighted;
mod spec;
mod table;
mod top;

use std::borrow::Cow;

use crate::data::ListView;
use crate::rank::{Rank, Ranking};

pub(crate) use additive::exp2_gain;
pub use aggregate::{Aggregate, ListValue};
pub use convention::{Discount, Gain, OnEmpty, Target};
pub use evaluate::{EvaluateError, Evaluation, evaluate, evaluate_lists, evaluate_random};
pub use info::{Allowed, CutoffUse, Direction, Family, MetricInfo, OptionInfo, Reads};
pub use options::Options;
pub use pair_counts::PairCounts;
pub use pair_sweep::{PairSums, Term as PairTerm, pair_sums};
pub use part::{Finish, Part, ratio, totals};
pub use prepared_lists::PreparedLists;
pub use spec::{Scale, Spec, SpecError, split_specs};
pub use table::METRICS;
pub use top::{Top, with_top};

/// A metric bound to its conventions, ready for any list.
pub struct Metric {
    info: &'static MetricInfo,
    spec: Spec,
    rule: Box<dyn Rule>,
}

impl Metric {
    /// The metric that a text names, for data of the given scale.
    pub fn parse(text: &str, scale: Scale) -> Result<Self, SpecError> {
        text.parse::<Spec>()?.build(scale)
    }

    /// Its row in the table.
    pub fn info(&self) -> &'static MetricInfo {
        self.info
    }

    /// Which way is better: that of the metric inside, if there is one.
    pub fn direction(&self) -> Direction {
        self.spec.innermost().info().direction
    }

    /// What of the scores it looks at: that of the metric inside, if there is one.
    pub fn reads(&self) -> Reads {
        self.spec.innermost().info().reads
    }

    /// The canonical text, without what is default.
    pub fn name(&self) -> String {
        self.spec.to_string()
    }

    /// What was asked for.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The value of an option, given or default; `None` if the metric has no such option.
    pub fn option(&self, key: &str) -> Option<&str> {
        self.spec.option(key)
    }

    /// Whether equal scores count the mean over their orders, so that a constant score is
    /// valued as the mean over all orders.
    pub fn averages_ties(&self) -> bool {
        let spec = self.spec.innermost();
        let named = matches!(spec.option("ties"), Some("expected" | "half"));
        named || spec.info().halves_ties
    }

    /// Does for a list what need only be done once.
    pub fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        self.rule.prepare(list)
    }

    /// Scores that give the best possible order of a list.
    pub fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        self.rule.ideal_scores(list)
    }

    /// What the metric asks of the data beyond costs, if the data lacks it.
    pub fn check(&self, list: &ListView<'_>) -> Result<(), String> {
        self.rule.check(list)
    }
}

impl std::fmt::Debug for Metric {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Metric({})", self.spec)
    }
}

/// The computation behind a metric: what each file of this room provides.
pub trait Rule: Send + Sync {
    /// See [`Metric::prepare`].
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l>;

    /// See [`Metric::ideal_scores`].
    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]>;

    /// See [`Metric::check`].
    fn check(&self, _list: &ListView<'_>) -> Result<(), String> {
        Ok(())
    }
}

/// A metric prepared for one list.
pub trait ListMetric: Send + Sync {
    /// The value of the order that these scores give, or `None` if the list has none
    /// (nothing to save, no pair to compare).
    fn of_scores(&self, scores: &[f64]) -> Option<f64>;

    /// The value of an order.
    fn of_ranking(&self, ranking: &Ranking) -> Option<f64> {
        self.of_scores(&ranking.to_scores())
    }

    /// How much the list counts beside others, where the aggregate weighs lists.
    fn weight(&self) -> f64 {
        1.0
    }

    /// The mean value over all orders of the list, where it has a closed form: `Some(None)`
    /// is a list that has no value, `None` a metric that has no closed form.
    fn mean_over_orders(&self) -> Option<Option<f64>> {
        None
    }

    /// What exchanging the items of two ranks would add to the value. This default is slow
    /// and right; fast paths are tested against it.
    fn swap_delta(&self, ranking: &Ranking, a: Rank, b: Rank) -> f64 {
        // Ties are resolved as they stand on both sides, or the difference would be that
        // of breaking them.
        let before = self.of_ranking(&ranking.swapped(a, a)).unwrap_or(0.0);
        self.of_ranking(&ranking.swapped(a, b)).unwrap_or(0.0) - before
    }

    /// The sum of gain x discount that the metric is, if it is one. (Then a swap has a closed
    /// form, which learners need for every pair at once.)
    fn additive(&self) -> Option<AdditiveParts<'_>> {
        None
    }
}

/// A prepared metric as a sum: its value is `scale` x the sum over ranks of gain(item at the
/// rank) x discount(rank), up to a constant. Exchanging the items at ranks a and b adds
/// `scale * (g_b - g_a) * (d_a - d_b)`.
#[derive(Debug, Clone, PartialEq)]
pub struct AdditiveParts<'m> {
    /// What each item is worth, in the order of the list.
    pub gains: Vec<f64>,
    /// What the first ranks are worth, never rising; 0 beyond.
    pub discounts: &'m [f64],
    /// The factor of the sum: 0 for a list that has no value of its own, `NaN` where the sum
    /// is beyond all numbers.
    pub scale: f64,
}
