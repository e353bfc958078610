//! Items by the values of a column: of a group, a category or a number.

use std::borrow::Cow;
use std::collections::HashMap;

use stakes_core::data::{Dataset, FeatureKind};
use stakes_core::suggest;

use crate::Error;

/// The value of each item in a column of names, the one with the role of the group or a categorical feature;
/// `None` if the column is neither.
pub(crate) fn names<'d>(data: &'d Dataset, column: &str) -> Option<Vec<Option<&'d str>>> {
    if let (Some((codes, names)), Some(role)) = (data.groups(), &data.columns().group)
        && role == column
    {
        return Some(codes.iter().map(|&code| Some(names[code as usize].as_str())).collect());
    }
    let feature = data.feature_info().iter().position(|feature| feature.name == column)?;
    let info = &data.feature_info()[feature];
    let is_category = matches!(info.kind, FeatureKind::Categorical(_));
    is_category.then(|| data.features().column(feature).map(|code| info.category(code)).collect())
}

/// The items of each value of a column, of names or of numbers, by the first appearance of the value.
pub(crate) fn groups(data: &Dataset, column: &str) -> Result<Vec<(String, Vec<usize>)>, Error> {
    let values: Vec<Option<Cow<'_, str>>> = match names(data, column) {
        Some(names) => names.into_iter().map(|name| name.map(Cow::from)).collect(),
        None => {
            let shown = |number: f64| (!number.is_nan()).then(|| number.to_string().into());
            data.numbers(column)?.into_iter().map(shown).collect()
        }
    };
    let mut places = HashMap::new();
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    for (item, value) in values.iter().enumerate() {
        let Some(value) = value else { continue };
        let place = *places.entry(value).or_insert_with(|| {
            groups.push((value.to_string(), Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(item);
    }
    Ok(groups)
}

/// The items with one value of a column.
pub(crate) fn members(data: &Dataset, column: &str, value: &str) -> Result<Vec<usize>, Error> {
    let mut groups = groups(data, column)?;
    match groups.iter().position(|(name, _)| name == value) {
        Some(place) => Ok(groups.swap_remove(place).1),
        None => Err(Error::NoSuchValue {
            source_name: data.source().to_owned(),
            column: column.to_owned(),
            value: value.to_owned(),
            hint: suggest::hint(value, groups.iter().map(|(name, _)| name.as_str())),
        }),
    }
}
