//! The source of the data and what they contain.

use serde::Serialize;
use stakes_core::data::{Columns, Dataset, FeatureKind};

/// The source of the data and what they contain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DataFacts {
    /// The file or generator.
    pub source: String,
    /// The number of items.
    pub rows: usize,
    /// The number of lists.
    pub lists: usize,
    /// The number of features.
    pub features: usize,
    /// The number of numeric features.
    pub numeric: usize,
    /// The number of categorical features.
    pub categorical: usize,
    /// The columns that have a role and are not features.
    pub roles: Vec<ColumnRole>,
    /// The time span, if the data have times.
    pub time: Option<TimeSpan>,
    /// The groups, largest first; empty if the data have none.
    pub groups: Vec<Group>,
}

/// A column with a role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ColumnRole {
    /// The name of a role, or `extra` for an input of the cost.
    pub role: &'static str,
    /// The name of the column.
    pub column: String,
}

/// The earliest and the latest time, as written in the data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TimeSpan {
    /// The earliest time.
    pub first: String,
    /// The latest time.
    pub last: String,
}

/// A protected group.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// The name of the group.
    pub name: String,
    /// The number of items.
    pub items: usize,
    /// The share of all items.
    pub share: f64,
    /// The share of the total cost; `null` if there is no cost.
    pub cost_share: Option<f64>,
}

pub(super) fn describe(data: &Dataset, costs: Option<&[f64]>) -> DataFacts {
    let is_number = |kind: &FeatureKind| *kind == FeatureKind::Numeric;
    let features = data.feature_info();
    let numeric = features.iter().filter(|f| is_number(&f.kind)).count();
    DataFacts {
        source: data.source().to_owned(),
        rows: data.len(),
        lists: data.n_lists(),
        features: features.len(),
        numeric,
        categorical: features.len() - numeric,
        roles: roles(data.columns()),
        time: span(data),
        groups: groups(data, costs),
    }
}

fn roles(columns: &Columns) -> Vec<ColumnRole> {
    let roles = columns.roles().map(|(role, column)| (role.name(), column));
    let extras = columns.extras.iter().map(|column| ("extra", column.as_str()));
    let with_role =
        |(role, column): (&'static str, &str)| ColumnRole { role, column: column.into() };
    roles.chain(extras).map(with_role).collect()
}

fn span(data: &Dataset) -> Option<TimeSpan> {
    let time = data.time()?;
    let at = |item: usize| time.text(item).to_owned();
    let by_key = |&a: &usize, &b: &usize| time.keys()[a].total_cmp(&time.keys()[b]);
    let first = (0..data.len()).min_by(by_key)?;
    let last = (0..data.len()).max_by(by_key)?;
    Some(TimeSpan { first: at(first), last: at(last) })
}

fn groups(data: &Dataset, costs: Option<&[f64]>) -> Vec<Group> {
    let Some((codes, names)) = data.groups() else { return Vec::new() };
    let largest = costs.into_iter().flatten().copied().fold(0.0, f64::max);
    let mut items = vec![0; names.len()];
    let mut cost = vec![0.0; names.len()];
    for (row, &code) in codes.iter().enumerate() {
        items[code as usize] += 1;
        cost[code as usize] += costs.map_or(0.0, |c| c[row] / largest);
    }
    let total: f64 = cost.iter().sum();
    let mut groups: Vec<Group> = (0..names.len())
        .map(|g| Group {
            name: names[g].clone(),
            items: items[g],
            share: items[g] as f64 / data.len() as f64,
            cost_share: (total > 0.0).then(|| cost[g] / total),
        })
        .collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.items));
    groups
}
