//! Content in memory, rows as JSON, and limits.

use stakes_io::{
    Content, FileOptions, Format, Limits, ReadError, ReadOptions, Roles, write_csv_as,
};

const LIMITS: Limits = Limits { rows: 4, columns: 5, bytes: 1 << 16 };

fn limited(roles: Roles, limits: Limits) -> ReadOptions {
    let file = FileOptions { limits: Some(limits), ..FileOptions::default() };
    ReadOptions { file, ..roles.into() }
}

fn json(text: &str) -> Result<Content, ReadError> {
    Content::json("body", text.as_bytes(), Some(LIMITS))
}

#[test]
fn json_rows_are_the_rows_of_csv() {
    let csv = "list,id,wind,region,ok\na,x,14.5,north,1\na,y,,NA,0\nb,x,1e3,south,1\n";
    let rows = r#" {"rows": [
        {"list": "a", "id": "x", "wind": 14.5, "region": "north", "ok": true},
        {"wind": null, "list": "a", "id": "y", "region": "NA", "ok": false},
        {"list": "b", "id": "x", "region": "south", "wind": 1000, "ok": true}]}"#;
    let options = limited(Roles::new().list("list").id("id"), LIMITS);
    let of_csv = Content::new("body", csv.as_bytes().to_vec(), Format::Csv).read(&options).unwrap();
    let of_json = json(rows).unwrap().read(&options).unwrap();
    assert_eq!(of_json.feature_info(), of_csv.feature_info());
    let bits = |data: &stakes_core::data::Dataset| -> Vec<u32> {
        data.features().values().iter().map(|value| value.to_bits()).collect()
    };
    assert_eq!(bits(&of_json), bits(&of_csv));
    for item in 0..3 {
        assert_eq!(of_json.item_id(item), of_csv.item_id(item));
    }
}

#[test]
fn long_ids_lose_no_digit() {
    let rows = r#"[{"id": 9007199254740993, "a": 1}, {"id": 9007199254740992, "a": 0.5}]"#;
    let data = json(rows).unwrap().read(&Roles::new().id("id").into()).unwrap();
    assert_eq!(data.item_id(0), Some("9007199254740993"));
    assert_eq!(data.features().values(), [1.0, 0.5]);
}

#[test]
fn what_is_left_out_is_missing() {
    let data = json(r#"[{"a": 1}, {"b": 2}, {}]"#).unwrap().read(&ReadOptions::default()).unwrap();
    let values = data.features().values();
    assert_eq!((values[0], values[3]), (1.0, 2.0));
    assert!([1, 2, 4, 5].iter().all(|&at| values[at].is_nan()));
}

#[test]
fn mistakes_name_the_row_and_the_column() {
    for (text, message) in [
        (
            r#"[{"a": 1}, {"a": "x"}]"#,
            "body:2: `a` is the text `x`, and the rows before have numbers",
        ),
        (r#"[{"a": "x"}, {"a": 7}]"#, "body:2: `a` is the number 7, and the rows before have text"),
        (r#"[{"a": true}, {"a": 1}]"#, "true and false"),
        (r#"[{"a": {"b": 1}}]"#, "body:1: `a` is an object"),
        (r#"[{"a": 1, "a": 1}]"#, "body:1: `a` is there twice"),
        (r#"[{"a": 1}] x"#, "not JSON"),
        (r#"{"row": []}"#, "no `row` beside the rows"),
        (r#"{}"#, "rows"),
        ("", "not JSON"),
        ("[[1]]", "row 1"),
    ] {
        let error = json(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    let deep = "[".repeat(100_000);
    assert!(json(&deep).is_err());
}

#[test]
fn limits_hold_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let wide = "a,b,c,d,e,f\n1,2,3,4,5,6\n";
    let long = "a\n1\n2\n3\n4\n5\n";
    let right = "a,b\n1,2\n3,4\n";
    for format in [Format::Csv, Format::Tsv, Format::Xlsx, Format::Parquet, Format::Arrow] {
        let read = |csv: &str, limits: Limits| {
            let path = folder.path().join(format!("a.{format}")).to_string_lossy().into_owned();
            write_csv_as(csv, Roles::new(), &path, format).unwrap();
            let bytes = std::fs::read(&path).unwrap();
            Content::new("body", bytes, format).read(&limited(Roles::new(), limits))
        };
        assert_eq!(read(right, LIMITS).unwrap().len(), 2, "{format}");
        for csv in [wide, long] {
            let error = read(csv, LIMITS).unwrap_err();
            assert!(matches!(error, ReadError::TooLarge { .. }), "{format}: {error}");
        }
        assert!(
            read(right, Limits { bytes: 15, ..LIMITS }).is_err(),
            "{format}: four values of four bytes"
        );
    }
    assert!(matches!(json(r#"[{},{},{},{},{}]"#), Err(ReadError::TooLarge { .. })));
}
