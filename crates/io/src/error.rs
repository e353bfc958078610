//! Errors of reading and writing.

use std::io;

use stakes_core::data::{DataError, DataProblem, Place};

use crate::format::UnknownFormat;

/// The error of reading.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file could not be opened or read to its end.
    #[error("{path}: {what}")]
    Io {
        /// The file, or `stdin`.
        path: String,
        /// What happened and what to do.
        what: String,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// The format is unknown.
    #[error(transparent)]
    Format(#[from] UnknownFormat),
    /// A column is given to two fields of [`Roles`](crate::Roles).
    #[error(
        "{file}: column `{column}` is given as both `{first}` and `{second}`{}; choose one",
        about(.second)
    )]
    RoleConflict {
        /// The file, or `stdin`.
        file: String,
        /// The column.
        column: String,
        /// One of the fields.
        first: &'static str,
        /// The other field.
        second: &'static str,
    },
    /// A row without an impact or another outcome, which
    /// [`Roles::missing_impact`](crate::Roles::missing_impact) refuses.
    #[error(
        "{place}: {column} is missing; {}: fill it in, or set `missing_impact` to drop or zero",
        if *.is_impact { "every row needs an impact" } else { "the cost needs it in every row" }
    )]
    MissingImpact {
        /// The row.
        place: Box<Place>,
        /// The column without a value.
        column: String,
        /// Whether it is the impact, or else an input of the cost.
        is_impact: bool,
    },
    /// There is more than [`Limits`](crate::Limits) allow.
    #[error("{file}: {what}; send less at a time")]
    TooLarge {
        /// The file, or what stands for it.
        file: String,
        /// What is too large.
        what: String,
    },
    /// The address of a database.
    #[error(
        "{address} is a database; data are read from files and stdin: let its own program send the rows of a query as \
         CSV{}",
        client.as_ref().map_or_else(String::new, |client| format!(", {client} | stakes train - -o model.json"))
    )]
    Database {
        /// Its kind, without what may be secret.
        address: String,
        /// The program that sends rows, if it is known.
        client: Option<String>,
    },
    /// The content was refused.
    #[error(transparent)]
    Data(#[from] DataError),
}

impl ReadError {
    pub(crate) fn io(path: &str, error: io::Error) -> Self {
        let what = match error.kind() {
            io::ErrorKind::NotFound => {
                "there is no such file; check the name and the current folder".to_owned()
            }
            io::ErrorKind::PermissionDenied => {
                "no permission to read the file; check its permissions".to_owned()
            }
            io::ErrorKind::IsADirectory => "this is a folder; name a file inside it".to_owned(),
            io::ErrorKind::UnexpectedEof => {
                "the data ends too early: the file is truncated; copy or write it again".to_owned()
            }
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                format!("the file is damaged ({error}); copy or write it again")
            }
            io::ErrorKind::OutOfMemory => {
                "there is not enough memory to read the file; leave out columns or rows that are \
                 not needed"
                    .to_owned()
            }
            _ => error.to_string(),
        };
        ReadError::Io { path: path.to_owned(), what, error }
    }

    /// Refuses one line (0: the whole source).
    pub(crate) fn at(source: &str, line: u64, what: impl Into<String>) -> Self {
        let problem = DataProblem::Format(what.into());
        DataError::new(Place::line(source, line), problem).into()
    }

    pub(crate) fn at_place(place: Place, what: impl Into<String>) -> Self {
        DataError::new(place, DataProblem::Format(what.into())).into()
    }
}

/// The error of writing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The file could not be created, written or renamed.
    #[error("{path}: {what}")]
    Io {
        /// The file, or `stdout`.
        path: String,
        /// What happened and what to do.
        what: String,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// The format is unknown.
    #[error(transparent)]
    Format(#[from] UnknownFormat),
    /// The format cannot represent the data.
    #[error("{path}: {what}")]
    Refused {
        /// The file, or `stdout`.
        path: String,
        /// What cannot be written and what to do.
        what: String,
    },
    /// The output is an input.
    #[error("{path}: the output would overwrite an input ({input}); give it another name")]
    OverInput {
        /// The output.
        path: String,
        /// The input, by the path that it was given by.
        input: String,
    },
    /// Two outputs are one file.
    #[error("{first} and {second} are the same file; give each output a different name")]
    SameOutput {
        /// One of them.
        first: String,
        /// The other.
        second: String,
    },
}

impl WriteError {
    pub(crate) fn io(path: &str, error: io::Error) -> Self {
        let what = match error.kind() {
            io::ErrorKind::NotFound => {
                "cannot be written: the folder does not exist; create it first".to_owned()
            }
            io::ErrorKind::NotADirectory => {
                "cannot be written: a part of the path is a file, not a folder; check the path"
                    .to_owned()
            }
            io::ErrorKind::PermissionDenied => {
                "no permission to write the file; check the permissions of its folder".to_owned()
            }
            io::ErrorKind::IsADirectory => "this is a folder; name a file inside it".to_owned(),
            io::ErrorKind::StorageFull => "cannot be written: the disk is full".to_owned(),
            io::ErrorKind::ReadOnlyFilesystem => {
                "cannot be written: the disk is read-only; choose another folder".to_owned()
            }
            io::ErrorKind::QuotaExceeded => {
                "cannot be written: no more space is allowed to you on this disk".to_owned()
            }
            _ => format!("cannot be written: {}", reason(&error)),
        };
        WriteError::Io { path: path.to_owned(), what, error }
    }
}

/// What the system says, without its number and the temporary name of a file.
fn reason(error: &io::Error) -> String {
    error.to_string().split(" (os error").next().unwrap_or_default().to_owned()
}

/// An explanation of a field of [`Roles`](crate::Roles) whose name does not say enough.
fn about(field: &str) -> &'static str {
    if field == "extras" { " (scores and inputs of the cost)" } else { "" }
}
