//! How well classes are distinguished, in words.

use stakes::classes::{ClassResult, ClassVerdict, Figure};
use stakes::data::Dataset;
use stakes::learn::multiclass::Classes;
use stakes::text::{Page, Table};

use crate::terminal::output::counted;

/// The maximum number of confusions that are named.
const MAX_SHOWN: usize = 5;

/// The figures, and which classes are taken for others.
pub(super) fn write(page: &mut Page, verdict: &ClassVerdict) {
    let mut table = Table::new(["score", "accuracy", "cost-weighted error"]);
    let cell = |figure: Figure| match figure.low.zip(figure.high) {
        Some((low, high)) => format!("{:.4} [{low:.4}, {high:.4}]", figure.value),
        None => format!("{:.4}", figure.value),
    };
    for result in &verdict.results {
        let ClassResult { score, accuracy, cost_weighted_error, .. } = result;
        table.row([score.clone(), cell(*accuracy), cell(*cost_weighted_error)]);
    }
    page.table(&table);
    page.gap();
    page.text(&format!("cost-weighted error: a mistake of mean cost counts 1 ({})", verdict.costs));
    page.text("[low, high]: 95% intervals, Student's t over rows");
    let shown: Vec<String> = verdict
        .confused
        .iter()
        .take(MAX_SHOWN)
        .map(|c| format!("{} for {} ({})", c.class, c.taken_for, c.rows))
        .collect();
    if !shown.is_empty() {
        let more = if verdict.confused.len() > MAX_SHOWN { ", ..." } else { "" };
        page.text(&format!("taken for another class: {}{more}", shown.join(", ")));
    }
}

/// The number of rows and classes.
pub(super) fn size(classes: &Classes, data: &Dataset) -> String {
    let (rows, names) = (counted(data.n_lists(), "row"), classes.names.len());
    format!("{rows} of {names} classes of {}", data.source())
}
