//! What more and less of what there is would bring: the plan at other amounts of its first limit.

use serde::Serialize;
use stakes_plan::{Plan, Problem};

use super::Asked;

/// The shares of the first limit at which plans are made.
const SHARES: [f64; 4] = [0.5, 0.75, 1.25, 1.5];

/// The plan with another amount of the first limit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    /// The amount.
    pub amount: f64,
    /// What the plan is then expected to save.
    pub expected: f64,
    /// What each unit beyond the step before saves; of the first step all units.
    pub per_unit: f64,
    /// The number of items.
    pub items: usize,
    /// Items that come into the plan, or leave it if there is less.
    pub changes: Vec<String>,
}

/// Plans with less and more of the first limit, the plan itself among them, by amount.
pub(super) fn steps(asked: &Asked<'_>, list: usize, problem: &Problem, plan: &Plan) -> Vec<Step> {
    // Only what there is can grow: not limits per group.
    let grows = asked.options.budget.is_some()
        || asked.options.k.is_some()
        || !asked.options.resources.is_empty();
    let Some(first) = problem.limits.first().filter(|_| grows) else { return Vec::new() };
    let there_is = first.amount;
    let is_count = asked.options.budget.is_none() && asked.options.k.is_some();
    let mut plans = vec![(there_is, plan.clone())];
    for share in SHARES {
        let amount = share * there_is;
        let amount = if is_count { amount.round() } else { amount };
        let mut other = problem.clone();
        other.limits[0].amount = amount;
        // With less, what must be taken may not fit any more.
        let Ok(found) = stakes_plan::plan(&other) else { continue };
        plans.push((amount, found));
    }
    plans.sort_by(|a, b| a.0.total_cmp(&b.0));
    plans.dedup_by(|a, b| a.0 == b.0);
    let first = asked.data.items(list).start;
    let mut steps: Vec<Step> = Vec::new();
    for (amount, found) in &plans {
        let before = steps.last().map_or((0.0, 0.0), |step| (step.amount, step.expected));
        // With more, what comes in; with less, what goes.
        let (own, other) = if *amount >= there_is { (found, plan) } else { (plan, found) };
        let changes = own.chosen.iter().filter(|item| other.chosen.binary_search(item).is_err());
        steps.push(Step {
            amount: *amount,
            expected: found.value,
            per_unit: match amount - before.0 {
                units if units > 0.0 => (found.value - before.1) / units,
                _ => 0.0,
            },
            items: found.chosen.len(),
            changes: changes.map(|item| asked.id(first + item)).collect(),
        });
    }
    steps
}
