//! CSV and TSV.
//!
//! A header line is required. The text is read several times, in pieces that are parsed in parallel: once to see that it
//! is UTF-8, once to find the numeric columns, once to build the rows. A file is read again for that; only text
//! that comes from elsewhere, or is compressed, is held in memory as a whole. A field that is empty or `NA`, `NaN`, `nan`,
//! `N/A`, `null`, `NULL`, `None` or `?` is missing; a feature with any other text that is not
//! a number is categorical, and so is one with codes, integers with leading zeros (`00501`),
//! unless [`Roles::numeric`](crate::Roles::numeric) names it. In the list and id columns only
//! an empty field is missing: a list may well be named `null`. A column without a name is
//! named by its position: `column 1`; names that repeat are numbered. Numbers and dates may be written as offices do
//! (`crate::notation`).

mod delimiter;
mod kinds;
mod pass;
mod pieces;
mod read;
mod record;
mod records;
mod rows;
mod text;
mod write;
mod written;

use stakes_core::data::Dataset;

use crate::{Format, ReadError, ReadOptions};

pub(crate) use read::{from_records, header, parse, read};
#[cfg(feature = "arrow")]
pub(crate) use record::not_a_number;
pub(crate) use records::Records;
pub(crate) use write::write;

/// Reads CSV (or TSV, if that is the format of the options) from memory.
pub fn parse_csv_bytes(
    bytes: &[u8],
    options: impl Into<ReadOptions>,
) -> Result<Dataset, ReadError> {
    let options = options.into();
    let tsv = options.file.format == Some(Format::Tsv);
    parse("memory", bytes.to_vec(), tsv, &options)
}
