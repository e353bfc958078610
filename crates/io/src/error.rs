//! What can go wrong between a file and a data set, in words a person can act on.

use std::io;

use stakes_core::data::{DataError, DataProblem, Place};

use crate::format::UnknownFormat;

/// Reading failed.
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
        /// The system's own words.
        #[source]
        error: io::Error,
    },
    /// No format fits.
    #[error(transparent)]
    Format(#[from] UnknownFormat),
    /// The content was refused, with its place.
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
                "this file may not be read; check its permissions".to_owned()
            }
            io::ErrorKind::IsADirectory => "this is a folder; name a file inside it".to_owned(),
            io::ErrorKind::UnexpectedEof => {
                "the data ends too early: the file is truncated; copy or write it again".to_owned()
            }
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                format!("the file is damaged ({error}); copy or write it again")
            }
            _ => error.to_string(),
        };
        ReadError::Io { path: path.to_owned(), what, error }
    }

    /// A refusal of one line (0: of the whole source).
    pub(crate) fn at(source: &str, line: u64, what: impl Into<String>) -> Self {
        let problem = DataProblem::Format(what.into());
        DataError::new(Place::line(source, line), problem).into()
    }

    pub(crate) fn at_place(place: Place, what: impl Into<String>) -> Self {
        DataError::new(place, DataProblem::Format(what.into())).into()
    }
}

/// Writing failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The target could not be created, filled or put into place.
    #[error("{path}: {what}")]
    Io {
        /// The file, or `stdout`.
        path: String,
        /// What happened and what to do.
        what: String,
        /// The system's own words.
        #[source]
        error: io::Error,
    },
    /// No format fits.
    #[error(transparent)]
    Format(#[from] UnknownFormat),
    /// The data cannot be said in this format; what to do instead.
    #[error("{path}: {what}")]
    Refused {
        /// The file, or `stdout`.
        path: String,
        /// What cannot be written and what to do.
        what: String,
    },
}

impl WriteError {
    pub(crate) fn io(path: &str, error: io::Error) -> Self {
        let what = match error.kind() {
            io::ErrorKind::NotFound => {
                "cannot be written: the folder does not exist; make it first".to_owned()
            }
            io::ErrorKind::NotADirectory => {
                "cannot be written: what should be a folder is a file; check the path".to_owned()
            }
            io::ErrorKind::PermissionDenied => {
                "may not be written; check the permissions of its folder".to_owned()
            }
            io::ErrorKind::IsADirectory => "this is a folder; name a file inside it".to_owned(),
            io::ErrorKind::StorageFull => "cannot be written: the disk is full".to_owned(),
            _ => format!("cannot be written: {error}"),
        };
        WriteError::Io { path: path.to_owned(), what, error }
    }
}
