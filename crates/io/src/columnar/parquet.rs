//! Parquet.

use std::fs::File;

use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder as Builder;
use parquet::file::reader::ChunkReader;
use stakes_core::data::Dataset;

use super::rows::{Rows, batch_rows};
use super::{damaged, names_of};
use crate::input::Input;
use crate::{ReadError, Roles};

/// Reads a file in place; stdin, which cannot be searched, is held in memory.
pub(super) fn read(input: Input, path: &str, roles: &Roles) -> Result<Dataset, ReadError> {
    if input.is_plain_file(path) {
        let file = File::open(path).map_err(|e| ReadError::io(path, e))?;
        return read_from(&input.name, file, roles);
    }
    let (name, bytes) = input.into_bytes()?;
    read_from(&name, Bytes::from(bytes), roles)
}

fn read_from<R: ChunkReader + 'static>(
    name: &str,
    source: R,
    roles: &Roles,
) -> Result<Dataset, ReadError> {
    let builder = Builder::try_new(source).map_err(|e| damaged(name, e))?;
    let mut rows = Rows::new(name, builder.schema(), roles)?;
    let used = rows.used();
    let mask = ProjectionMask::roots(builder.parquet_schema(), used.iter().copied());
    let reader = builder.with_projection(mask).with_batch_size(batch_rows(used.len()));
    for batch in reader.build().map_err(|e| damaged(name, e))? {
        rows.push(&batch.map_err(|e| damaged(name, e))?)?;
    }
    rows.finish()
}

pub(super) fn columns(input: Input, path: &str) -> Result<Vec<String>, ReadError> {
    let name = input.name.clone();
    let schema = if input.is_plain_file(path) {
        let file = File::open(path).map_err(|e| ReadError::io(path, e))?;
        Builder::try_new(file).map(|b| b.schema().clone())
    } else {
        Builder::try_new(Bytes::from(input.into_bytes()?.1)).map(|b| b.schema().clone())
    };
    let schema = schema.map_err(|e| damaged(&name, e))?;
    Ok(names_of(&schema))
}
