//! A comparison as a page: the verdict, figures, tests, and who wins how often.

use stakes_core::display::{counted, nice_number};

use super::verdict::LEVEL;
use super::{Compared, Entrant, Figure, Part, Versus};
use crate::evaluate::with_interval;
use crate::text::{Cell, Page, Table, Tone, p_value, short};

/// In the matrix of wins there are at most this many contestants.
const MAX_MATRIX: usize = 8;

pub(super) fn write(page: &mut Page, compared: &Compared) {
    let Compared { data, settings, folds, .. } = compared;
    let (items, lists) = (counted(data.items, "item"), counted(data.lists, "list"));
    let trials = match settings.trials {
        ..2 => "settings as given".to_owned(),
        trials => format!("each tuned with {} in every fold", counted(trials, "trial")),
    };
    let plan = match settings.folds == folds.len().to_string() {
        true => String::new(),
        false => format!(" ({})", settings.folds),
    };
    let folds = counted(folds.len(), "fold");
    page.text(&format!("{}: {items} in {lists}; {folds}{plan}; {trials}", data.source));
    page.heading("Verdict");
    compared.verdict.iter().for_each(|sentence| page.text(sentence));
    page.heading("Figures on the test lists");
    figures(page, compared);
    if !compared.comparisons.is_empty() {
        differences(page, compared);
    }
    matrix(page, compared);
    if !compared.learning_curve.is_empty() {
        learning_curve(page, compared);
    }
}

/// Learners and scores by what they save, then the present order and the references.
pub(super) fn in_order(compared: &Compared) -> Vec<&Entrant> {
    let saved = |entrant: &Entrant| {
        let figure = compared.figure(&entrant.name, &compared.settings.saved);
        figure.and_then(|figure| figure.value).unwrap_or(f64::NEG_INFINITY)
    };
    let mut entrants: Vec<&Entrant> = compared.contestants.iter().collect();
    entrants.sort_by(|a, b| {
        let is_chosen = |e: &Entrant| matches!(e.part, Part::Learner | Part::Score);
        match (is_chosen(a), is_chosen(b)) {
            (true, true) => saved(b).total_cmp(&saved(a)),
            (false, false) => std::cmp::Ordering::Equal,
            (a, b) => b.cmp(&a),
        }
    });
    entrants
}

/// The metrics in the order of the results.
pub(super) fn metric_names(compared: &Compared) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for figure in &compared.results {
        if !names.contains(&figure.metric.as_str()) {
            names.push(&figure.metric);
        }
    }
    names
}

fn figures(page: &mut Page, compared: &Compared) {
    let metrics = metric_names(compared);
    let mut titles = vec!["contestant".to_owned()];
    for metric in &metrics {
        match *metric == compared.settings.saved {
            true => titles.push("saved".to_owned()),
            false => titles.extend([page.metric(metric).to_owned(), "by fold".to_owned()]),
        }
    }
    let mut table = Table::new(titles);
    let mut chosen = true;
    for entrant in in_order(compared) {
        let is_chosen = matches!(entrant.part, Part::Learner | Part::Score);
        if std::mem::replace(&mut chosen, is_chosen) && !is_chosen {
            table.gap();
        }
        let mut row = vec![Cell::from(entrant.shown.as_str())];
        for metric in &metrics {
            let figure = compared.figure(&entrant.name, metric);
            row.extend(cells(compared, figure, *metric == compared.settings.saved));
        }
        table.row(row);
    }
    page.table(&table);
    page.gap();
    let level = nice_number(100.0 * compared.settings.level);
    let meanings: Vec<String> = metrics.iter().filter_map(|name| page.meaning(name)).collect();
    meanings.iter().for_each(|meaning| page.text(meaning));
    let (saved, cost) = (&compared.settings.saved, &compared.settings.cost);
    let saved = match page.meaning(saved) {
        Some(_) => String::new(),
        None => format!("; saved: {saved} of {cost}, by the policy of the goal"),
    };
    page.text(&format!(
        "[low, high]: {level} % intervals over lists; by fold: the mean of the folds' figures{saved}"
    ));
    if let Some(entrant) = compared.contestants.iter().find(|e| !e.features.is_empty()) {
        let mut names: Vec<&str> = entrant.features.iter().map(|f| f.name.as_str()).collect();
        names.dedup();
        page.text(&format!(
            "best single feature, by the training lists of each fold: {}",
            names.join(", ")
        ));
    }
}

fn cells(compared: &Compared, figure: Option<&Figure>, is_saved: bool) -> Vec<Cell> {
    let dash = || Cell::from("-");
    let Some(figure) = figure else { return vec![dash(); if is_saved { 1 } else { 2 }] };
    let best = figure.contestant == compared.best;
    let toned = |text: String| if best { Cell::toned(text, Tone::Good) } else { text.into() };
    if is_saved {
        let saved = figure.value.map(|value| nice_number(value / compared.settings.repeats));
        return vec![saved.map_or_else(dash, toned)];
    }
    let value = figure.value.map(|value| with_interval(value, figure.low, figure.high));
    let mean = figure.mean_over_folds.map(|mean| Cell::from(short(mean)));
    vec![value.map_or_else(dash, toned), mean.unwrap_or_else(dash)]
}

fn differences(page: &mut Page, compared: &Compared) {
    let saved = &compared.settings.saved;
    let mut bases: Vec<&str> = Vec::new();
    for versus in compared.comparisons.iter().filter(|versus| versus.metric == *saved) {
        if !bases.contains(&versus.against.as_str()) {
            bases.push(&versus.against);
        }
    }
    for base in bases {
        page.heading(&format!("Saved cost against {}", compared.shown(base)));
        let mut table = Table::new(["contestant", "difference", "p", ""]);
        for entrant in in_order(compared) {
            let is_it = |versus: &&Versus| {
                versus.metric == *saved
                    && versus.against == base
                    && versus.contestant == entrant.name
            };
            let Some(versus) = compared.comparisons.iter().find(is_it) else { continue };
            table.row(difference(compared, &entrant.shown, versus));
        }
        page.table(&table);
    }
    page.gap();
    let (test, correction) = (&compared.settings.test, &compared.settings.correction);
    let how = match page.has_statistics() {
        true => format!("{test} test over lists, corrected by {correction}"),
        false => "adjusted for all comparisons".to_owned(),
    };
    page.text(&format!("p: {how}; more or less: p < {LEVEL}, else unclear"));
}

fn difference(compared: &Compared, name: &str, versus: &Versus) -> [Cell; 4] {
    let cost = |value: f64| nice_number(value / compared.settings.repeats);
    let interval = match versus.low.zip(versus.high) {
        Some((low, high)) => format!(" [{}, {}]", cost(low), cost(high)),
        None => String::new(),
    };
    let verdict = match (versus.p_adjusted < LEVEL, versus.better) {
        (false, _) => Cell::from("unclear"),
        (true, true) => Cell::toned("more", Tone::Good),
        (true, false) => "less".into(),
    };
    [
        name.into(),
        format!("{}{interval}", cost(versus.difference)).into(),
        p_value(versus.p_adjusted).into(),
        verdict,
    ]
}

fn matrix(page: &mut Page, compared: &Compared) {
    let all = in_order(compared);
    let shown: Vec<&Entrant> =
        all.iter().filter(|e| e.part != Part::Reference).take(MAX_MATRIX).copied().collect();
    if shown.len() < 2 {
        return;
    }
    let metric = page.metric(&compared.settings.metric).to_owned();
    page.heading(&format!("Lists won, tied and lost by {metric}"));
    let mut titles = vec!["contestant".to_owned()];
    titles.extend((1..=shown.len()).map(|number| number.to_string()));
    let mut table = Table::new(titles);
    for (number, entrant) in shown.iter().enumerate() {
        let mut row = vec![format!("{} {}", number + 1, entrant.shown)];
        row.extend(shown.iter().map(|other| {
            let of_pair =
                |wins: &&super::Wins| wins.contestant == entrant.name && wins.against == other.name;
            let wins = compared.wins.iter().find(of_pair);
            wins.map_or(String::new(), |w| format!("{}/{}/{}", w.wins, w.ties, w.losses))
        }));
        table.row(row);
    }
    page.table(&table);
    let left_out = all.iter().filter(|e| e.part != Part::Reference).count() - shown.len();
    if left_out > 0 {
        page.text(&format!("{} more are in the JSON", counted(left_out, "contestant")));
    }
}

/// The figures of learners that learned from fewer lists.
fn learning_curve(page: &mut Page, compared: &Compared) {
    let points = &compared.learning_curve;
    let metric = page.metric(&compared.settings.metric).to_owned();
    page.heading(&format!("{metric} by the number of training lists"));
    let mut steps: Vec<(f64, f64)> =
        points.iter().map(|point| (point.share, point.lists)).collect();
    steps.dedup();
    let mut titles = vec!["contestant".to_owned()];
    titles.extend(steps.iter().map(|(_, lists)| nice_number(*lists)));
    let mut table = Table::new(titles);
    for entrant in in_order(compared) {
        let own = || points.iter().filter(|point| point.contestant == entrant.name);
        if own().next().is_none() {
            continue;
        }
        let mut row = vec![Cell::from(entrant.shown.as_str())];
        row.extend(steps.iter().map(|(share, _)| {
            let value = own().find(|point| point.share == *share).and_then(|point| point.value);
            value.map_or(Cell::from("-"), |value| Cell::from(short(value)))
        }));
        table.row(row);
    }
    page.table(&table);
    page.text("Lists in the mean over the folds. Where figures still rise, more lists would help.");
}

/// How long the trainings of each contestant took.
pub(super) fn write_times(page: &mut Page, compared: &Compared) {
    page.heading("Seconds of training, all folds");
    let mut table = Table::new(["contestant", "seconds"]);
    for entrant in in_order(compared) {
        let time = compared.times.iter().find(|time| time.contestant == entrant.name);
        if let Some(time) = time {
            table.row([entrant.shown.clone(), format!("{:.2}", time.seconds)]);
        }
    }
    page.table(&table);
}
