//! A data set as columns to write: in the order of its source if that is known, else roles
//! first, then extras, then features.

use std::collections::{HashMap, HashSet};

use stakes_core::data::{Dataset, FeatureKind, Role};

use crate::Format;
use crate::number::is_missing;
use crate::xlsx::{MAX_COLUMNS, MAX_ROWS};

/// A column to write.
pub(crate) struct Column<'a> {
    pub(crate) name: &'a str,
    pub(crate) content: Content<'a>,
}

/// The values of a column.
pub(crate) enum Content<'a> {
    /// Text by row and list; `None` where missing.
    Text(Box<dyn Fn(usize, usize) -> Option<&'a str> + 'a>),
    /// Numbers in full precision, `NaN` where missing.
    Numbers(&'a [f64]),
    /// A numeric feature, `NaN` where missing.
    Feature(usize),
}

/// The roles in the order in which they are written. (The class is written as a feature.)
const ROLES: [Role; 7] =
    [Role::List, Role::Id, Role::Impact, Role::Weight, Role::Price, Role::Group, Role::Time];

/// Returns all columns of a data set.
pub(crate) fn columns(data: &Dataset) -> Vec<Column<'_>> {
    let names = data.columns();
    let of_role =
        |role| Some(Column { name: names.role(role)?, content: role_content(data, role)? });
    let mut out: Vec<Column<'_>> = ROLES.into_iter().filter_map(of_role).collect();
    // A list may be named by its time.
    let mut seen = HashSet::new();
    out.retain(|column| seen.insert(column.name));
    let roles: Vec<&str> = out.iter().map(|column| column.name).collect();
    let extras = data.extras().filter(|(name, _)| !roles.contains(name));
    let extras = extras.map(|(name, values)| Column { name, content: Content::Numbers(values) });
    out.extend(extras.collect::<Vec<_>>());
    for (j, feature) in names.features.iter().enumerate() {
        out.push(match &feature.kind {
            FeatureKind::Numeric => Column { name: &feature.name, content: Content::Feature(j) },
            FeatureKind::Categorical(_) => {
                let category = move |item: usize, _| feature.category(data.features().row(item)[j]);
                Column { name: &feature.name, content: Content::Text(Box::new(category)) }
            }
        });
    }
    let places: HashMap<&str, usize> =
        data.column_order().iter().enumerate().map(|(i, name)| (name.as_str(), i)).collect();
    out.sort_by_key(|column| places.get(column.name).copied().unwrap_or(usize::MAX));
    out
}

fn role_content<'a>(data: &'a Dataset, role: Role) -> Option<Content<'a>> {
    let text: Box<dyn Fn(usize, usize) -> Option<&'a str> + 'a> = match role {
        Role::Impact => return data.impact().map(Content::Numbers),
        Role::Weight => return data.weight().map(Content::Numbers),
        Role::Price => return data.price().map(Content::Numbers),
        Role::List => Box::new(move |_, list| Some(data.list_id(list))),
        Role::Id => Box::new(move |item, _| data.item_id(item)),
        Role::Group => {
            let (codes, groups) = data.groups()?;
            Box::new(move |item, _| Some(&groups[codes[item] as usize]))
        }
        Role::Time => {
            let time = data.time()?;
            Box::new(move |item, _| Some(time.text(item)))
        }
        Role::Class => return None,
    };
    Some(Content::Text(text))
}

/// Returns the rows in order, each with its list.
pub(crate) fn rows(data: &Dataset) -> impl Iterator<Item = (usize, usize)> + '_ {
    data.lists().enumerate().flat_map(|(list, items)| items.map(move |item| (item, list)))
}

/// The maximum number of columns of Parquet: each takes about 27 kB of memory while it is written.
const MAX_PARQUET_COLUMNS: usize = 50_000;

/// Returns why a table of this format cannot represent the data set: too many columns, or a name
/// that would be read as missing.
pub(crate) fn objection(data: &Dataset, format: Format) -> Option<String> {
    let columns = data.columns().names().count();
    if format == Format::Parquet && columns > MAX_PARQUET_COLUMNS {
        return Some(format!(
            "there are {columns} columns, and Parquet is written with at most \
             {MAX_PARQUET_COLUMNS}; drop some, or choose csv or arrow"
        ));
    }
    if format == Format::Xlsx && (columns > MAX_COLUMNS || data.len() > MAX_ROWS) {
        return Some(format!(
            "there are {} rows and {columns} columns, and a sheet has at most {MAX_ROWS} and {MAX_COLUMNS}; choose \
             csv or parquet",
            data.len()
        ));
    }
    let groups = data.groups().map_or(&[][..], |(_, names)| names);
    let kinds = data.feature_info().iter().map(|feature| &feature.kind);
    let categories = kinds.flat_map(|kind| match kind {
        FeatureKind::Categorical(names) => names.as_slice(),
        FeatureKind::Numeric => &[],
    });
    let name = groups.iter().chain(categories).find(|name| is_missing(name.as_bytes()))?;
    Some(format!("the category `{name}` would be read as a missing value; give it another name"))
}
