//! Parsing a block of lines, independently of other blocks, so that blocks can be parsed in
//! parallel.

use std::ops::Range;

use super::comment;
use super::quick::PADDING;
use crate::number;

/// The largest feature index: a data set has at most 2^20 features, counted from 0.
pub(super) const MAX_INDEX: u32 = (1 << 20) - 1;

/// The text of a block and its parsed content. Reused from block to block.
#[derive(Default)]
pub(super) struct Block {
    pub(super) text: Vec<u8>,
    pub(super) rows: Vec<Line>,
    /// The feature indices of all rows, one row after the other, with their values.
    pub(super) indices: Vec<u32>,
    pub(super) values: Vec<f64>,
    pub(super) max_index: Option<u32>,
    pub(super) has_zero: bool,
    /// The number of lines in the block.
    pub(super) lines: u64,
    /// The first line that was refused; parsing stops there.
    pub(super) fault: Option<Fault>,
}

/// One item.
pub(super) struct Line {
    /// The line within the block, from 0.
    pub(super) line: u64,
    pub(super) label: f64,
    /// Ranges in the text of the block.
    pub(super) qid: Option<Range<usize>>,
    pub(super) id: Option<Range<usize>>,
    /// The end of its features in [`Block::indices`].
    pub(super) end: usize,
    /// Whether each index is known to be the one before plus 1.
    pub(super) is_run: bool,
}

/// A refused line.
pub(super) struct Fault {
    pub(super) line: u64,
    pub(super) what: String,
}

impl Block {
    /// Parses the text.
    pub(super) fn parse(&mut self) {
        self.rows.clear();
        self.indices.clear();
        self.values.clear();
        (self.max_index, self.has_zero, self.fault) = (None, false, None);
        let mut text = std::mem::take(&mut self.text);
        let length = text.len();
        text.resize(length + PADDING, b'\n');
        let mut start = 0;
        let mut line = 0;
        while start < length {
            let end = match self.quick_line(&text, start, line) {
                Some(end) => end,
                None => match self.any_line(&text[..length], start, line) {
                    Ok(end) => end,
                    Err(what) => {
                        self.fault = Some(Fault { line, what });
                        break;
                    }
                },
            };
            line += 1;
            start = end + 1;
        }
        self.lines = line;
        text.truncate(length);
        self.text = text;
    }

    /// Parses the line that begins at `start`; returns where it ends.
    pub(super) fn any_line(
        &mut self,
        text: &[u8],
        start: usize,
        line: u64,
    ) -> Result<usize, String> {
        let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |n| start + n);
        self.parse_line(text, start..end, line)?;
        Ok(end)
    }

    fn parse_line(&mut self, text: &[u8], at: Range<usize>, line: u64) -> Result<(), String> {
        let whole = &text[at.clone()];
        let hash = memchr::memchr(b'#', whole);
        let data = whole[..hash.unwrap_or(whole.len())].trim_ascii_end();
        let mut rest = data.trim_ascii_start();
        if rest.is_empty() {
            return Ok(());
        }
        let label = next_number(&mut rest).map_err(|met| {
            format!(
                "the line begins with `{met}`; a LETOR line is `label qid:ID index:value ...` \
                 (for another format, set `format`)"
            )
        })?;
        let mut qid = None;
        if let Some(tail) = rest.strip_prefix(b"qid:") {
            let end = tail.iter().position(u8::is_ascii_whitespace).unwrap_or(tail.len());
            if end == 0 {
                return Err(
                    "`qid:` is empty; the id of the list must follow without a blank".into()
                );
            }
            qid = Some(place(text, &tail[..end])?);
            rest = tail[end..].trim_ascii_start();
        }
        let first = self.indices.len();
        self.parse_features(rest)?;
        self.check_order(first)?;
        let id = match hash.and_then(|h| comment::id(&whole[h + 1..])) {
            Some(id) => Some(place(text, id)?),
            None => None,
        };
        self.rows.push(Line { line, label, qid, id, end: self.indices.len(), is_run: false });
        Ok(())
    }

    fn parse_features(&mut self, mut rest: &[u8]) -> Result<(), String> {
        while !rest.is_empty() {
            let mut index = 0u64;
            let mut i = 0;
            while let Some(digit) = rest.get(i).map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10) {
                index = index.saturating_mul(10).saturating_add(u64::from(digit));
                i += 1;
            }
            if i == 0 || rest.get(i) != Some(&b':') {
                return Err(format!("`{}` is not of the form index:value", word(rest)));
            }
            if index > u64::from(MAX_INDEX) {
                return Err(format!(
                    "feature index {index} is too large; the maximum is {MAX_INDEX}"
                ));
            }
            rest = &rest[i + 1..];
            if rest.first().is_none_or(u8::is_ascii_whitespace) {
                return Err(format!("feature {index} has no value"));
            }
            let value = next_number(&mut rest).map_err(|met| {
                format!("feature {index} is `{met}`; a number is needed (missing: nan)")
            })?;
            self.indices.push(index as u32);
            self.values.push(value);
        }
        Ok(())
    }

    /// Records the largest index; refuses an index that occurs twice in the row.
    pub(super) fn check_order(&mut self, first: usize) -> Result<(), String> {
        let row = &self.indices[first..];
        let Some(&last) = row.last() else { return Ok(()) };
        let (mut largest, mut smallest) = (last, row[0]);
        if !row.is_sorted_by(|a, b| a < b) {
            let mut sorted = row.to_vec();
            sorted.sort_unstable();
            if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(format!("feature {} occurs twice in the line", pair[0]));
            }
            (smallest, largest) = (sorted[0], sorted[sorted.len() - 1]);
        }
        self.max_index = self.max_index.max(Some(largest));
        self.has_zero |= smallest == 0;
        Ok(())
    }
}

/// Removes a number and the blanks after it from the front; the error is the word that is not
/// a number.
#[inline(always)] // Once per value: the call itself is visible in profiles.
fn next_number(rest: &mut &[u8]) -> Result<f64, String> {
    let (value, used) = match number::scan(rest) {
        Some(found) => found,
        None => unusual_number(rest)?,
    };
    let mut at = used;
    while rest.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    *rest = &rest[at..];
    Ok(value)
}

/// Parses numbers of many digits, `nan` and words that are not numbers, off the fast path.
#[cold]
fn unusual_number(rest: &[u8]) -> Result<(f64, usize), String> {
    let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
    match number::parse(&rest[..end]) {
        Some(value) => Ok((value, end)),
        None if number::is_missing(&rest[..end]) => Ok((f64::NAN, end)),
        None => Err(word(rest)),
    }
}

/// The first word, shortened for a message.
fn word(rest: &[u8]) -> String {
    let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
    let mut shown: String = String::from_utf8_lossy(&rest[..end]).chars().take(60).collect();
    if end > 240 {
        shown.push_str("...");
    }
    shown
}

/// The range of `part` in `text`, or an error if it is not UTF-8.
pub(super) fn place(text: &[u8], part: &[u8]) -> Result<Range<usize>, String> {
    if let Err(error) = std::str::from_utf8(part) {
        let byte = part[error.valid_up_to()];
        return Err(format!("byte {byte:#04x} is not UTF-8 text; save the file as UTF-8"));
    }
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    Ok(start..start + part.len())
}
