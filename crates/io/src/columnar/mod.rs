//! Parquet and Arrow IPC: typed columns, read batch by batch.
//!
//! Integers, floats, booleans and decimals are numbers; strings (plain, large, view or
//! dictionary) are categories; dates and timestamps are ISO text, for the time role or as
//! categories. Null is missing, and so is a string that would be missing in CSV, so that
//! conversion between formats changes nothing. Messages give the row, counted from 1, as the
//! line.

mod ipc;
mod messages;
mod numbers;
mod pages;
mod parquet;
mod rows;
#[cfg(test)]
mod tests;
mod texts;
mod thrift;
mod write;

use arrow_schema::Schema;
use stakes_core::data::Dataset;

use crate::guard::{damaged, guarded};
use crate::input::Input;
use crate::{Format, ReadError, ReadOptions, Roles};

pub(crate) use write::write;

/// Reads Parquet from memory.
pub fn parse_parquet_bytes(
    bytes: &[u8],
    options: impl Into<ReadOptions>,
) -> Result<Dataset, ReadError> {
    read_bytes(bytes, Format::Parquet, &options.into().roles)
}

/// Reads Arrow IPC, file or stream, from memory.
pub fn parse_arrow_bytes(
    bytes: &[u8],
    options: impl Into<ReadOptions>,
) -> Result<Dataset, ReadError> {
    read_bytes(bytes, Format::Arrow, &options.into().roles)
}

fn read_bytes(bytes: &[u8], format: Format, roles: &Roles) -> Result<Dataset, ReadError> {
    read(Input::in_memory(bytes)?, "-", format, roles)
}

/// Reads a file.
pub(crate) fn read(
    input: Input,
    path: &str,
    format: Format,
    roles: &Roles,
) -> Result<Dataset, ReadError> {
    let name = input.name.clone();
    guarded(&name, || match format {
        Format::Parquet => parquet::read(input, path, roles),
        _ => ipc::read(input, roles),
    })
}

/// Returns the names of a file's columns.
pub(crate) fn columns(input: Input, path: &str, format: Format) -> Result<Vec<String>, ReadError> {
    let name = input.name.clone();
    guarded(&name, || match format {
        Format::Parquet => parquet::columns(input, path),
        _ => ipc::columns(input),
    })
}

fn names_of(schema: &Schema) -> Vec<String> {
    schema.fields().iter().map(|field| field.name().trim().to_owned()).collect()
}
