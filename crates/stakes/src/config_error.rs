//! Why a file of roles, goal and parameters is refused.

use stakes_io::ReadError;

/// A `stakes.toml` that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A line is not TOML, or holds a key or a value that is not allowed.
    #[error("{file}:{line}: {what}")]
    Refused {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What was met, what is allowed.
        what: String,
    },
    /// The data lack a column that the file names.
    #[error("{data}: there is no column `{column}`, which {file} names as {key}; {hint}")]
    NoColumn {
        /// The data.
        data: String,
        /// The column.
        column: String,
        /// The key that names it.
        key: &'static str,
        /// The file.
        file: String,
        /// A similar column, or some of those that are there.
        hint: String,
    },
}
