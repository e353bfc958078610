//! Orders by one column.

use serde::Serialize;

/// Which end of a column comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnDirection {
    /// High values first.
    HighFirst,
    /// Low values first.
    LowFirst,
}

impl ColumnDirection {
    /// The score of an item with this value; missing values come last.
    pub fn score(self, value: f32) -> f64 {
        match self {
            _ if value.is_nan() => f64::MIN,
            ColumnDirection::HighFirst => f64::from(value),
            ColumnDirection::LowFirst => -f64::from(value),
        }
    }
}
