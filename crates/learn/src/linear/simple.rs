//! The simplest scores: a single input.

use crate::dense::Dense;
use crate::error::FitError;
use crate::run::Steps;
use crate::run::{Finish, Measure, best};
use stakes_model::Link;

/// Returns the input and direction (1 or -1) with the best value of a measure on these items; the
/// first among equals, and 1 before -1.
pub(crate) fn best_input(
    data: &Dense,
    items: &[usize],
    measure: &Measure<'_>,
) -> Result<(usize, f64), FitError> {
    let finish =
        Finish { link: Link::Identity, unit: 1.0, others: None, smearing: 1.0, price: None };
    let mut values = Vec::with_capacity(2 * data.width());
    for input in 0..data.width() {
        let mut column: Vec<f64> = items.iter().map(|&item| data.row(item)[input]).collect();
        values.push(measure.value(&column, &finish)?);
        column.iter_mut().for_each(|x| *x = -*x);
        values.push(measure.value(&column, &finish)?);
    }
    let place = best(&values, measure.direction()).map_or(0, |(place, _)| place - 1);
    Ok((place / 2, if place.is_multiple_of(2) { 1.0 } else { -1.0 }))
}

/// A weight that is known in advance: its single round changes nothing.
pub(crate) struct Known(pub(crate) [f64; 1]);

impl Steps for Known {
    fn step(&mut self, _: usize) -> Result<bool, FitError> {
        Ok(true)
    }

    fn numbers(&self) -> &[f64] {
        &self.0
    }

    fn resume(&mut self, numbers: &[f64], _: &[f64]) {
        self.0.copy_from_slice(numbers);
    }
}
