//! Explains why a file was refused: what it looks like instead.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::error::Category;

use super::{Kind, VERSION};
use crate::ModelError;

const ONLY_OURS: &str = "only files written by `stakes` can be read";

/// Fields that identify the program that wrote the file. (Large ones are skipped, not kept.)
#[derive(Deserialize)]
struct Header {
    format: Option<Value>,
    version: Option<Value>,
    /// In files of XGBoost, and in ours.
    learner: Option<IgnoredAny>,
    /// In LightGBM's JSON.
    tree_info: Option<IgnoredAny>,
    /// In CatBoost's JSON.
    oblivious_trees: Option<IgnoredAny>,
}

/// The first bytes of known formats that are not JSON.
const SIGNATURES: [(&[u8], &str); 7] = [
    (b"tree\nversion=", "a LightGBM model (text)"),
    (b"tree\r\nversion=", "a LightGBM model (text)"),
    (b"{L\0\0", "an XGBoost model (UBJSON)"),
    (b"CBM1", "a CatBoost model"),
    (b"PAR1", "a Parquet file"),
    (b"\x1f\x8b", "a gzip file"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file"),
];

/// Finds out why bytes are not a file of kind `wanted`; `error` is the parser's, if there was one.
pub(super) fn diagnose(
    bytes: &[u8],
    source: &str,
    wanted: Kind,
    error: Option<&serde_json::Error>,
) -> ModelError {
    let file = source.to_owned();
    let other = |met: String, advice| {
        let wanted = wanted.in_words();
        ModelError::WrongFormat { file: source.to_owned(), met, wanted, advice }
    };
    if let Some((_, met)) = SIGNATURES.iter().find(|(start, _)| bytes.starts_with(start)) {
        return other((*met).to_owned(), ONLY_OURS);
    }
    if bytes.trim_ascii().is_empty() {
        return other("an empty file".into(), "write or copy it again");
    }
    let header = match serde_json::from_slice::<Header>(bytes) {
        Ok(header) => header,
        Err(syntax) if syntax.is_eof() || is_at_end(&syntax, bytes) => {
            return ModelError::Truncated { file, line: syntax.line(), column: syntax.column() };
        }
        Err(syntax) if syntax.classify() == Category::Data => {
            return other("some other JSON".into(), ONLY_OURS);
        }
        Err(syntax) => {
            let (line, column) = (syntax.line(), syntax.column());
            return ModelError::NotJson { file, line, column, what: message(&syntax) };
        }
    };
    match (header.format.as_ref().and_then(Value::as_str), header.version) {
        (Some(name), Some(version)) if name == wanted.name() => match version.as_u64() {
            Some(VERSION) => shape(file, error),
            _ => ModelError::Version { file, met: version.to_string(), known: VERSION },
        },
        (Some(name), None) if name == wanted.name() => shape(file, error),
        (Some(name), _) if name == Kind::Checkpoint.name() => {
            other(Kind::Checkpoint.in_words().into(), "finish the training first")
        }
        (Some(name), _) if name == Kind::Tuning.name() => {
            other(Kind::Tuning.in_words().into(), "finish the training first")
        }
        (Some(name), _) if name == Kind::Model.name() => {
            other(Kind::Model.in_words().into(), "its training is finished")
        }
        (Some(name), _) => other(format!("JSON of format `{name}`"), ONLY_OURS),
        (None, version) => {
            let met = if header.tree_info.is_some() {
                "a LightGBM model (JSON)"
            } else if header.oblivious_trees.is_some() {
                "a CatBoost model (JSON)"
            } else if header.learner.is_some() && version.is_some_and(|v| v.is_array()) {
                "an XGBoost model (JSON)"
            } else {
                "some other JSON"
            };
            other(met.into(), ONLY_OURS)
        }
    }
}

impl Kind {
    fn in_words(self) -> &'static str {
        match self {
            Kind::Model => "a stakes model",
            Kind::Checkpoint => "a checkpoint of an unfinished run",
            Kind::Tuning => "an unfinished tuning",
        }
    }
}

/// The error for an unknown or missing field, or one of another type.
fn shape(file: String, error: Option<&serde_json::Error>) -> ModelError {
    let (line, column) = error.map_or((0, 0), |e| (e.line(), e.column()));
    let what = error.map_or_else(|| "the header is not as expected".into(), message);
    ModelError::Shape { file, line, column, what }
}

/// Whether the parser failed at the very end: a file truncated within `12.5` may end with `12.`, which
/// the parser reports as an invalid number and not as an early end.
fn is_at_end(error: &serde_json::Error, bytes: &[u8]) -> bool {
    let (mut lines, mut last) = (0, 0);
    for line in bytes.split(|&b| b == b'\n') {
        (lines, last) = (lines + 1, line.len());
    }
    let is_last = lines > 1 && error.line() == lines && error.column() >= last;
    is_last && message(error) != "trailing characters"
}

/// The parser's message without the position, which our message gives first.
fn message(error: &serde_json::Error) -> String {
    let mut text = error.to_string();
    if let Some(at) = text.rfind(" at line ") {
        text.truncate(at);
    }
    text
}
