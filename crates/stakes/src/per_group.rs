//! Numbers of items per value of a column, as they are typed.

use std::fmt;
use std::str::FromStr;

use stakes_core::data::Dataset;

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

impl PerGroup {
    /// The values that it is about, with their items.
    pub(crate) fn groups(&self, data: &Dataset) -> Result<Vec<(String, Vec<usize>)>, Error> {
        match &self.value {
            None => groups(data, &self.column),
            Some(value) => Ok(vec![(value.clone(), members(data, &self.column, value)?)]),
        }
    }
}
