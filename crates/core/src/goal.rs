//! What a ranking is for: the cost, how far down a list actions reach, and the measure of success.
//!
//! A [`Goal`] is parsed once, where it is typed or loaded, and then carried by a
//! [`Problem`](crate::cost::Problem) through training, evaluation and ranking.
//!
//! ```
//! use stakes_core::cost::{Capacity, CostModel, Policy};
//! use stakes_core::goal::Goal;
//! let goal = Goal::act_on(24);
//! assert_eq!(goal.spec().to_string(), "rcs@24");
//! let goal = goal.with_policy(Policy::Step).with_metric("r".parse()?);
//! assert_eq!(goal.spec().to_string(), "r@24:policy=step");
//! // 12.5 % of a mean list of 43.3 items, rounded up.
//! let goal = Goal::act_on(Capacity::Percent(12.5)).resolve(43.3);
//! assert_eq!(goal.spec().to_string(), "rcs@6");
//! assert_eq!(Goal::spend(500.0).spec().to_string(), "rcs:budget=500,ties=worst");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;

use crate::cost::{Capacity, CostModel, Policy};
use crate::metric::Spec;

/// The number of items that is assumed where a goal does not limit it.
pub const DEFAULT_ITEMS: usize = 10;

/// The metric of a goal that does not name one: the share of all savable cost that is saved.
pub const DEFAULT_METRIC: &str = "rcs";

/// How far down a list actions reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reach {
    /// A number of items, a percentage of the mean list length, or a range of numbers.
    Items(Capacity),
    /// Money to spend in each list; every item has a price.
    Money(f64),
}

impl From<Capacity> for Reach {
    fn from(capacity: Capacity) -> Self {
        Reach::Items(capacity)
    }
}

impl From<usize> for Reach {
    fn from(items: usize) -> Self {
        Reach::Items(Capacity::Items(items))
    }
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reach::Items(capacity) => write!(f, "{capacity}"),
            Reach::Money(money) => write!(f, "a budget of {money}"),
        }
    }
}

/// What a ranking is for.
#[derive(Debug, Clone, PartialEq)]
pub struct Goal {
    /// What acting on an item saves.
    pub cost: CostModel,
    /// How far down a list actions reach.
    pub reach: Reach,
    /// The probability that each position is acted on.
    pub policy: Policy,
    /// The metric as given; [`Goal::spec`] completes it by reach and policy.
    pub metric: Spec,
}

impl Default for Goal {
    /// Act on ten items of each list.
    fn default() -> Self {
        Goal::act_on(DEFAULT_ITEMS)
    }
}

impl Goal {
    /// Save as much cost as possible by acting on this many items of each list: a number, or
    /// any [`Capacity`].
    pub fn act_on(reach: impl Into<Reach>) -> Self {
        Goal {
            cost: CostModel::Impact,
            reach: reach.into(),
            policy: Policy::default(),
            metric: Spec::named(DEFAULT_METRIC),
        }
    }

    /// Save as much cost as possible by spending this much money in each list.
    pub fn spend(money: f64) -> Self {
        Goal { reach: Reach::Money(money), ..Goal::act_on(DEFAULT_ITEMS) }
    }

    /// The same goal for another cost.
    #[must_use]
    pub fn with_cost(self, cost: CostModel) -> Self {
        Goal { cost, ..self }
    }

    /// The same goal under another action policy.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        Goal { policy, ..self }
    }

    /// The same goal measured by another metric.
    #[must_use]
    pub fn with_metric(self, metric: Spec) -> Self {
        Goal { metric, ..self }
    }

    /// The number of items that can be acted on; `None` under a budget.
    pub fn capacity(&self) -> Option<Capacity> {
        match self.reach {
            Reach::Items(capacity) => Some(capacity),
            Reach::Money(_) => None,
        }
    }

    /// The money to spend in each list, if that is the limit.
    pub fn budget(&self) -> Option<f64> {
        match self.reach {
            Reach::Items(_) => None,
            Reach::Money(money) => Some(money),
        }
    }

    /// The metric of the goal with cutoff, policy and budget filled in where it takes them and
    /// does not say them itself.
    pub fn spec(&self) -> Spec {
        self.complete(self.metric.clone())
    }

    /// Any metric with cutoff, policy and budget of this goal filled in.
    pub fn complete(&self, spec: Spec) -> Spec {
        let spec = self.with_own_policy(spec);
        match self.reach {
            Reach::Money(money) if spec.takes_budget() && spec.cutoff.is_none() => {
                spec.or_budget(money)
            }
            _ if spec.budget.is_some() => spec,
            _ => spec.or_cutoff(self.capacity().unwrap_or(Capacity::Items(DEFAULT_ITEMS))),
        }
    }

    /// Any metric with the policy of this goal, if it takes one.
    pub fn with_own_policy(&self, spec: Spec) -> Spec {
        match &self.policy {
            Policy::Linear => spec,
            policy => spec.or_policy(policy),
        }
    }

    /// The same goal with a complete metric, and percentages of the mean list length as numbers of
    /// items.
    #[must_use]
    pub fn resolve(self, mean_list_length: f64) -> Self {
        let reach = match self.reach {
            Reach::Items(capacity) => Reach::Items(capacity.resolve(mean_list_length)),
            money => money,
        };
        Goal { reach, metric: in_items(self.spec(), mean_list_length), ..self }
    }
}

fn in_items(mut spec: Spec, mean_list_length: f64) -> Spec {
    spec.cutoff = spec.cutoff.map(|k| k.resolve(mean_list_length));
    spec.inner = spec.inner.map(|inner| Box::new(in_items(*inner, mean_list_length)));
    spec
}

impl From<&Goal> for Goal {
    fn from(goal: &Goal) -> Self {
        goal.clone()
    }
}

/// A cost alone: the default goal for it.
impl From<&CostModel> for Goal {
    fn from(cost: &CostModel) -> Self {
        Goal::default().with_cost(cost.clone())
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (spec, policy) = (self.spec(), &self.policy);
        write!(f, "cost {}, reach {}, policy {policy}, metric {spec}", self.cost, self.reach)
    }
}
