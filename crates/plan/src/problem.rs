//! What can be taken, and what limits it.

use std::collections::HashSet;

use thiserror::Error;

/// Items with values, and limits on what is taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// What each item is worth, 0 or more.
    pub values: Vec<f64>,
    /// The limits, all of which hold together.
    pub limits: Vec<Limit>,
    /// Items that are taken in any case.
    pub must: Vec<usize>,
    /// Items that cannot be taken.
    pub must_not: Vec<usize>,
}

/// A limit on the sum of the amounts of the items that are taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// What it is, for messages: `hours`, `at most 2 of region north`.
    pub name: String,
    /// The sum is at most this, or at least this.
    pub amount: f64,
    /// Whether the sum must be at least the amount.
    pub is_least: bool,
    /// Items and their amounts, above 0; all others have 0.
    pub uses: Vec<(usize, f64)>,
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs)] // The messages say it.
pub enum PlanError {
    #[error("item {item} has the value {met}; values must be finite and not negative")]
    Value { item: usize, met: f64 },
    #[error("{limit}: item {item} has the amount {met}; amounts must be finite and not negative")]
    Amount { limit: String, item: usize, met: f64 },
    #[error("{limit}: the limit is {met}; it must be finite and not negative")]
    Limit { limit: String, met: f64 },
    #[error("item {item} does not exist; there are {items}")]
    NoItem { item: usize, items: usize },
    #[error("item {item} must be taken and must not be taken")]
    MustAndMustNot { item: usize },
    #[error("what must be taken needs {needed} of {limit}, and there are {amount}")]
    MustNotFit { limit: String, needed: f64, amount: f64 },
    #[error("{limit} asks for {amount}, and there are only {all} that can be taken")]
    TooFew { limit: String, amount: f64, all: f64 },
    #[error("no plan keeps all limits; relax one of them")]
    Infeasible,
    #[error("no plan was found that keeps all limits, and there may be none; relax one of them")]
    NoPlanFound,
}

impl Problem {
    /// Items of these values, without limits.
    pub fn new(values: Vec<f64>) -> Self {
        Problem { values, limits: Vec::new(), must: Vec::new(), must_not: Vec::new() }
    }

    /// With a further limit.
    #[must_use]
    pub fn with(mut self, limit: Limit) -> Self {
        self.limits.push(limit);
        self
    }

    pub(crate) fn check(&self) -> Result<(), PlanError> {
        let is_bad = |number: f64| !(number >= 0.0 && number.is_finite());
        if let Some(item) = self.values.iter().position(|value| is_bad(*value)) {
            return Err(PlanError::Value { item, met: self.values[item] });
        }
        let items = self.values.len();
        for &item in self.must.iter().chain(&self.must_not) {
            if item >= items {
                return Err(PlanError::NoItem { item, items });
            }
        }
        let excluded: HashSet<usize> = self.must_not.iter().copied().collect();
        if let Some(&item) = self.must.iter().find(|item| excluded.contains(item)) {
            return Err(PlanError::MustAndMustNot { item });
        }
        for Limit { name, amount, uses, .. } in &self.limits {
            if is_bad(*amount) {
                return Err(PlanError::Limit { limit: name.clone(), met: *amount });
            }
            for &(item, met) in uses {
                if item >= items {
                    return Err(PlanError::NoItem { item, items });
                }
                if is_bad(met) {
                    return Err(PlanError::Amount { limit: name.clone(), item, met });
                }
            }
        }
        Ok(())
    }
}

impl Limit {
    /// At most this amount; each item in turn uses so much.
    pub fn at_most(name: &str, amount: f64, uses: impl IntoIterator<Item = f64>) -> Self {
        let uses = uses.into_iter().enumerate().filter(|(_, used)| *used != 0.0).collect();
        Limit { name: name.to_owned(), amount, is_least: false, uses }
    }

    /// At most this number of these items.
    pub fn at_most_of(name: &str, number: usize, items: impl IntoIterator<Item = usize>) -> Self {
        let uses = items.into_iter().map(|item| (item, 1.0)).collect();
        Limit { name: name.to_owned(), amount: number as f64, is_least: false, uses }
    }

    /// At least this number of these items.
    pub fn at_least_of(name: &str, number: usize, items: impl IntoIterator<Item = usize>) -> Self {
        Limit { is_least: true, ..Limit::at_most_of(name, number, items) }
    }

    /// The sum of the amounts of some items, which are in order.
    pub fn used(&self, chosen: &[usize]) -> f64 {
        let own = self.uses.iter().filter(|(item, _)| chosen.binary_search(item).is_ok());
        own.map(|(_, amount)| amount).sum()
    }
}
