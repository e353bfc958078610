//! CSV of several pieces: the same from a file and from memory, with any number of threads.

use std::fmt::Write;

use stakes_core::data::Dataset;
use stakes_io::{ReadError, ReadOptions, Roles, parse_csv_bytes, read};

const ROWS: usize = 12_000;

/// A table of about 500 kB, with the line and the name of each row. Names have line ends, quotes and commas; there are
/// empty lines and line ends of both kinds.
fn table() -> (String, Vec<(u64, String)>) {
    let mut text = "list,y,name,x,code\n".to_owned();
    let (mut rows, mut line, mut counted) = (Vec::new(), 1, 0);
    for i in 0..ROWS {
        if i % 50 == 0 {
            text.push_str("\n\r\n");
        }
        line += text[counted..].matches('\n').count() as u64;
        counted = text.len();
        let (name, is_quoted) = match i % 7 {
            0 => ("a \"quoted\" name,\nof two lines".to_owned(), true),
            1 => ("5\" pipe".to_owned(), false),
            2 => ("a\r\nb".to_owned(), true),
            _ => (format!("plain {}", i % 11), false),
        };
        let field =
            if is_quoted { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.clone() };
        rows.push((line, name));
        let end = if i % 3 == 0 { "\r\n" } else { "\n" };
        write!(text, "list {},{},{field},{},{:03}{end}", i / 40, i % 5, x(i), i % 13).unwrap();
    }
    (text, rows)
}

fn x(row: usize) -> f32 {
    row as f32 / 8.0 - 100.0
}

/// Reads bytes from a file and from memory, with 1, 2 and 5 threads: the outcomes must be the same.
fn outcome<T: PartialEq + std::fmt::Debug>(
    bytes: &[u8],
    of: impl Fn(Result<Dataset, ReadError>) -> T,
) -> T {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory").to_str().unwrap().to_owned();
    std::fs::write(&path, bytes).unwrap();
    let options = || -> ReadOptions {
        let roles = Roles::new().list("list").impact("y").numeric(["x"]);
        ReadOptions::from(roles).format(stakes_io::Format::Csv)
    };
    let mut outcomes = Vec::new();
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        outcomes.push(of(pool.install(|| read(&path, options()))));
        outcomes.push(of(pool.install(|| parse_csv_bytes(bytes, options()))));
    }
    let first = outcomes.remove(0);
    outcomes.iter().for_each(|other| assert_eq!(*other, first));
    first
}

/// The message about bytes, without the name of their source.
fn refusal(bytes: &[u8]) -> String {
    let message = |data: Result<Dataset, ReadError>| {
        let message = data.unwrap_err().to_string();
        let at = message.find("memory").unwrap();
        message[at + "memory".len()..].to_owned()
    };
    outcome(bytes, message)
}

#[test]
fn every_row_is_where_it_was() {
    let (text, rows) = table();
    outcome(text.as_bytes(), |data| {
        let data = data.unwrap();
        assert_eq!((data.len(), data.n_lists()), (ROWS, ROWS / 40));
        let names = data.feature_info();
        for (i, (line, name)) in rows.iter().enumerate() {
            let row = data.features().row(i);
            assert_eq!(data.line(i), *line, "row {i}");
            assert_eq!(names[0].category(row[0]), Some(name.as_str()), "row {i}");
            assert_eq!(row[1], x(i), "row {i}");
            assert_eq!(names[2].category(row[2]), Some(format!("{:03}", i % 13).as_str()));
        }
        data.features().values().iter().map(|value| value.to_bits()).collect::<Vec<_>>()
    });
}

#[test]
fn the_first_mistake_in_the_file_is_told() {
    let (text, rows) = table();
    let late = |i: usize| format!("list {},{},plain", i / 40, i % 5);
    let wrong = |text: &str, i: usize, by: &str| text.replacen(&format!(",{},", x(i)), by, 1);
    let two = wrong(&wrong(&text, 9_001, ",oops,"), 11_000, ",oh,");
    let line = rows[9_001].0;
    let message = refusal(two.as_bytes());
    assert!(
        message.starts_with(&format!(":{line}")) && message.contains("x is `oops`"),
        "{message}"
    );
    // A wrong width is seen before any value.
    let three = wrong(&two, 11_500, ",1,2,");
    let message = refusal(three.as_bytes());
    let line = rows[11_500].0;
    assert!(message.starts_with(&format!(":{line}: the row has 6 fields")), "{message}");
    // A wrong cost is seen with the rows, in order.
    let negative = text.replacen(&late(8_004), &late(8_004).replace(",4,", ",-4,"), 1);
    assert_ne!(negative, text);
    let message = refusal(wrong(&negative, 9_001, ",oops,").as_bytes());
    assert!(message.starts_with(&format!(":{}", rows[8_004].0)), "{message}");
    // What is not text is seen first of all.
    let mut bytes = three.into_bytes();
    bytes.extend_from_slice(b"\xff\n");
    let message = refusal(&bytes);
    let line = 1 + text.matches('\n').count();
    assert!(message.starts_with(&format!(":{line}: byte 0xff is not UTF-8")), "{message}");
}

#[test]
fn a_quote_that_is_never_closed_is_found_across_pieces() {
    let (text, _) = table();
    let plain: String = text.chars().filter(|c| *c != '"').collect();
    let lines = plain.lines().filter(|line| line.contains(",plain"));
    let mut lines: Vec<String> = lines.map(str::to_owned).collect();
    lines[100] = lines[100].replace("plain", "\"plain");
    let message = refusal(format!("list,y,name,x,code\n{}\n", lines.join("\n")).as_bytes());
    assert!(message.starts_with(":102: a quote is opened in this row"), "{message}");
}

#[test]
fn a_header_may_follow_many_empty_lines_or_a_mark() {
    let (text, rows) = table();
    for (before, lines) in [("\n".repeat(300_000), 300_000), ("\u{feff}".to_owned(), 0)] {
        outcome(format!("{before}{text}").as_bytes(), |data| {
            assert_eq!(data.unwrap().line(ROWS - 1), lines + rows[ROWS - 1].0);
        });
    }
}
