//! The pages of a Parquet file, checked before they are decoded.
//!
//! The footer says where the pages of a column are, and each page how long it is when decompressed
//! and how many values it has; the decoder allocates that much. Any of these numbers may be damaged: they
//! are compared with the size of the file, with each other, and with what the compression can do.

#[cfg(test)]
mod tests;

use std::io::Read;
use std::sync::Arc;

use parquet::arrow::arrow_reader::ArrowReaderMetadata;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{Page, PageReader};
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::ChunkReader;
use parquet::file::serialized_reader::SerializedPageReader;

use super::messages::{USUAL_FACTOR, decompressed_length};
use super::thrift::{DICTIONARY_PAGE, Numbers, PageHeader, schema_depth};

/// LZ4 makes 255 bytes of one, at most.
const LZ4_FACTOR: u64 = 255;

/// The decoder of schemas calls itself at every level.
const MAX_DEPTH: usize = 128;

/// Refuses a file whose schema is too deep. A footer that cannot be found is left to the decoder.
pub(super) fn check_schema(source: &impl ChunkReader) -> Result<(), ParquetError> {
    let Some(end) = source.len().checked_sub(8) else { return Ok(()) };
    let tail = source.get_bytes(end, 8)?;
    let Some((length, b"PAR1")) = tail.split_first_chunk() else { return Ok(()) };
    let length = u32::from_le_bytes(*length);
    let Some(start) = end.checked_sub(u64::from(length)) else { return Ok(()) };
    match schema_depth(&source.get_bytes(start, length as usize)?)? {
        0..=MAX_DEPTH => Ok(()),
        depth => Err(wrong(format!("a schema of {depth} levels; at most {MAX_DEPTH} are read"))),
    }
}

/// Checks the pages of some columns, ascending, none of which is nested; a page may expand to `most` bytes.
pub(super) fn check<R: ChunkReader + 'static>(
    source: R,
    metadata: &ArrowReaderMetadata,
    columns: &[usize],
    most: u64,
) -> Result<(), ParquetError> {
    let source = Arc::new(source);
    let schema = metadata.parquet_schema();
    for group in metadata.metadata().row_groups() {
        for (leaf, chunk) in group.columns().iter().enumerate() {
            if columns.binary_search(&schema.get_column_root_idx(leaf)).is_err() {
                continue;
            }
            let (values, rows) = (chunk.num_values(), group.num_rows());
            if values != rows {
                return Err(wrong(format!("a column has {values} values in {rows} rows")));
            }
            if check_headers(&*source, chunk, most)? {
                check_counts(&source, chunk)?;
            }
        }
    }
    Ok(())
}

fn wrong(what: impl Into<String>) -> ParquetError {
    ParquetError::General(what.into())
}

/// Checks the headers of a column's pages. Returns whether there are texts whose number stands within
/// the page.
fn check_headers(
    source: &impl ChunkReader,
    chunk: &ColumnChunkMetaData,
    most: u64,
) -> Result<bool, ParquetError> {
    let (mut at, length) = chunk.byte_range();
    let end = at.checked_add(length).filter(|end| *end <= source.len());
    let end = end.ok_or_else(|| wrong("pages are beyond the end of the file"))?;
    let mut has_counted_texts = false;
    while at < end {
        let header = PageHeader::read(source.get_read(at)?.take(end - at))?;
        at += header.length;
        let values = match header.kind {
            // Every value takes a byte or more.
            DICTIONARY_PAGE => header.uncompressed,
            _ => chunk.num_values(),
        };
        if !(0..=values).contains(&header.values) {
            return Err(wrong(format!("a page claims to have {} values", header.values)));
        }
        let size =
            |claim: i64| u64::try_from(claim).map_err(|_| wrong(format!("a size of {claim}")));
        let compressed = size(header.compressed)?;
        if compressed > end - at {
            return Err(wrong(format!(
                "a page of {compressed} bytes is beyond the end of its column"
            )));
        }
        // Before the values there may be bytes that are not compressed.
        let levels = size(header.levels)?.min(compressed);
        let claimed = size(header.uncompressed)?.saturating_sub(levels);
        if claimed > most {
            return Err(wrong(format!("a page expands to more than {most} bytes")));
        }
        let bytes = || source.get_bytes(at + levels, (compressed - levels) as usize);
        check_size(chunk.compression(), compressed - levels, claimed, bytes)?;
        has_counted_texts |= is_counted(header.encoding);
        at += compressed;
    }
    Ok(has_counted_texts)
}

/// Refuses a page that is shorter than it claims. Only an unusual claim is worth decompressing twice; the
/// decoder compares the others itself.
fn check_size(
    compression: Compression,
    compressed: u64,
    claimed: u64,
    bytes: impl Fn() -> Result<bytes::Bytes, ParquetError>,
) -> Result<(), ParquetError> {
    if claimed / USUAL_FACTOR <= compressed {
        return Ok(());
    }
    let length = match compression {
        Compression::GZIP(_) => {
            decompressed_length(flate2::bufread::MultiGzDecoder::new(&bytes()?[..]), claimed)?
        }
        Compression::ZSTD(_) => {
            decompressed_length(zstd::stream::read::Decoder::with_buffer(&bytes()?[..])?, claimed)?
        }
        Compression::LZ4 | Compression::LZ4_RAW => claimed.min(compressed * LZ4_FACTOR),
        // Snappy does not reach the factor.
        _ => compressed,
    };
    if length == claimed {
        return Ok(());
    }
    Err(wrong(format!("a page of at most {length} bytes claims to have {claimed}")))
}

/// Whether an encoding, by its number in the format, is that of texts behind the lengths of all of them.
fn is_counted(encoding: i64) -> bool {
    [Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY]
        .iter()
        .any(|e| *e as i64 == encoding)
}

/// Checks that there are not more lengths of texts than values.
fn check_counts<R: ChunkReader + 'static>(
    source: &Arc<R>,
    chunk: &ColumnChunkMetaData,
) -> Result<(), ParquetError> {
    let rows = chunk.num_values() as usize;
    let mut pages = SerializedPageReader::new(source.clone(), chunk, rows, None)?;
    while let Some(page) = pages.get_next_page()? {
        let most = u64::from(page.num_values());
        let parts = match page.encoding() {
            Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
            Encoding::DELTA_BYTE_ARRAY => 2,
            _ => continue,
        };
        let mut lengths = Numbers::new(values_of(&page, chunk)?);
        for _ in 0..parts {
            skip_lengths(&mut lengths, most)?;
        }
    }
    Ok(())
}

/// The bytes of a page behind its levels.
fn values_of<'p>(page: &'p Page, chunk: &ColumnChunkMetaData) -> Result<&'p [u8], ParquetError> {
    let bytes = &page.buffer()[..];
    let start = match page {
        Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
            u64::from(*def_levels_byte_len) + u64::from(*rep_levels_byte_len)
        }
        _ if chunk.column_descr().max_def_level() == 0 => 0,
        Page::DataPage { def_level_encoding: Encoding::RLE, .. } => {
            let length = bytes.first_chunk().map(|length| u64::from(u32::from_le_bytes(*length)));
            4 + length.unwrap_or(0)
        }
        // The outdated way, a bit for each.
        _ => u64::from(page.num_values()).div_ceil(8),
    };
    let values = usize::try_from(start).ok().and_then(|start| bytes.get(start..));
    values.ok_or_else(|| wrong("levels are beyond the end of their page"))
}

/// Skips lengths in the encoding DELTA_BINARY_PACKED, which begins with their number.
fn skip_lengths(from: &mut Numbers<&[u8]>, most: u64) -> Result<(), ParquetError> {
    let (block, parts, count) = (from.unsigned()?, from.unsigned()?, from.unsigned()?);
    if count > most {
        return Err(wrong(format!("a page of {most} values claims to have {count} texts")));
    }
    if parts == 0 || block < parts {
        return Err(wrong(format!("blocks of {block} values in {parts} parts")));
    }
    from.unsigned()?;
    let in_part = block / parts;
    let mut left = count.saturating_sub(1);
    while left > 0 {
        from.unsigned()?;
        let mut bits: u64 = 0;
        for _ in 0..parts {
            let width = u64::from(from.byte()?);
            if left > 0 {
                bits = bits.saturating_add(width.saturating_mul(in_part));
            }
            left = left.saturating_sub(in_part);
        }
        from.skip_bytes(bits / 8)?;
    }
    Ok(())
}
