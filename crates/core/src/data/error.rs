//! Errors of data: what is wrong, and where.

use std::fmt;

use super::time;
use crate::display::counted;

/// The place that a row came from, precise enough to find it again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The file, `stdin`, or the name of a generator.
    pub source: String,
    /// The line (or, in column formats, the row), counted from 1; 0 for the whole source.
    pub line: u64,
    /// The list, where known.
    pub list: Option<String>,
    /// The item, where known.
    pub item: Option<String>,
}

impl Place {
    /// A whole source.
    pub fn source(source: impl Into<String>) -> Self {
        Place { source: source.into(), ..Place::default() }
    }

    /// A line of a source.
    pub fn line(source: impl Into<String>, line: u64) -> Self {
        Place { source: source.into(), line, ..Place::default() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        match (&self.list, &self.item) {
            (Some(list), Some(item)) => write!(f, " (list {list}, item {item})"),
            (Some(list), None) => write!(f, " (list {list})"),
            (None, Some(item)) => write!(f, " (item {item})"),
            (None, None) => Ok(()),
        }
    }
}

/// The error of refused data: where, what was met, what is allowed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct DataError {
    /// Where it is. (Boxed to keep `Result`s small.)
    pub place: Box<Place>,
    /// What is wrong.
    pub problem: DataProblem,
}

impl DataError {
    /// Makes the error of a problem at a place.
    pub fn new(place: Place, problem: DataProblem) -> Self {
        DataError { place: Box::new(place), problem }
    }
}

/// The kinds of errors in data.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DataProblem {
    /// No column holds the impact, and the cost needs it.
    #[error(
        "no impact column is named; name the column that holds the observed impact of each item, or \
         give a cost over other columns"
    )]
    NoImpact,
    /// No rows at all.
    #[error("there are no rows; at least one item is needed")]
    Empty,
    /// A number that must be finite and not negative.
    #[error("{column} is {met}; it must be a finite number >= 0")]
    NotACost {
        /// The column as the user named it.
        column: String,
        /// The value.
        met: f64,
    },
    /// A number above 0 that 1 cannot be divided by.
    #[error(
        "{column} is {met:e}, too near 0 to divide by; allowed are 0 and numbers from \
         {MIN_POSITIVE:e}: count in a smaller unit, or write 0"
    )]
    NearZero {
        /// The column as the user named it.
        column: String,
        /// The value.
        met: f64,
    },
    /// An infinite feature (missing values are fine, infinities break every learner).
    #[error("feature {column} is infinite; features are finite numbers, or empty when missing")]
    InfiniteFeature {
        /// The feature's name.
        column: String,
    },
    /// A number that must be finite.
    #[error("{column} is {met}; it must be a finite number")]
    NotFinite {
        /// The column as the user named it.
        column: String,
        /// The value.
        met: f64,
    },
    /// A row without the value of a role.
    #[error(
        "{column} is missing; every row needs one: fill it in, remove the row, or give the role to \
         another column"
    )]
    MissingValue {
        /// The column as the user named it.
        column: String,
    },
    /// The same item twice in one list.
    #[error(
        "the item occurs twice in this list (first in line {first}); items of a list need different ids"
    )]
    DuplicateItem {
        /// The line of the first occurrence.
        first: u64,
    },
    /// A row with another number of features than declared.
    #[error("the row has {}, {expected} were declared", counted(*.met, "feature"))]
    RowWidth {
        /// The number of features of the row.
        met: usize,
        /// The number of features declared.
        expected: usize,
    },
    /// Two columns of one name.
    #[error("there are two columns named {0}; column names must differ")]
    DuplicateColumn(String),
    /// A time that is neither a number nor an ISO date.
    #[error(
        "time is `{0}`; allowed are numbers and ISO dates such as 2026-03-01 or 2026-03-01T12:30:00"
    )]
    BadTime(String),
    /// Times that are numbers beside times that are dates.
    #[error(
        "time is `{met}`, {}, but `{first}`, {}, in {at}; write all times as numbers, or all as ISO \
         dates such as 2026-03-01",
        kind_of_time(.met),
        kind_of_time(.first)
    )]
    MixedTimes {
        /// The time.
        met: String,
        /// The first time of the data, which is of the other kind.
        first: String,
        /// Where that one is.
        at: Box<Place>,
    },
    /// More features or rows than the system can hold.
    #[error("{what}: {met}; at most {allowed} are supported")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// The number met.
        met: u64,
        /// The largest number allowed.
        allowed: u64,
    },
    /// More rows than fit into memory.
    #[error(
        "there is not enough memory for {} of {}; leave out columns or rows that are not needed",
        counted(*.rows, "row"),
        counted(*.features, "feature")
    )]
    OutOfMemory {
        /// The number of rows, as far as it is known.
        rows: usize,
        /// The number of features.
        features: usize,
    },
    /// There is no column of this name.
    #[error("there is no column `{name}`; {hint}")]
    UnknownColumn {
        /// The name that was asked for.
        name: String,
        /// A similar name, or the names to choose from.
        hint: String,
    },
    /// A column of text where numbers are needed.
    #[error("column `{0}` holds text; numbers are needed here")]
    NotNumeric(String),
    /// Anything else, as found by the reader of a format.
    #[error("{0}")]
    Format(String),
}

/// The minimum of costs, weights and prices that are not 0: 1 over any of them, or over a sum of
/// shares of them, is a number.
const MIN_POSITIVE: f64 = 1e-290;

/// Whether a number is above 0 but too small to divide by.
pub(crate) fn is_near_zero(value: f64) -> bool {
    value > 0.0 && value < MIN_POSITIVE
}

fn kind_of_time(text: &str) -> &'static str {
    if time::is_number(text) { "a number" } else { "a date" }
}
