//! Parquet and Arrow IPC: typed columns, read batch by batch.
//!
//! Integers, floats, booleans and decimals are numbers; strings (plain, large, view or
//! dictionary) are categories; dates and timestamps are ISO text, for the time role or as
//! categories. Null is missing, and so is a string that would be missing in CSV, so that
//! conversion between formats changes nothing. Messages give the row, counted from 1, as the
//! line.

mod ipc;
mod json;
mod messages;
mod numbers;
mod pages;
mod parquet;
mod rows;
mod stored;
#[cfg(test)]
mod tests;
mod texts;
mod thrift;
mod write;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Schema};
use stakes_core::data::Dataset;

use crate::guard::{damaged, guarded};
use crate::input::Input;
use crate::{Format, ReadError, ReadOptions};

pub(crate) use json::rows as json_rows;
pub(crate) use stored::{read as read_stored, values_in};
pub(crate) use write::write;

/// Reads Parquet from memory.
pub fn parse_parquet_bytes(
    bytes: &[u8],
    options: impl Into<ReadOptions>,
) -> Result<Dataset, ReadError> {
    read_bytes(bytes, Format::Parquet, &options.into())
}

/// Reads Arrow IPC, file or stream, from memory.
pub fn parse_arrow_bytes(
    bytes: &[u8],
    options: impl Into<ReadOptions>,
) -> Result<Dataset, ReadError> {
    read_bytes(bytes, Format::Arrow, &options.into())
}

fn read_bytes(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<Dataset, ReadError> {
    read(Input::in_memory(bytes)?, "-", format, options)
}

/// Reads rows that are in memory as batches of Arrow columns; `name` stands for them in messages. For
/// callers that have them anyway: the version of Arrow is part of this function, and of no other.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, Float64Array, RecordBatch};
/// use stakes_io::{Roles, read_arrow_batches};
/// let column = |values: [f64; 2]| Arc::new(Float64Array::from(values.to_vec())) as ArrayRef;
/// let batch = RecordBatch::try_from_iter([("wind", column([9.0, 14.0])), ("customers", column([0.0, 70.0]))])?;
/// let (schema, batches) = (batch.schema(), [Ok(batch)]);
/// let data = read_arrow_batches("frame", &schema, batches.into_iter(), Roles::new().impact("customers"))?;
/// assert_eq!((data.len(), data.features().values()), (2, &[9.0, 14.0][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_arrow_batches(
    name: &str,
    schema: &Schema,
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>>,
    options: impl Into<ReadOptions>,
) -> Result<Dataset, ReadError> {
    let options = options.into();
    guarded(name, || ipc::read_batches(name, schema, batches, &options))
}

/// Reads a file.
pub(crate) fn read(
    input: Input,
    path: &str,
    format: Format,
    options: &ReadOptions,
) -> Result<Dataset, ReadError> {
    let name = input.name.clone();
    guarded(&name, || match format {
        Format::Parquet => parquet::read(input, path, options),
        _ => ipc::read(input, options),
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

pub(crate) fn names_of(schema: &Schema) -> Vec<String> {
    schema.fields().iter().map(|field| field.name().trim().to_owned()).collect()
}
