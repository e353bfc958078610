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
    asked
        .or_else(|| Format::from_path(path))
        .or_else(|| Format::sniff(&input.head))
        .ok_or_else(|| UnknownFormat::of_path(&source_name(path)))
}

#[cfg(not(feature = "arrow"))]
fn not_built(format: Format) -> ReadError {
    UnknownFormat::not_built(format).into()
}
