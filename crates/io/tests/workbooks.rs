//! Excel workbooks: what their cells become, where the table is, and what is refused.

use std::io::Write;

use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet};
use stakes_core::data::Dataset;
use stakes_io::{
    FileOptions, ReadError, ReadOptions, Roles, columns, parse_csv_bytes, parse_xlsx_bytes, read,
    write, write_csv_as,
};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn book(fill: impl FnOnce(&mut Worksheet)) -> Vec<u8> {
    let mut book = Workbook::new();
    fill(book.add_worksheet());
    book.save_to_buffer().unwrap()
}

/// A sheet of words; those that are numbers become numbers, `-` is empty.
fn words(rows: &[&str]) -> Vec<u8> {
    book(|sheet| {
        for (row, words) in (0..).zip(rows) {
            for (column, word) in (0..).zip(words.split('|')) {
                match (word, word.parse::<f64>()) {
                    ("-", _) => {}
                    (_, Ok(number)) => drop(sheet.write_number(row, column, number).unwrap()),
                    _ => drop(sheet.write_string(row, column, word).unwrap()),
                }
            }
        }
    })
}

fn exact() -> ReadOptions {
    Roles::new().exact().into()
}

fn numbers(data: &Dataset, name: &str) -> Vec<f64> {
    data.numbers(name).unwrap()
}

fn texts<'d>(data: &'d Dataset, name: &str) -> Vec<&'d str> {
    let at = data.feature_info().iter().position(|f| f.name == name).unwrap();
    let text = |row| data.feature_info()[at].category(data.features().row(row)[at]).unwrap_or("");
    (0..data.len()).map(text).collect()
}

#[test]
fn cells_become_what_csv_would_hold() {
    let bytes = book(|sheet| {
        for (column, name) in (0..).zip(["day", "moment", "clock", "number", "truth", "text"]) {
            sheet.write_string(0, column, name).unwrap();
        }
        let day = ExcelDateTime::from_ymd(2011, 7, 1).unwrap();
        let moment = ExcelDateTime::from_ymd(2011, 7, 1).unwrap().and_hms(17, 30, 0).unwrap();
        let clock = ExcelDateTime::from_hms(17, 30, 0).unwrap();
        let format = |code: &str| Format::new().set_num_format(code);
        sheet.write_datetime_with_format(1, 0, &day, &format("yyyy\\-mm\\-dd")).unwrap();
        sheet.write_datetime_with_format(1, 1, &moment, &format("dd/mm/yyyy hh:mm")).unwrap();
        sheet.write_datetime_with_format(1, 2, &clock, &format("hh:mm:ss")).unwrap();
        sheet.write_number(1, 3, 0.1 + 0.2).unwrap();
        sheet.write_boolean(1, 4, true).unwrap();
        sheet.write_string(1, 5, " 00501").unwrap();
    });
    let data = parse_xlsx_bytes(&bytes, exact()).unwrap();
    assert_eq!(data.notes(), [""; 0]);
    assert_eq!(texts(&data, "day"), ["2011-07-01"]);
    assert_eq!(texts(&data, "moment"), ["2011-07-01T17:30:00"]);
    assert_eq!(texts(&data, "clock"), ["17:30:00"]);
    assert_eq!(numbers(&data, "number"), [0.1 + 0.2]);
    assert_eq!(numbers(&data, "truth"), [1.0]);
    assert_eq!(texts(&data, "text"), [" 00501"]);
    assert_eq!(data.line(0), 2);
}

#[test]
fn text_in_cells_is_read_column_by_column_and_numbers_stay() {
    let rows = ["cost|start|name", "1.5|7/13/2011|a", "1.234,5|7/1/2011|b", "NA|-|c"];
    let data = parse_xlsx_bytes(&words(&rows), exact()).unwrap();
    let cost = numbers(&data, "cost");
    assert_eq!((cost[0], cost[1], cost[2].is_nan()), (1.5, 1234.5, true));
    assert_eq!(texts(&data, "start"), ["2011-07-13", "2011-07-01", ""]);
    assert_eq!(
        data.notes(),
        [
            "read as numbers with decimal commas: cost (`1.234,5` is 1234.5)",
            "read as dates, the month first: start (`7/13/2011` is 2011-07-13)"
        ]
    );
}

#[test]
fn the_sheet_is_the_first_with_data_or_the_one_that_is_named() {
    let mut book = Workbook::new();
    book.add_worksheet().set_name("Cover").unwrap();
    for (name, value) in [("Data", 1.0), ("Old", 2.0)] {
        let sheet = book.add_worksheet();
        sheet.set_name(name).unwrap();
        sheet.write_string(0, 0, "cost").unwrap();
        sheet.write_number(1, 0, value).unwrap();
    }
    let bytes = book.save_to_buffer().unwrap();
    let of = |sheet: Option<&str>| {
        let file = FileOptions { sheet: sheet.map(str::to_owned), ..FileOptions::default() };
        parse_xlsx_bytes(&bytes, ReadOptions { file, ..exact() })
    };
    let first = of(None).unwrap();
    assert_eq!(numbers(&first, "cost"), [1.0]);
    assert_eq!(first.notes(), ["sheet `Data` is read, of Cover, Data, Old (set `sheet` to NAME)"]);
    assert_eq!(numbers(&of(Some("Old")).unwrap(), "cost"), [2.0]);
    assert_eq!(numbers(&of(Some("3")).unwrap(), "cost"), [2.0]);
    let error = |sheet| of(Some(sheet)).unwrap_err().to_string();
    assert_eq!(error("New"), "memory: there is no sheet `New`; the sheets are Cover, Data, Old");
    assert!(error("0").contains("there is no sheet `0`"));
    assert_eq!(error("Cover"), "memory: sheet `Cover` has no table: a header and a row below it");
}

#[test]
fn errors_name_the_row_of_the_sheet() {
    let rows = ["Outages|-", "-|-", "state|cost", "Texas|1", "Maine|many"];
    let error = parse_xlsx_bytes(&words(&rows), Roles::new().impact("cost")).unwrap_err();
    assert!(error.to_string().starts_with("memory:5: cost is `many`"), "{error}");
}

#[test]
fn a_cell_far_away_is_one_more_column() {
    let bytes = book(|sheet| {
        sheet.write_string(0, 0, "a").unwrap();
        sheet.write_string(0, 16_383, "b").unwrap();
        sheet.write_number(1_048_575, 0, 1).unwrap();
    });
    let data = parse_xlsx_bytes(&bytes, exact()).unwrap();
    assert_eq!((data.len(), data.line(0)), (1, 1_048_576));
    assert_eq!(data.column_order(), ["a", "b"]);
}

#[test]
fn what_is_written_is_read_and_equal_data_give_equal_bytes() {
    let csv =
        b"storm,network,cost,wind,soil\n1,\"=a, 1\",0.1,14.25,wet\n1,b,,3e-9,\n2,a,1e17,,dry\n";
    let data = parse_csv_bytes(csv, exact()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    write(&data, &path("a.xlsx"), None).unwrap();
    write(&data, &path("b.xlsx"), None).unwrap();
    let back = read(&path("a.xlsx"), exact()).unwrap();
    assert_eq!(columns(&path("a.xlsx"), &FileOptions::default()).unwrap(), data.column_order());
    assert_eq!(back.feature_info(), data.feature_info());
    for name in ["storm", "cost", "wind"] {
        let bits = |data| {
            numbers(data, name).into_iter().map(|v| v.to_bits() & !(1 << 63)).collect::<Vec<_>>()
        };
        assert_eq!(bits(&back), bits(&data), "{name}");
    }
    assert_eq!(texts(&back, "network"), ["=a, 1", "b", "a"]);
    assert_eq!(std::fs::read(path("a.xlsx")).unwrap(), std::fs::read(path("b.xlsx")).unwrap());
}

#[test]
fn a_table_given_as_csv_is_written_with_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.xlsx").to_str().unwrap().to_owned();
    let csv = "list,rank,id,score\n7,1,017,0.25\n7,2,3,0.125\n";
    write_csv_as(csv, Roles::new().list("list").id("id"), &path, stakes_io::Format::Xlsx).unwrap();
    let back = read(&path, exact()).unwrap();
    assert_eq!(back.column_order(), ["list", "rank", "id", "score"]);
    assert_eq!(numbers(&back, "score"), [0.25, 0.125]);
    assert_eq!(texts(&back, "id"), ["017", "3"]);
}

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = std::io::Cursor::new(Vec::new());
    let mut zip = ZipWriter::new(&mut out);
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap();
    out.into_inner()
}

fn refused(bytes: &[u8]) -> String {
    let refused: Result<Dataset, ReadError> = parse_xlsx_bytes(bytes, exact());
    refused.unwrap_err().to_string()
}

#[test]
fn damaged_workbooks_and_bombs_are_refused() {
    let whole = words(&["a|b", "1|2"]);
    for cut in [0, 1, 40, whole.len() / 2, whole.len() - 1] {
        let error = refused(&whole[..cut]);
        assert!(error.contains("damaged"), "{cut}: {error}");
    }
    for at in (30..whole.len()).step_by(97) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        // It may still be right: not every byte counts.
        drop(parse_xlsx_bytes(&bytes, exact()));
    }
    assert!(refused(&archive(&[("word/document.xml", b"<x/>")])).contains("damaged"));
    let zeros = vec![b' '; 300 << 20];
    let bomb = archive(&[("xl/sharedStrings.xml", &zeros)]);
    let error = refused(&bomb);
    assert!(bomb.len() < 1 << 20 && error.contains("expands to more than 256 MB"), "{error}");
}
