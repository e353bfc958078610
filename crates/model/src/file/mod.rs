//! Models, checkpoints and unfinished tunings as files: JSON with a format name and a version, laid
//! out to be opened in an editor and compared line by line. A feature or a tree is one line, numbers
//! are the shortest text that reads back to the same bits, and the same model gives the same bytes.
//!
//! A file is checked completely before it becomes a [`Model`], so scoring needs no further checks.
//! `docs/model-json.md` is the contract.

mod calibration;
mod check;
mod diagnose;
mod goal;
mod header;
mod layout;
mod net;
mod outcomes;
mod profile;
mod rerank;
mod scorer;
mod shape;
mod tree;
mod tuning;
mod write;

use serde::de::DeserializeOwned;

pub use goal::GoalRecord;

use super::{Model, ModelError};
use crate::Checkpoint;
use shape::{CheckpointFile, ModelFile};

/// The version of the formats that is written, and the only one that is read.
const VERSION: u64 = 1;

/// The value of `missing` in every model file.
const MISSING: &str = "each split sends missing values and unknown categories to the side it names";

/// The kinds of files that this module writes.
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

/// The shape of a whole file's JSON.
trait FileShape: DeserializeOwned {
    const KIND: Kind;
    /// `format` and `version`.
    fn header(&self) -> (&str, u64);
}

/// An invalid value: where it is in the file, and what is wrong with it.
#[derive(Debug)]
struct Invalid {
    at: String,
    what: String,
}

fn invalid(at: impl Into<String>, what: impl Into<String>) -> Invalid {
    Invalid { at: at.into(), what: what.into() }
}

impl Invalid {
    /// Puts the name of the enclosing field in front of the place.
    fn under(self, outer: impl std::fmt::Display) -> Invalid {
        let dot = if self.at.is_empty() || self.at.starts_with('[') { "" } else { "." };
        Invalid { at: format!("{outer}{dot}{}", self.at), what: self.what }
    }

    fn in_file(self, file: &str) -> ModelError {
        ModelError::Invalid { file: file.to_owned(), at: self.at, what: self.what }
    }
}

impl Model {
    /// The text of the model file.
    pub fn to_json(&self) -> String {
        write::model(self)
    }

    /// Reads a model file; `source` names the file in error messages.
    pub fn from_json(bytes: &[u8], source: &str) -> Result<Model, ModelError> {
        let file: ModelFile = parse(bytes, source)?;
        check::model(file).map_err(|invalid| invalid.in_file(source))
    }
}

impl Checkpoint {
    /// The text of the checkpoint file.
    pub fn to_json(&self) -> String {
        write::checkpoint(self)
    }

    /// Reads a checkpoint file; `source` names the file in error messages.
    pub fn from_json(bytes: &[u8], source: &str) -> Result<Checkpoint, ModelError> {
        let file: CheckpointFile = parse(bytes, source)?;
        check::checkpoint(file).map_err(|invalid| invalid.in_file(source))
    }
}

/// Parses JSON of the right shape, format and version, or explains what the file is instead.
fn parse<T: FileShape>(bytes: &[u8], source: &str) -> Result<T, ModelError> {
    // Some editors put a byte order mark in front.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match serde_json::from_slice::<T>(bytes) {
        Ok(file) if file.header() == (T::KIND.name(), VERSION) => Ok(file),
        Ok(_) => Err(diagnose::diagnose(bytes, source, T::KIND, None)),
        Err(error) => Err(diagnose::diagnose(bytes, source, T::KIND, Some(&error))),
    }
}
