//! What is asked of [`super::prepare()`].

use std::str::FromStr;

use stakes_core::suggest;
use stakes_io::FileOptions;

use super::Unit;

/// How a log becomes lists.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PrepareOptions {
    /// How the log is read.
    pub file: FileOptions,
    /// What makes a list.
    pub list: ListOf,
    /// The column of the items.
    pub item: String,
    /// What events of an item in a list amount to. The first is the impact; without any it is their number.
    pub measures: Vec<Measure>,
    /// Whether the other measures, which are known only afterwards, are kept beside the impact.
    pub keep_outcomes: bool,
    /// Whether items to which nothing happened get a row with an impact of 0.
    pub fill_zeros: bool,
    /// The number of rows that may be made; by default 5 million, and 50 times the events where that is more than
    /// 100,000.
    pub max_rows: Option<usize>,
    /// Windows of the history features, in lists; none: no history.
    pub history: Vec<usize>,
    /// A column of the log or of a join by item: history features of all items with the same value.
    pub region: Option<String>,
    /// Columns of the log that are carried along, with the last value before the list.
    pub attributes: Vec<String>,
    /// Files to join, by the names of their columns.
    pub joins: Vec<String>,
}

/// What makes a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListOf {
    /// The values of these columns.
    Columns(Vec<String>),
    /// The period in which a date lies.
    Calendar(Unit, String),
}

impl Default for ListOf {
    fn default() -> Self {
        ListOf::Columns(Vec::new())
    }
}

impl FromStr for ListOf {
    type Err = String;

    /// `storm`, `year,region`, `month:date`.
    fn from_str(text: &str) -> Result<Self, String> {
        if let Some((unit, column)) = text.split_once(':')
            && let Ok(unit) = unit.trim().parse::<Unit>()
        {
            return match column.trim() {
                "" => Err(format!("`{text}` names no column; write {unit}:COLUMN")),
                column => Ok(ListOf::Calendar(unit, column.to_owned())),
            };
        }
        let columns: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
        match columns.iter().any(String::is_empty) {
            true => {
                Err(format!("`{text}` has an empty name; give columns with commas between them"))
            }
            false => Ok(ListOf::Columns(columns)),
        }
    }
}

impl ListOf {
    /// The name of the list column that is made.
    pub fn name(&self) -> &str {
        match self {
            ListOf::Calendar(unit, _) => unit.name(),
            ListOf::Columns(columns) if columns.len() == 1 => &columns[0],
            ListOf::Columns(_) => "list",
        }
    }

    /// The columns that it reads.
    pub(super) fn columns(&self) -> &[String] {
        match self {
            ListOf::Calendar(_, column) => std::slice::from_ref(column),
            ListOf::Columns(columns) => columns,
        }
    }

    /// The error of a column that is not there.
    pub(super) fn unknown<'a>(
        &self,
        name: &str,
        known: impl IntoIterator<Item = &'a str> + Clone,
    ) -> String {
        let units = match name.contains(':') {
            true => " (a period of a date is day:, week:, month:, quarter: or year:COLUMN)",
            false => "",
        };
        format!("there is no column `{name}`; {}{units}", suggest::hint(name, known))
    }
}

/// What the events of an item in a list amount to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Measure {
    /// The sum of a column.
    Sum(String),
    /// The highest value of a column.
    Max(String),
    /// The number of events.
    Count,
}

impl Measure {
    /// The name of the column that is made.
    pub fn name(&self) -> String {
        match self {
            Measure::Sum(column) => format!("sum.{column}"),
            Measure::Max(column) => format!("max.{column}"),
            Measure::Count => "events".to_owned(),
        }
    }

    /// The column that it reads.
    pub fn column(&self) -> Option<&str> {
        match self {
            Measure::Sum(column) | Measure::Max(column) => Some(column),
            Measure::Count => None,
        }
    }

    /// Adds an event to an amount.
    pub(super) fn add(&self, amount: &mut f64, value: f64) {
        match self {
            Measure::Sum(_) => *amount += value,
            Measure::Max(_) => *amount = amount.max(value),
            Measure::Count => *amount += 1.0,
        }
    }
}
