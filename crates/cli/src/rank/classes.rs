//! Classes of rows, by a model that ranks them.

use serde::Serialize;
use stakes::data::Dataset;
use stakes::learn::multiclass::Classes;

use super::because::Because;
use super::expected::Outlook;
use super::write::{Target, writer};
use super::{Placed, tell};
use crate::output::{counted, note};

/// One line of the result.
#[derive(Serialize)]
struct Told<'a> {
    row: &'a str,
    rank: usize,
    class: &'a str,
    score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    chance: Option<f64>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    because: Option<&'a Because<'a>>,
}

/// A table, or JSON.
pub(crate) fn written(rows: &[Placed<'_>], target: Target) -> anyhow::Result<String> {
    let told = |placed: &'_ Placed<'_>| -> (String, Option<f64>) {
        (placed.id.to_string(), placed.outlook.as_ref().map(Outlook::mean))
    };
    let own: Vec<(String, Option<f64>)> = rows.iter().map(told).collect();
    let told = rows.iter().zip(&own).map(|(placed, (class, chance))| Told {
        row: placed.list,
        rank: placed.rank,
        class,
        score: placed.score,
        chance: *chance,
        because: placed.because.as_ref(),
    });
    if target == Target::Json {
        return Ok(serde_json::to_string_pretty(&told.collect::<Vec<_>>())? + "\n");
    }
    let mut table = writer(target);
    let mut header = vec!["row", "rank", "class", "score"];
    header.extend(rows.iter().any(|row| row.outlook.is_some()).then_some("chance"));
    header.extend(rows.iter().any(|row| row.because.is_some()).then_some("because"));
    table.write_record(header)?;
    for told in told {
        let first = [told.row, &told.rank.to_string(), told.class, &told.score.to_string()]
            .map(str::to_owned);
        let chance = told.chance.map(|chance| chance.to_string());
        let because = told.because.map(ToString::to_string);
        table.write_record(first.into_iter().chain(chance).chain(because))?;
    }
    Ok(String::from_utf8(table.into_inner()?)?)
}

/// Says how many rows are right, where the class is known.
pub(crate) fn tell_accuracy(classes: &Classes, rows: &Dataset, scores: &[f64]) {
    if !rows.feature_info().iter().any(|feature| feature.name == classes.column) {
        return;
    }
    match classes.right(rows) {
        Ok(right) => {
            let pairs = right.iter().zip(classes.chosen(scores));
            let hits = pairs.filter(|(right, taken)| **right == *taken).count();
            let share = hits as f64 / right.len() as f64;
            let all = counted(right.len(), "row");
            note(format!(
                "{hits} of {all} are of the class that {} says: {share:.4}",
                classes.column
            ));
        }
        Err(error) => tell("the share of right classes is not known", &[error.to_string()]),
    }
}
