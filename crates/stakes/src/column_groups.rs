//! Items by the values of a column: of a category, a group or a number.

use stakes_core::data::{Dataset, FeatureKind};

use crate::Error;

/// The place of each item's value among the values of a column.
pub(crate) fn groups(
    data: &Dataset,
    column: &str,
) -> Result<(Vec<Option<usize>>, Vec<String>), Error> {
    if data.columns().group.as_deref() == Some(column)
        && let Some((codes, names)) = data.groups()
    {
        return Ok((codes.iter().map(|&code| Some(code as usize)).collect(), names.to_vec()));
    }
    let feature = data.feature_info().iter().position(|info| info.name == column);
    if let Some(feature) = feature
        && let FeatureKind::Categorical(names) = &data.feature_info()[feature].kind
    {
        let code = |item: usize| {
            let value = data.features().row(item)[feature];
            (!value.is_nan()).then_some(value as usize)
        };
        return Ok(((0..data.len()).map(code).collect(), names.clone()));
    }
    let numbers = data.numbers(column)?;
    let mut values: Vec<f64> = numbers.iter().copied().filter(|number| !number.is_nan()).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let place = |number: &f64| values.iter().position(|value| value == number);
    Ok((numbers.iter().map(place).collect(), values.iter().map(ToString::to_string).collect()))
}
