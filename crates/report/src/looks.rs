//! Sections on the model and its data: what the features do, whether expected costs come true, groups, checks of
//! the data, and the card of the model.

use stakes::act::Limit;
use stakes::audit::{AuditOptions, ItemGroups, audit_scores};
use stakes::cost::{Capacity, CostModel, Problem};
use stakes::data::{Dataset, Role, has_outcomes, notes_on};
use stakes::display::{counted, nice_number};
use stakes::eval::picture::reliability_svg;
use stakes::eval::reliability::{Reliability, reliability};
use stakes::eval::study::Scores;
use stakes::explain::{ExplainOptions, explain, svg};
use stakes::goal::{Goal, Reach};
use stakes::inspect::{InspectOptions, Inspection, Severity};
use stakes::model::Model;
use stakes::rank::{expected_costs, items_in_order};
use stakes::report::{ModelInfo, importance};
use stakes::stats::IntervalOptions;
use stakes::text::{DIFFERS, p_words, percent, short};
use stakes::{Error, Note, Observer};

use crate::Words;
use crate::section::{Section, Table};

/// Items that features are explained by, at most: shuffling each of many features takes long.
const EXPLAINED_ITEMS: usize = 20_000;
/// Features in the table.
const FEATURES: usize = 12;

/// What each feature is worth, and how scores depend on it. `with_cost`: whether outcomes are known.
pub(crate) fn features(
    model: &Model,
    data: &Dataset,
    with_cost: bool,
    seed: u64,
    observer: Option<&mut dyn Observer>,
) -> Result<Section, Error> {
    let model = &if model.rerank.is_some() { model.first_stage() } else { model.clone() };
    let sample = some_lists(data);
    let data = sample.as_ref().unwrap_or(data);
    let options = ExplainOptions { seed, repeats: 3, ..ExplainOptions::default() };
    let found = explain(model, data, with_cost, &options, observer)?;
    let mut section = Section::new("features", "What the features do");
    if sample.is_some() {
        section = section.say(format!(
            "Computed on {} in {}, spread evenly over the data.",
            counted(data.len(), "item"),
            counted(data.n_lists(), "list")
        ));
    }
    let table = match &found.worth {
        Some((_, worth)) => {
            section = section.say(
                "The savings that are lost when the values of a feature are shuffled among the items of each list: what \
                 the model would save less if it did not know that feature. Shares do not add up to 100 %: features \
                 can stand in for each other, or matter only together.",
            );
            let mut table =
                Table::new("What each feature is worth", ["feature", "saved cost lost", "share"]);
            for loss in worth.losses.iter().take(FEATURES) {
                let share = if worth.saved > 0.0 {
                    percent(loss.cost.max(0.0) / worth.saved)
                } else {
                    "-".to_owned()
                };
                table.push([
                    model.features[loss.feature].name.clone(),
                    nice_number(loss.cost),
                    share,
                ]);
            }
            table
        }
        None => {
            section = section.say(
                "How much the model uses each feature: its share of the gain of all splits, or of all weights.",
            );
            let mut table = Table::new("The most used features", ["feature", "share"]);
            for row in importance(model).into_iter().take(FEATURES) {
                table.push([row.feature, percent(row.gain)]);
            }
            table
        }
    };
    section = section.add(table);
    if !found.curves.is_empty() {
        section = section.draw(svg(model, &found));
    }
    Ok(section)
}

/// Lists spread evenly over the data, if these are too large.
fn some_lists(data: &Dataset) -> Option<Dataset> {
    let every = data.len().div_ceil(EXPLAINED_ITEMS);
    let lists: Vec<usize> = (0..data.n_lists()).step_by(every.max(1)).collect();
    (every > 1).then(|| data.take_lists(&lists))
}

/// Whether expected costs came true; `None` if the model does not say what items cost.
pub(crate) fn calibration(
    model: &Model,
    problem: &Problem<'_>,
    scores: &[f64],
    words: &Words,
) -> Result<Option<Section>, Error> {
    let Some(expected) = expected_costs(model, scores) else { return Ok(None) };
    let intervals = IntervalOptions::default();
    let found = reliability(problem, "expected cost", &expected, Some(&intervals))?;
    let text = match found.ratio {
        Some(ratio) => format!(
            "{} All items together were expected to cost {} {unit}; {} came. The ratio of the two is {}{}. Each point of \
             the picture is items of about the same expected cost; on the line it came true.",
            answer(&found),
            nice_number(found.expected),
            nice_number(found.observed),
            nice_number(ratio),
            found.low.zip(found.high).map_or(String::new(), |(low, high)| {
                format!(" (95 % interval {} to {})", nice_number(low), nice_number(high))
            }),
            unit = words.unit
        ),
        None => "Nothing was observed that costs anything.".to_owned(),
    };
    let picture = reliability_svg(&[found], "Expected and observed cost");
    Ok(Some(Section::new("calibration", "Do expected costs come true?").say(text).draw(picture)))
}

/// Whether the sum came true, as far as these lists can tell.
fn answer(found: &Reliability) -> &'static str {
    match found.low.zip(found.high) {
        Some((low, _)) if low > 1.0 => "No: less came than was expected, beyond chance.",
        Some((_, high)) if high < 1.0 => "No: more came than was expected, beyond chance.",
        Some(_) => "Yes, within what chance does in so many lists.",
        None => "These lists are too few to tell.",
    }
}

/// How groups are treated by the order.
pub(crate) fn groups(
    data: &Dataset,
    goal: &Goal,
    score: &Scores,
    expected: Option<&[f64]>,
    groups: &ItemGroups,
    seed: u64,
) -> Result<Section, Error> {
    let k = match goal.capacity().map(|k| k.resolve(data.mean_list_length())) {
        Some(Capacity::Items(k) | Capacity::Range(_, k)) => k,
        _ => stakes::goal::DEFAULT_ITEMS,
    };
    let options = AuditOptions { k, policy: goal.policy.clone(), seed, ..AuditOptions::default() };
    let report = audit_scores(data, goal, score, expected, groups, &options)?;
    let mut section = Section::new("groups", "How groups are treated").say(
        "This does not say whether the order is fair. It says where groups stand, which measures differ from what \
         chance would give, and what these measures cannot see.",
    );
    let selected = selected(data, goal, score, groups)?;
    section = section.add(selected).draw(report.positions_svg());
    let mut in_short = Table::new("Each group in short", ["group", "in words"]).wordy();
    let mut differing = Table::new(
        "What differs from chance",
        ["group", "measure", "value", "the others", "p", "how it is read"],
    )
    .wordy()
    .folded();
    for group in &report.audit.groups {
        in_short.push([group.group.clone(), report.sentences(group).join(" ")]);
        for (measure, row) in report.rows(group) {
            let Some(p) = report.p_of(row).filter(|p| *p < DIFFERS) else { continue };
            let figure = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), short);
            differing.push([
                group.group.clone(),
                measure.info.title.to_owned(),
                figure(row.value),
                figure(row.rest),
                p_words(p),
                measure.info.reading.to_owned(),
            ]);
        }
    }
    section = section.add(in_short).add(differing).say(report.unseen());
    for warning in &report.audit.warnings {
        section = section.caution(warning.to_string());
    }
    Ok(section)
}

/// How many of each group are to be acted on and, if outcomes are known, how many of them cost nothing.
fn selected(
    data: &Dataset,
    goal: &Goal,
    score: &Scores,
    groups: &ItemGroups,
) -> Result<Table, Error> {
    let limit = Limit::new(goal.reach, data)?;
    let mut acted = vec![false; data.len()];
    for list in 0..data.n_lists() {
        let order = items_in_order(data, &score.values, list);
        order[..limit.acted_on(&order)].iter().for_each(|&item| acted[item] = true);
    }
    let problem = has_outcomes(goal, data).then(|| Problem::new(data, goal)).transpose()?;
    let all_acted = acted.iter().filter(|acted| **acted).count();
    let mut table = Table::new(
        "Who is to be acted on",
        ["group", "items", "share of all", "share of those to act on", "share of the group"],
    );
    if problem.is_some() {
        table.head.push("of these in vain".to_owned());
    }
    for column in &groups.columns {
        for (code, name) in column.values.iter().enumerate() {
            let members =
                column.codes.iter().zip(&groups.kept).filter(|(c, _)| **c as usize == code);
            let members: Vec<usize> = members.map(|(_, item)| *item).collect();
            let chosen: Vec<usize> = members.iter().copied().filter(|&item| acted[item]).collect();
            let share = |n: usize, of: usize| {
                if of == 0 { "-".to_owned() } else { percent(n as f64 / of as f64) }
            };
            let mut cells = vec![
                name.clone(),
                members.len().to_string(),
                share(members.len(), data.len()),
                share(chosen.len(), all_acted),
                share(chosen.len(), members.len()),
            ];
            if let Some(problem) = &problem {
                let in_vain = chosen.iter().filter(|&&item| problem.cost()[item] == 0.0).count();
                cells.push(share(in_vain, chosen.len()));
            }
            table.push(cells);
        }
    }
    Ok(table)
}

/// What looks suspicious in the data, and what the model does not read of it.
pub(crate) fn checks(
    model: &Model,
    data: &Dataset,
    problem: Option<&Problem<'_>>,
    k: Capacity,
) -> Result<Section, Error> {
    let options = InspectOptions { k, cost_name: None };
    let found = match problem {
        Some(problem) => Inspection::of_problem(problem, &options),
        None => Inspection::of_data(data, &options),
    };
    let mut table =
        Table::new("What was found", ["kind", "found", "why it matters", "what to do"]).wordy();
    for finding in &found.findings {
        let severity = match finding.severity {
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let cells = [severity, &finding.what, &finding.why, &finding.remedy];
        table.push(cells.map(str::to_owned));
    }
    let words = match table.rows.is_empty() {
        true => {
            "Nothing looked suspicious: no constant or repeated columns, no feature that gives the outcome away."
        }
        false => "What to look at before the figures are trusted.",
    };
    let mut section = Section::new("data", "The data").say(words).add(table);
    for note in notes_on(model, data)?.iter().filter(|n| matches!(n, Note::UnreadColumns { .. })) {
        let words = note.to_string();
        section = section.say(format!("{}{}.", words[..1].to_uppercase(), &words[1..]));
    }
    Ok(section)
}

/// Settings, versions and fingerprints.
pub(crate) fn card(name: &str, model: &Model, data: Option<&Dataset>) -> Section {
    let info = ModelInfo::new(name, model);
    let mut table = Table::new("The model", ["", ""]).wordy();
    let mut row = |what: &str, is: String| table.push([what.to_owned(), is]);
    row("file", name.to_owned());
    row("learner", info.model.learner.clone());
    row("made for", made_for(model));
    row("judged by", info.model.goal.metric.clone());
    row("trained on", model.data.size());
    if model.data.is_known() {
        row("fingerprint of that data", info.data.fingerprint.clone());
    }
    row("features", info.features.to_string());
    row("size", size(&info));
    row("seed", info.model.seed.to_string());
    row("made by", format!("stakes {}", info.model.stakes));
    if let Some(data) = data {
        let size = (counted(data.len(), "item"), counted(data.n_lists(), "list"));
        row("this page shows", format!("{}: {} in {}", data.source(), size.0, size.1));
    }
    let mut columns = Table::new("The columns", ["role", "column"]).wordy();
    for (role, column) in &model.columns {
        columns.push([role.to_string(), column.clone()]);
    }
    let mut settings =
        Table::new("All settings of the learner", ["setting", "value"]).wordy().folded();
    for (key, value) in &info.model.parameters {
        let changed = if info.changed.contains_key(key) { " (not the default)" } else { "" };
        settings.push([key.clone(), format!("{value}{changed}")]);
    }
    let mut members = Table::new("The members of the blend", ["member", "weight"]);
    for member in &info.model.members {
        members.push([member.learner.clone(), nice_number(member.weight)]);
    }
    Section::new("card", "The model's card").add(table).add(columns).add(members).add(settings)
}

/// What a model was trained for, in words.
fn made_for(model: &Model) -> String {
    let reach = match model.goal.reach {
        Reach::Money(money) => format!("spending {} in each list", nice_number(money)),
        Reach::Items(capacity) => format!("acting on {capacity} items of each list"),
    };
    let cost = match (&model.goal.cost, model.columns.get(&Role::Impact)) {
        (CostModel::Impact, Some(impact)) => impact.clone(),
        (cost, _) => cost.to_string(),
    };
    format!("{reach}, to save {cost}")
}

fn size(info: &ModelInfo) -> String {
    match info.size.trees {
        0 => counted(info.size.weights, "weight"),
        trees => format!("{} with {}", counted(trees, "tree"), counted(info.size.leaves, "leaf")),
    }
}
