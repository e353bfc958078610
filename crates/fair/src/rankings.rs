//! What is audited: lists of items with scores and, where they are known, truth, costs and expected costs.

use rayon::prelude::*;

use crate::error::AuditError;
use crate::list::List;

/// Lists of items in the order that scores give them.
///
/// ```
/// use stakes_fair::Rankings;
/// let lists = Rankings::new(&[0, 3, 5], &[0.9, 0.5, 0.5, 2.0, 1.0])?.truth(&[3.0, 0.0, 1.0, 1.0, 2.0])?;
/// assert_eq!(lists.positions(0), [1.0, 2.5, 2.5]); // ties share their mean position
/// # Ok::<(), stakes_fair::AuditError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Rankings<'a> {
    offsets: &'a [usize],
    scores: &'a [f64],
    truth: Option<&'a [f64]>,
    cost: Option<&'a [f64]>,
    expected: Option<&'a [f64]>,
}

impl<'a> Rankings<'a> {
    /// Lists by the index of their first item and the end of the last; higher scores come first.
    ///
    /// # Errors
    /// If offsets do not rise from 0 to the number of scores, or a score is not a number.
    pub fn new(offsets: &'a [usize], scores: &'a [f64]) -> Result<Self, AuditError> {
        let rises = offsets.windows(2).all(|pair| pair[0] < pair[1]);
        let fits = offsets.first() == Some(&0) && offsets.last() == Some(&scores.len());
        if !rises || !fits || offsets.len() < 2 {
            return Err(AuditError::Offsets { items: scores.len() });
        }
        check("score", scores, scores.len(), false)?;
        Ok(Rankings { offsets, scores, truth: None, cost: None, expected: None })
    }

    /// One list.
    ///
    /// # Errors
    /// If there are no scores, or one is not a number.
    pub fn one(offsets: &'a [usize; 2], scores: &'a [f64]) -> Result<Self, AuditError> {
        Rankings::new(offsets, scores)
    }

    /// Adds the truth: items with higher numbers should stand higher.
    ///
    /// # Errors
    /// If there is not one finite number per item.
    pub fn truth(self, truth: &'a [f64]) -> Result<Self, AuditError> {
        check("truth", truth, self.len(), false)?;
        Ok(Rankings { truth: Some(truth), ..self })
    }

    /// Adds what each item cost.
    ///
    /// # Errors
    /// If there is not one finite number of at least 0 per item.
    pub fn cost(self, cost: &'a [f64]) -> Result<Self, AuditError> {
        check("cost", cost, self.len(), true)?;
        Ok(Rankings { cost: Some(cost), ..self })
    }

    /// Adds what each item was expected to cost.
    ///
    /// # Errors
    /// If there is not one finite number of at least 0 per item.
    pub fn expected(self, expected: &'a [f64]) -> Result<Self, AuditError> {
        check("expected cost", expected, self.len(), true)?;
        Ok(Rankings { expected: Some(expected), ..self })
    }

    /// The number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Never true: there is at least one item.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// The number of lists.
    #[must_use]
    pub fn n_lists(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The items of a list.
    #[must_use]
    pub fn items(&self, list: usize) -> std::ops::Range<usize> {
        self.offsets[list]..self.offsets[list + 1]
    }

    /// The positions of a list's items, 1 on top; ties share their mean position.
    #[must_use]
    pub fn positions(&self, list: usize) -> Vec<f64> {
        crate::list::positions(&self.scores[self.items(list)]).1
    }

    /// The truth, if it is known.
    pub(crate) fn truth_of_items(&self) -> Option<&'a [f64]> {
        self.truth
    }

    /// Whether truth, costs and expected costs are known.
    pub(crate) fn known(&self) -> [bool; 3] {
        [self.truth.is_some(), self.cost.is_some(), self.expected.is_some()]
    }

    /// Orders every list and counts its pairs; `tops` are the cut-offs at which pairs are counted as well.
    pub(crate) fn prepare(&self, tops: &[usize]) -> Vec<List> {
        // Positions of several lists are compared as shares of their lists.
        let several = self.n_lists() > 1;
        (0..self.n_lists())
            .into_par_iter()
            .map(|list| {
                let items = self.items(list);
                let part = |values: Option<&'a [f64]>| values.map(|all| &all[items.clone()]);
                let scale = if several { 1.0 / items.len() as f64 } else { 1.0 };
                let list = List::new(&self.scores[items.clone()], scale);
                let list = list.with_truth(part(self.truth), tops);
                list.with_cost(part(self.cost), part(self.expected))
            })
            .collect()
    }
}

fn check(
    what: &'static str,
    values: &[f64],
    items: usize,
    positive: bool,
) -> Result<(), AuditError> {
    if values.len() != items {
        return Err(AuditError::Length { what, met: values.len(), items });
    }
    let bad = |value: &f64| !value.is_finite() || (positive && *value < 0.0);
    match values.iter().position(bad) {
        Some(item) => Err(AuditError::Value { what, item, value: values[item], positive }),
        None => Ok(()),
    }
}
