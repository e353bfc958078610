//! Limits of a plan from columns of the data.

use std::fmt;
use std::str::FromStr;

use stakes_core::data::Dataset;
use stakes_plan::Limit;

use super::PlanOptions;
use crate::Error;
use crate::column_groups::{groups, members};

/// So many items of each value of a column, or of one value: `region=2`, `region=north:2`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerGroup {
    /// The column.
    pub column: String,
    /// The value; all of them if none is named.
    pub value: Option<String>,
    /// The number of items.
    pub number: usize,
}

impl FromStr for PerGroup {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || {
            format!("`{text}` is not a limit; allowed are COLUMN=NUMBER and COLUMN=VALUE:NUMBER")
        };
        let (column, rest) = text.split_once('=').ok_or_else(bad)?;
        let (value, number) = match rest.rsplit_once(':') {
            Some((value, number)) => (Some(value.trim().to_owned()), number),
            None => (None, rest),
        };
        let number = number.trim().parse().map_err(|_| bad())?;
        Ok(PerGroup { column: column.trim().to_owned(), value, number })
    }
}

impl fmt::Display for PerGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(f, "{}={value}:{}", self.column, self.number),
            None => write!(f, "{}={}", self.column, self.number),
        }
    }
}

/// All limits, over the items of the data.
pub(super) fn of(data: &Dataset, options: &PlanOptions) -> Result<Vec<Limit>, Error> {
    let mut limits = Vec::new();
    if let Some((budget, price)) = options.budget.zip(data.price()) {
        limits.push(Limit::at_most("the budget", budget, price.iter().copied()));
    }
    if let Some(k) = options.k {
        limits.push(Limit::at_most_of("the number of items", k, 0..data.len()));
    }
    for (column, amount) in &options.resources {
        limits.push(Limit::at_most(column, *amount, data.numbers(column)?));
    }
    for (groups, is_least) in [(&options.at_most, false), (&options.at_least, true)] {
        for group in groups {
            limits.extend(per_group(data, group, is_least)?);
        }
    }
    Ok(limits)
}

impl PerGroup {
    /// The values that it is about, with their items.
    pub(crate) fn groups(&self, data: &Dataset) -> Result<Vec<(String, Vec<usize>)>, Error> {
        match &self.value {
            None => groups(data, &self.column),
            Some(value) => Ok(vec![(value.clone(), members(data, &self.column, value)?)]),
        }
    }
}

fn per_group(data: &Dataset, group: &PerGroup, is_least: bool) -> Result<Vec<Limit>, Error> {
    let groups = group.groups(data)?;
    let words = if is_least { "at least" } else { "at most" };
    let limit = |(value, items): (String, Vec<usize>)| {
        let name = format!("{words} {} of {} {value}", group.number, group.column);
        match is_least {
            true => Limit::at_least_of(&name, group.number, items),
            false => Limit::at_most_of(&name, group.number, items),
        }
    };
    Ok(groups.into_iter().map(limit).collect())
}
