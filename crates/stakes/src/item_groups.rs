//! The groups of items: columns of the data.

use std::str::FromStr;

use stakes_core::data::{Dataset, FeatureKind};
use stakes_core::suggest;
use stakes_fair::GroupColumn;

use crate::Error;
use crate::column_groups::names;

/// The name of the group of all items without one.
pub const NO_GROUP: &str = "(missing)";

/// The treatment of items whose group is missing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MissingGroup {
    /// Refuse the data.
    #[default]
    Refuse,
    /// Leave the items out, as if they were not in their lists.
    Drop,
    /// Put them into a group of their own.
    Own,
}

impl FromStr for MissingGroup {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const NAMES: [(&str, MissingGroup); 3] = [
            ("refuse", MissingGroup::Refuse),
            ("drop", MissingGroup::Drop),
            ("own", MissingGroup::Own),
        ];
        NAMES.iter().find(|(name, _)| *name == text).map(|(_, value)| *value).ok_or_else(|| {
            let hint = suggest::hint(text, NAMES.map(|(name, _)| name));
            format!("there is no treatment of missing groups `{text}`; {hint}")
        })
    }
}

/// The groups of all items that are looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemGroups {
    /// The columns, of the kept items.
    pub columns: Vec<GroupColumn>,
    /// The items that are kept, in order.
    pub kept: Vec<usize>,
}

/// Reads the groups of items from columns of the data: the one with the role of the group, or categorical features.
pub fn item_groups(
    data: &Dataset,
    columns: &[String],
    missing: MissingGroup,
) -> Result<ItemGroups, Error> {
    let values = columns.iter().map(|column| values(data, column));
    let values = values.collect::<Result<Vec<Vec<Option<&str>>>, Error>>()?;
    let mut kept = Vec::with_capacity(data.len());
    for item in 0..data.len() {
        match (values.iter().position(|column| column[item].is_none()), missing) {
            (Some(column), MissingGroup::Refuse) => {
                let (place, column) = (data.place(item).to_string(), columns[column].clone());
                return Err(Error::MissingGroup { place, column });
            }
            (Some(_), MissingGroup::Drop) => {}
            _ => kept.push(item),
        }
    }
    if kept.is_empty() {
        let (source_name, columns) = (data.source().to_owned(), columns.join(", "));
        return Err(Error::NoGroups { source_name, columns });
    }
    let column = |(name, values): (&String, &Vec<Option<&str>>)| {
        GroupColumn::of(name, kept.iter().map(|&item| values[item].unwrap_or(NO_GROUP)))
    };
    let columns = columns.iter().zip(&values).map(column).collect();
    Ok(ItemGroups { columns, kept })
}

fn values<'d>(data: &'d Dataset, column: &str) -> Result<Vec<Option<&'d str>>, Error> {
    names(data, column).ok_or_else(|| {
        let is_category = |kind: &FeatureKind| matches!(kind, FeatureKind::Categorical(_));
        let features = data.feature_info().iter().filter(|feature| is_category(&feature.kind));
        let known = features.map(|feature| feature.name.as_str());
        let known: Vec<&str> = known.chain(data.columns().group.as_deref()).collect();
        Error::NoGroupColumn {
            source_name: data.source().to_owned(),
            column: column.to_owned(),
            hint: suggest::hint(column, known),
        }
    })
}
