//! Numbers and dates in text as offices write them.

use stakes_core::data::Dataset;
use stakes_io::{DateOrder, Decimal, FileOptions, ReadError, ReadOptions, Roles, parse_csv_bytes};

fn parse(text: &str, roles: Roles) -> Result<Dataset, ReadError> {
    parse_csv_bytes(text.as_bytes(), roles)
}

fn with(file: FileOptions, roles: Roles) -> ReadOptions {
    ReadOptions { file, ..roles.into() }
}

#[test]
fn a_column_of_numbers_is_numbers_however_they_are_written() {
    let text = "storm;cost;share;wind;code\na;1.234,56;5 %;1;01\na;7;12,5 %;2.5;02\nb;;1 %;3;3\n";
    let data = parse(text, Roles::new().list("storm").exact()).unwrap();
    let cost = data.numbers("cost").unwrap();
    assert_eq!((cost[0], cost[1], cost[2].is_nan()), (1234.56, 7.0, true));
    assert_eq!(data.numbers("share").unwrap(), [5.0, 12.5, 1.0]);
    assert_eq!(data.numbers("wind").unwrap(), [1.0, 2.5, 3.0]);
    assert_eq!(data.feature_info().len(), 1, "codes stay categories");
    assert_eq!(
        data.notes(),
        ["read as numbers with decimal commas: cost, share (`1.234,56` is 1234.56)"]
    );
}

#[test]
fn a_role_that_needs_numbers_takes_them_too() {
    let text = "cost,wind\n\"$1,234.50\",1\n$7,2\n";
    let data = parse(text, Roles::new().impact("cost")).unwrap();
    assert_eq!(data.impact().unwrap(), [1234.5, 7.0]);
    assert_eq!(data.notes(), ["read as numbers: cost (`$1,234.50` is 1234.50)"]);
    let numeric = parse("cost,wind\n\"1,5\",1\n", Roles::new().numeric(["cost"])).unwrap();
    assert_eq!(numeric.features().row(0), [1.5, 1.0]);
}

#[test]
fn what_can_be_read_in_two_ways_is_left_or_refused_until_somebody_decides() {
    let text = "cost,wind\n\"1,234\",1\n950,2\n";
    let data = parse(text, Roles::new()).unwrap();
    assert_eq!(data.feature_info()[0].category(0.0), Some("1,234"));
    let note = &data.notes()[0];
    assert!(note.starts_with("left as text: cost; in `1,234` the comma or point may"), "{note}");
    let error = parse(text, Roles::new().impact("cost")).unwrap_err().to_string();
    assert!(error.contains("column `cost`: in `1,234`") && error.contains("`decimal`"), "{error}");
    for (decimal, first) in [(Decimal::Comma, 1.234), (Decimal::Point, 1234.0)] {
        let file = FileOptions { decimal: Some(decimal), ..FileOptions::default() };
        let options = with(file, Roles::new().impact("cost"));
        let data = parse_csv_bytes(text.as_bytes(), options).unwrap();
        assert_eq!(data.impact().unwrap(), [first, 950.0]);
    }
    // Points separate thousands then, also in what looks plain.
    let file = FileOptions { decimal: Some(Decimal::Comma), ..FileOptions::default() };
    let options = with(file, Roles::new().impact("cost"));
    let data = parse_csv_bytes(b"cost;x\n1.500;2.250\n3;4,5\n", options).unwrap();
    assert_eq!(data.impact().unwrap(), [1500.0, 3.0]);
    assert_eq!(data.features().row(0), [2250.0]);
    assert_eq!(data.features().row(1), [4.5]);
}

#[test]
fn dates_become_iso_dates_where_the_column_leaves_no_doubt() {
    let text = "start,cost\n7/1/2011,1\n7/13/2011,2\n";
    let data = parse(text, Roles::new().list("start").time("start").impact("cost")).unwrap();
    assert_eq!((data.list_id(0), data.list_id(1)), ("2011-07-01", "2011-07-13"));
    assert_eq!(data.time().unwrap().text(0), "2011-07-01");
    let text = "start,cost\n7/1/2011,1\n8/2/2011,2\n";
    let error = parse(text, Roles::new().time("start")).unwrap_err().to_string();
    assert!(error.contains("`7/1/2011` may be day or month first"), "{error}");
    for (order, first) in [(DateOrder::Dmy, "2011-01-07"), (DateOrder::Mdy, "2011-07-01")] {
        let file = FileOptions { dates: Some(order), ..FileOptions::default() };
        let data =
            parse_csv_bytes(text.as_bytes(), with(file, Roles::new().time("start"))).unwrap();
        assert_eq!(data.time().unwrap().text(0), first);
    }
}

#[test]
fn an_option_without_effect_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    std::fs::write(&path, "a\n1\n").unwrap();
    let file = FileOptions { sheet: Some("1".into()), ..FileOptions::default() };
    let error = stakes_io::read(path.to_str().unwrap(), with(file, Roles::new())).unwrap_err();
    assert!(error.to_string().ends_with("`sheet` is for workbooks, and this is csv; leave it out"));
    let path = folder.path().join("a.txt");
    std::fs::write(&path, "1 qid:1 1:2\n").unwrap();
    for (file, option) in [
        (FileOptions { decimal: Some(Decimal::Comma), ..FileOptions::default() }, "decimal"),
        (FileOptions { dates: Some(DateOrder::Dmy), ..FileOptions::default() }, "dates"),
    ] {
        let error = stakes_io::read(path.to_str().unwrap(), with(file, Roles::new())).unwrap_err();
        let expected = format!("`{option}` is for csv and xlsx, and this is letor; leave it out");
        assert!(error.to_string().ends_with(&expected), "{error}");
    }
}
