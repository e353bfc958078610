//! Lines as most files have them: one blank between words, indices without leading zeros, short decimals.
//!
//! In most files nearly every index is the one before plus 1: it is compared instead of parsed. Values are parsed by
//! [`number::short`]. Whatever else is unusual, and every mistake, is left to `parse.rs`, which defines what is right:
//! `None` sends the line there. The tests compare the two.

use super::comment;
use super::parse::{Block, Line, MAX_INDEX, place};
use crate::number;

/// The number of line ends that follow the text of a block: a value and the index behind it can be looked at wherever
/// they begin.
pub(super) const PADDING: usize = 32;

/// The number of values that are parsed before they are stored.
const RUN: usize = 64;

/// The text ` 17:` of an index.
#[derive(Clone, Copy)]
struct Known {
    /// The bytes, the last one highest.
    text: u64,
    /// By how many bits eight bytes of a line are shifted to be compared.
    shift: u8,
    length: u8,
}

/// The indices below 1000.
static KNOWN: [Known; 1000] = {
    let mut table = [Known { text: 0, shift: 0, length: 0 }; 1000];
    let mut index = 0;
    while index < table.len() {
        let mut text = (b':' as u64) << 56;
        let (mut shift, mut rest) = (56, index as u64);
        loop {
            shift -= 8;
            text |= (b'0' as u64 + rest % 10) << shift;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        shift -= 8;
        text |= (b' ' as u64) << shift;
        table[index] = Known { text, shift, length: (64 - shift) / 8 };
        index += 1;
    }
    table
};

impl Block {
    /// Parses the line that begins at `start` of a padded text and returns where it ends, or leaves everything as it
    /// was.
    pub(super) fn quick_line(&mut self, text: &[u8], start: usize, line: u64) -> Option<usize> {
        let first = self.indices.len();
        let end = self.line_at(text, start, line);
        if end.is_none() {
            self.indices.truncate(first);
            self.values.truncate(first);
        }
        end
    }

    fn line_at(&mut self, text: &[u8], start: usize, line: u64) -> Option<usize> {
        let (label, length) = number::short(text.get(start..)?.first_chunk()?)?;
        let mut at = start + length;
        let mut qid = None;
        if let Some(tail) = text[at..].strip_prefix(b" qid:") {
            let length = tail.iter().position(|b| *b <= b' ' || *b == b'#').filter(|n| *n > 0)?;
            qid = Some(place(text, &tail[..length]).ok()?);
            at += b" qid:".len() + length;
        }
        let first = self.indices.len();
        let (mut at, is_run, is_sorted) = self.quick_features(text, at)?;
        while matches!(text[at], b' ' | b'\t' | b'\r') {
            at += 1;
        }
        let mut id = None;
        let end = match text[at] {
            b'\n' => at,
            b'#' => {
                let end = at + memchr::memchr(b'\n', &text[at..])?;
                if let Some(found) = comment::id(&text[at + 1..end]) {
                    id = Some(place(text, found).ok()?);
                }
                end
            }
            _ => return None,
        };
        // Now that nothing else can be wrong with the line.
        match (is_sorted, &self.indices[first..]) {
            (false, _) => self.check_order(first).ok()?,
            (true, []) => {}
            (true, [smallest, ..]) => {
                self.has_zero |= *smallest == 0;
                self.max_index = self.max_index.max(self.indices.last().copied());
            }
        }
        self.rows.push(Line { line, label, qid, id, end: self.indices.len(), is_run });
        Some(end)
    }

    /// Parses features from the blank before the first of them on. Returns where it stopped, whether each index is
    /// the one before plus 1, and whether each is larger.
    fn quick_features(&mut self, text: &[u8], mut at: usize) -> Option<(usize, bool, bool)> {
        let first = self.indices.len();
        let (mut next, mut is_run, mut is_sorted) = (1, true, true);
        let mut values = [0.0; RUN];
        loop {
            let (end, count) = run(text, at, next, &mut values);
            self.values.extend_from_slice(&values[..count]);
            self.indices.extend(next..next + count as u32);
            (at, next) = (end, next + count as u32);
            if count == RUN {
                continue;
            }
            let Some((index, length)) = index_at(text.get(at..)?.first_chunk()?) else { break };
            let is_first = self.indices.len() == first;
            is_run &= index == next || is_first;
            is_sorted &= index >= next || is_first;
            at += length;
            let (value, length) = match number::short(text.get(at..)?.first_chunk()?) {
                Some(found) => found,
                None => unusual_value(&text[at..])?,
            };
            self.indices.push(index);
            self.values.push(value);
            at += length;
            next = index + 1;
        }
        Some((at, is_run, is_sorted))
    }
}

/// Parses short values of the indices `next`, `next` + 1, ..., as many as there are and `values` takes. Returns where it
/// stopped, and their number.
#[inline(never)] // So that its few variables stay in registers.
fn run(text: &[u8], mut at: usize, next: u32, values: &mut [f64; RUN]) -> (usize, usize) {
    let known = KNOWN.get(next as usize..).unwrap_or_default();
    for (i, (value, known)) in values.iter_mut().zip(known).enumerate() {
        let Some(here) = text.get(at..).and_then(|rest| rest.first_chunk::<24>()) else {
            return (at, i);
        };
        let (index, _) = here.as_chunks::<8>();
        // At most 7, which spares the next line a check.
        let length = usize::from(known.length & 7);
        let number = here[length..].first_chunk().and_then(number::short);
        match number {
            Some((found, more)) if u64::from_le_bytes(index[0]) << known.shift == known.text => {
                *value = found;
                at += length + more;
            }
            _ => return (at, i),
        }
    }
    (at, known.len().min(RUN))
}

/// The index in eight bytes that begin with a blank, and the number of bytes up to and with its colon.
fn index_at(bytes: &[u8; 8]) -> Option<(u32, usize)> {
    let (mut index, mut at) = (0, 1);
    while let Some(digit) = bytes.get(at).map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10) {
        index = index * 10 + u32::from(digit);
        at += 1;
    }
    let is_index = bytes[0] == b' ' && at > 1 && bytes.get(at) == Some(&b':');
    (is_index && index <= MAX_INDEX).then_some((index, at + 1))
}

/// A value of many digits, with an exponent, missing, or with a comment right behind it.
#[cold]
fn unusual_value(rest: &[u8]) -> Option<(f64, usize)> {
    let end = rest.iter().position(|b| b.is_ascii_whitespace() || *b == b'#').filter(|n| *n > 0)?;
    let word = &rest[..end];
    let missing = || number::is_missing(word).then_some(f64::NAN);
    Some((number::parse(word).or_else(missing)?, end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All that a block has of a text, with and without the quick path.
    fn both(text: &str) -> [String; 2] {
        let mut quick = Block { text: text.as_bytes().to_vec(), ..Block::default() };
        quick.parse();
        let mut slow = Block::default();
        let (mut start, mut line) = (0, 0);
        let mut fault = None;
        while start < text.len() && fault.is_none() {
            match slow.any_line(text.as_bytes(), start, line) {
                Ok(end) => (start, line) = (end + 1, line + 1),
                Err(what) => fault = Some((line, what)),
            }
        }
        let lines = (quick.lines, line);
        let quick_fault = quick.fault.take().map(|fault| (fault.line, fault.what));
        assert_eq!(quick.text, text.as_bytes());
        [content(&quick, lines.0, &quick_fault), content(&slow, lines.1, &fault)]
    }

    fn content(block: &Block, lines: u64, fault: &Option<(u64, String)>) -> String {
        let row = |row: &Line| {
            format!("{} {} {:?} {:?} {}", row.line, row.label.to_bits(), row.qid, row.id, row.end)
        };
        let rows: Vec<String> = block.rows.iter().map(row).collect();
        // A refused line may leave some of its values behind.
        let kept = block.rows.last().map_or(0, |row| row.end);
        let values: Vec<u64> = block.values[..kept].iter().map(|v| v.to_bits()).collect();
        let (indices, columns) = (&block.indices[..kept], (block.max_index, block.has_zero));
        format!("{rows:?} {indices:?} {values:?} {columns:?} {lines} {fault:?}")
    }

    #[test]
    fn runs_are_found() {
        let text = "1 qid:a 1:2 2:3 3:-0.5\n0 4:1 5:1 #x\n1 3:1 5:1\n0\n1 2:1 1:2\n1  1:1\n1 998:1 999:1 1000:2e1\n";
        let mut block = Block { text: text.into(), ..Block::default() };
        block.parse();
        let runs: Vec<bool> = block.rows.iter().map(|row| row.is_run).collect();
        assert_eq!(runs, [true, true, false, true, false, false, true]);
        assert_eq!(block.values.last(), Some(&20.0));
    }

    #[test]
    fn the_texts_of_indices_are_known() {
        for (index, known) in KNOWN.iter().enumerate() {
            let text = format!(" {index}:");
            let mut bytes = [b'9'; 8];
            bytes[..text.len()].copy_from_slice(text.as_bytes());
            let here = u64::from_le_bytes(bytes);
            assert_eq!(here << known.shift, known.text, "{index}");
            assert_eq!(usize::from(known.length), text.len(), "{index}");
            assert_eq!(index_at(&bytes), Some((index as u32, text.len())));
        }
    }

    proptest! {
        #[test]
        fn usual_lines_are_read_as_by_the_slow_path(
            lines in prop::collection::vec(
                "[0-4](\\.5)? (qid:[0-9a-z]{1,4} )?([1-9]:-?[0-9]{1,3}(\\.[0-9]{0,12})? ?){0,4}(#docid = [A-Z0-9]{1,4} x)?\\r?",
                0..6,
            ),
        ) {
            let [quick, slow] = both(&lines.join("\n"));
            prop_assert_eq!(quick, slow);
        }

        #[test]
        fn unusual_lines_and_mistakes_are_read_as_by_the_slow_path(
            words in prop::collection::vec(prop_oneof![
                "[0-9]{1,8}:-?[0-9]{0,20}\\.?[0-9]{0,20}(e-?[0-9]{1,3})?",
                "[0-3]:(nan|NA|inf|x|\\?|1#|\\+1|--1|1\\.\\.2|)",
                "qid:[a-zé#]{0,2}",
                "[-0-9.:#\\x00-\\x20é]{0,6}",
                Just("\n1".to_owned()),
                Just("\n0 qid:7".to_owned()),
            ], 0..12),
            blank in "[ ]{1,2}|[\\t\\r\\x0b\\x0c]",
        ) {
            let [quick, slow] = both(&words.join(&blank));
            prop_assert_eq!(quick, slow);
            let [quick, slow] = both(&format!("1 {}", words.join(" ")));
            prop_assert_eq!(quick, slow);
        }

        #[test]
        fn runs_of_indices_are_read_as_by_the_slow_path(first in 0..1010u32, count in 1..20u32, gap in 0..20u32) {
            let index = |i: u32| if i == gap { first + i + 1 } else { first + i };
            let words: Vec<String> = (0..count).map(|i| format!("{}:{i}.5", index(i))).collect();
            let [quick, slow] = both(&format!("1 qid:1 {}\n", words.join(" ")));
            prop_assert_eq!(quick, slow);
        }
    }
}
