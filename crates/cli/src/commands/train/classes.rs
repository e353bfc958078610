//! How well classes are distinguished, in words.

use stakes::classes::{ClassResult, ClassVerdict, Figure};
use stakes::data::Dataset;
use stakes::learn::multiclass::Classes;

use crate::terminal::output::{counted, table};

/// The maximum number of confusions that are named.
const MAX_SHOWN: usize = 5;

/// The figures, and which classes are taken for others.
pub(super) fn text(verdict: &ClassVerdict) -> String {
    let header = ["score", "accuracy", "cost-weighted error"].map(str::to_owned);
    let cell = |figure: Figure| match figure.low.zip(figure.high) {
        Some((low, high)) => format!("{:.4} [{low:.4}, {high:.4}]", figure.value),
        None => format!("{:.4}", figure.value),
    };
    let row = |result: &ClassResult| {
        vec![result.score.clone(), cell(result.accuracy), cell(result.cost_weighted_error)]
    };
    let rows: Vec<Vec<String>> = verdict.results.iter().map(row).collect();
    let mut text = format!("\n{}\n", table(&header, &rows));
    text += &format!(
        "cost-weighted error: a mistake of mean cost counts 1 ({})\n\
         [low, high]: 95% intervals, Student's t over rows\n",
        verdict.costs
    );
    let shown: Vec<String> = verdict
        .confused
        .iter()
        .take(MAX_SHOWN)
        .map(|c| format!("{} for {} ({})", c.class, c.taken_for, c.rows))
        .collect();
    if !shown.is_empty() {
        let more = if verdict.confused.len() > MAX_SHOWN { ", ..." } else { "" };
        text += &format!("taken for another class: {}{more}\n", shown.join(", "));
    }
    text
}

/// The number of rows and classes.
pub(super) fn size(classes: &Classes, data: &Dataset) -> String {
    let (rows, names) = (counted(data.n_lists(), "row"), classes.names.len());
    format!("{rows} of {names} classes of {}", data.source())
}
