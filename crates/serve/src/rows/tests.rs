//! Whatever the body, the quick way and the general one lead to the same answer.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;
use std::sync::OnceLock;

use bytes::Bytes;
use stakes::prelude::*;
use stakes::random::Stream;

use crate::models::Loaded;
use crate::options::ServeLimits;
use crate::query::Query;
use crate::upload::{Rows, Upload};
use crate::work::{Ask, Wanted, answer};

const COLUMNS: [&str; 8] =
    ["storm", "network", "hours", "wind", "rain", "pole", "customers", "date"];

/// The same model twice: once as it is served, once without the quick way.
struct Both {
    quick: Loaded,
    general: Loaded,
}

impl Both {
    /// The answers, in all that can be seen of them, and whether the quick way was taken.
    fn ask(&self, ask: Ask, parameters: &str, body: &[u8]) -> ([String; 2], bool) {
        let limits = ServeLimits { rows: 7, ..ServeLimits::default() };
        let query = Query::parse(Some(parameters), ask.parameters()).unwrap();
        let answers = [&self.quick, &self.general].map(|loaded| {
            let upload = Upload::new(Rows::Json, Bytes::copy_from_slice(body), None);
            format!("{:?}", answer(ask, loaded, upload, &query, Wanted::Json, &limits))
        });
        let known = self.quick.known_rows.as_ref().unwrap();
        (answers, known.read(body, Some(limits.of_reading())).is_some())
    }
}

/// Two models: one of trees in folds with prices and categories, and one of weights without.
fn models() -> &'static [Both; 2] {
    static MODELS: OnceLock<[Both; 2]> = OnceLock::new();
    MODELS.get_or_init(|| {
        let data = stakes::io::parse_csv_bytes(training().as_bytes(), roles()).unwrap();
        let fit = |learner: &str, parameters: &[(&str, &str)]| {
            let fit = Fit::with_parameters(learner, parameters.iter().copied()).unwrap();
            let model = fit.folds(3).fit(&data, &Goal::act_on(2)).unwrap();
            Both {
                quick: Loaded::new("model", model.clone(), 0),
                general: Loaded { known_rows: None, ..Loaded::new("model", model, 0) },
            }
        };
        let trees = [("rounds", "5"), ("leaves", "4"), ("min_data_in_leaf", "2")];
        [fit("mart", &trees), fit("ridge", &[])]
    })
}

fn roles() -> Roles {
    Roles::new().list("storm").id("network").price("hours").impact("customers").time("date")
}

/// Lists of four items.
fn training() -> String {
    let mut csv = COLUMNS.join(",") + "\n";
    for i in 0..160_u64 {
        let (storm, wind, rain) = (i / 4, i * 7 % 31, i * 5 % 11);
        let pole = ["wood", "steel", "3"][i as usize % 3];
        let date = format!("2024-01-{:02}", 1 + storm % 28);
        let customers = wind * (1 + i % 3) + rain;
        writeln!(csv, "{storm},n{i},{},{wind}.5,{rain},{pole},{customers},{date}", 1 + i % 5)
            .unwrap();
    }
    csv
}

/// The cell that a column usually has.
fn cell(column: &str, row: u64, draw: Stream) -> String {
    let pick = |texts: &[&str]| texts[draw.word(1) as usize % texts.len()].to_owned();
    match column {
        "storm" => pick(&["\"a\"", "\"b\""]),
        "network" => format!("\"n{row}\""),
        "hours" => pick(&["1", "2.5", "0"]),
        "pole" => pick(&["\"wood\"", "\"steel\"", "\"3\"", "null", "\"NA\""]),
        "date" => "\"2024-02-01\"".to_owned(),
        _ => pick(&["14", "-3.25", "1e2", "0.1", "141.40000000000001", "null", "2E-3", "-0"]),
    }
}

/// Cells of all sorts, most of which are out of place somewhere.
const ODD: [&str; 40] = [
    "null",
    "true",
    "false",
    "\"14\"",
    "\"\"",
    "\" \"",
    "[1]",
    "{\"a\":1}",
    "01",
    "1.",
    ".5",
    "+1",
    "1e400",
    "-1e400",
    "1e39",
    "1e-400",
    "-0",
    "0",
    "17",
    "-17",
    "9007199254740993",
    "123456789012345678",
    "1234567890123456789",
    "12345678901234567890",
    "-12345678901234567890",
    "123456789012345678901234567890",
    "17.0",
    "1e5",
    "1E+05",
    "1e",
    "-",
    "\"n\\u00e9\\\"x\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud83d\"",
    "\"\\q\"",
    "\"a\tb\"",
    "\"iron\"",
    "nul",
    "NaN",
    "\"Zoë\"",
];

/// Names of columns that are not usual.
const OTHER_NAMES: [&str; 7] = ["w\\u0069nd", " wind", "Wind", "other", "", "wind\\\"", "\\ud800"];

/// A body, with so many oddities.
fn body(seed: u64, oddities: u64) -> Vec<u8> {
    let draw = Stream::new(seed, 0);
    let below = |at: u64, n: usize| draw.word(at) as usize % n;
    let rows = 1 + below(0, 8);
    let mut cells: Vec<Vec<(String, String)>> = (0..rows as u64)
        .map(|row| {
            let cell = |(at, column): (usize, &&str)| {
                let draw = Stream::new(seed, 1 + row * 100 + at as u64);
                ((*column).to_owned(), cell(column, row, draw))
            };
            let mut cells: Vec<_> = COLUMNS.iter().enumerate().map(cell).collect();
            // The order of the first row is mostly that of the others.
            let turn = below(if below(1, 4) == 0 { 2 + row } else { 2 }, cells.len());
            cells.rotate_left(turn);
            let leaves_out = below(20, 3);
            cells.retain(|(name, _)| match name.as_str() {
                "customers" | "date" => leaves_out > 0,
                "hours" => leaves_out > 1,
                _ => true,
            });
            cells
        })
        .collect();
    for odd in 0..oddities {
        let at = 100 + 10 * odd;
        let row = &mut cells[below(at, rows)];
        if row.is_empty() {
            continue;
        }
        let column = below(at + 1, row.len());
        match below(at + 2, 6) {
            0 => drop(row.remove(column)),
            1 => row.push(row[column].clone()),
            2 => row[column].0 = OTHER_NAMES[below(at + 3, OTHER_NAMES.len())].to_owned(),
            3 => row.insert(
                column,
                (OTHER_NAMES[below(at + 3, OTHER_NAMES.len())].to_owned(), "1".to_owned()),
            ),
            4 => {
                // The same in all rows, as far as they have it.
                let name = row[column].0.clone();
                let value = ODD[below(at + 3, ODD.len())];
                let cells = cells.iter_mut().flatten().filter(|(other, _)| *other == name);
                cells.for_each(|(_, cell)| *cell = value.to_owned());
            }
            _ => row[column].1 = ODD[below(at + 3, ODD.len())].to_owned(),
        }
    }
    let blank = ["", " ", "\n", "\r\n\t"][below(30, 4)];
    let row = |row: &Vec<(String, String)>| {
        let cells: Vec<String> = row
            .iter()
            .map(|(name, cell)| format!("{blank}\"{name}\"{blank}:{blank}{cell}{blank}"))
            .collect();
        format!("{blank}{{{}}}{blank}", cells.join(","))
    };
    let array = format!("[{}]", cells.iter().map(row).collect::<Vec<_>>().join(","));
    let text = match below(31, 12) {
        0 => format!("{{ \"rows\" :{array} }}"),
        1 => format!("{{\"rows\":{array}, \"more\": 1}}"),
        _ => array,
    };
    let mut bytes = format!("{blank}{text}{blank}").into_bytes();
    match below(32, 40) {
        0 => bytes.truncate(below(33, bytes.len())),
        1 => bytes.push(b'x'),
        2 => {
            let at = below(33, bytes.len());
            bytes[at] = draw.word(34) as u8;
        }
        3 => bytes = b"[]".to_vec(),
        4 => bytes = b"[{}]".to_vec(),
        _ => {}
    }
    bytes
}

#[test]
fn both_ways_lead_to_the_same_answer() {
    let parameters = ["", "k=1", "top=1", "list=a", "budget=3", "k=50%25"];
    let (mut quick, mut answered) = (0, 0);
    const BODIES: u64 = 3000;
    for seed in 0..BODIES {
        let body = body(seed, seed % 3);
        let both = &models()[seed as usize / 3 % 2];
        let (ask, parameters) = match seed % 5 {
            0 => (Ask::Score, ""),
            _ => (Ask::Rank, parameters[seed as usize / 5 % parameters.len()]),
        };
        let (answers, is_quick) = both.ask(ask, parameters, &body);
        assert_eq!(answers[0], answers[1], "{parameters}: {}", String::from_utf8_lossy(&body));
        quick += u64::from(is_quick);
        answered += u64::from(answers[0].starts_with("Ok"));
    }
    assert!(quick > BODIES / 4, "{quick} of {answered} answers, and {BODIES} bodies");
    assert!(answered > quick && answered < BODIES, "{answered}");
}

#[test]
fn lists_of_the_training_are_recognised_both_ways() {
    let csv = training();
    let lines: Vec<&str> = csv.lines().skip(1).take(4).collect();
    let row = |line: &&str| {
        let cells = COLUMNS.iter().zip(line.split(',')).map(|(name, cell)| {
            let is_text = matches!(*name, "network" | "date" | "pole");
            let quote = if is_text { "\"" } else { "" };
            format!("\"{name}\":{quote}{cell}{quote}")
        });
        format!("{{{}}}", cells.collect::<Vec<_>>().join(","))
    };
    let body = format!("[{}]", lines.iter().map(row).collect::<Vec<_>>().join(","));
    for both in models() {
        let (answers, is_quick) = both.ask(Ask::Rank, "", body.as_bytes());
        assert_eq!(answers[0], answers[1]);
        assert!(is_quick && answers[0].contains("trained on"), "{}", answers[0]);
    }
}
