//! What can be wrong with data, and where.

use std::fmt;

/// Where a row came from: enough for a person to find it again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The file, `stdin`, or the name of a generator.
    pub source: String,
    /// The line (or, in column formats, the row), counted from 1; 0 when the whole source is meant.
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

/// Data that was refused: where, what was met, what is allowed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct DataError {
    /// Where it was met. (Boxed: results travel light when all is well.)
    pub place: Box<Place>,
    /// What it was.
    pub problem: DataProblem,
}

impl DataError {
    /// A problem at a place.
    pub fn new(place: Place, problem: DataProblem) -> Self {
        DataError { place: Box::new(place), problem }
    }
}

/// The kinds of trouble that the door knows.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DataProblem {
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
    /// A number where only finite ones make sense.
    #[error("{column} is {met}; it must be a finite number")]
    NotFinite {
        /// The column as the user named it.
        column: String,
        /// The value.
        met: f64,
    },
    /// A value that a role needs and the row lacks.
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
        /// Features met.
        met: usize,
        /// Features declared.
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
        /// How much was met.
        met: u64,
        /// How much is allowed.
        allowed: u64,
    },
    /// A name that does not exist.
    #[error("there is no column `{name}`; {hint}")]
    UnknownColumn {
        /// The name that was asked for.
        name: String,
        /// A near name, or what there is.
        hint: String,
    },
    /// A column of text where numbers are needed.
    #[error("column `{0}` holds text; numbers are needed here")]
    NotNumeric(String),
    /// Anything the format's own reader found.
    #[error("{0}")]
    Format(String),
}
