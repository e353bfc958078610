//! Errors of data: what is wrong, and where.

use std::fmt;

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
    #[error("{column} is missing; every row needs one")]
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
    #[error("the row has {met} features, {expected} were declared")]
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
