//! Metrics by severity (McBride et al. 2019, section 5): where an order does well, by fifths of the lists by what could
//! be saved in them.

use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::display::nice_number;
use stakes_core::goal::Goal;
use stakes_core::metric::{Metric, Scale, Spec};
use stakes_eval::study::{RowKind, Study};

use super::{Evaluation, metric_names, metrics};
use crate::Error;
use crate::text::{Cell, Page, Table, short};

const FIFTHS: usize = 5;

/// A metric of a score, by fifths of the lists.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BySeverity {
    /// The score.
    pub score: String,
    /// The metric.
    pub metric: String,
    /// The fifths, that of the least savable cost first; fewer, if there are fewer lists.
    pub fifths: Vec<Fifth>,
}

/// The lists of a fifth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fifth {
    /// Their number.
    pub lists: usize,
    /// The least that could be saved in one of them.
    pub from: f64,
    /// The most.
    pub to: f64,
    /// The metric's figure over them; `null` if none has a value.
    pub value: Option<f64>,
}

/// Every metric of every score by fifths of Ideal@k. Lists in which nothing can be saved are left out.
pub(super) fn by_severity(
    problem: &Problem<'_>,
    goal: &Goal,
    found: &Study,
    of_study: &[Metric],
) -> Result<Vec<BySeverity>, Error> {
    let data = problem.data();
    let savable = &metrics(goal, &["rcs".parse::<Spec>()?], Scale::of(data))?[0];
    let ideal = |list: usize| savable.prepare(&problem.list(list)).weight();
    let mut lists: Vec<(usize, f64)> =
        (0..data.n_lists()).map(|list| (list, ideal(list))).collect();
    lists.retain(|(_, ideal)| *ideal > 0.0);
    lists.sort_by(|a, b| a.1.total_cmp(&b.1));
    let bounds = |fifth: usize| fifth * lists.len() / FIFTHS;
    let parts: Vec<&[(usize, f64)]> = (0..FIFTHS)
        .map(|fifth| &lists[bounds(fifth)..bounds(fifth + 1)])
        .filter(|part| !part.is_empty())
        .collect();
    let scores = found.results.iter().filter(|row| row.kind == RowKind::Score);
    let of_row = |row: &stakes_eval::study::ResultRow| {
        let metric = of_study.iter().find(|metric| metric.name() == row.metric)?;
        let fifth = |part: &&[(usize, f64)]| {
            let values: Vec<_> = part.iter().map(|(list, _)| row.per_list[*list]).collect();
            let aggregate = metric.aggregate();
            Fifth {
                lists: part.len(),
                from: part[0].1,
                to: part[part.len() - 1].1,
                value: aggregate.figure(&aggregate.parts(&values)),
            }
        };
        let (score, metric) = (row.score.clone(), row.metric.clone());
        Some(BySeverity { score, metric, fifths: parts.iter().map(fifth).collect() })
    };
    Ok(scores.filter_map(of_row).collect())
}

pub(super) fn write(page: &mut Page, evaluation: &Evaluation) {
    let Some(first) = evaluation.by_severity.first() else { return };
    page.heading("By severity");
    let bounds =
        |fifth: &Fifth| format!("{} to {}", nice_number(fifth.from), nice_number(fifth.to));
    let mut table =
        Table::new(std::iter::once("score".to_owned()).chain(first.fifths.iter().map(bounds)));
    for metric in metric_names(&evaluation.study) {
        table.group(metric);
        for row in evaluation.by_severity.iter().filter(|row| row.metric == metric) {
            let value = |fifth: &Fifth| fifth.value.map_or_else(|| "-".to_owned(), short).into();
            let cells = row.fifths.iter().map(value);
            table.row(std::iter::once(Cell::from(row.score.as_str())).chain(cells));
        }
    }
    page.table(&table);
    page.text("columns: fifths of the lists by what could be saved in each, least first");
}
