//! Parts that a column names.

use super::FoldError;
use crate::data::{Dataset, FeatureKind};
use crate::suggest;

/// The part of each list, by a column that was read as a feature or as an extra.
pub(super) fn parts_of_lists(data: &Dataset, column: &str) -> Result<Vec<String>, FoldError> {
    let of_item = parts_of_items(data, column)?;
    let mut parts = Vec::with_capacity(data.n_lists());
    for items in data.lists() {
        let first = &of_item[items.start];
        for item in items.clone() {
            let place = || data.place(item).to_string();
            match &of_item[item] {
                None => {
                    return Err(FoldError::NoPart { place: place(), column: column.to_owned() });
                }
                Some(part) if Some(part) != first.as_ref() => {
                    return Err(FoldError::Cut {
                        place: place(),
                        column: column.to_owned(),
                        met: part.clone(),
                        first: first.clone().unwrap_or_default(),
                    });
                }
                Some(_) => {}
            }
        }
        parts.push(first.clone().unwrap_or_default());
    }
    Ok(parts)
}

fn parts_of_items(data: &Dataset, column: &str) -> Result<Vec<Option<String>>, FoldError> {
    let features = data.feature_info();
    if let Some(j) = features.iter().position(|feature| feature.name == column)
        && let FeatureKind::Categorical(_) = features[j].kind
    {
        let name = |code: f32| features[j].category(code).map(str::to_owned);
        return Ok(data.features().column(j).map(name).collect());
    }
    let number = |value: f64| (!value.is_nan()).then(|| value.to_string());
    match data.numbers(column) {
        Ok(numbers) => Ok(numbers.into_iter().map(number).collect()),
        Err(_) => Err(FoldError::UnknownColumn {
            source_name: data.source().to_owned(),
            column: column.to_owned(),
            hint: suggest::hint(column, data.columns().names().collect::<Vec<_>>()),
        }),
    }
}
