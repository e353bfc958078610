//! Parquet: the roles first, then the features, a few columns at a time.
//!
//! A reader of all columns at once holds a decompressed page of each, which for a wide file
//! of one row group is about the whole file; reading a few at a time costs little more and
//! needs little memory.

use std::fs::File;

use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder as Builder,
};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::reader::ChunkReader;
use stakes_core::data::Dataset;

use super::rows::{Filled, Part, Rows};
use super::{damaged, names_of, pages};
use crate::input::Input;
use crate::{ReadError, ReadOptions};

/// The number of columns read at a time.
pub(super) const COLUMNS: usize = 16;
/// The number of rows read at a time.
const ROWS: usize = 8192;

/// Reads a file in place; stdin, which cannot be read at any position, is held in memory.
pub(super) fn read(input: Input, path: &str, options: &ReadOptions) -> Result<Dataset, ReadError> {
    let name = input.name.clone();
    if input.is_plain_file(path) {
        return read_from(&name, || File::open(path).map_err(|e| ReadError::io(path, e)), options);
    }
    let bytes = Bytes::from(input.into_bytes()?.1);
    read_from(&name, || Ok(bytes.clone()), options)
}

fn read_from<R: ChunkReader + 'static>(
    name: &str,
    open: impl Fn() -> Result<R, ReadError>,
    options: &ReadOptions,
) -> Result<Dataset, ReadError> {
    let wrong = |e: ParquetError| damaged(name, e);
    let metadata = load(&open()?).map_err(wrong)?;
    check_compression(name, &metadata)?;
    let mut rows = Rows::new(name, metadata.schema(), options)?;
    let mut used = rows.role_columns();
    used.extend(rows.feature_columns());
    used.sort_unstable();
    let most = options.file.limits.map_or(u64::MAX, |limits| limits.bytes);
    pages::check(open()?, &metadata, &used, most).map_err(wrong)?;
    rows.reserve(metadata.metadata().file_metadata().num_rows())?;
    let mut columns = rows.role_columns();
    if columns.is_empty() {
        // Rows are counted, as the number in the metadata may be wrong.
        columns.extend(rows.feature_columns().first());
    }
    for batch in batches(open()?, &metadata, &columns).map_err(wrong)? {
        let batch = batch.map_err(|e| damaged(name, e))?;
        rows.push(Part { batch: &batch, columns: &columns })?;
    }
    for (k, columns) in rows.feature_columns().chunks(COLUMNS).enumerate() {
        let mut filled = Filled::default();
        let range = k * COLUMNS..k * COLUMNS + columns.len();
        for batch in batches(open()?, &metadata, columns).map_err(wrong)? {
            let batch = batch.map_err(|e| damaged(name, e))?;
            rows.fill(Part { batch: &batch, columns }, range.clone(), &mut filled)?;
        }
        filled.check_end(&rows)?;
    }
    rows.finish()
}

/// Reads the footer.
pub(super) fn load(source: &impl ChunkReader) -> Result<ArrowReaderMetadata, ParquetError> {
    pages::check_schema(source)?;
    ArrowReaderMetadata::load(source, Default::default())
}

/// Refuses compression that this build cannot read, which is no damage.
pub(super) fn check_compression(
    name: &str,
    metadata: &ArrowReaderMetadata,
) -> Result<(), ReadError> {
    let groups = metadata.metadata().row_groups();
    for column in groups.iter().flat_map(|group| group.columns()) {
        let unknown = match column.compression() {
            Compression::BROTLI(_) => "Brotli",
            Compression::LZO => "LZO",
            _ => continue,
        };
        let what = format!(
            "column `{}` is compressed by {unknown}; supported are snappy, gzip, zstd, lz4 and \
             none: write the file with one of them",
            column.column_path().string()
        );
        return Err(ReadError::at(name, 0, what));
    }
    Ok(())
}

pub(super) fn batches<R: ChunkReader + 'static>(
    source: R,
    metadata: &ArrowReaderMetadata,
    columns: &[usize],
) -> Result<ParquetRecordBatchReader, ParquetError> {
    let mask = ProjectionMask::roots(metadata.parquet_schema(), columns.iter().copied());
    let builder = Builder::new_with_metadata(source, metadata.clone());
    builder.with_projection(mask).with_batch_size(ROWS).build()
}

pub(super) fn columns(input: Input, path: &str) -> Result<Vec<String>, ReadError> {
    let name = input.name.clone();
    let metadata = if input.is_plain_file(path) {
        load(&File::open(path).map_err(|e| ReadError::io(path, e))?)
    } else {
        load(&Bytes::from(input.into_bytes()?.1))
    };
    let metadata = metadata.map_err(|e| damaged(&name, e))?;
    Ok(names_of(metadata.schema()))
}
