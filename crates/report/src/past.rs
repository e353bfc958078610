//! Sections on lists whose outcomes are known: orders beside each other, results over time, and where the model
//! went wrong.

use stakes::Error;
use stakes::cost::Problem;
use stakes::display::{counted, nice_number, plural};
use stakes::eval::picture::{IntervalRow, PeriodLine, intervals_svg, periods_svg};
use stakes::eval::study::{RowKind, Scores, StudyOptions, study};
use stakes::evaluate::shown;
use stakes::goal::Goal;
use stakes::metric::Scale;
use stakes::model::Model;
use stakes::rank::{RankLists, RankOptions};
use stakes::text::percent;

use crate::Words;
use crate::evidence::{Evidence, ListOutcome};
use crate::lists::{REASONS, lowered};
use crate::section::{Section, Table};

/// Points of the picture over time, at most.
const MOST_PERIODS: usize = 24;
/// Lists with the largest missed cost that are shown.
const MISSED_LISTS: usize = 5;
/// Missed items of each.
const MISSED_ITEMS: usize = 3;

/// The model, the present order, the best single feature and a random order, by what they reach of what could be
/// reached with as many actions: the measure of the curve where the slider starts.
pub(crate) fn orders(
    problem: &Problem<'_>,
    goal: &Goal,
    scores: &[Scores],
    asked: &str,
) -> Result<Section, Error> {
    let metric = goal.complete("rcs:policy=step".parse()?).build(Scale::of(problem.data()))?;
    let options = StudyOptions { tests: Vec::new(), ..StudyOptions::default() };
    let found = study(problem, &[metric], scores, &options, &mut |_| {})?;
    let mut table = Table::new(
        "What each order reaches, of what the best choice would",
        ["order", "reached", "95 % interval"],
    );
    let mut rows = Vec::new();
    for row in &found.results {
        let Some(value) = row.value else { continue };
        let name = match &row.feature {
            Some(feature) => format!("{} ({})", shown(&row.score), feature.name),
            None => shown(&row.score).to_owned(),
        };
        let interval = row.low.zip(row.high);
        let ends = interval
            .map_or("-".to_owned(), |(low, high)| format!("{} to {}", percent(low), percent(high)));
        let cells = [name.clone(), percent(value), ends];
        match row.kind {
            RowKind::Score => table.push(cells),
            RowKind::Reference => table.push_reference(cells),
        }
        let reference = row.kind == RowKind::Reference;
        rows.push(IntervalRow { name, value, interval, reference });
    }
    let words = format!(
        "{asked}: each line is a way to decide. The dot is what it reaches, as a share of what the best choice would have \
         reached; the bar is where that share may lie, judged by how much the lists differ. The best single feature was chosen \
         with the outcomes of these very lists, which flatters it."
    );
    Ok(Section::new("orders", "Beside other ways to decide")
        .say(words)
        .draw(intervals_svg(&rows, "share of what could be reached", "What each order reaches"))
        .add(table))
}

/// The share of what could be reached, period after period; `None` without times.
pub(crate) fn over_time(
    problem: &Problem<'_>,
    evidence: &Evidence,
    words: &Words,
) -> Option<Section> {
    let data = problem.data();
    let time = data.time()?;
    let mut lists: Vec<usize> = (0..data.n_lists()).collect();
    lists
        .sort_by(|&a, &b| data.first_time(a).partial_cmp(&data.first_time(b)).unwrap_or(a.cmp(&b)));
    let periods: Vec<&[usize]> = lists.chunks(lists.len().div_ceil(MOST_PERIODS).max(1)).collect();
    if periods.len() < 2 {
        return None;
    }
    let share = |lists: &[usize], of: fn(&ListOutcome) -> f64| {
        let sum = |of: fn(&ListOutcome) -> f64| -> f64 {
            lists.iter().map(|&list| of(&evidence.outcomes[list])).sum()
        };
        let ideal = sum(|outcome| outcome.ideal);
        (ideal > 0.0).then(|| sum(of) / ideal)
    };
    let line = |name: &str, reference: bool, of: fn(&ListOutcome) -> f64| PeriodLine {
        name: name.to_owned(),
        shares: periods.iter().map(|lists| share(lists, of)).collect(),
        reference,
    };
    let lines = [
        line("the model", false, |outcome| outcome.model),
        line(&evidence.curve.other, true, |outcome| outcome.now),
    ];
    let first = |lists: &&[usize]| time.text(data.items(lists[0]).start).to_owned();
    let labels: Vec<String> = periods.iter().map(first).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let each = counted(periods[0].len(), &words.list);
    let text = format!(
        "Each point is {each}: the {unit} that the items acted on had, as a share of what the best choice of \
         equally many would have reached.",
        unit = words.unit
    );
    Some(Section::new("time", "Over time").say(text).draw(periods_svg(
        &lines,
        &labels,
        "What was reached, of what could be",
    )))
}

/// The lists in which most was missed, what it was, and why it stood so low.
pub(crate) fn missed(
    model: &Model,
    problem: &Problem<'_>,
    evidence: &Evidence,
    options: &RankOptions,
    words: &Words,
) -> Result<Option<Section>, Error> {
    let data = problem.data();
    let loss = |list: usize| evidence.outcomes[list].ideal - evidence.outcomes[list].model;
    let mut lists: Vec<usize> = (0..data.n_lists()).filter(|&list| loss(list) > 0.0).collect();
    if lists.is_empty() {
        return Ok(None);
    }
    lists.sort_by(|&a, &b| loss(b).total_cmp(&loss(a)).then(a.cmp(&b)));
    let all: f64 = lists.iter().map(|&list| loss(list)).sum();
    lists.truncate(MISSED_LISTS);
    let of_these: f64 = lists.iter().map(|&list| loss(list)).sum();
    let head = [words.list.as_str(), words.item.as_str(), "cost", "place", "expected"];
    let mut table = Table::new("The costliest items that were not acted on", head).wordy();
    if options.reasons > 0 {
        table.head.push("why so low".to_owned());
    }
    for &list in &lists {
        let name = data.list_id(list);
        let options = RankOptions { list: Some(name.to_owned()), top: None, ..options.clone() };
        let ranked = model.rank_with(data, &options)?;
        let mut items: Vec<_> = ranked.items.iter().filter(|item| !item.act).collect();
        items.sort_by(|a, b| problem.cost()[b.item].total_cmp(&problem.cost()[a.item]));
        for item in items.iter().take(MISSED_ITEMS).filter(|item| problem.cost()[item.item] > 0.0) {
            let cells = [
                name.to_owned(),
                item.id.to_string(),
                nice_number(problem.cost()[item.item]),
                format!("{} of {}", item.rank, ranked.items.len()),
                item.expected_cost.value().map_or("-".to_owned(), nice_number),
            ];
            table.push(cells.into_iter().chain(item.because.as_ref().map(lowered)));
        }
    }
    let text = format!(
        "A perfect choice would have reached {} {} more in all. {} of that was missed in {}; the costliest {} that were not acted on there:",
        nice_number(all),
        words.unit,
        percent(of_these / all),
        if lists.len() == 1 {
            "one of them".to_owned()
        } else {
            format!("{} of the {}", lists.len(), plural(&words.list))
        },
        words.items,
    );
    let mut section = Section::new("missed", "Where it went wrong").say(text);
    if options.reasons > 0 {
        section = section.say(format!(
            "Reasons compare an item with the last one that was acted on: the {REASONS} features that lower its expected cost \
             most, its own value and the other's, and by how much."
        ));
    }
    Ok(Some(section.add(table)))
}
