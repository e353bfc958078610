//! What can be wrong with a model file, or between a model and data, in words a person can
//! act on.

/// A model that cannot be read or used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The messages say it.
pub enum ModelError {
    #[error(
        "{file}:{line}:{column}: this is not JSON: {what}; models are JSON files that `stakes` writes"
    )]
    NotJson { file: String, line: usize, column: usize, what: String },
    #[error(
        "{file}:{line}:{column}: the file ends too early: it is truncated; copy or write it again"
    )]
    Truncated { file: String, line: usize, column: usize },
    #[error("{file}: this is {met}, not {wanted}; {advice}")]
    Other { file: String, met: String, wanted: &'static str, advice: &'static str },
    #[error(
        "{file}: written by a newer program: version {met}; this program reads up to {known}; \
         update it, or write the file with this one"
    )]
    Newer { file: String, met: u64, known: u64 },
    /// The text is JSON, but not of the right shape.
    #[error("{file}:{line}:{column}: {what}")]
    Shape { file: String, line: usize, column: usize, what: String },
    /// The shape is right, but the content makes no sense.
    #[error("{file}: {at}: {what}")]
    Invalid { file: String, at: String, what: String },
    /// Columns that the model reads and the data lacks, with a hint for each.
    #[error(
        "{file}: columns that the model reads are not here ({}): {}; add them (empty where nothing \
         is known), named as in the training data",
        missing.len(),
        shown(missing)
    )]
    MissingColumns { file: String, missing: Vec<(String, String)> },
    /// Text where the model knows numbers.
    #[error(
        "{file}: the model knows `{column}` as numbers, here it is text, such as `{met}`; mend the \
         column, or leave these values empty"
    )]
    NotNumbers { file: String, column: String, met: String },
}

/// The first few names with their hints.
fn shown(missing: &[(String, String)]) -> String {
    const SHOWN: usize = 8;
    let one = |(name, hint): &(String, String)| match hint.as_str() {
        "" => format!("`{name}`"),
        hint => format!("`{name}` ({hint})"),
    };
    let first: Vec<String> = missing.iter().take(SHOWN).map(one).collect();
    let more = if missing.len() > SHOWN { ", ..." } else { "" };
    first.join(", ") + more
}
