//! Reading models of other libraries.
//!
//! [`import`] makes a [`Model`] of the content of a file; [`SOURCES`] lists what is read. A reader turns a file
//! into sums of trees or weights; names of features and categories, the goal and the roles of columns are
//! added in one place for all of them. Nothing is read that our models cannot hold: that is an error that says why.
//!
//! ```
//! use stakes_interchange::import::{ImportOptions, import};
//! # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/interchange/lightgbm-regression.txt");
//! let imported = import(&std::fs::read(file)?, "model.txt", &ImportOptions::default())?;
//! assert_eq!(imported.source.name, "lightgbm");
//! println!("{} trees", imported.model.size().trees);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod catboost;
mod error;
mod fastrank;
mod found;
mod lightgbm;
mod onnx;
mod ranklib;
mod source;
mod threshold;
mod tree;
mod xgboost;

use std::collections::BTreeMap;

use serde::de::{DeserializeOwned, IgnoredAny};
use stakes_core::goal::Goal;
use stakes_model::{Model, RoleColumns};

use error::Fault;
pub use error::ImportError;
pub use source::{SOURCES, Source, source};

/// How a model is imported.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// The kind of the file; found from its content if it is not given.
    pub source: Option<&'static Source>,
    /// The names of the features, in the order of the file, in place of its own.
    pub features: Option<Vec<String>>,
    /// How many rounds of boosting are kept; all if it is not given.
    pub rounds: Option<usize>,
    /// What rankings by the model are for.
    pub goal: Goal,
    /// The roles of columns of data that the model is used with.
    pub columns: RoleColumns,
}

/// A model that was read.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The model.
    pub model: Model,
    /// What kind of file it was read from.
    pub source: &'static Source,
    /// What to know about it, in sentences.
    pub notes: Vec<String>,
}

/// Makes a model of the content of a file; `file` names it in errors.
pub fn import(
    content: &[u8],
    file: &str,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    let source = match options.source {
        Some(source) => source,
        None => {
            let content = Content::new(content);
            SOURCES.iter().find(|source| (source.recognise)(&content)).ok_or_else(|| {
                ImportError::Unknown { file: file.to_owned(), advice: source::advice(&content) }
            })?
        }
    };
    let found = (source.read)(content).map_err(|fault| fault.in_file(file))?;
    let (model, notes) = found.model(options).map_err(|fault| fault.in_file(file))?;
    Ok(Imported { model, source, notes })
}

/// Parses JSON of a shape.
fn json<T: DeserializeOwned>(content: &[u8]) -> Result<T, Fault> {
    serde_json::from_slice(content).map_err(|error| {
        let what = error.to_string();
        let what = match error.is_eof() {
            true => "the file is truncated; save it again",
            false => what.split(" at line ").next().unwrap_or_default(),
        };
        Fault::at_line(error.line(), what).within(format!("column {}", error.column()))
    })
}

/// A file of which the kind is to be found.
struct Content<'c> {
    bytes: &'c [u8],
    /// The keys of the JSON object that it is, if it is one.
    keys: Vec<String>,
}

impl<'c> Content<'c> {
    fn new(bytes: &'c [u8]) -> Self {
        let is_object = bytes.trim_ascii_start().first() == Some(&b'{');
        let object = || serde_json::from_slice::<BTreeMap<String, IgnoredAny>>(bytes).ok();
        let keys = is_object.then(object).flatten().unwrap_or_default().into_keys().collect();
        Content { bytes, keys }
    }

    fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|known| known == key)
    }
}
