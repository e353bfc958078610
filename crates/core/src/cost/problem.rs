//! A data set with the cost of every item: what is ranked, and for what.

use super::{CostError, CostModel};
use crate::data::{Dataset, ListView};

/// Lists and what acting on each of their items saves.
#[derive(Debug, Clone)]
pub struct Problem<'d> {
    data: &'d Dataset,
    cost: Vec<f64>,
}

impl<'d> Problem<'d> {
    /// Finds and checks the cost of every item.
    pub fn new(data: &'d Dataset, model: &CostModel) -> Result<Self, CostError> {
        Ok(Problem { data, cost: model.costs(data)? })
    }

    /// The data.
    pub fn data(&self) -> &'d Dataset {
        self.data
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
}
