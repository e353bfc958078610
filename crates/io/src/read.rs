//! Reading any format from a path.

use stakes_core::data::Dataset;

#[cfg(feature = "arrow")]
use crate::columnar;
use crate::format::UnknownFormat;
use crate::input::{Input, source_name};
use crate::{Format, ReadError, ReadOptions, csv, letor};

/// Reads a data set. `-` is stdin; gzip and Zstandard are recognised and decompressed.
///
/// ```no_run
/// use stakes_io::{Format, ReadOptions, Roles, read};
/// let storms = read("storms.csv", Roles::new().list("storm").impact("customers"))?;
/// let queries = read("queries.dat", ReadOptions::default().format(Format::Letor))?;
/// # Ok::<(), stakes_io::ReadError>(())
/// ```
pub fn read(path: &str, options: impl Into<ReadOptions>) -> Result<Dataset, ReadError> {
    let options = options.into();
    let input = Input::open(path)?;
    match format_of(path, options.format, &input)? {
        format @ (Format::Csv | Format::Tsv) => {
            let (name, text) = input.into_bytes()?;
            csv::parse(&name, text, format == Format::Tsv, &options.roles)
        }
        Format::Letor => letor::read(input, path, &options.roles),
        #[cfg(feature = "arrow")]
        format => columnar::read(input, path, format, &options.roles),
        #[cfg(not(feature = "arrow"))]
        format => Err(not_built(format)),
    }
}

/// Returns the names of a file's columns, reading only the beginning of the file. (For LETOR:
/// the features that occur in the first lines.)
pub fn columns(path: &str, format: Option<Format>) -> Result<Vec<String>, ReadError> {
    if path == "-" {
        let what =
            "stdin can be read only once; give the columns by name, or save the data to a file";
        return Err(ReadError::at("stdin", 0, what));
    }
    let input = Input::open(path)?;
    match format_of(path, format, &input)? {
        Format::Csv => csv::header(input, false),
        Format::Tsv => csv::header(input, true),
        Format::Letor => letor::names(input),
        #[cfg(feature = "arrow")]
        format => columnar::columns(input, path, format),
        #[cfg(not(feature = "arrow"))]
        format => Err(not_built(format)),
    }
}

fn format_of(path: &str, asked: Option<Format>, input: &Input) -> Result<Format, UnknownFormat> {
    // By its bytes, whatever its name.
    if let Some(what) = package(&input.head, path) {
        return Err(UnknownFormat::package(&source_name(path), what));
    }
    asked
        .or_else(|| Format::from_path(path))
        .or_else(|| Format::sniff(&input.head))
        .ok_or_else(|| UnknownFormat::of_path(&source_name(path)))
}

/// What a file is if it is a ZIP archive (as .xlsx and .ods are) or a compound file (.xls), and what to do
/// with it.
fn package(head: &[u8], path: &str) -> Option<&'static str> {
    const COMPOUND: [u8; 8] = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
    const EXCEL: &str = "an Excel workbook; save the sheet as CSV (UTF-8), then give that file";
    const OPEN: &str =
        "an OpenDocument workbook; save the sheet as CSV (UTF-8), then give that file";
    const ARCHIVE: &str = "a ZIP archive; unpack it, then give the file inside";
    let has = |words: &[u8]| head.windows(words.len()).any(|found| found == words);
    let name = path.to_ascii_lowercase();
    match (head.starts_with(&COMPOUND), head.starts_with(b"PK\x03\x04")) {
        (true, _) => Some(EXCEL),
        (_, true) if name.ends_with(".ods") || has(b"opendocument.spreadsheet") => Some(OPEN),
        (_, true) if name.contains(".xls") || has(b"[Content_Types].xml") || has(b"xl/") => {
            Some(EXCEL)
        }
        (_, is_archive) => is_archive.then_some(ARCHIVE),
    }
}

#[cfg(not(feature = "arrow"))]
fn not_built(format: Format) -> ReadError {
    UnknownFormat::not_built(format).into()
}
