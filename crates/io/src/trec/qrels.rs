//! Judgements: `topic iteration docno relevance`.

use super::lines;
use crate::ReadError;
use crate::input::Input;

/// One judgement.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The topic (list).
    pub topic: String,
    /// The document (item).
    pub docno: String,
    /// The relevance as judged; negative means not relevant at all.
    pub relevance: f64,
    /// The line in the file.
    pub line: u64,
}

/// Judgements in the order of their file; a document occurs at most once in a topic.
#[derive(Debug, Clone, PartialEq)]
pub struct Qrels {
    /// The file, for messages.
    pub source: String,
    /// All judgements.
    pub judgements: Vec<Judgement>,
}

/// Reads judgements; `-` is stdin, gzip and Zstandard are decompressed.
pub fn read_qrels(path: &str) -> Result<Qrels, ReadError> {
    let (name, bytes) = Input::open(path)?.into_bytes()?;
    parse(&name, &bytes)
}

/// Reads judgements from memory.
pub fn parse_qrels_bytes(bytes: &[u8]) -> Result<Qrels, ReadError> {
    parse("memory", bytes)
}

fn parse(source: &str, bytes: &[u8]) -> Result<Qrels, ReadError> {
    let mut judgements = Vec::new();
    let form = "topic iteration docno relevance";
    lines::each(source, bytes, form, |line, [topic, _, docno, relevance]| {
        let relevance = lines::finite(source, line, "relevance", relevance)?;
        judgements.push(Judgement { topic: topic.into(), docno: docno.into(), relevance, line });
        Ok(())
    })?;
    let rows = judgements.iter().map(|j| (j.line, j.topic.as_str(), j.docno.as_str()));
    lines::check_unique(source, rows)?;
    if judgements.is_empty() {
        return Err(ReadError::at(source, 0, "there are no judgements; at least one is needed"));
    }
    Ok(Qrels { source: source.into(), judgements })
}
