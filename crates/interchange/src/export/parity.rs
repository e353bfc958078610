//! Parity packs: rows with the scores that a reader must give.
//!
//! Rows are made from the model alone, by a seed: values at its thresholds and the numbers just below and above them,
//! values between them, 0, the largest numbers and infinities, missing values, known and unseen categories. Numbers
//! are 32-bit ones, written with all digits, so that every reader sees the same.

use std::collections::BTreeSet;

use stakes_core::random::{Stream, purpose};
use stakes_model::tree::Test;
use stakes_model::{Input, Model};

use super::{ExportOptions, Precision};

/// Rows, scores, and how to compare them.
#[derive(Debug, Clone, PartialEq)]
pub struct Parity {
    /// A CSV file: a column for each feature, then `score` and, if the export has it, `expected_cost`.
    pub bytes: Vec<u8>,
    /// The number of rows.
    pub rows: usize,
    /// A line of code that fails if a score differs by more than the stated precision; to be run in the folder of
    /// the two files.
    pub check: String,
}

/// What a reader of a format takes for rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pack {
    /// Whether categories are given by name instead of by code.
    pub(super) names: bool,
    /// Whether unseen categories are allowed; otherwise they are missing values.
    pub(super) unseen: bool,
    /// Whether numbers may be infinite.
    pub(super) infinite: bool,
    /// Whether numbers nearer to 0 than 1e-35 are told from 0.
    pub(super) tiny: bool,
    /// The line that checks the pack.
    pub(super) check: fn(&Check) -> String,
}

/// What lines of code are made of.
pub(super) struct Check<'a> {
    /// The names of the two files, without their folder.
    pub(super) file: &'a str,
    pub(super) parity: &'a str,
    /// The number of features.
    pub(super) width: usize,
    /// The features, as the pack has them, and whether they are categorical.
    pub(super) columns: Vec<(&'a str, bool)>,
    pub(super) precision: Precision,
    /// Whether there are expected costs.
    pub(super) has_costs: bool,
}

/// A value of a row.
#[derive(Debug, Clone, Copy)]
enum Cell {
    Missing,
    Unseen,
    Number(f32),
    Code(u8),
}

impl Cell {
    /// As the model reads it.
    fn value(self) -> f32 {
        match self {
            Cell::Missing | Cell::Unseen => f32::NAN,
            Cell::Number(x) => x,
            Cell::Code(code) => f32::from(code),
        }
    }
}

/// Makes the pack of an export whose features have these names.
pub(super) fn pack(
    model: &Model,
    options: &ExportOptions,
    names: &[String],
    precision: Precision,
) -> Parity {
    let target = options.target;
    let rows = rows(model, options);
    let calibration = model.calibration.as_ref().filter(|_| target.holds_calibration);
    let score = free("score", names);
    let cost = free("expected_cost", names);
    let mut head: Vec<String> = names.iter().map(|name| quoted(name, target.pack.names)).collect();
    head.push(score);
    head.extend(calibration.map(|_| cost));
    let mut text = head.join(",") + "\n";
    for row in &rows {
        let values: Vec<f32> = row.iter().map(|cell| cell.value()).collect();
        let score = model.scorer.score(&values);
        let mut fields: Vec<String> =
            (row.iter().enumerate()).map(|(j, cell)| field(*cell, j, model, &target.pack)).collect();
        fields.push(format!("{score:?}"));
        fields.extend(calibration.map(|c| format!("{:?}", c.expected(score).mean)));
        text += &(fields.join(",") + "\n");
    }
    let base = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned();
    let columns = names.iter().map(String::as_str);
    let categorical = model.features.iter().map(|feature| feature.categories.is_some());
    let check = (target.pack.check)(&Check {
        file: &base(&options.file),
        parity: &base(&options.parity_file()),
        width: names.len(),
        columns: columns.zip(categorical).collect(),
        precision,
        has_costs: calibration.is_some(),
    });
    Parity { bytes: text.into_bytes(), rows: rows.len(), check }
}

/// A name for a column that no feature has.
fn free(name: &str, taken: &[String]) -> String {
    match taken.iter().any(|other| other == name) {
        true => free(&format!("{name}_"), taken),
        false => name.to_owned(),
    }
}

/// A text as a field of CSV. Packs of codes are read by simple means: their names lose line breaks.
fn quoted(text: &str, as_it_is: bool) -> String {
    let text = match as_it_is {
        true => text.to_owned(),
        false => text.replace(['\n', '\r'], " "),
    };
    match text.contains([',', '"', '\n', '\r', ' ', '#']) || text.is_empty() {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

fn field(cell: Cell, feature: usize, model: &Model, pack: &Pack) -> String {
    let known = model.features[feature].categories.as_deref().unwrap_or(&[]);
    match cell {
        Cell::Missing => String::new(),
        Cell::Unseen if pack.names && pack.unseen => quoted(&free("unseen", known), true),
        Cell::Unseen => String::new(),
        Cell::Number(x) => format!("{:?}", f64::from(x)),
        Cell::Code(code) if pack.names => quoted(&known[usize::from(code)], true),
        Cell::Code(code) => code.to_string(),
    }
}

fn rows(model: &Model, options: &ExportOptions) -> Vec<Vec<Cell>> {
    let numbers: Vec<Vec<f32>> =
        (0..model.features.len()).map(|feature| numbers(model, feature as u32)).collect();
    let seed = purpose(options.seed, b"parity  ");
    (0..options.parity_rows)
        .map(|row| {
            let stream = Stream::new(seed, row as u64);
            let cell = |(j, feature): (usize, &stakes_model::ModelFeature)| {
                let draw = Draw { stream, index: 8 * j as u64 };
                match &feature.categories {
                    Some(known) => draw.category(row, known.len(), options),
                    None => draw.number(row, &numbers[j], options),
                }
            };
            model.features.iter().enumerate().map(cell).collect()
        })
        .collect()
}

/// The numbers of a feature where something changes: thresholds, means, and means plus deviations.
fn numbers(model: &Model, feature: u32) -> Vec<f32> {
    let mut found = BTreeSet::new();
    let mut add = |x: f32| {
        if x.is_finite() {
            // In the order of numbers.
            let bits = x.to_bits();
            found.insert(if bits >> 31 == 0 { bits | 1 << 31 } else { !bits });
        }
    };
    for factor in &model.scorer.factors {
        for node in factor.trees.iter().flat_map(|tree| &tree.nodes) {
            if let (true, Test::AtMost(threshold)) = (node.feature == feature, &node.test) {
                add(*threshold);
            }
        }
        for input in factor.net.iter().flat_map(|net| &net.inputs) {
            match *input {
                Input::Number { feature: own, mean, deviation } if own == feature => {
                    [-2.0, -1.0, 0.0, 1.0, 2.0].into_iter().for_each(|k| add((mean + k * deviation) as f32));
                }
                _ => {}
            }
        }
    }
    let number = |bits: u32| f32::from_bits(if bits >> 31 == 1 { bits & !(1 << 31) } else { !bits });
    let found: Vec<f32> = found.into_iter().map(number).collect();
    if found.is_empty() { vec![0.0, 1.0] } else { found }
}

/// The draws of one value.
struct Draw {
    stream: Stream,
    index: u64,
}

impl Draw {
    fn below(&self, which: u64, n: usize) -> usize {
        self.stream.below(self.index + which, n)
    }

    fn category(&self, row: usize, known: usize, options: &ExportOptions) -> Cell {
        let missing = if options.no_missing { Cell::Unseen } else { Cell::Missing };
        match (row, self.below(0, 8)) {
            (0, _) => missing,
            (1, _) => Cell::Unseen,
            (_, 0) => missing,
            (_, 1) => Cell::Unseen,
            _ if known == 0 => Cell::Unseen,
            _ => Cell::Code(self.below(1, known) as u8),
        }
    }

    fn number(&self, row: usize, numbers: &[f32], options: &ExportOptions) -> Cell {
        let pack = &options.target.pack;
        let any = |which| numbers[self.below(which, numbers.len())];
        let extremes = [0.0, -0.0, 1.0, -1.0, f32::MAX, f32::MIN, f32::INFINITY, f32::NEG_INFINITY];
        let extremes = if pack.infinite { &extremes[..] } else { &extremes[..6] };
        let x = match (row, self.below(0, 12)) {
            (0, _) | (_, 0) if !options.no_missing => return Cell::Missing,
            (1, _) => 0.0,
            (_, 1) => extremes[self.below(1, extremes.len())],
            (_, 2 | 3) => any(1),
            (_, 4) => any(1).next_up(),
            (_, 5) => any(1).next_down(),
            _ => {
                let (a, b) = (f64::from(any(1)), f64::from(any(2)));
                let share = 1.5 * self.stream.unit(self.index + 3) - 0.25;
                (a + (b - a) * share) as f32
            }
        };
        let x = match pack.infinite {
            true => x,
            false => x.clamp(f32::MIN, f32::MAX),
        };
        Cell::Number(if !pack.tiny && x.abs() < 1e-35 { 0.0 } else { x })
    }
}
