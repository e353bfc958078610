//! The records of a table with their lines in the file, as wide as the header.

use csv::{ByteRecord, ReaderBuilder};
use stakes_core::display::counted;

use super::delimiter;
use super::pieces::{END, Piece};
use super::text::{Start, Text};
use crate::ReadError;
use crate::input::MARK;
use crate::names::Names;

/// The records of a table with a header: of a CSV text that is known to be UTF-8, or made of something else.
pub(crate) struct Records<'a> {
    pub(crate) source: &'a str,
    pub(crate) header: Names,
    /// How the table was found.
    pub(crate) notes: Vec<String>,
    pub(super) text: Text,
    /// Where the header ends.
    pub(super) start: Start,
    pub(super) delimiter: u8,
    /// Records with their lines, instead of text.
    pub(super) made: Option<Vec<(u64, ByteRecord)>>,
}

impl<'a> Records<'a> {
    pub(crate) fn new(source: &'a str, mut text: Vec<u8>, tsv: bool) -> Result<Self, ReadError> {
        if text.starts_with(MARK) {
            // Blanks are trimmed from names anyway; removing the mark would copy the text.
            text[..MARK.len()].fill(b' ');
            if text.get(MARK.len()) == Some(&b'"') {
                text.drain(..MARK.len());
            }
        }
        Records::of_text(source, Text::Memory(text), tsv)
    }

    /// The records of a text without a byte order mark.
    pub(super) fn of_text(source: &'a str, text: Text, tsv: bool) -> Result<Self, ReadError> {
        let first = text.first_line().map_err(|error| ReadError::io(source, error))?;
        let delimiter = delimiter::of(&first, tsv);
        if !text.check(source, delimiter)? {
            let what = "the file is empty; a header line with the names of the columns is needed";
            return Err(ReadError::at(source, 0, what));
        }
        let (header, start) = (Names::default(), Start::default());
        let mut records =
            Records { source, header, notes: Vec::new(), text, start, delimiter, made: None };
        let (mut header, mut start) = (Names::default(), start);
        let mut bytes = 0;
        let found = records.for_each_piece(|piece| {
            records.walk(piece, |_, record, end| {
                header = Names::new(record.iter().map(String::from_utf8_lossy));
                start = Start { byte: bytes + end.byte, lines: end.lines };
                Err(Stop::Enough)
            })?;
            bytes += piece.own().len() as u64;
            Ok(())
        });
        refusal(found)?;
        records.notes.extend(header.note());
        (records.header, records.start) = (header, start);
        Ok(records)
    }

    /// Records that were not CSV, each as wide as the header; numbers and dates among them are plain.
    pub(crate) fn made(
        source: &'a str,
        header: Names,
        mut notes: Vec<String>,
        records: Vec<(u64, ByteRecord)>,
    ) -> Self {
        notes.extend(header.note());
        Records {
            source,
            header,
            notes,
            text: Text::Memory(Vec::new()),
            start: Start::default(),
            delimiter: b',',
            made: Some(records),
        }
    }

    /// The names of the columns.
    pub(crate) fn names(&self) -> &[String] {
        &self.header.names
    }

    /// Whether numbers and dates may be written in other ways than plainly.
    pub(crate) fn is_text(&self) -> bool {
        self.made.is_none()
    }

    /// Calls `f` with every record until it returns `false`.
    pub(crate) fn while_wanted(
        &self,
        mut f: impl FnMut(&ByteRecord) -> bool,
    ) -> Result<(), ReadError> {
        self.for_each_or_stop(|_, record| match f(record) {
            true => Ok(()),
            false => Err(Stop::Enough),
        })
    }

    /// Calls `f` with the line and the fields of every record after the header.
    pub(crate) fn for_each(
        &self,
        mut f: impl FnMut(u64, &ByteRecord) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        self.for_each_or_stop(|line, record| f(line, record).map_err(Stop::Refused))
    }

    fn for_each_or_stop(
        &self,
        mut f: impl FnMut(u64, &ByteRecord) -> Result<(), Stop>,
    ) -> Result<(), ReadError> {
        let done = match &self.made {
            Some(records) => records.iter().try_for_each(|(line, record)| f(*line, record)),
            None => self.for_each_piece(|piece| self.rows(piece, &mut f)),
        };
        refusal(done)
    }

    /// Calls `f` with every piece after the header.
    pub(super) fn for_each_piece(
        &self,
        mut f: impl FnMut(&Piece) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let wrong = |error| Stop::Refused(ReadError::io(self.source, error));
        let mut pieces = self.text.pieces(self.start, self.delimiter).map_err(wrong)?;
        let mut piece = Piece::default();
        while pieces.next(&mut piece).map_err(wrong)? {
            f(&piece)?;
        }
        Ok(())
    }

    /// Calls `f` with the line and the fields of every record of a piece; all must be as wide as the header.
    pub(super) fn rows(
        &self,
        piece: &Piece,
        mut f: impl FnMut(u64, &ByteRecord) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        self.walk(piece, |line, record, _| {
            if record.len() != self.header.names.len() {
                let what = format!(
                    "the row has {}, the header has {}; fields that contain the delimiter `{}` must \
                     be quoted",
                    counted(record.len(), "field"),
                    self.header.names.len(),
                    self.delimiter.escape_ascii()
                );
                return Err(self.wrong(line, what));
            }
            f(line, record)
        })
    }

    /// Calls `f` with the line and the fields of every record, and the place in the piece where it ends.
    fn walk(
        &self,
        piece: &Piece,
        mut f: impl FnMut(u64, &ByteRecord, Start) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut reader = ReaderBuilder::new()
            .delimiter(self.delimiter)
            .has_headers(false)
            .flexible(true)
            .from_reader(piece.text.as_slice());
        let mut record = ByteRecord::new();
        while reader.read_byte_record(&mut record).map_err(|e| self.wrong(0, e.to_string()))? {
            let line = line_of(piece, &record);
            let (byte, lines) = (reader.position().byte(), reader.position().line());
            if piece.is_last && byte >= piece.text.len() as u64 {
                if record.len() == 1 && record[0] == END[1..] {
                    return Ok(());
                }
                let what = "a quote is opened in this row and never closed; close it, or double \
                            the quote character inside a field";
                return Err(self.wrong(line, what));
            }
            f(line, &record, Start { byte, lines: piece.lines + lines - 1 })?;
        }
        Ok(())
    }

    fn wrong(&self, line: u64, what: impl Into<String>) -> Stop {
        Stop::Refused(ReadError::at(self.source, line, what))
    }
}

/// The line of a record. The csv crate gives that of the first byte after the previous record, so empty lines in between
/// are added.
fn line_of(piece: &Piece, record: &ByteRecord) -> u64 {
    let Some(position) = record.position() else { return 0 };
    let start = piece.text.get(position.byte() as usize..).unwrap_or_default();
    let skipped = start.iter().take_while(|b| matches!(b, b'\n' | b'\r'));
    piece.lines + position.line() + skipped.filter(|b| **b == b'\n').count() as u64
}

/// Why no more records are wanted.
pub(super) enum Stop {
    Enough,
    Refused(ReadError),
}

/// The error among reasons to stop.
pub(super) fn refusal(done: Result<(), Stop>) -> Result<(), ReadError> {
    match done {
        Err(Stop::Refused(error)) => Err(error),
        Ok(()) | Err(Stop::Enough) => Ok(()),
    }
}
