//! The figures of an evaluation as a table.

use std::fmt::Write;

use stakes_core::display::{counted, nice_number};
use stakes_eval::study::{
    BEST_FEATURE, BestFeature, Comparison, IDEAL, RANDOM, ResultRow, RowKind, Study, StudyOptions,
};
use stakes_stats::{Correction, IntervalMethod};

use super::Evaluation;
use crate::text::{short, table};

/// The metrics of a study, in order.
pub fn metric_names(study: &Study) -> Vec<&str> {
    unique(study.results.iter().map(|r| r.metric.as_str()))
}

/// The scores of a study, in order.
pub fn score_names(study: &Study) -> Vec<&str> {
    unique(study.results.iter().map(|r| r.score.as_str()))
}

fn unique<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen: Vec<&str> = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

pub(super) fn render(evaluation: &Evaluation) -> String {
    let Evaluation { study, options, .. } = evaluation;
    let mut text = head(evaluation);
    text += &figures(study);
    text += &remarks(study, options);
    if !study.comparisons.is_empty() {
        text += &comparisons(study, options);
    }
    text
}

fn head(evaluation: &Evaluation) -> String {
    let Evaluation { data, cost_name, total_cost, .. } = evaluation;
    let (items, lists) = (counted(data.items, "item"), counted(data.lists, "list"));
    let total = nice_number(*total_cost);
    format!("{}: {items} in {lists}; cost {cost_name}, {total} in all\n\n", data.source)
}

/// The name of a reference order in tables.
pub fn shown(score: &str) -> &str {
    match score {
        BEST_FEATURE => "best single feature",
        RANDOM => "random order",
        IDEAL => "ideal order",
        name => name,
    }
}

/// The figures, scores first, references below.
pub(crate) fn figures(study: &Study) -> String {
    let metrics = metric_names(study);
    let header: Vec<String> = std::iter::once("score".to_owned())
        .chain(metrics.iter().map(|m| (*m).to_owned()))
        .collect();
    let mut rows = Vec::new();
    let mut references_begun = false;
    for score in score_names(study) {
        let cells: Vec<Option<&ResultRow>> = metrics.iter().map(|m| study.row(score, m)).collect();
        let reference = cells.iter().flatten().any(|r| r.kind == RowKind::Reference);
        if reference && !std::mem::replace(&mut references_begun, true) && !rows.is_empty() {
            rows.push(vec!["".to_owned(); header.len()]);
        }
        let name = std::iter::once(shown(score).to_owned());
        rows.push(name.chain(cells.into_iter().map(|cell| figure(cell))).collect());
    }
    table(&header, &rows)
}

fn figure(row: Option<&ResultRow>) -> String {
    let Some(ResultRow { value: Some(value), low, high, .. }) = row else { return "-".into() };
    match low.zip(*high) {
        Some((low, high)) => format!("{} [{}, {}]", short(*value), short(low), short(high)),
        None => short(*value),
    }
}

/// What must be known to read the figures.
pub(crate) fn remarks(study: &Study, options: &StudyOptions) -> String {
    let mut text = String::new();
    for (feature, metrics) in best_features(study) {
        let way = if feature.descending { "descending" } else { "ascending" };
        let metrics = metrics.join(", ");
        let _ = writeln!(
            text,
            "best single feature: {}, {way} ({metrics}; picked with hindsight on this data)",
            feature.name
        );
    }
    let lower = study.results.iter().filter(|row| !row.higher_is_better);
    let lower = unique(lower.map(|row| row.metric.as_str()));
    if !lower.is_empty() {
        let _ = writeln!(text, "lower is better for {}", lower.join(", "));
    }
    if let Some(bootstrap) = &options.bootstrap {
        let method = match bootstrap.method {
            IntervalMethod::Bca => "BCa",
            IntervalMethod::Percentile => "percentile",
        };
        let _ = writeln!(
            text,
            "[low, high]: {}% intervals, {method} bootstrap over lists, {} resamples",
            nice_number(100.0 * bootstrap.level),
            bootstrap.resamples
        );
        let fewest = study.results.iter().min_by_key(|row| row.lists);
        if let Some(row) = fewest.filter(|row| row.lists < 10) {
            let all = counted(row.per_list.len(), "list");
            let lists = match row.per_list.len() == row.lists {
                true => all,
                false => format!("{} of {all} with a value", row.lists),
            };
            let _ = writeln!(text, "only {lists}: intervals and tests say little");
        }
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// The best single features, each with the metrics that chose it.
fn best_features(study: &Study) -> Vec<(&BestFeature, Vec<&str>)> {
    let mut chosen: Vec<(&BestFeature, Vec<&str>)> = Vec::new();
    for row in &study.results {
        let Some(feature) = &row.feature else { continue };
        match chosen.iter_mut().find(|(known, _)| *known == feature) {
            Some((_, metrics)) => metrics.push(&row.metric),
            None => chosen.push((feature, vec![&row.metric])),
        }
    }
    chosen
}

fn comparisons(study: &Study, options: &StudyOptions) -> String {
    let tests = unique(study.comparisons.iter().map(|c| c.test));
    let mut header: Vec<String> = ["compared", "metric", "difference"].map(str::to_owned).into();
    header.extend(tests.iter().map(|t| format!("p {t}")));
    header.push(String::new());
    let mut rows = Vec::new();
    for metric in unique(study.comparisons.iter().map(|c| c.metric.as_str())) {
        let of_metric = || study.comparisons.iter().filter(|c| c.metric == metric);
        for score in unique(of_metric().map(|c| c.score.as_str())) {
            let cells: Vec<&Comparison> = of_metric().filter(|c| c.score == score).collect();
            let Some(first) = cells.first() else { continue };
            let difference = match first.low.zip(first.high) {
                Some((low, high)) => {
                    format!("{} [{}, {}]", short(first.difference), short(low), short(high))
                }
                None => short(first.difference),
            };
            let mut row = vec![shown(score).to_owned(), metric.to_owned(), difference];
            row.extend(tests.iter().map(|t| {
                cells.iter().find(|c| c.test == *t).map_or("-".into(), |c| p_value(c.p_adjusted))
            }));
            row.push(verdict(&cells).to_owned());
            rows.push(row);
        }
    }
    let baseline = options.baseline.as_deref().map_or("", shown);
    let corrected = match options.correction {
        Correction::None => "not corrected".to_owned(),
        correction => format!("corrected by {correction}"),
    };
    let table = table(&header, &rows);
    let first = options.tests.first().map_or("", |test| test.name());
    format!(
        "\nagainst {baseline}, paired over lists (p {corrected}; better or worse: p < 0.05 by {first}):\n\n{table}"
    )
}

fn p_value(p: f64) -> String {
    if p < 0.001 { "<0.001".into() } else { format!("{p:.3}") }
}

/// The outcome by the first test that was asked for.
fn verdict(cells: &[&Comparison]) -> &'static str {
    match cells.first() {
        Some(c) if c.p_adjusted >= 0.05 => "no clear difference",
        Some(c) if c.better => "better",
        Some(_) => "worse",
        None => "",
    }
}
