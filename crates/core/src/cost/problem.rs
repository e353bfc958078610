//! A data set with its goal and the cost of every item: what is ranked, and for what.

use super::CostError;
use crate::data::{DataError, DataProblem, Dataset, ListView, is_near_zero};
use crate::goal::Goal;

/// Lists, what acting on each of their items saves, and the goal.
#[derive(Debug, Clone)]
pub struct Problem<'d> {
    data: &'d Dataset,
    cost: Vec<f64>,
    goal: Goal,
}

impl<'d> Problem<'d> {
    /// Computes and checks the cost of every item. The goal is a [`Goal`], or a cost alone.
    /// Percentages in it are resolved by the mean list length of the data.
    pub fn new(data: &'d Dataset, goal: impl Into<Goal>) -> Result<Self, CostError> {
        check_near_zero(data)?;
        let goal = goal.into().resolve(data.mean_list_length());
        Ok(Problem { data, cost: goal.cost.costs(data)?, goal })
    }

    /// The data.
    pub fn data(&self) -> &'d Dataset {
        self.data
    }

    /// The goal, in numbers of items instead of percentages.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// The cost of every item.
    pub fn cost(&self) -> &[f64] {
        &self.cost
    }

    /// Number of lists.
    pub fn n_lists(&self) -> usize {
        self.data.n_lists()
    }

    /// One list. Data without an impact column shows its cost in the impact's place.
    pub fn list(&self, list: usize) -> ListView<'_> {
        let items = self.data.items(list);
        let impact = self.data.impact().unwrap_or(&self.cost);
        ListView {
            impact: &impact[items.clone()],
            cost: &self.cost[items.clone()],
            weight: self.data.weight().map(|w| &w[items.clone()]),
            price: self.data.price().map(|p| &p[items.clone()]),
        }
    }

    /// For each list whether anything can be saved in it.
    pub fn savable(&self) -> Vec<bool> {
        self.data.lists().map(|items| self.cost[items].iter().any(|&cost| cost > 0.0)).collect()
    }
}

/// Refuses impacts, weights and prices that a figure cannot be divided by: their list would
/// silently have no value.
fn check_near_zero(data: &Dataset) -> Result<(), DataError> {
    let c = data.columns();
    let columns =
        [(&c.impact, data.impact()), (&c.weight, data.weight()), (&c.price, data.price())];
    for (name, values) in columns {
        let (Some(name), Some(values)) = (name, values) else { continue };
        if let Some(item) = values.iter().position(|value| is_near_zero(*value)) {
            let problem = DataProblem::NearZero { column: name.clone(), met: values[item] };
            return Err(DataError::new(data.place(item), problem));
        }
    }
    Ok(())
}
