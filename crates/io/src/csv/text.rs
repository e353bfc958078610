//! The text of a table: in memory, or in a file that every pass reads again, so that it is never held as a whole.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use super::pieces::{Piece, Pieces, SIZE};
use crate::ReadError;
use crate::input::{check_utf8, check_utf8_after};

/// Where the text is.
pub(super) enum Text {
    Memory(Vec<u8>),
    /// A file, and the number of bytes before the text.
    File(String, u64),
}

/// A place in a text: the number of bytes and of lines before it.
#[derive(Clone, Copy, Default)]
pub(super) struct Start {
    pub(super) byte: u64,
    pub(super) lines: u64,
}

impl Text {
    /// Whether the text is at hand and so short that it is hardly worth more than one thread.
    pub(super) fn is_short(&self) -> bool {
        matches!(self, Text::Memory(text) if text.len() <= SIZE)
    }

    /// The text from a record on, in pieces.
    pub(super) fn pieces(
        &self,
        start: Start,
        delimiter: u8,
    ) -> io::Result<Pieces<Box<dyn Read + Send + '_>>> {
        Ok(Pieces::new(self.reader(start.byte)?, delimiter, start.lines))
    }

    /// Checks that the text is UTF-8. Returns whether there is more than blanks.
    pub(super) fn check(&self, name: &str, delimiter: u8) -> Result<bool, ReadError> {
        let path = match self {
            Text::Memory(text) => {
                check_utf8(name, text)?;
                return Ok(!text.trim_ascii().is_empty());
            }
            Text::File(path, _) => path,
        };
        let wrong = |error| ReadError::io(path, error);
        let mut pieces = self.pieces(Start::default(), delimiter).map_err(wrong)?;
        let (mut piece, mut is_there) = (Piece::default(), false);
        while pieces.next(&mut piece).map_err(wrong)? {
            // A piece ends with a line end, so no character is cut.
            check_utf8_after(name, piece.lines, &piece.text)?;
            is_there |= !piece.own().trim_ascii().is_empty();
        }
        Ok(is_there)
    }

    /// The text up to the first line end outside of quotes, or all of it: what shows the delimiter.
    pub(super) fn first_line(&self) -> io::Result<Vec<u8>> {
        let mut reader = io::BufReader::new(self.reader(0)?);
        let mut text = Vec::new();
        loop {
            let read = io::BufRead::read_until(&mut reader, b'\n', &mut text)?;
            if read == 0 || memchr::memchr_iter(b'"', &text).count().is_multiple_of(2) {
                return Ok(text);
            }
        }
    }

    fn reader(&self, start: u64) -> io::Result<Box<dyn Read + Send + '_>> {
        Ok(match self {
            Text::Memory(text) => Box::new(text.get(start as usize..).unwrap_or_default()),
            Text::File(path, before) => {
                let mut file = File::open(path)?;
                file.seek(SeekFrom::Start(before + start))?;
                Box::new(file)
            }
        })
    }
}
