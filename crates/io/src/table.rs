//! A data set as columns to write: in the order of its source where that is known, else
//! roles first, then extras, then features.

use std::collections::HashMap;

use stakes_core::data::{Dataset, FeatureKind};

use crate::number::is_missing;

/// A column to write.
pub(crate) struct Column<'a> {
    pub(crate) name: &'a str,
    pub(crate) content: Content<'a>,
}

/// Where its values come from.
pub(crate) enum Content<'a> {
    /// Text by row (with the list of the row); `None` where missing.
    Text(Box<dyn Fn(usize, usize) -> Option<&'a str> + 'a>),
    /// Numbers in full precision, `NaN` where missing.
    Numbers(&'a [f64]),
    /// A numeric feature, `NaN` where missing.
    Feature(usize),
}

/// All columns of a data set.
pub(crate) fn columns(data: &Dataset) -> Vec<Column<'_>> {
    let names = data.columns();
    let mut out = Vec::new();
    if let Some(name) = &names.list {
        out.push(text(name, move |_, list| Some(data.list_id(list))));
    }
    if let Some(name) = &names.id {
        out.push(text(name, move |item, _| data.item_id(item)));
    }
    for (name, values) in [
        (&names.impact, data.impact()),
        (&names.weight, data.weight()),
        (&names.price, data.price()),
    ] {
        if let (Some(name), Some(values)) = (name, values) {
            out.push(Column { name, content: Content::Numbers(values) });
        }
    }
    if let (Some(name), Some((codes, groups))) = (&names.group, data.groups()) {
        out.push(text(name, move |item, _| Some(&groups[codes[item] as usize])));
    }
    if let (Some(name), Some(time)) = (&names.time, data.time()) {
        out.push(text(name, move |item, _| Some(time.text(item))));
    }
    let roles: Vec<&str> = out.iter().map(|column| column.name).collect();
    let extras = data.extras().filter(|(name, _)| !roles.contains(name));
    let extras = extras.map(|(name, values)| Column { name, content: Content::Numbers(values) });
    out.extend(extras.collect::<Vec<_>>());
    for (j, feature) in names.features.iter().enumerate() {
        out.push(match &feature.kind {
            FeatureKind::Numeric => Column { name: &feature.name, content: Content::Feature(j) },
            FeatureKind::Categorical(_) => {
                text(&feature.name, move |item, _| feature.category(data.features().row(item)[j]))
            }
        });
    }
    let places: HashMap<&str, usize> =
        data.column_order().iter().enumerate().map(|(i, name)| (name.as_str(), i)).collect();
    out.sort_by_key(|column| places.get(column.name).copied().unwrap_or(usize::MAX));
    out
}

fn text<'a>(name: &'a str, f: impl Fn(usize, usize) -> Option<&'a str> + 'a) -> Column<'a> {
    Column { name, content: Content::Text(Box::new(f)) }
}

/// Rows in order, each with its list.
pub(crate) fn rows(data: &Dataset) -> impl Iterator<Item = (usize, usize)> + '_ {
    data.lists().enumerate().flat_map(|(list, items)| items.map(move |item| (item, list)))
}

/// What a table cannot say about this data set: names that would be read as missing.
pub(crate) fn objection(data: &Dataset) -> Option<String> {
    let groups = data.groups().map_or(&[][..], |(_, names)| names);
    let kinds = data.feature_info().iter().map(|feature| &feature.kind);
    let categories = kinds.flat_map(|kind| match kind {
        FeatureKind::Categorical(names) => names.as_slice(),
        FeatureKind::Numeric => &[],
    });
    let name = groups.iter().chain(categories).find(|name| is_missing(name.as_bytes()))?;
    Some(format!("the category `{name}` would be read as a missing value; give it another name"))
}
