//! Cutting CSV text into pieces of whole records, which can be parsed by themselves.
//!
//! A line end within quotes ends no record, and a quote within a field that is not quoted is a character as any other:
//! where there are quotes, every byte is looked at, by the rules of the csv crate. The tests compare the two.

use std::io::{self, Read};

/// The size of a piece: large enough that the cost per piece does not matter.
pub(super) const SIZE: usize = 1 << 17;
/// A line after the text. If it is not the last record, a quote that was never closed includes it: the csv crate accepts
/// such text silently.
pub(super) const END: &[u8] = b"\nend-of-text";

/// A piece of a text.
#[derive(Default)]
pub(super) struct Piece {
    /// Whole records; the last piece ends with [`END`].
    pub(super) text: Vec<u8>,
    /// The number of lines before it.
    pub(super) lines: u64,
    pub(super) is_last: bool,
}

impl Piece {
    /// Its part of the text.
    pub(super) fn own(&self) -> &[u8] {
        let end = if self.is_last { END.len() } else { 0 };
        &self.text[..self.text.len() - end]
    }
}

/// Cuts a stream that begins with a record.
pub(super) struct Pieces<R> {
    reader: R,
    delimiter: u8,
    size: usize,
    /// The bytes that were read beyond the last piece.
    rest: Vec<u8>,
    lines: u64,
    is_done: bool,
}

impl<R: Read> Pieces<R> {
    /// `lines` is the number of lines before the stream.
    pub(super) fn new(reader: R, delimiter: u8, lines: u64) -> Self {
        Pieces { reader, delimiter, size: SIZE, rest: Vec::new(), lines, is_done: false }
    }

    /// Fills a piece; `false` after the last one.
    pub(super) fn next(&mut self, piece: &mut Piece) -> io::Result<bool> {
        piece.text.clear();
        if self.is_done {
            return Ok(false);
        }
        std::mem::swap(&mut piece.text, &mut self.rest);
        let text = &mut piece.text;
        (piece.lines, piece.is_last) = (self.lines, false);
        let (mut state, mut seen) = (State::Start, 0);
        loop {
            let wanted = self.size.checked_sub(text.len()).filter(|n| *n > 0).unwrap_or(self.size);
            text.reserve(wanted + END.len());
            if self.reader.by_ref().take(wanted as u64).read_to_end(text)? < wanted {
                text.extend_from_slice(END);
                (piece.is_last, self.is_done) = (true, true);
                return Ok(true);
            }
            if let Some(end) = state.last_end(&text[seen..], self.delimiter) {
                let end = seen + end + 1;
                self.rest.extend_from_slice(&text[end..]);
                text.truncate(end);
                self.lines += memchr::memchr_iter(b'\n', text).count() as u64;
                return Ok(true);
            }
            seen = text.len();
        }
    }
}

/// Where in a record a byte is met.
#[derive(Clone, Copy, PartialEq)]
enum State {
    /// At the start of a field.
    Start,
    Field,
    Quoted,
    /// After a quote within quotes: doubled it is a character, else the quotes are closed.
    Closing,
}

impl State {
    /// Goes through bytes; returns the last line end that ends a record.
    fn last_end(&mut self, bytes: &[u8], delimiter: u8) -> Option<usize> {
        let is_plain = matches!(self, State::Start | State::Field);
        if let (true, None, Some(last)) = (is_plain, memchr::memchr(b'"', bytes), bytes.last()) {
            *self = State::Field.after(*last, delimiter);
            return memchr::memrchr(b'\n', bytes);
        }
        let mut end = None;
        for (i, &byte) in bytes.iter().enumerate() {
            if byte == b'\n' && *self != State::Quoted {
                end = Some(i);
            }
            *self = self.after(byte, delimiter);
        }
        end
    }

    fn after(self, byte: u8, delimiter: u8) -> State {
        match (self, byte) {
            (State::Start | State::Closing, b'"') => State::Quoted,
            (State::Quoted, b'"') => State::Closing,
            (State::Quoted, _) => State::Quoted,
            (_, b'\n' | b'\r') => State::Start,
            (_, byte) if byte == delimiter => State::Start,
            _ => State::Field,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use csv::{ByteRecord, ReaderBuilder};
    use proptest::prelude::*;

    fn records(text: &[u8]) -> Vec<ByteRecord> {
        let mut builder = ReaderBuilder::new();
        let mut reader = builder.has_headers(false).flexible(true).from_reader(text);
        reader.byte_records().map(Result::unwrap).collect()
    }

    proptest! {
        #[test]
        fn pieces_have_the_records_of_the_whole(text in "[a,\"\\n\\r]{0,40}", size in 1usize..9) {
            let whole = [text.as_bytes(), END].concat();
            let mut pieces = Pieces { size, ..Pieces::new(text.as_bytes(), b',', 3) };
            let (mut piece, mut all, mut found) = (Piece::default(), Vec::new(), Vec::new());
            while pieces.next(&mut piece).unwrap() {
                let lines = all.iter().filter(|b| **b == b'\n').count() as u64;
                prop_assert_eq!(piece.lines, 3 + lines);
                all.extend_from_slice(&piece.text);
                found.extend(records(&piece.text));
                prop_assert_eq!(piece.is_last, all.len() == whole.len());
            }
            prop_assert_eq!(&all, &whole);
            prop_assert_eq!(found, records(&whole));
        }
    }
}
