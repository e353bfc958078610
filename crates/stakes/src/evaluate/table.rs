//! The figures of an evaluation as a page.

use stakes_core::display::{counted, nice_number};
use stakes_eval::study::{
    BEST_FEATURE, BestFeature, Comparison, IDEAL, RANDOM, ResultRow, RowKind, Study, StudyOptions,
};
use stakes_stats::{Correction, IntervalMethod};

use super::{Evaluation, ModelTrainedOn};
use crate::Note;
use crate::text::{Cell, Page, Table, Tone, p_value, short};

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

pub(super) fn write(page: &mut Page, evaluation: &Evaluation) {
    let Evaluation { data, cost_name, total_cost, study, options, .. } = evaluation;
    for ModelTrainedOn { score, trained_on } in &evaluation.trained_on {
        let (name, source) = (score.clone(), data.source.clone());
        let note = match trained_on.lists {
            0 => Note::TrainedElsewhere { name, source },
            _ => Note::TrainedOn { name, source, trained_on: *trained_on },
        };
        page.text(&note.to_string());
    }
    let (items, lists) = (counted(data.items, "item"), counted(data.lists, "list"));
    let total = nice_number(*total_cost);
    page.text(&format!("{}: {items} in {lists}; cost {cost_name}, {total} in all", data.source));
    page.gap();
    page.table(&figures(page, study));
    remarks(page, study, options);
    if !study.comparisons.is_empty() {
        comparisons(page, study, options);
    }
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

/// The figures, scores first, references below. The best of several scores stand out.
fn figures(page: &Page, study: &Study) -> Table {
    figures_with(page, study, "", |_| None)
}

/// The figures with a last column, unless it is empty.
pub(crate) fn figures_with(
    page: &Page,
    study: &Study,
    title: &str,
    last: impl Fn(&str) -> Option<String>,
) -> Table {
    let metrics = metric_names(study);
    let has_last = score_names(study).into_iter().any(|score| last(score).is_some());
    let names = metrics.iter().map(|metric| page.metric(metric));
    let titles = std::iter::once("score").chain(names);
    let mut table = Table::new(titles.chain(has_last.then_some(title)));
    let mut references_begun = false;
    for (number, score) in score_names(study).into_iter().enumerate() {
        let rows: Vec<Option<&ResultRow>> = metrics.iter().map(|m| study.row(score, m)).collect();
        let reference = rows.iter().flatten().any(|r| r.kind == RowKind::Reference);
        if reference && !std::mem::replace(&mut references_begun, true) && number > 0 {
            table.gap();
        }
        let name = std::iter::once(Cell::from(shown(score)));
        let cell = |row: Option<&ResultRow>| match row {
            Some(row) if is_best(study, row) => Cell::toned(figure(Some(row)), Tone::Good),
            row => figure(row).into(),
        };
        let last = has_last.then(|| Cell::from(last(score).unwrap_or_else(|| "-".into())));
        table.row(name.chain(rows.into_iter().map(cell)).chain(last));
    }
    table
}

/// Whether no other of several scores has a better figure.
fn is_best(study: &Study, row: &ResultRow) -> bool {
    let scores = || {
        let rows = study.results.iter().filter(|other| other.metric == row.metric);
        rows.filter(|other| other.kind == RowKind::Score)
    };
    let Some(value) = row.value.filter(|_| row.kind == RowKind::Score) else { return false };
    let better = |other: f64| if row.higher_is_better { other > value } else { other < value };
    scores().count() > 1 && !scores().filter_map(|other| other.value).any(better)
}

fn figure(row: Option<&ResultRow>) -> String {
    let Some(ResultRow { value: Some(value), low, high, .. }) = row else { return "-".into() };
    with_interval(*value, *low, *high)
}

/// A figure and its interval, where it has one.
pub(crate) fn with_interval(value: f64, low: Option<f64>, high: Option<f64>) -> String {
    match low.zip(high) {
        Some((low, high)) => format!("{} [{}, {}]", short(value), short(low), short(high)),
        None => short(value),
    }
}

/// What must be known to read the figures.
pub(crate) fn remarks(page: &mut Page, study: &Study, options: &StudyOptions) {
    let mut lines = Vec::new();
    for (feature, metrics) in best_features(study) {
        let way = if feature.descending { "descending" } else { "ascending" };
        let names: Vec<&str> = metrics.into_iter().map(|metric| page.metric(metric)).collect();
        lines.push(format!(
            "best single feature: {}, {way} ({}; picked with hindsight on this data)",
            feature.name,
            names.join(", ")
        ));
    }
    lines.extend(metric_names(study).into_iter().filter_map(|metric| page.meaning(metric)));
    // Without a policy in its name, a metric of saved cost has the default one.
    let is_linear = |row: &ResultRow| {
        ["rcs@", "r@"].iter().any(|name| row.metric.starts_with(name)) && !row.metric.contains(':')
    };
    let linear = study.results.iter().find(|row| is_linear(row));
    let is_explained = |row: &&ResultRow| page.meaning(&row.metric).is_none();
    if let Some(row) = linear.filter(is_explained).filter(|_| options.intervals.is_some()) {
        let name = row.metric.split('@').next().unwrap_or_default();
        lines.push(format!(
            "{name} counts what is saved at earlier positions more (policy linear); {}:policy=step \
             counts all alike",
            row.metric
        ));
    }
    let lower = study.results.iter().filter(|row| !row.higher_is_better);
    let lower = unique(lower.map(|row| row.metric.as_str()));
    if !lower.is_empty() {
        lines.push(format!("lower is better for {}", lower.join(", ")));
    }
    if let Some(intervals) = &options.intervals {
        let how = match intervals.method {
            IntervalMethod::T => "Student's t over lists of unequal size".to_owned(),
            IntervalMethod::Bca => format!("BCa bootstrap, {} resamples", intervals.resamples),
            IntervalMethod::Percentile => {
                format!("percentile bootstrap, {} resamples", intervals.resamples)
            }
        };
        let level = nice_number(100.0 * intervals.level);
        lines.push(match page.has_statistics() {
            true => format!("[low, high]: {level}% intervals, {how}"),
            false => format!("[low, high]: {level} % intervals"),
        });
        let fewest = study.results.iter().min_by_key(|row| row.lists);
        if let Some(row) = fewest.filter(|row| row.lists < 10) {
            let all = counted(row.per_list.len(), "list");
            let lists = match row.per_list.len() == row.lists {
                true => all,
                false => format!("{} of {all} with a value", row.lists),
            };
            lines.push(format!("only {lists}: intervals and tests say little"));
        }
    }
    if !lines.is_empty() {
        page.gap();
    }
    lines.iter().for_each(|line| page.text(line));
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

/// The differences to the baseline. What the verdict follows from comes first, further tests last.
fn comparisons(page: &mut Page, study: &Study, options: &StudyOptions) {
    let baseline = options.baseline.as_deref().map_or("", shown);
    let first = options.tests.first().map_or("", |test| test.name());
    let number = study.comparisons.iter().filter(|c| c.test == first).count();
    let corrected = match (options.correction, page.has_statistics()) {
        (Correction::None, true) => "p not corrected; ".to_owned(),
        (correction, true) => format!("p corrected by {correction}; "),
        (Correction::None, false) => String::new(),
        (_, false) if number < 2 => String::new(),
        (_, false) => format!("p adjusted for {number} comparisons; "),
    };
    let by_first = if page.has_statistics() { format!(" by {first}") } else { String::new() };
    page.gap();
    page.text(&format!(
        "against {baseline}, paired over lists ({corrected}better or worse: p < 0.05{by_first}, else \
         unclear):"
    ));
    page.gap();
    let mut tests = unique(study.comparisons.iter().map(|c| c.test));
    let mut titles = vec!["compared".to_owned(), "difference".to_owned()];
    match page.has_statistics() {
        true => titles.extend(tests.iter().map(|test| format!("p {test}"))),
        // The one that decides.
        false => {
            tests.truncate(1);
            titles.push("p".to_owned());
        }
    }
    titles.insert(titles.len().min(3), String::new());
    let mut table = Table::new(titles);
    for metric in unique(study.comparisons.iter().map(|c| c.metric.as_str())) {
        table.group(page.metric(metric));
        let of_metric = || study.comparisons.iter().filter(|c| c.metric == metric);
        for score in unique(of_metric().map(|c| c.score.as_str())) {
            let cells: Vec<&Comparison> = of_metric().filter(|c| c.score == score).collect();
            let Some(first) = cells.first() else { continue };
            let difference = with_interval(first.difference, first.low, first.high);
            let mut row = vec![Cell::from(shown(score)), difference.into()];
            row.extend(tests.iter().map(|test| {
                let cell = cells.iter().find(|c| c.test == *test);
                Cell::from(cell.map_or("-".into(), |c| p_value(c.p_adjusted)))
            }));
            row.insert(row.len().min(3), verdict(first));
            table.row(row);
        }
    }
    page.table(&table);
    let holds_0 = |c: &&Comparison| c.low.zip(c.high).is_some_and(|(low, high)| low * high <= 0.0);
    if study.comparisons.iter().filter(holds_0).any(|c| c.p_adjusted < 0.05) {
        page.gap();
        page.text(
            "the test decides where it and the interval of a difference disagree: the intervals are \
             on the long side",
        );
    }
}

/// The outcome by the first test that was asked for.
fn verdict(first: &Comparison) -> Cell {
    match first {
        c if c.p_adjusted >= 0.05 => "unclear".into(),
        c if c.better => Cell::toned("better", Tone::Good),
        _ => "worse".into(),
    }
}
