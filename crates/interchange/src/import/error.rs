//! What is wrong with a file that should be imported.

use std::fmt;

/// A model that cannot be imported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The messages say it.
pub enum ImportError {
    #[error("{file}: this is no model that can be imported: {advice}")]
    Unknown { file: String, advice: String },
    #[error("{file}{}: {what}", place(*line, at))]
    Invalid { file: String, line: Option<usize>, at: String, what: String },
    #[error("{file}: {what}")]
    Refused { file: String, what: String },
}

/// `:12: tree 3`, as far as it is known.
fn place(line: Option<usize>, at: &str) -> String {
    let line = line.map(|line| format!(":{line}")).unwrap_or_default();
    if at.is_empty() { line } else { format!("{line}: {at}") }
}

/// What a reader has to say of a file whose name it does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// The file is damaged, or not what it looks like.
    Invalid { line: Option<usize>, at: String, what: String },
    /// The file is in order, but holds what our models cannot hold.
    Refused(String),
}

impl Fault {
    pub(super) fn new(at: impl Into<String>, what: impl fmt::Display) -> Self {
        Fault::Invalid { line: None, at: at.into(), what: what.to_string() }
    }

    pub(super) fn at_line(line: usize, what: impl fmt::Display) -> Self {
        Fault::Invalid { line: Some(line), at: String::new(), what: what.to_string() }
    }

    pub(super) fn refused(what: impl Into<String>) -> Self {
        Fault::Refused(what.into())
    }

    /// Puts the name of what encloses the place in front of it.
    pub(super) fn within(self, outer: impl fmt::Display) -> Self {
        match self {
            Fault::Invalid { line, at, what } if at.is_empty() => {
                Fault::Invalid { line, at: outer.to_string(), what }
            }
            Fault::Invalid { line, at, what } => {
                Fault::Invalid { line, at: format!("{outer}, {at}"), what }
            }
            refused => refused,
        }
    }

    pub(super) fn in_file(self, file: &str) -> ImportError {
        let file = file.to_owned();
        match self {
            Fault::Invalid { line, at, what } => ImportError::Invalid { file, line, at, what },
            Fault::Refused(what) => ImportError::Refused { file, what },
        }
    }
}
