//! Goals as Python gives them.

use pyo3::prelude::*;
use serde::Deserialize;
use stakes::cost::{Capacity, CostModel, Policy};
use stakes::goal::{Goal, Reach};
use stakes::metric::Spec;

/// What a ranking is for; all as texts of the command line.
#[derive(FromPyObject, Deserialize)]
#[pyo3(from_item_all)]
#[serde(deny_unknown_fields)]
pub(crate) struct GoalArgs {
    k: Option<String>,
    budget: Option<f64>,
    cost: Option<String>,
    policy: Option<String>,
    metric: Option<String>,
}

impl GoalArgs {
    /// The number of items that can be acted on, if it is given.
    pub(crate) fn capacity(&self) -> PyResult<Option<Capacity>> {
        self.k.as_deref().map(|k| k.parse::<Capacity>().map_err(crate::error)).transpose()
    }

    /// The goal, by default as `default`.
    pub(crate) fn goal_or(&self, default: &Goal) -> PyResult<Goal> {
        if self.k.is_some() && self.budget.is_some() {
            return Err(crate::error("k and budget are both given; a list has one of them"));
        }
        let mut goal = default.clone();
        if let Some(k) = self.capacity()? {
            goal.reach = Reach::from(k);
        }
        if let Some(money) = self.budget {
            if !(money.is_finite() && money > 0.0) {
                return Err(crate::error(format!("budget is {money}; it must be above 0")));
            }
            goal.reach = Reach::Money(money);
        }
        if let Some(cost) = &self.cost {
            goal = goal.with_cost(cost.parse::<CostModel>().map_err(crate::error)?);
        }
        if let Some(policy) = &self.policy {
            goal = goal.with_policy(policy.parse::<Policy>().map_err(crate::error)?);
        }
        if let Some(metric) = &self.metric {
            goal = goal.with_metric(metric.parse::<Spec>().map_err(crate::error)?);
        }
        Ok(goal)
    }

    /// The goal.
    pub(crate) fn goal(&self) -> PyResult<Goal> {
        self.goal_or(&Goal::default())
    }
}
