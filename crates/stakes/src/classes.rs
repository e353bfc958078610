//! The classes of rows, by a model that ranks the classes that each row may have.
//!
//! Every row becomes a list whose items are the classes ([`Classes::candidates`]); the likeliest comes
//! first. Such a model is trained for the task [`Task::Classes`](crate::Task::Classes).

use serde::Serialize;
use stakes_core::act::Limit;
use stakes_core::data::Dataset;
use stakes_learn::multiclass::Classes;
use stakes_model::Model;

use crate::rank::{self, Because};
use crate::{Error, Note, data};

/// Which classes to report for each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassifyOptions {
    /// Only the row with this id.
    pub row: Option<String>,
    /// The number of classes of each row, the likeliest first.
    pub top: usize,
    /// The maximum number of reasons for a class; 0 for none.
    pub reasons: usize,
}

impl Default for ClassifyOptions {
    fn default() -> Self {
        ClassifyOptions { row: None, top: 1, reasons: 0 }
    }
}

/// The likeliest classes of rows.
///
/// As JSON it is the array of its rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Classified {
    /// Row after row, the likeliest class first.
    pub rows: Vec<ClassifiedRow>,
    /// What the model does not use of the data, and how many rows are right where that is known.
    #[serde(skip)]
    pub notes: Vec<Note>,
}

impl Classified {
    /// The classes as CSV.
    pub fn csv(&self) -> String {
        self.table(b',')
    }

    /// The same with tabs.
    pub fn tsv(&self) -> String {
        self.table(b'\t')
    }

    fn table(&self, delimiter: u8) -> String {
        let rows = &self.rows;
        let mut header = vec!["row", "rank", "class", "score"];
        header.extend(rows.iter().any(|row| row.chance.is_some()).then_some("chance"));
        header.extend(rows.iter().any(|row| row.because.is_some()).then_some("because"));
        let mut table = rank::Table::new(delimiter, header);
        for row in rows {
            let (rank, score) = (row.rank.to_string(), row.score.to_string());
            let chance = row.chance.map(|chance| chance.to_string());
            let because = row.because.as_ref().map(ToString::to_string);
            let first = [row.row.as_str(), &rank, &row.class, &score];
            table.push(first.into_iter().chain(chance.as_deref()).chain(because.as_deref()));
        }
        table.finish()
    }
}

/// A row and a class that it may have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassifiedRow {
    /// The id of the row, or its line.
    pub row: String,
    /// The position of the class, from 1.
    pub rank: usize,
    /// The class.
    pub class: String,
    /// Its score.
    pub score: f64,
    /// Its probability, if the model is calibrated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
    /// The reasons for it, if they are asked for.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub because: Option<Because>,
}

/// Predicts the classes of rows by a model that was trained for [`Task::Classes`](crate::Task::Classes), whose
/// module has an example.
pub fn classify(
    model: &Model,
    rows: &Dataset,
    options: &ClassifyOptions,
) -> Result<Classified, Error> {
    let classes = Classes::of_model(model).ok_or(Error::RankingModel)?;
    let candidates = classes.candidates(rows, false)?;
    let mut notes = data::missing_columns(model, rows);
    let matched = model.match_columns(&candidates)?;
    notes.extend(data::unused(model, &matched));
    let scores = model.score_matched(&candidates, &matched);
    notes.extend(accuracy(&classes, rows, &scores));
    let only = options.row.as_deref();
    let order = rank::Order { scores: &scores, priorities: &scores };
    let mut lists =
        rank::in_order(model, rank::totals_of(model), &candidates, order, Limit::Items(1), only)?;
    for item in lists.iter_mut().flatten() {
        item.id = classes.names[item.item % classes.names.len()].as_str().into();
    }
    rank::finish(model, &candidates, &mut lists, options.top, options.reasons)?;
    let row = |item: rank::RankedItem<'_>| ClassifiedRow {
        row: item.list.to_owned(),
        rank: item.rank,
        class: item.id.into_owned(),
        score: item.score,
        chance: item.expected_cost.value(),
        because: item.because,
    };
    Ok(Classified { rows: lists.into_iter().flatten().map(row).collect(), notes })
}

/// How many rows are right, where the class is known.
fn accuracy(classes: &Classes, rows: &Dataset, scores: &[f64]) -> Option<Note> {
    if !rows.feature_info().iter().any(|feature| feature.name == classes.column) {
        return None;
    }
    Some(match classes.right(rows) {
        Ok(truth) => {
            let pairs = truth.iter().zip(classes.chosen(scores));
            let right = pairs.filter(|(truth, taken)| **truth == *taken).count();
            Note::Accuracy { column: classes.column.clone(), right, rows: truth.len() }
        }
        Err(error) => Note::NoAccuracy { reason: error.to_string() },
    })
}
