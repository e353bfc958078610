//! The inputs of training and validation items.

use rayon::prelude::*;

use super::inputs::{Rows, inputs};
use super::matrix::Dense;
use super::params::{Inputs, Unit};
use crate::error::FitError;
use crate::prepared::{Part, Prepared};
use stakes_model::{Input, ListScaling, MatchedColumns, ModelFeature};

/// Inputs, and their values for all items in canonical order.
pub(crate) struct DenseData {
    pub(crate) inputs: Vec<Input>,
    pub(crate) training: Dense,
    pub(crate) validation: Option<Dense>,
}

impl DenseData {
    /// Reads the features as the finished model will.
    pub(crate) fn new(prepared: &Prepared<'_>, how: &Inputs) -> Result<Self, FitError> {
        let within = how.within;
        let width = prepared.features.len();
        let values = rows(&prepared.training, &prepared.features, within)?;
        let weight = prepared.training.unit_lists.weight();
        let mut inputs = inputs(&prepared.features, &Rows { values: &values, width, weight });
        if how.feature_unit == Unit::Raw {
            inputs.iter_mut().for_each(keep_unit);
        }
        if inputs.is_empty() {
            return Err(FitError::Data(
                "no feature differs between items: there is nothing to learn from".into(),
            ));
        }
        DenseData::with(prepared, within, inputs, &values)
    }

    /// The same with these inputs, at least one.
    pub(crate) fn of(
        prepared: &Prepared<'_>,
        within: ListScaling,
        inputs: Vec<Input>,
    ) -> Result<Self, FitError> {
        let values = rows(&prepared.training, &prepared.features, within)?;
        DenseData::with(prepared, within, inputs, &values)
    }

    fn with(
        prepared: &Prepared<'_>,
        within: ListScaling,
        inputs: Vec<Input>,
        training: &[f32],
    ) -> Result<Self, FitError> {
        let width = prepared.features.len();
        let validation = prepared.validation.as_ref().map(|part| {
            Ok::<_, FitError>(dense(&inputs, &rows(part, &prepared.features, within)?, width))
        });
        let validation = validation.transpose()?;
        Ok(DenseData { training: dense(&inputs, training, width), validation, inputs })
    }

    /// Those of the items of [`Prepared::measured`].
    pub(crate) fn measured(&self) -> &Dense {
        self.validation.as_ref().unwrap_or(&self.training)
    }
}

/// Numbers are only counted from their mean, which missing ones have.
fn keep_unit(input: &mut Input) {
    if let Input::Number { deviation, .. } = input {
        *deviation = 1.0;
    }
}

/// The features of all items in canonical order, as the model reads them.
fn rows(
    part: &Part<'_>,
    features: &[ModelFeature],
    within: ListScaling,
) -> Result<Vec<f32>, FitError> {
    let data = part.data;
    let matched = MatchedColumns::new(features, within, data)
        .map_err(|error| FitError::Data(error.to_string()))?;
    let rows = part.lists.rows().par_iter();
    Ok(rows.flat_map_iter(|&row| matched.row(data, row as usize)).collect())
}

fn dense(inputs: &[Input], rows: &[f32], width: usize) -> Dense {
    let values = rows.par_chunks(width);
    let values = values.flat_map_iter(|row| inputs.iter().map(move |input| input.value(row)));
    Dense::new(values.collect(), inputs.len())
}
