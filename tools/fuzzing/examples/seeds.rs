//! Writes the seeds that people cannot type, and the words of parameters: `cargo run -p stakes-fuzzing
//! --example seeds` renews `fuzz/seeds/{arrow,parquet,checkpoint,tuning}` and `fuzz/dictionaries/params`.
//! Other files there, such as inputs that were found, stay.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Date64Array, Decimal128Array, DictionaryArray,
    Float32Array, Float64Array, Int8Array, Int64Array, LargeStringArray, ListArray, NullArray,
    RecordBatch, StringArray, StringViewArray, TimestampMicrosecondArray, TimestampSecondArray,
    UInt16Array,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use parquet::arrow::{ArrowWriter, arrow_writer::ArrowWriterOptions};
use parquet::basic::{Compression, Encoding};
use parquet::file::properties::{
    EnabledStatistics, WriterProperties, WriterPropertiesBuilder, WriterVersion,
};
use stakes_learn::params::ParamKind;

type Columns = Vec<(&'static str, ArrayRef)>;

fn main() {
    arrow();
    parquet();
    // One of each kind of state: trees, trees in stages, their mean, stumps of pairs, weights of a
    // search, of Newton's method and of Adam, and of learners that are made of others.
    for (name, rounds) in [
        ("lambdamart", 2),
        ("two-part", 4),
        ("cs-mart", 7),
        ("random-forest", 2),
        ("cs-rankboost", 2),
        ("rankboost+", 2),
        ("adarank", 2),
        ("coordinate-ascent", 1),
        ("logistic", 2),
        ("listnet", 2),
        ("auto", 14),
        ("exact-rerank", 1),
    ] {
        let text = stakes_fuzzing::unfinished_run(name, rounds).to_json();
        write("seeds/checkpoint", &name.replace('-', "_").replace('+', "_plus"), text.as_bytes());
    }
    for rounds in [1, 4, 9] {
        let text = stakes_fuzzing::unfinished_tuning(rounds).to_json();
        write("seeds/tuning", &format!("after_{rounds}_rounds"), text.as_bytes());
    }
    write("dictionaries", "params", words_of_params().as_bytes());
}

/// Columns of all roles, as the targets name them.
fn roles() -> Columns {
    vec![
        ("list", Arc::new(StringArray::from(vec!["u", "u", "v"]))),
        ("y", Arc::new(Float64Array::from(vec![Some(1.5), None, Some(2.0)]))),
        ("id", Arc::new(Int64Array::from(vec![9_007_199_254_740_993, 2, 3]))),
        ("group", Arc::new(StringArray::from(vec!["g", "h", "g"]))),
        ("weight", Arc::new(Float32Array::from(vec![1.0, 0.5, 0.0]))),
        ("price", Arc::new(Int8Array::from(vec![1, 0, 127]))),
        ("time", Arc::new(Date32Array::from(vec![11_016, 0, -1]))),
    ]
}

/// Numbers of several types, some of them missing.
fn numbers() -> Columns {
    let decimal = Decimal128Array::from(vec![Some(10), None, Some(-25)]);
    vec![
        ("list", Arc::new(UInt16Array::from(vec![1, 1, 2]))),
        ("y", Arc::new(Decimal128Array::from(vec![1, 2, 3]))),
        ("a", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)]))),
        ("b", Arc::new(Int64Array::from(vec![Some(i64::MIN), None, Some(7)]))),
        ("s", Arc::new(decimal.with_precision_and_scale(10, 2).expect("it fits"))),
        ("n", Arc::new(NullArray::new(3))),
    ]
}

/// Texts of several types, and times.
fn texts() -> Columns {
    let colors: DictionaryArray<Int8Type> = [Some("red"), None, Some("blue")].into_iter().collect();
    vec![
        ("list", Arc::new(StringViewArray::from(vec!["u", "a list of more than 12 bytes", "u"]))),
        ("y", Arc::new(StringArray::from(vec![Some("1.5"), None, Some("2")]))),
        ("a", Arc::new(Date64Array::from(vec![0, 86_400_000, -1]))),
        ("b", Arc::new(colors)),
        ("s", Arc::new(LargeStringArray::from(vec![Some("3"), Some("NA"), Some("1e9")]))),
        ("c", Arc::new(TimestampSecondArray::from(vec![0, 1, i64::MAX]))),
        ("d", Arc::new(TimestampMicrosecondArray::from(vec![0, 1, 2]).with_timezone("UTC"))),
    ]
}

/// A column that is refused.
fn nested() -> Columns {
    let lists = [Some(vec![Some(1)]), None, Some(vec![])];
    vec![("x", Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists)))]
}

fn batch(columns: Columns) -> RecordBatch {
    let columns = columns.into_iter().map(|(name, array)| (name, array, true));
    RecordBatch::try_from_iter_with_nullable(columns).expect("columns of the same length")
}

fn arrow() {
    let packed = |kind| {
        let options = IpcWriteOptions::default().try_with_compression(Some(kind));
        options.expect("it is part of this build")
    };
    let plain = IpcWriteOptions::default;
    for (name, columns, options) in [
        ("file_roles", roles(), plain()),
        ("file_lz4", numbers(), packed(CompressionType::LZ4_FRAME)),
        ("file_zstd", texts(), packed(CompressionType::ZSTD)),
        ("file_texts", texts(), plain()),
        ("file_nested", nested(), plain()),
    ] {
        let batch = batch(columns);
        let mut bytes = Vec::new();
        let mut writer = FileWriter::try_new_with_options(&mut bytes, &batch.schema(), options)
            .expect("a schema that can be written");
        writer.write(&batch).expect("memory");
        writer.finish().expect("memory");
        write("seeds/arrow", name, &bytes);
    }
    for (name, columns, options) in [
        ("stream_numbers", numbers(), plain()),
        ("stream_texts", texts(), plain()),
        ("stream_lz4", roles(), packed(CompressionType::LZ4_FRAME)),
    ] {
        let batch = batch(columns);
        let mut bytes = Vec::new();
        let mut writer = StreamWriter::try_new_with_options(&mut bytes, &batch.schema(), options)
            .expect("a schema that can be written");
        writer.write(&batch).expect("memory");
        writer.write(&batch.slice(1, 1)).expect("memory");
        writer.finish().expect("memory");
        write("seeds/arrow", name, &bytes);
    }
}

fn parquet() {
    let properties = || {
        let builder = WriterProperties::builder().set_created_by("seeds".into());
        builder.set_statistics_enabled(EnabledStatistics::None).set_offset_index_disabled(true)
    };
    let packed = |kind| properties().set_compression(kind);
    let encoded = |encoding| properties().set_dictionary_enabled(false).set_encoding(encoding);
    let second = properties().set_writer_version(WriterVersion::PARQUET_2_0);
    let second = second.set_compression(Compression::SNAPPY);
    let whole: Columns =
        vec![("list", numbers().swap_remove(3).1), ("y", roles().swap_remove(2).1)];
    let text: Columns = vec![("list", roles().swap_remove(0).1), ("a", texts().swap_remove(4).1)];
    let float: Columns = vec![("y", roles().swap_remove(1).1), ("a", roles().swap_remove(4).1)];
    for (name, columns, properties) in [
        ("roles_snappy", roles(), packed(Compression::SNAPPY)),
        ("roles_plain", roles(), properties().set_max_row_group_row_count(Some(2))),
        ("numbers_gzip", numbers(), packed(Compression::GZIP(Default::default()))),
        ("numbers_version_2", numbers(), second),
        ("texts_zstd", texts(), packed(Compression::ZSTD(Default::default()))),
        ("texts_lz4", texts(), packed(Compression::LZ4_RAW)),
        ("texts_lz4_framed", text.clone(), packed(Compression::LZ4)),
        ("whole_delta", whole, encoded(Encoding::DELTA_BINARY_PACKED)),
        ("text_delta_length", text.clone(), encoded(Encoding::DELTA_LENGTH_BYTE_ARRAY)),
        ("text_delta", text, encoded(Encoding::DELTA_BYTE_ARRAY)),
        ("float_byte_stream_split", float, encoded(Encoding::BYTE_STREAM_SPLIT)),
        ("nested", nested(), properties()),
    ] {
        write("seeds/parquet", name, &as_parquet(columns, properties, true));
    }
    let statistics = WriterProperties::builder();
    write("seeds/parquet", "statistics", &as_parquet(numbers(), statistics, false));
}

/// The columns as Parquet. Without Arrow's own description of their types the file is smaller.
fn as_parquet(columns: Columns, properties: WriterPropertiesBuilder, skip_arrow: bool) -> Vec<u8> {
    let batch = batch(columns);
    let options = ArrowWriterOptions::new().with_properties(properties.build());
    let options = options.with_skip_arrow_metadata(skip_arrow);
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new_with_options(&mut bytes, batch.schema(), options)
        .expect("a schema that can be written");
    writer.write(&batch).expect("memory");
    writer.close().expect("memory");
    bytes
}

/// Names of learners, keys and values of their parameters, as a dictionary of libFuzzer.
fn words_of_params() -> String {
    let mut words = BTreeSet::new();
    for learner in stakes_learn::learners() {
        words.insert(format!("\"{}\\x0a\"\n", learner.name()));
        for param in learner.params() {
            words.insert(format!("\"{}=\"\n", param.key));
            if let ParamKind::OneOf(names) = param.kind {
                words.extend(names.iter().map(|name| format!("\"{name}\"\n")));
            }
        }
    }
    words.into_iter().collect()
}

/// Writes a file below `fuzz/`.
fn write(folder: &str, name: &str, bytes: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(folder);
    std::fs::create_dir_all(&path).expect("a folder that can be made");
    std::fs::write(path.join(name), bytes).expect("a file that can be written");
    println!("{folder}/{name}: {} bytes", bytes.len());
}
