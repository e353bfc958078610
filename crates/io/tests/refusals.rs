//! Files with errors, and the messages about them.

use std::io::Write;

use stakes_core::data::{Dataset, Feature};
use stakes_io::{Format, MissingImpact, ReadError, ReadOptions, Roles};
use stakes_io::{parse_csv_bytes, parse_letor_bytes, read};

fn storms() -> ReadOptions {
    Roles::new().list("storm").impact("customers").id("network").into()
}

const HEADER: &str = "storm,network,customers,wind\n";

fn csv(text: &str) -> Result<Dataset, ReadError> {
    parse_csv_bytes(text.as_bytes(), storms())
}

fn csv_error(rows: &str) -> String {
    csv(&format!("{HEADER}{rows}")).unwrap_err().to_string()
}

fn letor_error(text: &str) -> String {
    parse_letor_bytes(text.as_bytes(), ReadOptions::default()).unwrap_err().to_string()
}

fn file(name: &str, bytes: &[u8]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_column_that_is_not_there() {
    let mut options = storms();
    options.roles.impact = Some("custmers".into());
    let error = parse_csv_bytes(HEADER.as_bytes(), &options).unwrap_err().to_string();
    assert_eq!(error, "memory: there is no column `custmers`; did you mean `customers`?");
    options.roles.impact = None;
    options.roles.drop = vec!["zzz".into()];
    let error = parse_csv_bytes(HEADER.as_bytes(), &options).unwrap_err().to_string();
    assert!(error.ends_with("there are: storm, network, customers, wind"), "{error}");
}

#[test]
fn a_column_with_two_roles() {
    let mut options = storms();
    options.roles.group = Some("storm".into());
    let error = parse_csv_bytes(HEADER.as_bytes(), &options).unwrap_err().to_string();
    assert_eq!(error, "memory: column `storm` is given as both `list` and `group`; choose one");
    let roles = Roles::new().drop(["wind"]).extras(["wind"]);
    let error = parse_csv_bytes(HEADER.as_bytes(), roles).unwrap_err().to_string();
    let expected = "column `wind` is given as both `drop` and `extras` (scores and inputs of the \
                    cost); choose one";
    assert!(error.ends_with(expected), "{error}");
}

#[test]
fn text_in_a_column_of_numbers() {
    let error = csv_error("a,x,100,14\na,y,many,15\n");
    assert!(
        error.starts_with("memory:3 (list a, item y): customers is `many`; a number"),
        "{error}"
    );
}

#[test]
fn impacts_that_are_no_costs() {
    assert!(csv_error("a,x,-3,14\n").contains("memory:2 (list a, item x): customers is -3;"));
    assert!(
        csv_error("a,x,inf,14\n").contains("customers is inf; it must be a finite number >= 0")
    );
    let error = csv_error("a,x,NaN,14\n");
    assert!(error.starts_with("memory:2 (list a, item x): customers is missing; every"), "{error}");
    assert!(error.ends_with("or set `missing_impact` to drop or zero"), "{error}");
    assert!(letor_error("-1 qid:1 1:2\n").contains("memory:1 (list 1): label is -1;"));
}

#[test]
fn missing_impacts_can_be_dropped_or_counted_as_zero() {
    let text = format!("{HEADER}a,x,NA,14\na,y,5,15\n");
    for (missing, impacts) in
        [(MissingImpact::Drop, vec![5.0]), (MissingImpact::Zero, vec![0.0, 5.0])]
    {
        let mut options = storms();
        options.roles.missing_impact = missing;
        let data = parse_csv_bytes(text.as_bytes(), &options).unwrap();
        assert_eq!(data.impact().unwrap(), impacts);
    }
}

#[test]
fn missing_inputs_of_the_cost_are_treated_as_missing_impacts() {
    let text = "storm,customers,hours,score\na,10,2,1\na,20,NA,2\nb,NA,3,3\nb,40,4,NA\n";
    let letor = "1 qid:1 1:2 2:1\n2 qid:1 1:nan 2:2\nnan qid:2 1:3 2:3\n4 qid:2 1:4 2:nan\n";
    let read = |missing_impact| {
        let csv = Roles::new().list("storm").impact("customers").extras(["score"]);
        let csv = csv.outcomes(["hours", "customers"]).missing_impact(missing_impact);
        let fixed = Roles::new().extras(["2"]).outcomes(["1"]).missing_impact(missing_impact);
        let csv = parse_csv_bytes(text.as_bytes(), csv);
        let letor = parse_letor_bytes(letor.as_bytes(), fixed);
        [(csv, "score", "hours"), (letor, "2", "1")]
    };
    for (data, score, hours) in read(MissingImpact::Drop) {
        let data = data.unwrap();
        assert_eq!((data.len(), data.dropped_rows()), (2, 2));
        assert_eq!(data.numbers(hours).unwrap(), [2.0, 4.0]);
        // A score is not an outcome, so it may be missing.
        assert!(data.numbers(score).unwrap()[1].is_nan());
    }
    for (data, score, hours) in read(MissingImpact::Zero) {
        let data = data.unwrap();
        assert_eq!((data.len(), data.dropped_rows()), (4, 0));
        assert_eq!(data.numbers(hours).unwrap(), [2.0, 0.0, 3.0, 4.0]);
        assert_eq!(data.impact().unwrap()[2], 0.0);
        assert!(data.numbers(score).unwrap()[3].is_nan());
    }
    let [(csv, ..), (letor, ..)] = read(MissingImpact::Refuse);
    let error = csv.unwrap_err().to_string();
    assert!(error.starts_with("memory:3 (list a): hours is missing; the cost needs it"), "{error}");
    assert!(error.ends_with("or set `missing_impact` to drop or zero"), "{error}");
    let error = letor.unwrap_err().to_string();
    assert!(error.starts_with("memory:2 (list 1): 1 is missing; the cost needs it"), "{error}");
}

#[test]
fn an_outcome_is_an_extra() {
    let roles = Roles { outcomes: vec!["wind".into()], ..Roles::default() };
    let error = parse_csv_bytes(HEADER.as_bytes(), roles).unwrap_err().to_string();
    assert_eq!(error, "memory: column `wind` is in `outcomes` but not in `extras`; add it");
}

#[test]
fn a_ragged_row() {
    let error = csv_error("a,x,1,14\na,y,1\n");
    assert!(error.starts_with("memory:3: the row has 3 fields, the header has 4;"), "{error}");
}

#[test]
fn an_item_twice_in_a_list() {
    let error = csv_error("a,x,1,14\nb,x,1,14\na,x,1,14\n");
    assert!(error.starts_with("memory:4 (list a, item x): the item occurs twice"), "{error}");
    let error = letor_error("1 qid:1 1:2 #docid = a\n0 qid:1 1:3 #docid = a\n");
    assert!(error.starts_with("memory:2 (list 1, item a): the item occurs twice"), "{error}");
}

#[test]
fn bytes_that_are_not_text() {
    let bytes = b"storm,network,customers,wind\na,x,1,2\na,\xe9,1,2\n";
    let error = parse_csv_bytes(bytes, storms()).unwrap_err().to_string();
    assert_eq!(error, "memory:3: byte 0xe9 is not UTF-8 text; save the file as UTF-8");
    let error = parse_letor_bytes(b"1 qid:\xe9 1:1\n", ReadOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "memory:1: byte 0xe9 is not UTF-8 text; save the file as UTF-8");
}

#[test]
fn compressed_files_that_end_too_early() {
    let text = format!("{HEADER}{}", "a,x,1,2\n".repeat(5000));
    let compressed = gz(text.as_bytes());
    let (_folder, path) = file("s.csv.gz", &compressed[..compressed.len() - 12]);
    let error = read(&path, storms()).unwrap_err().to_string();
    assert!(error.contains("s.csv.gz: the data ends too early: the file is truncated"), "{error}");
    let text = "1 qid:1 1:2 2:3\n".repeat(5000);
    let compressed = gz(text.as_bytes());
    let (_folder, path) = file("s.txt.gz", &compressed[..compressed.len() / 2]);
    let error = read(&path, ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("the file is truncated"), "{error}");
}

#[test]
fn compressed_files_may_have_several_members() {
    let mut compressed = gz(b"1 qid:1 1:2\n");
    compressed.extend(gz(b"0 qid:1 1:3\n"));
    let (_folder, path) = file("s.txt.gz", &compressed);
    assert_eq!(read(&path, ReadOptions::default()).unwrap().len(), 2);
}

#[test]
fn files_without_rows() {
    let error = csv("").unwrap_err().to_string();
    assert_eq!(
        error,
        "memory: the file is empty; a header line with the names of the columns is needed"
    );
    assert_eq!(csv_error(""), "memory: there are no rows; at least one item is needed");
    assert_eq!(letor_error(""), "memory: there are no rows; at least one item is needed");
    assert_eq!(letor_error("# only a comment\n\n"), letor_error(""));
}

#[test]
fn letor_lines_that_are_wrong() {
    let cases = [
        ("1 qid:1 4000000000:1\n", "memory:1: feature index 4000000000 is too large; the maximum"),
        ("1 qid:1 99999999999999999999999:1\n", "is too large; the maximum is 1048575"),
        ("a,b,c\n1,2,3\n", "memory:1: the line begins with `a,b,c`; a LETOR line is"),
        ("1 qid:1 1:x\n", "memory:1: feature 1 is `x`; a number is needed"),
        ("1 qid:1 1: 2:1\n", "feature 1 has no value"),
        ("1 qid:1 1\n", "`1` is not of the form index:value"),
        ("1 qid: 1:2\n", "`qid:` is empty"),
        ("1 qid:1 2:1 1:1 2:3\n", "feature 2 occurs twice in the line"),
        ("1 qid:1 1:1\n\n1 1:1\n", "memory:3: some lines have a qid and some have none"),
        ("1 qid:1 1:inf\n", "memory:1 (list 1): feature 1 is infinite or beyond 3.4e38"),
        ("1 qid:1 1:1e39\n", "feature 1 is infinite or beyond 3.4e38"),
    ];
    for (text, expected) in cases {
        let error = letor_error(text);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_few_bytes_cannot_ask_for_all_the_memory() {
    let text = "1 qid:1 1048575:1\n".repeat(1000);
    let error = letor_error(&text);
    assert!(error.contains("too sparse to be held as a matrix"), "{error}");
}

#[test]
fn files_that_cannot_be_opened_or_recognised() {
    let error = read("no/such/file.csv", storms()).unwrap_err().to_string();
    assert!(error.starts_with("no/such/file.csv: there is no such file"), "{error}");
    let (folder, path) = file("notes", b"just words\n");
    let error = read(&path, storms()).unwrap_err().to_string();
    assert!(error.contains("notes: unknown file extension; allowed are .csv .tsv"), "{error}");
    let error = read(folder.path().to_str().unwrap(), storms()).unwrap_err().to_string();
    assert!(error.ends_with("this is a folder; name a file inside it"), "{error}");
}

#[test]
fn columns_of_one_name_are_numbered() {
    let data = parse_csv_bytes(b"a,b, a\n1,2,3\n", ReadOptions::default()).unwrap();
    let names: Vec<&str> = data.feature_info().iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "a_2"]);
    assert_eq!(data.notes(), ["1 column had the name of another: a is also a_2"]);
}

#[test]
fn a_quote_that_is_never_closed() {
    for rows in [
        "a,x,1,2\na,\"y,1,2\nb,z,1,3\n",
        "a,x,1,2\na,y,1,\"2\n",
        "a,x,1,2\n\"",
        "a,x,1,2\na,y,1,\"2",
    ] {
        let error = csv_error(rows);
        assert!(error.starts_with("memory:3: a quote is opened in this row and never"), "{error}");
    }
    let error = csv("\"storm,network\n").unwrap_err().to_string();
    assert!(error.starts_with("memory:1: a quote is opened"), "{error}");
}

#[test]
fn tabs_semicolons_marks_and_line_ends_of_other_systems() {
    for text in [
        "storm;network;customers;wind\na;x;1;2\na;y;1;\n",
        "storm\tnetwork\tcustomers\twind\na\tx\t1\t2\na\ty\t1\tNA\n",
        "\u{feff}storm,network,customers,wind\r\na,x,1,2\r\na,y,1,?",
        "\u{feff}\"storm\", network ,customers,wind\r\n\r\na,x,1,2\r\n\r\na,y,1,null\r\n",
    ] {
        let data = csv(text).unwrap();
        assert_eq!((data.len(), data.n_lists()), (2, 1), "{text}");
        let wind = data.features().values();
        assert!(wind[0] == 2.0 && wind[1].is_nan(), "{text}");
    }
    let data = csv(&format!("{HEADER}\n\na,x,1,2\n\r\na,\"y\nz\",1,2\na,w,1,3")).unwrap();
    let lines: Vec<u64> = (0..3).map(|item| data.line(item)).collect();
    assert_eq!(lines, [4, 6, 8]);
}

#[test]
fn kinds_can_be_forced() {
    let mut options = storms();
    options.roles.categorical = vec!["wind".into()];
    let text = format!("{HEADER}a,x,1,10\na,y,1,9\na,z,1,\n");
    let data = parse_csv_bytes(text.as_bytes(), &options).unwrap();
    assert_eq!(data.feature_info()[0].category(0.0), Some("9"));
    assert_eq!(data.features().values()[..2], [1.0, 0.0]);
    options.roles.categorical.clear();
    options.roles.numeric = vec!["wind".into()];
    let text = format!("{HEADER}a,x,1,strong\n");
    let error = parse_csv_bytes(text.as_bytes(), &options).unwrap_err().to_string();
    assert!(error.starts_with("memory:2 (list a, item x): wind is `strong`"), "{error}");
}

#[test]
fn codes_with_zeros_in_front_are_names() {
    let text = "zip,share,n,code\n10001,0.5,0,1\n00501,0,10, 007\n,-0.5,0e1,?\n";
    let options = ReadOptions::default();
    let data = parse_csv_bytes(text.as_bytes(), &options).unwrap();
    let features = data.feature_info();
    assert_eq!(features[0], Feature::categorical("zip", vec!["00501".into(), "10001".into()]));
    assert_eq!(features[1], Feature::numeric("share"));
    assert_eq!(features[2], Feature::numeric("n"));
    assert_eq!(features[3].category(1.0), Some(" 007"));
    assert!(data.features().row(2)[0].is_nan());
    // They are numbers where numbers are asked for: as a feature, as a role, as an extra.
    let roles = Roles::new().impact("zip").missing_impact(MissingImpact::Zero).numeric(["code"]);
    let data = parse_csv_bytes(text.as_bytes(), roles).unwrap();
    assert_eq!(data.impact().unwrap(), [10001.0, 501.0, 0.0]);
    assert_eq!(data.features().row(1), [0.0, 10.0, 7.0]);
    let data = parse_csv_bytes(text.as_bytes(), Roles::new().extras(["zip"])).unwrap();
    assert_eq!(data.numbers("zip").unwrap()[..2], [10001.0, 501.0]);
}

#[test]
fn a_wrong_format_name() {
    let error = "letr".parse::<Format>().unwrap_err().to_string();
    assert_eq!(error, "there is no format `letr`; did you mean `letor`?");
}

#[cfg(feature = "arrow")]
#[test]
fn columnar_files_that_are_damaged() {
    let text =
        format!("{HEADER}{}", (0..500).map(|i| format!("a,n{i},1,{i}\n")).collect::<String>());
    let data = csv(&text).unwrap();
    for name in ["s.parquet", "s.arrow"] {
        let (_folder, path) = file(name, b"");
        let error = read(&path, storms()).unwrap_err().to_string();
        assert!(error.contains("the file is damaged or truncated"), "{error}");
        stakes_io::write(&data, &path, None).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(read(&path, storms()).unwrap().len(), 500);
        for cut in [bytes.len() - 3, bytes.len() / 2, 9] {
            std::fs::write(&path, &bytes[..cut]).unwrap();
            let error = read(&path, storms()).unwrap_err().to_string();
            let expected = format!("{path}: the file is damaged or truncated (");
            assert!(error.starts_with(&expected), "{error}");
        }
        // Any byte may be wrong: an error or other data, never a panic.
        for at in (0..bytes.len()).step_by(97) {
            let mut wrong = bytes.clone();
            wrong[at] ^= 0x55;
            std::fs::write(&path, &wrong).unwrap();
            let _ = read(&path, storms());
        }
    }
}

#[cfg(feature = "arrow")]
#[test]
fn columnar_files_with_wrong_content() {
    let (_folder, path) = file("s.parquet", b"");
    let text = format!("{HEADER}a,x,100,strong\na,y,5,weak\n");
    stakes_io::write(&csv(&text).unwrap(), &path, None).unwrap();
    assert_eq!(
        stakes_io::columns(&path, &stakes_io::FileOptions::default()).unwrap(),
        ["storm", "network", "customers", "wind"]
    );
    let mut options = storms();
    options.roles.numeric = vec!["wind".into()];
    let error = read(&path, &options).unwrap_err().to_string();
    assert!(error.contains("s.parquet:1 (list a, item x): wind is `strong`"), "{error}");
    options.roles.list = Some("strom".into());
    let error = read(&path, &options).unwrap_err().to_string();
    assert!(error.ends_with("there is no column `strom`; did you mean `storm`?"), "{error}");
}

#[test]
fn columns_are_named_without_reading_all() {
    let (_folder, path) = file("s.csv", b"a,\"b\nc\", d \n1,2\n");
    assert_eq!(
        stakes_io::columns(&path, &stakes_io::FileOptions::default()).unwrap(),
        ["a", "b\nc", "d"]
    );
    let error = stakes_io::columns("-", &Some(Format::Csv).into()).unwrap_err().to_string();
    assert!(error.contains("stdin can be read only once"), "{error}");
}
