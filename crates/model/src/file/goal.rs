//! A goal as texts: in files, in reports and in comparisons of models.
//!
//! ```json
//! "goal": {
//!   "cost": "y",
//!   "k": "10",
//!   "policy": null,
//!   "budget": null,
//!   "metric": "rcs@10",
//!   "columns": {"impact": "customers","list": "storm"}
//! }
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use stakes_core::cost::{Capacity, CapacityError, CostModel, Policy};
use stakes_core::data::Role;
use stakes_core::goal::{Goal, Reach};
use stakes_core::metric::Spec;

use super::layout::{Bracket, Page};
use super::shape::{Texts, unique};
use super::{Invalid, invalid};
use crate::{Model, RoleColumns};

/// A goal and the columns that it was trained with, as texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoalRecord {
    /// The cost.
    pub cost: String,
    /// The number of items that can be acted on; `None` under a budget.
    pub k: Option<String>,
    /// The policy, unless it is the default.
    pub policy: Option<String>,
    /// The money to spend in each list, if that is the limit.
    pub budget: Option<String>,
    /// The complete metric.
    pub metric: String,
    /// Columns by role.
    #[serde(deserialize_with = "unique")]
    pub columns: BTreeMap<String, String>,
}

impl Model {
    /// The goal and the columns of training, as texts.
    pub fn goal_record(&self) -> GoalRecord {
        GoalRecord::new(&self.goal, &self.columns)
    }
}

impl GoalRecord {
    pub(super) fn new(goal: &Goal, columns: &RoleColumns) -> Self {
        let policy = Some(&goal.policy).filter(|policy| **policy != Policy::default());
        GoalRecord {
            cost: goal.cost.to_string(),
            k: goal.capacity().map(|k| k.to_string()),
            policy: policy.map(Policy::to_string),
            budget: goal.budget().map(|money| money.to_string()),
            metric: goal.spec().to_string(),
            columns: by_name(columns),
        }
    }

    pub(super) fn write(&self, page: &mut Page) {
        page.spread("goal", Bracket::Object, |page| {
            page.field("cost", &self.cost);
            page.field("k", &self.k);
            page.field("policy", &self.policy);
            page.field("budget", &self.budget);
            page.field("metric", &self.metric);
            page.field("columns", &self.columns);
        });
    }

    /// The goal and the roles of columns.
    pub(super) fn check(self) -> Result<(Goal, RoleColumns), Invalid> {
        let cost = self.cost.parse::<CostModel>().map_err(|e| invalid("cost", e.to_string()))?;
        let metric = self.metric.parse::<Spec>().map_err(|e| invalid("metric", e.to_string()))?;
        let policy = self.policy.as_deref().map(str::parse::<Policy>).transpose();
        let policy = policy.map_err(|e| invalid("policy", e.to_string()))?.unwrap_or_default();
        let reach = reach(self.k.as_deref(), self.budget.as_deref())?;
        Ok((Goal { cost, reach, policy, metric }, by_role(self.columns)?))
    }
}

fn by_name(columns: &RoleColumns) -> Texts {
    columns.iter().map(|(role, column)| (role.to_string(), column.clone())).collect()
}

fn by_role(columns: Texts) -> Result<RoleColumns, Invalid> {
    let roles = columns.into_iter().map(|(name, column)| match name.parse::<Role>() {
        Ok(role) => Ok((role, column)),
        Err(_) => {
            let roles = Role::ALL.map(Role::name).join(", ");
            Err(invalid("columns", format!("has the role `{name}`; roles are {roles}")))
        }
    });
    roles.collect()
}

fn reach(k: Option<&str>, budget: Option<&str>) -> Result<Reach, Invalid> {
    match (k, budget) {
        (Some("all"), None) => Ok(Reach::Items(Capacity::All)),
        (Some(k), None) => match k.parse() {
            Ok(capacity) => Ok(Reach::Items(capacity)),
            Err(error) => Err(invalid("k", CapacityError::to_string(&error))),
        },
        (None, Some(text)) => match text.trim().parse::<f64>() {
            Ok(money) if money.is_finite() && money > 0.0 => Ok(Reach::Money(money)),
            _ => Err(invalid(
                "budget",
                format!("is `{text}`; must be a finite number greater than 0"),
            )),
        },
        (Some(_), Some(_)) => {
            Err(invalid("budget", "is given together with k; only one is allowed"))
        }
        (None, None) => Err(invalid("k", "is null, and so is budget; one of them is required")),
    }
}
