//! CSV and TSV.
//!
//! A header line is required. The whole text is held in memory and read twice: once to see
//! which columns are numbers, once to hand the rows over. A field that is empty or `NA`,
//! `NaN`, `nan`, `N/A`, `null`, `NULL`, `None` or `?` is missing; a feature with any other
//! text that is not a number is categorical, and so is one with codes: whole numbers with
//! zeros in front (`00501`), unless it is said to be numeric. In the list and id columns only an empty field
//! is missing: a list may well be called `null`. A column without a name is called by its
//! place: `column 1`.

mod delimiter;
mod read;
mod records;
mod write;

use stakes_core::data::Dataset;

use crate::{Format, ReadError, ReadOptions};

#[cfg(feature = "arrow")]
pub(crate) use read::not_a_number;
pub(crate) use read::{header, parse};
pub(crate) use records::Records;
pub(crate) use write::write;

/// Reads CSV (or TSV, if the options say so) from memory, without touching any file.
pub fn parse_csv_bytes(bytes: &[u8], options: &ReadOptions) -> Result<Dataset, ReadError> {
    let tsv = options.format == Some(Format::Tsv);
    parse("memory", bytes.to_vec(), tsv, &options.roles)
}
