//! Models, checkpoints and unfinished tunings as files: JSON with a version, made to be opened in an editor and
//! compared line by line. One line is one feature or one tree; numbers are the shortest text
//! that reads back to the same bits; the same model gives the same bytes.
//!
//! Whatever is read is checked before it becomes a [`Model`]: a tree that was accepted can be
//! walked without looking back. `docs/model-json.md` is the contract.

mod calibration;
mod check;
mod layout;
mod look;
mod net;
mod rerank;
mod shape;
mod tree;
mod tuning;
mod write;

use serde::de::DeserializeOwned;

use super::{Model, ModelError};
use crate::Checkpoint;
use shape::{CheckpointFile, ModelFile};

/// The newest version of the formats that is read, and the one that is written.
const VERSION: u64 = 1;

/// What `missing` says in every model file of version 1.
const MISSING: &str = "each split sends missing values and unknown categories to the side it names";

/// One of the kinds of files that are written here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Model,
    Checkpoint,
    Tuning,
}

impl Kind {
    /// The value of `format`.
    fn name(self) -> &'static str {
        match self {
            Kind::Model => "stakes-model",
            Kind::Checkpoint => "stakes-checkpoint",
            Kind::Tuning => "stakes-tuning",
        }
    }
}

/// A whole file as it is read: the shape of its JSON.
trait FileShape: DeserializeOwned {
    const KIND: Kind;
    /// `format` and `version`.
    fn header(&self) -> (&str, u64);
}

/// Something in a file that makes no sense: where in it, and what.
#[derive(Debug)]
struct Bad {
    at: String,
    what: String,
}

fn bad(at: impl Into<String>, what: impl Into<String>) -> Bad {
    Bad { at: at.into(), what: what.into() }
}

impl Bad {
    /// The same, seen from further out.
    fn under(self, outer: impl std::fmt::Display) -> Bad {
        let dot = if self.at.is_empty() || self.at.starts_with('[') { "" } else { "." };
        Bad { at: format!("{outer}{dot}{}", self.at), what: self.what }
    }

    fn of(self, file: &str) -> ModelError {
        ModelError::Invalid { file: file.to_owned(), at: self.at, what: self.what }
    }
}

impl Model {
    /// The model as a file.
    pub fn to_json(&self) -> String {
        write::model(self)
    }

    /// Reads a model; `source` is what messages call the file.
    pub fn from_json(bytes: &[u8], source: &str) -> Result<Model, ModelError> {
        let file: ModelFile = parse(bytes, source)?;
        check::model(file).map_err(|bad| bad.of(source))
    }
}

impl Checkpoint {
    /// The unfinished run as a file.
    pub fn to_json(&self) -> String {
        write::checkpoint(self)
    }

    /// Reads an unfinished run; `source` is what messages call the file.
    pub fn from_json(bytes: &[u8], source: &str) -> Result<Checkpoint, ModelError> {
        let file: CheckpointFile = parse(bytes, source)?;
        check::checkpoint(file).map_err(|bad| bad.of(source))
    }
}

/// JSON of the right shape, format and version, or what it is instead.
fn parse<T: FileShape>(bytes: &[u8], source: &str) -> Result<T, ModelError> {
    // Some editors put a byte order mark in front.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match serde_json::from_slice::<T>(bytes) {
        Ok(file)
            if file.header().0 == T::KIND.name() && (1..=VERSION).contains(&file.header().1) =>
        {
            Ok(file)
        }
        Ok(_) => Err(look::explain(bytes, source, T::KIND, None)),
        Err(error) => Err(look::explain(bytes, source, T::KIND, Some(&error))),
    }
}
