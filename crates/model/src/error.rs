//! Errors of model files, and of models that do not fit the data.

use stakes_core::data::DataError;
use stakes_core::display::counted;

/// A model that cannot be read, or cannot be used with some data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The messages say it.
pub enum ModelError {
    #[error(
        "{file}:{line}:{column}: this is not JSON: {what}; models are JSON files written by `stakes`"
    )]
    NotJson { file: String, line: usize, column: usize, what: String },
    #[error("{file}:{line}:{column}: the file is truncated; copy or write it again")]
    Truncated { file: String, line: usize, column: usize },
    /// A file of another kind or another program.
    #[error("{file}: this is {met}, not {wanted}; {advice}")]
    WrongFormat { file: String, met: String, wanted: &'static str, advice: &'static str },
    #[error(
        "{file}: the version is {met}; this program reads version {known}; write the file again \
         with this program, or use the program that wrote it"
    )]
    Version { file: String, met: String, known: u64 },
    /// The text is JSON, but a field is unknown, missing or of another type.
    #[error("{file}:{line}:{column}: {what}")]
    Shape { file: String, line: usize, column: usize, what: String },
    /// The fields are right, but a value is not allowed.
    #[error("{file}: {at}: {what}")]
    Invalid { file: String, at: String, what: String },
    /// Columns that the model reads and the data lacks, with a hint for each.
    #[error(
        "{file}: {} that the model reads {} missing: {}; add {} (empty where values are unknown), \
         named as in the training data",
        counted(missing.len(), "column"),
        if missing.len() == 1 { "is" } else { "are" },
        shown(missing),
        if missing.len() == 1 { "it" } else { "them" }
    )]
    MissingColumns { file: String, missing: Vec<(String, String)> },
    /// Text where the model expects numbers.
    #[error(
        "{file}: `{column}` was numeric in training, but holds text here, such as `{met}`; correct \
         the column, or leave these values empty"
    )]
    NotNumbers { file: String, column: String, met: String },
    /// Features that are stored elsewhere cannot be read.
    #[error("{0}")]
    Unreadable(String),
}

impl From<DataError> for ModelError {
    fn from(error: DataError) -> Self {
        ModelError::Unreadable(error.to_string())
    }
}

/// The number of missing columns that a message names.
pub(crate) const MAX_SHOWN: usize = 8;

/// The first names with their hints.
fn shown(missing: &[(String, String)]) -> String {
    let one = |(name, hint): &(String, String)| match hint.as_str() {
        "" => format!("`{name}`"),
        hint => format!("`{name}` ({hint})"),
    };
    let first: Vec<String> = missing.iter().take(MAX_SHOWN).map(one).collect();
    let more = if missing.len() > MAX_SHOWN { ", ..." } else { "" };
    first.join(", ") + more
}
