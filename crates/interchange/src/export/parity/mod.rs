//! Parity packs: rows with the scores that a reader must give.
//!
//! Rows are made from the model alone, by a seed: values at its thresholds and the numbers just below and above them,
//! values between them, 0, the largest numbers and infinities, missing values, known and unseen categories. Numbers
//! are 32-bit ones, written with all digits, so that every reader sees the same.

mod rows;

use stakes_core::data::{Columns, DatasetBuilder, Feature, Row};
use stakes_model::{Model, ModelFeature};

use super::parts::needs_lists;
use super::{ExportOptions, Precision};
use rows::{Cell, rows};

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
    /// Of expected costs, if there are any.
    pub(super) cost_precision: Option<Precision>,
}

/// Makes the pack of an export whose features have these names.
pub(super) fn pack(
    model: &Model,
    options: &ExportOptions,
    names: &[String],
    precision: Precision,
    cost_precision: Option<Precision>,
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
    for (row, score) in rows.iter().zip(scores(model, &rows)) {
        let mut fields: Vec<String> = (row.iter().enumerate())
            .map(|(j, cell)| field(*cell, j, model, &target.pack))
            .collect();
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
        cost_precision,
    });
    Parity { bytes: text.into_bytes(), rows: rows.len(), check }
}

/// The scores of the rows, which are one list for models that need one.
fn scores(model: &Model, rows: &[Vec<Cell>]) -> Vec<f64> {
    let values = |row: &Vec<Cell>| row.iter().map(|cell| cell.value()).collect::<Vec<f32>>();
    if !needs_lists(model) {
        return rows.iter().map(|row| model.scorer.score(&values(row))).collect();
    }
    let feature = |f: &ModelFeature| match &f.categories {
        None => Feature::numeric(&*f.name),
        Some(known) => Feature::categorical(&*f.name, known.clone()),
    };
    let columns = Columns::of_features(model.features.iter().map(feature).collect());
    let list = || {
        let mut builder = DatasetBuilder::new("parity", columns)?;
        for row in rows {
            builder.push(Row { features: &values(row), ..Row::default() })?;
        }
        builder.finish()
    };
    let list = list().unwrap_or_else(|error| unreachable!("finite features of the model: {error}"));
    model.score(&list).unwrap_or_else(|error| unreachable!("features of the model: {error}"))
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
