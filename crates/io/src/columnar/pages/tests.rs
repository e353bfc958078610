#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding};
use parquet::file::metadata::{
    ColumnChunkMetaDataBuilder, ParquetMetaDataReader, ParquetMetaDataWriter,
};
use parquet::file::properties::{WriterProperties, WriterVersion};
use stakes_core::data::Dataset;

use crate::{ReadError, Roles, parse_parquet_bytes};

const HUGE: i64 = i32::MAX as i64;
const SNAPPY: Compression = Compression::SNAPPY;

fn codecs() -> [Compression; 6] {
    let (gzip, zstd) =
        (Compression::GZIP(Default::default()), Compression::ZSTD(Default::default()));
    [Compression::UNCOMPRESSED, SNAPPY, Compression::LZ4, Compression::LZ4_RAW, gzip, zstd]
}

/// A column `x` as a file, in one page behind at most one dictionary.
fn written(column: ArrayRef, properties: WriterProperties, nullable: bool) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter_with_nullable([("x", column, nullable)]).unwrap();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

fn numbers(n: usize) -> ArrayRef {
    Arc::new(Float64Array::from(vec![0.5; n]))
}

fn read(bytes: &[u8]) -> Result<Dataset, ReadError> {
    parse_parquet_bytes(bytes, Roles::new())
}

/// A page: its kind, how long it is when decompressed, which of its details are which numbers, and
/// its bytes.
fn page(kind: i64, uncompressed: i64, details: (u8, &[(u8, i64)]), body: &[u8]) -> Vec<u8> {
    let fields = |fields: &[(u8, i64)]| {
        let mut bytes = Vec::new();
        let mut last = 0;
        for (field, value) in fields {
            bytes.push((field - last) << 4 | 5);
            last = *field;
            let mut rest = (value << 1 ^ value >> 63) as u64;
            while rest >= 0x80 {
                bytes.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            bytes.push(rest as u8);
        }
        bytes
    };
    let mut page = fields(&[(1, kind), (2, uncompressed), (3, body.len() as i64)]);
    page.push((details.0 - 3) << 4 | 12);
    page.extend(fields(details.1));
    page.extend([0, 0]);
    page.extend(body);
    page
}

/// The details of a page of data.
fn data(values: i64, encoding: Encoding) -> [(u8, i64); 4] {
    [(1, values), (2, encoding as i64), (3, 3), (4, 3)]
}

/// The file with other pages, and a footer that is right, or made wrong by `damage`.
fn with_pages(
    file: &[u8],
    pages: &[u8],
    damage: impl Fn(ColumnChunkMetaDataBuilder) -> ColumnChunkMetaDataBuilder,
) -> Vec<u8> {
    let footer =
        ParquetMetaDataReader::new().parse_and_finish(&Bytes::copy_from_slice(file)).unwrap();
    let group = footer.row_group(0).clone();
    let column = group.column(0).clone().into_builder();
    let column = column.set_data_page_offset(4).set_dictionary_page_offset(None);
    let column = column.set_column_index_offset(None).set_offset_index_offset(None);
    let column = damage(column.set_total_compressed_size(pages.len() as i64)).build().unwrap();
    let group = group.into_builder().set_column_metadata(vec![column]).build().unwrap();
    let footer = footer.into_builder().set_row_groups(vec![group]).build();
    let mut bytes = b"PAR1".to_vec();
    bytes.extend(pages);
    let mut end = Vec::new();
    ParquetMetaDataWriter::new(&mut end, &footer).finish().unwrap();
    bytes.extend(end);
    bytes
}

fn refused(bytes: &[u8], why: &str) {
    let error = read(bytes).unwrap_err().to_string();
    assert!(error.contains("damaged or truncated") && error.contains(why), "{why}\n{error}");
}

#[test]
fn sizes_are_believed_only_if_the_compression_can_reach_them() {
    for codec in codecs() {
        let properties = WriterProperties::builder().set_compression(codec);
        let file = written(numbers(4), properties.build(), false);
        let body = match codec {
            Compression::GZIP(_) => {
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Default::default());
                std::io::Write::write_all(&mut encoder, &[7; 300]).unwrap();
                encoder.finish().unwrap()
            }
            Compression::ZSTD(_) => zstd::bulk::compress(&[7; 300], 3).unwrap(),
            _ => vec![7; 300],
        };
        for version in [(0, (5, &data(4, Encoding::PLAIN)[..])), (3, (8, &[(1, 4), (4, 0)][..]))] {
            let claim = page(version.0, HUGE, version.1, &body);
            refused(&with_pages(&file, &claim, |c| c), "claims to have 2147483647");
        }
    }
}

#[test]
fn pages_that_are_long_indeed_are_read() {
    for codec in codecs() {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            let properties = WriterProperties::builder().set_compression(codec);
            let properties = properties.set_writer_version(version).set_dictionary_enabled(false);
            let properties = properties.set_encoding(Encoding::PLAIN);
            let file = written(numbers(100_000), properties.build(), true);
            assert_eq!(read(&file).unwrap().len(), 100_000, "{codec:?}");
        }
    }
}

#[test]
fn numbers_of_values_are_compared_with_the_rows_and_the_size() {
    let properties = WriterProperties::builder().set_compression(SNAPPY).build();
    let file = written(numbers(4), properties, false);
    let body = [32_u8, 124].iter().chain(&[0; 32]).copied().collect::<Vec<u8>>();
    let good = page(0, 32, (5, &data(4, Encoding::PLAIN)), &body);
    assert_eq!(read(&with_pages(&file, &good, |c| c)).unwrap().len(), 4);
    let many = page(0, 32, (5, &data(HUGE, Encoding::PLAIN)), &body);
    refused(&with_pages(&file, &many, |c| c), "a page claims to have 2147483647 values");
    let negative = page(0, 32, (5, &data(-1, Encoding::PLAIN)), &body);
    refused(&with_pages(&file, &negative, |c| c), "a page claims to have -1 values");
    let dictionary = page(2, 32, (7, &[(1, HUGE), (2, 0)]), &body);
    let dictionary = [dictionary, good.clone()].concat();
    refused(&with_pages(&file, &dictionary, |c| c), "a page claims to have 2147483647 values");
    let negative = page(0, -32, (5, &data(4, Encoding::PLAIN)), &body);
    refused(&with_pages(&file, &negative, |c| c), "a size of -32");
    refused(&with_pages(&file, &good, |c| c.set_num_values(HUGE)), "values in 4 rows");
    refused(&with_pages(&file, &good, |c| c.set_total_compressed_size(HUGE)), "beyond the end");
    let short = |c: ColumnChunkMetaDataBuilder| c.set_total_compressed_size(good.len() as i64 - 9);
    refused(&with_pages(&file, &good, short), "beyond the end of its column");
}

#[test]
fn texts_are_not_more_than_values() {
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["a", "b", "c", "d"]));
    let file = written(texts, WriterProperties::builder().build(), false);
    // Blocks of 128 lengths in 4 parts: so many, the first is 1, all others the same.
    let lengths = |count: &[u8]| [&[0x80, 1, 4], count, &[2, 0, 0, 0, 0, 0]].concat();
    let (few, many) = (lengths(&[4]), lengths(&[0xff, 0xff, 0xff, 0xff, 0x3f]));
    for (encoding, body, is_good) in [
        (Encoding::DELTA_LENGTH_BYTE_ARRAY, [&few[..], b"abcd"].concat(), true),
        (Encoding::DELTA_LENGTH_BYTE_ARRAY, [&many[..], b"abcd"].concat(), false),
        (Encoding::DELTA_BYTE_ARRAY, [&many[..], &few, b"abcd"].concat(), false),
        (Encoding::DELTA_BYTE_ARRAY, [&few[..], &many, b"abcd"].concat(), false),
    ] {
        let page = page(0, body.len() as i64, (5, &data(4, encoding)), &body);
        let file = with_pages(&file, &page, |c| c);
        match is_good {
            true => assert_eq!(read(&file).unwrap().len(), 4),
            false => refused(&file, "a page of 4 values claims to have 17179869183 texts"),
        }
    }
}

/// Texts of many lengths, some of them missing.
fn texts(n: usize) -> ArrayRef {
    let text = |i: usize| (i % 7 != 3).then(|| "long ".repeat(i * i % 11) + &i.to_string());
    Arc::new(StringArray::from_iter((0..n).map(text)))
}

#[test]
fn texts_in_every_encoding_are_read() {
    let read = |file: &[u8]| read(file).unwrap().features().values().to_vec();
    let expected = read(&written(texts(1000), WriterProperties::builder().build(), true));
    for encoding in [Encoding::PLAIN, Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY]
    {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            for codec in codecs() {
                let properties = WriterProperties::builder().set_dictionary_enabled(false);
                let properties = properties.set_encoding(encoding).set_writer_version(version);
                let properties = properties.set_data_page_row_count_limit(300);
                let properties = properties.set_write_batch_size(100).set_compression(codec);
                let met = read(&written(texts(1000), properties.build(), true));
                let same = met.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
                assert!(same && met.len() == 1000, "{encoding} {codec:?}");
            }
        }
    }
}

#[test]
fn any_damaged_byte_is_survived() {
    for (column, encoding) in [
        (numbers(3), Encoding::PLAIN),
        (texts(5), Encoding::DELTA_LENGTH_BYTE_ARRAY),
        (texts(5), Encoding::DELTA_BYTE_ARRAY),
    ] {
        for codec in codecs() {
            let dictionary = encoding == Encoding::PLAIN;
            let properties = WriterProperties::builder().set_encoding(encoding);
            let properties = properties.set_dictionary_enabled(dictionary).set_compression(codec);
            let good = written(column.clone(), properties.build(), true);
            read(&good).unwrap();
            let mut bad = good.clone();
            let mut refused = 0;
            for at in 0..good.len() {
                for flip in [0x01, 0x40, 0xff] {
                    bad[at] = good[at] ^ flip;
                    refused += usize::from(read(&bad).is_err());
                }
                bad[at] = good[at];
            }
            assert!(refused > good.len() / 4, "{refused} of {}", good.len());
        }
    }
}

#[test]
fn a_schema_of_very_many_levels_is_refused() {
    let footer = |levels: usize| {
        // A schema: its root and then the only child of each, without a name; the last is a double.
        let root = [0x48, 1, b's', 0x15, 2, 0];
        let group = [0x35, 2, 0x18, 0, 0x15, 2, 0];
        let leaf = [0x15, 10, 0x25, 2, 0x18, 1, b'x', 0];
        let count = levels + 1;
        let mut footer = vec![0x15, 2, 0x19, 0xfc, count as u8 | 0x80, (count >> 7) as u8 | 0x80];
        footer.push((count >> 14) as u8);
        footer.extend(root);
        footer.extend(group.repeat(levels - 1));
        footer.extend(leaf);
        // No rows, in no groups.
        footer.extend([0x16, 0, 0x19, 0x0c, 0]);
        let length = footer.len() as u32;
        [b"PAR1", &footer[..], &length.to_le_bytes(), b"PAR1"].concat()
    };
    refused(&footer(100_000), "a schema of 100000 levels; at most 128 are read");
    let error = read(&footer(129)).unwrap_err().to_string();
    assert!(error.contains("a schema of 129 levels"), "{error}");
    let error = read(&footer(128)).unwrap_err().to_string();
    assert!(!error.contains("damaged"), "{error}");
}
