#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float64Array,
    Int64Array, LargeStringArray, ListArray, NullArray, RecordBatch, StringArray, StringViewArray,
    TimestampMillisecondArray,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use stakes_core::data::{Dataset, FeatureKind};

use crate::input::Input;
use crate::{Format, MissingImpact, ReadError, ReadOptions, Roles, columns, read, write};

/// Writes columns as an Arrow stream and reads them back.
fn through(columns: Vec<(&str, ArrayRef)>, roles: Roles) -> Result<Dataset, ReadError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.arrows");
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, array)| (name, array, true)),
    )
    .unwrap();
    let file = std::fs::File::create(&path).unwrap();
    let mut writer = StreamWriter::try_new(file, &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.write(&batch.slice(1, 1)).unwrap();
    writer.finish().unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(
        crate::columns(path, &crate::FileOptions::default()).unwrap().len(),
        batch.num_columns()
    );
    read(path, roles)
}

fn mixed() -> Vec<(&'static str, ArrayRef)> {
    let colors: DictionaryArray<Int8Type> = [Some("red"), None, Some("blue")].into_iter().collect();
    let decimal = Decimal128Array::from(vec![Some(10), None, Some(-25)]);
    vec![
        ("list", Arc::new(Int64Array::from(vec![9_007_199_254_740_993, 2, 2]))),
        ("impact", Arc::new(StringViewArray::from(vec![Some("1.5"), None, Some("2")]))),
        ("day", Arc::new(Date32Array::from(vec![11_016, 0, -1]))),
        ("flag", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)]))),
        ("color", Arc::new(colors)),
        ("name", Arc::new(LargeStringArray::from(vec![Some("b"), Some("NA"), Some("a")]))),
        ("money", Arc::new(decimal.with_precision_and_scale(10, 2).unwrap())),
        ("at", Arc::new(TimestampMillisecondArray::from(vec![0, 1, 2]).with_timezone("UTC"))),
        ("none", Arc::new(NullArray::new(3))),
    ]
}

fn roles() -> Roles {
    let roles = Roles::new().list("list").impact("impact").time("day").extras(["money"]);
    roles.missing_impact(MissingImpact::Drop)
}

#[test]
fn every_kind_of_column_is_read() {
    // The second row has no impact; it comes twice and is dropped twice.
    let data = through(mixed(), roles()).unwrap();
    assert_eq!((data.len(), data.n_lists()), (2, 2));
    assert_eq!(data.list_id(0), "9007199254740993");
    assert_eq!(data.impact().unwrap(), [1.5, 2.0]);
    let time = data.time().unwrap();
    assert_eq!([time.text(0), time.text(1)], ["2000-02-29", "1969-12-31"]);
    assert_eq!(data.numbers("money").unwrap(), [0.1, -0.25]);
    let row = data.features().row(1);
    let shown: Vec<Option<&str>> =
        data.feature_info().iter().zip(row).map(|(f, v)| f.category(*v)).collect();
    assert_eq!(shown[1..4], [Some("blue"), Some("a"), Some("1970-01-01T00:00:00.002")]);
    assert!(row[0] == 0.0 && row[4].is_nan());
    assert_eq!(data.line(1), 3);
}

#[test]
fn kinds_can_be_forced_and_dropped_rows_keep_their_place() {
    let mut roles = roles();
    roles.categorical = vec!["flag".into()];
    roles.numeric = vec!["name".into()];
    let error = through(mixed(), roles.clone()).unwrap_err().to_string();
    assert!(error.contains("a.arrows:1 (list 9007199254740993): name is `b`"), "{error}");
    roles.numeric.clear();
    let data = through(mixed(), roles).unwrap();
    let FeatureKind::Categorical(names) = &data.feature_info()[0].kind else { panic!() };
    assert_eq!(names[..], ["0", "1"]);
}

#[test]
fn what_is_not_a_column_of_values_is_refused() {
    let nested = ListArray::from_iter_primitive::<arrow_array::types::Int32Type, _, _>([
        Some([Some(1)]),
        None,
    ]);
    let error = through(vec![("x", Arc::new(nested))], Roles::default()).unwrap_err().to_string();
    assert!(error.contains("column `x` is of type List"), "{error}");
    let wrong = Float64Array::from(vec![1.0, f64::INFINITY]);
    let error = through(vec![("x", Arc::new(wrong))], Roles::default()).unwrap_err().to_string();
    assert!(error.contains("a.arrows:2: feature x is infinite or beyond"), "{error}");
    let list = StringArray::from(vec![Some("a"), None]);
    let roles = Roles { list: Some("l".into()), ..Roles::default() };
    let error = through(vec![("l", Arc::new(list))], roles).unwrap_err().to_string();
    assert!(error.contains("a.arrows:2: l is missing; every row needs one"), "{error}");
}

#[test]
fn exact_keeps_doubles_as_doubles_and_floats_as_floats() {
    use arrow_array::{Float32Array, UInt64Array};
    let exact = Roles::new().exact();
    let mut columns = mixed();
    columns.remove(0);
    columns.push(("float", Arc::new(Float32Array::from(vec![0.1, 0.2, 0.3]))));
    columns.push(("double", Arc::new(Float64Array::from(vec![Some(0.1), None, Some(1e300)]))));
    columns.push(("whole", Arc::new(Int64Array::from(vec![964_982_703, -1, 0]))));
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let data = through(columns.clone(), exact.clone()).unwrap();
    assert_eq!(data.columns().extras, ["money", "double", "whole"]);
    assert_eq!(data.column_order(), names);
    assert_eq!(data.numbers("whole").unwrap(), [964_982_703.0, -1.0, 0.0, -1.0]);
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.parquet", "a.arrow", "a.csv"] {
        let path = folder.path().join(name).to_str().unwrap().to_owned();
        write(&data, &path, None).unwrap();
        assert_eq!(crate::columns(&path, &crate::FileOptions::default()).unwrap(), names);
        let back = read(&path, exact.clone()).unwrap();
        let bits = |data: &Dataset, name| -> Vec<u64> {
            data.numbers(name).unwrap().into_iter().map(f64::to_bits).collect()
        };
        for name in ["money", "double", "whole"] {
            assert_eq!(bits(&back, name), bits(&data, name), "{path} {name}");
        }
        let float = |data: &Dataset| data.numbers("float").unwrap()[0] as f32;
        assert_eq!(float(&back), 0.1);
    }
    // Given kinds are kept.
    let roles = exact.clone().categorical(["whole"]);
    let data = through(columns, roles).unwrap();
    assert_eq!(data.columns().extras, ["money", "double"]);
    // Integers that a double cannot hold are refused rather than rounded.
    let id =
        |values| -> Vec<(&str, ArrayRef)> { vec![("id", Arc::new(UInt64Array::from(values)))] };
    let error = through(id(vec![1, u64::MAX]), exact.clone()).unwrap_err().to_string();
    assert!(error.contains("a.arrows:2: id is 18446744073709551615, which a 64-bit"), "{error}");
    let roles = exact.categorical(["id"]);
    let data = through(id(vec![1, u64::MAX]), roles).unwrap();
    assert_eq!(data.feature_info()[0].category(1.0), Some("18446744073709551615"));
}

#[test]
fn a_wide_table_is_read_in_several_passes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.parquet").to_str().unwrap().to_owned();
    let mut text = (0..40).map(|j| format!("f{j}")).collect::<Vec<_>>().join(",") + ",y\n";
    for i in 0..20_000 {
        for j in 0..40 {
            text += &format!("{},", (i * 40 + j) % 1009);
        }
        text += if i % 3 == 0 { "\n" } else { "1\n" };
    }
    let options: ReadOptions = Roles::new().impact("y").missing_impact(MissingImpact::Zero).into();
    let data = crate::parse_csv_bytes(text.as_bytes(), &options).unwrap();
    write(&data, &path, None).unwrap();
    assert_eq!(columns(&path, &crate::FileOptions::default()).unwrap()[..2], ["y", "f0"]);
    let back = read(&path, &options).unwrap();
    assert_eq!(back.features(), data.features());
    assert_eq!(back.impact(), data.impact());
    // Without any role the rows come from the first feature.
    assert_eq!(read(&path, ReadOptions::default()).unwrap().features().width(), 41);
}

/// A table with every kind of buffer, as the bytes of a file or a stream.
fn written(options: IpcWriteOptions, is_file: bool) -> Vec<u8> {
    let mut columns = mixed();
    columns.truncate(7);
    let columns = columns.into_iter().map(|(name, array)| (name, array, true));
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let (schema, mut bytes) = (batch.schema(), Vec::new());
    if is_file {
        let mut writer = FileWriter::try_new_with_options(&mut bytes, &schema, options).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
    } else {
        let mut writer = StreamWriter::try_new_with_options(&mut bytes, &schema, options).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
    }
    bytes
}

fn compressed(by: CompressionType) -> IpcWriteOptions {
    IpcWriteOptions::default().try_with_compression(Some(by)).unwrap()
}

fn read_bytes(bytes: &[u8]) -> Result<Dataset, ReadError> {
    let bytes = Box::new(std::io::Cursor::new(bytes.to_vec()));
    super::read(Input::new("a.arrow".into(), bytes).unwrap(), "-", Format::Arrow, &roles().into())
}

#[test]
fn files_and_streams_of_any_alignment_and_compression_are_the_same() {
    let plain = |alignment| {
        IpcWriteOptions::try_new(alignment, false, arrow_ipc::MetadataVersion::V5).unwrap()
    };
    let expected = read_bytes(&written(plain(8), false)).unwrap();
    for options in [
        plain(8),
        plain(64),
        compressed(CompressionType::LZ4_FRAME),
        compressed(CompressionType::ZSTD),
    ] {
        for is_file in [false, true] {
            let data = read_bytes(&written(options.clone(), is_file)).unwrap();
            assert_eq!(data.features(), expected.features());
            assert_eq!(data.feature_info(), expected.feature_info());
            assert_eq!(data.impact(), expected.impact());
        }
    }
    let file = written(plain(8), true);
    for end in [file.len() - 1, file.len() - 40, file.len() / 2, 9, 7] {
        let error = read_bytes(&file[..end]).unwrap_err().to_string();
        assert!(error.contains("damaged or truncated"), "{end}: {error}");
    }
}

/// No damaged number may lead to an allocation that ends the program.
#[test]
fn any_damaged_byte_is_survived() {
    let options = [IpcWriteOptions::default(), compressed(CompressionType::LZ4_FRAME)];
    for options in options.into_iter().chain([compressed(CompressionType::ZSTD)]) {
        for is_file in [false, true] {
            let good = written(options.clone(), is_file);
            read_bytes(&good).unwrap();
            let mut bad = good.clone();
            let mut refused = 0;
            for at in 0..good.len() {
                for flip in [0x01, 0x40, 0xff] {
                    bad[at] = good[at] ^ flip;
                    refused += usize::from(read_bytes(&bad).is_err());
                }
                bad[at] = good[at];
            }
            assert!(refused > good.len() / 2, "{refused} of {}", good.len());
        }
    }
}

#[test]
fn a_file_without_values_makes_no_rows() {
    let none: Vec<(&str, ArrayRef)> = vec![("none", Arc::new(NullArray::new(1_000_000)))];
    let error = through(none, Roles::default()).unwrap_err().to_string();
    assert!(error.ends_with("a.arrows: no column that is read has a value; check the file"));
}

#[test]
fn parquet_of_another_compression_is_not_called_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet").to_str().unwrap().to_owned();
    let data = crate::parse_csv_bytes(b"l,y\n1,2\n1,3\n", Roles::new().list("l").impact("y"));
    write(&data.unwrap(), &path, None).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    // Snappy is 1 in the footer, Brotli 4, both doubled; the number of values follows.
    let places: Vec<usize> =
        (0..bytes.len() - 3).filter(|&i| bytes[i..i + 3] == [0x15, 2, 0x16]).collect();
    assert!(places.len() >= 2, "{places:?}");
    places.iter().for_each(|&at| bytes[at + 1] = 8);
    std::fs::write(&path, bytes).unwrap();
    let error = read(&path, Roles::new().list("l").impact("y")).unwrap_err().to_string();
    assert!(error.contains("column `l` is compressed by Brotli; supported are snappy"), "{error}");
}
