//! Reading any format from a path.

use stakes_core::data::Dataset;

#[cfg(feature = "arrow")]
use crate::columnar;
use crate::format::UnknownFormat;
use crate::input::{Input, source_name};
use crate::many::{self, matching_files};
use crate::{FileOptions, Format, ReadError, ReadOptions, csv, letor, xlsx};

/// Reads a data set. `-` is stdin; gzip and Zstandard are recognised and decompressed. A name with `*` or `?` stands for all
/// files that match it: files of the same columns, which are read as one; a list may be in several of them.
///
/// ```no_run
/// use stakes_io::{Format, ReadOptions, Roles, read};
/// let storms = read("storms.csv", Roles::new().list("storm").impact("customers"))?;
/// let queries = read("queries.dat", ReadOptions::default().format(Format::Letor))?;
/// # Ok::<(), stakes_io::ReadError>(())
/// ```
pub fn read(path: &str, options: impl Into<ReadOptions>) -> Result<Dataset, ReadError> {
    read_files(path, &matching_files(path)?, options)
}

/// Reads files of the same columns as one data set, which is called `name` in messages; a list may be in several of them.
pub fn read_files(
    name: &str,
    paths: &[String],
    options: impl Into<ReadOptions>,
) -> Result<Dataset, ReadError> {
    let options = options.into();
    #[cfg(feature = "arrow")]
    if many::is_streamed(paths, &options)? {
        return columnar::read_stored(name, paths, &options);
    }
    match paths {
        [] => Err(ReadError::at(name, 0, "there are no files to read; name one at least")),
        [path] => read_file(path, &options),
        paths => many::read(paths, &options),
    }
}

/// Reads one file.
pub(crate) fn read_file(path: &str, options: &ReadOptions) -> Result<Dataset, ReadError> {
    let input = Input::open(path)?;
    let format = format_of(path, options.file.format, &input)?;
    options.file.check(&input.name, format)?;
    match format {
        format @ (Format::Csv | Format::Tsv) => {
            csv::read(input, path, format == Format::Tsv, options)
        }
        Format::Xlsx => xlsx::read(input, options),
        Format::Letor => letor::read(input, path, &options.roles),
        #[cfg(feature = "arrow")]
        format => columnar::read(input, path, format, options),
        #[cfg(not(feature = "arrow"))]
        format => Err(not_built(format)),
    }
}

/// Returns the names of a file's columns, reading only the beginning of the file. (For LETOR:
/// the features that occur in the first lines. Of a workbook the whole sheet is read, of many files the first.)
pub fn columns(path: &str, options: &FileOptions) -> Result<Vec<String>, ReadError> {
    if path == "-" {
        let what =
            "stdin can be read only once; give the columns by name, or save the data to a file";
        return Err(ReadError::at("stdin", 0, what));
    }
    let path = &matching_files(path)?[0];
    let input = Input::open(path)?;
    let format = format_of(path, options.format, &input)?;
    options.check(&input.name, format)?;
    match format {
        Format::Xlsx => xlsx::columns(input, options),
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
    match package(&input.head, path) {
        Some(Package::Workbook) => return Ok(Format::Xlsx),
        Some(Package::Other(what)) => {
            return Err(UnknownFormat::package(&source_name(path), what));
        }
        None => {}
    }
    let format = asked.or_else(|| Format::from_path(path)).or_else(|| Format::sniff(&input.head));
    match format {
        Some(Format::Xlsx) => {
            let what = "named as an Excel workbook, and is none; check the file, or give it the extension of \
                        what it is";
            Err(UnknownFormat::package(&source_name(path), what))
        }
        format => format.ok_or_else(|| UnknownFormat::of_path(&source_name(path))),
    }
}

/// A file that holds others.
enum Package {
    Workbook,
    /// What it is, and what to do with it.
    Other(&'static str),
}

/// What a file is if it is a ZIP archive (as .xlsx and .ods are) or a compound file (.xls).
fn package(head: &[u8], path: &str) -> Option<Package> {
    const COMPOUND: [u8; 8] = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
    const EXCEL: &str = "an Excel workbook of the old kind (.xls), or one with a password; save it as .xlsx without a \
                         password, then give that file";
    const OPEN: &str = "an OpenDocument workbook; save it as .xlsx, then give that file";
    const ARCHIVE: &str = "a ZIP archive; unpack it, then give the file inside";
    let has = |words: &[u8]| head.windows(words.len()).any(|found| found == words);
    let name = path.to_ascii_lowercase();
    let is_named = [".xlsx", ".xlsm"].iter().any(|end| name.ends_with(end));
    match (head.starts_with(&COMPOUND), head.starts_with(b"PK\x03\x04")) {
        (true, _) => Some(Package::Other(EXCEL)),
        (_, true) if name.ends_with(".ods") || has(b"opendocument.spreadsheet") => {
            Some(Package::Other(OPEN))
        }
        (_, true) if is_named || has(b"[Content_Types].xml") || has(b"xl/") => {
            Some(Package::Workbook)
        }
        (_, is_archive) => is_archive.then_some(Package::Other(ARCHIVE)),
    }
}

#[cfg(not(feature = "arrow"))]
fn not_built(format: Format) -> ReadError {
    UnknownFormat::not_built(format).into()
}
