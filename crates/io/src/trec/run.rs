//! Retrieved documents: `topic Q0 docno rank score tag`.

use super::lines;
use crate::ReadError;
use crate::input::Input;

/// One retrieved document.
#[derive(Debug, Clone, PartialEq)]
pub struct Retrieved {
    /// The topic (list).
    pub topic: String,
    /// The document (item).
    pub docno: String,
    /// The score; higher is better.
    pub score: f64,
    /// The line in the file.
    pub line: u64,
}

/// The documents that a system retrieved, in the order of their file; a document occurs at most
/// once in a topic.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The file, for messages.
    pub source: String,
    /// The name of the system: the tag of the first line.
    pub tag: String,
    /// All documents.
    pub documents: Vec<Retrieved>,
}

/// Reads a run; `-` is stdin, gzip and Zstandard are decompressed.
pub fn read_run(path: &str) -> Result<Run, ReadError> {
    let (name, bytes) = Input::open(path)?.into_bytes()?;
    parse(&name, &bytes)
}

/// Reads a run from memory.
pub fn parse_run_bytes(bytes: &[u8]) -> Result<Run, ReadError> {
    parse("memory", bytes)
}

fn parse(source: &str, bytes: &[u8]) -> Result<Run, ReadError> {
    let mut documents = Vec::new();
    let mut tag = String::new();
    let form = "topic Q0 docno rank score tag";
    lines::each(source, bytes, form, |line, [topic, _, docno, _, score, name]| {
        if tag.is_empty() {
            tag = name.into();
        }
        let score = lines::finite(source, line, "score", score)?;
        documents.push(Retrieved { topic: topic.into(), docno: docno.into(), score, line });
        Ok(())
    })?;
    let rows = documents.iter().map(|d| (d.line, d.topic.as_str(), d.docno.as_str()));
    lines::check_unique(source, rows)?;
    if documents.is_empty() {
        return Err(ReadError::at(source, 0, "there are no documents; at least one is needed"));
    }
    Ok(Run { source: source.into(), tag, documents })
}
