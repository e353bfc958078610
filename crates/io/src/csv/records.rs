//! The records of a table with their lines in the file, as wide as the header.

use csv::{ByteRecord, ReaderBuilder};
use stakes_core::display::counted;

use super::delimiter;
use crate::ReadError;
use crate::input::check_utf8;
use crate::names::Names;

/// A line appended to the text. If it is not the last record, a quote that was never closed
/// includes it: the csv crate accepts such text silently.
const END: &[u8] = b"\nend-of-text";

/// The records of a table with a header: of a CSV text that is known to be UTF-8, or made of something else.
pub(crate) struct Records<'a> {
    pub(crate) source: &'a str,
    pub(crate) header: Names,
    /// How the table was found.
    pub(crate) notes: Vec<String>,
    /// The text, with [`END`] appended.
    text: Vec<u8>,
    delimiter: u8,
    /// Records with their lines, instead of text.
    made: Option<Vec<(u64, ByteRecord)>>,
}

impl<'a> Records<'a> {
    pub(crate) fn new(source: &'a str, mut text: Vec<u8>, tsv: bool) -> Result<Self, ReadError> {
        check_utf8(source, &text)?;
        let bom = "\u{feff}".as_bytes();
        if text.starts_with(bom) {
            // Blanks are trimmed from names anyway; removing the mark would copy the text.
            text[..bom.len()].fill(b' ');
            if text.get(bom.len()) == Some(&b'"') {
                text.drain(..bom.len());
            }
        }
        if text.trim_ascii().is_empty() {
            let what = "the file is empty; a header line with the names of the columns is needed";
            return Err(ReadError::at(source, 0, what));
        }
        let delimiter = delimiter::of(&text, tsv);
        text.extend_from_slice(END);
        let header = Names::default();
        let mut records =
            Records { source, header, notes: Vec::new(), text, delimiter, made: None };
        let mut header = Names::default();
        records.walk(true, |_, record| {
            header = Names::new(record.iter().map(String::from_utf8_lossy));
            Err(Stop::Enough)
        })?;
        records.notes.extend(header.note());
        records.header = header;
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
        Records { source, header, notes, text: Vec::new(), delimiter: b',', made: Some(records) }
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
        let Some(records) = &self.made else { return self.walk(false, f) };
        for (line, record) in records {
            match f(*line, record) {
                Ok(()) => {}
                Err(Stop::Enough) => return Ok(()),
                Err(Stop::Refused(error)) => return Err(error),
            }
        }
        Ok(())
    }

    fn walk(
        &self,
        header: bool,
        mut f: impl FnMut(u64, &ByteRecord) -> Result<(), Stop>,
    ) -> Result<(), ReadError> {
        let mut reader = ReaderBuilder::new()
            .delimiter(self.delimiter)
            .has_headers(false)
            .flexible(true)
            .from_reader(self.text.as_slice());
        let mut record = ByteRecord::new();
        let mut first = true;
        while reader.read_byte_record(&mut record).map_err(|e| self.wrong(0, e.to_string()))? {
            let line = self.line_of(&record);
            if reader.position().byte() >= self.text.len() as u64 {
                if record.len() == 1 && record[0] == END[1..] {
                    return Ok(());
                }
                let what = "a quote is opened in this row and never closed; close it, or double \
                            the quote character inside a field";
                return Err(self.wrong(line, what));
            }
            let is_header = std::mem::take(&mut first);
            if is_header != header {
                continue;
            }
            if !header && record.len() != self.header.names.len() {
                let what = format!(
                    "the row has {}, the header has {}; fields that contain the delimiter `{}` must \
                     be quoted",
                    counted(record.len(), "field"),
                    self.header.names.len(),
                    self.delimiter.escape_ascii()
                );
                return Err(self.wrong(line, what));
            }
            match f(line, &record) {
                Ok(()) => {}
                Err(Stop::Enough) => return Ok(()),
                Err(Stop::Refused(error)) => return Err(error),
            }
        }
        Ok(())
    }

    /// The line of a record. The csv crate gives that of the first byte after the previous
    /// record, so empty lines in between are added.
    fn line_of(&self, record: &ByteRecord) -> u64 {
        let Some(position) = record.position() else { return 0 };
        let start = self.text.get(position.byte() as usize..).unwrap_or_default();
        let skipped = start.iter().take_while(|b| matches!(b, b'\n' | b'\r'));
        position.line() + skipped.filter(|b| **b == b'\n').count() as u64
    }

    fn wrong(&self, line: u64, what: impl Into<String>) -> ReadError {
        ReadError::at(self.source, line, what)
    }
}

enum Stop {
    Enough,
    Refused(ReadError),
}
