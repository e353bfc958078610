//! An audit as a page of text.

use stakes_core::display::counted;
use stakes_fair::audit::{AuditedGroup, ToReference};
use stakes_fair::{Compared, Kind, Measure};

use super::AuditReport;
use crate::evaluate::with_interval;
use crate::text::{Cell, DIFFERS, Page, Table, Tone, short};

pub(super) fn write(page: &mut Page, report: &AuditReport) {
    let audit = &report.audit;
    let (items, lists) = (counted(audit.items, "item"), counted(audit.lists, "list"));
    let cost = match &report.cost {
        Some(cost) => format!("cost {cost}"),
        None => "outcomes unknown: placement only".to_owned(),
    };
    page.text(&format!(
        "{}: {items} in {lists}; order of {}; {cost}",
        report.data.source, report.score
    ));
    if report.left_out > 0 {
        let left_out = counted(report.left_out, "item");
        page.text(&format!("{left_out} without a group left out"));
    }
    for group in &audit.groups {
        page.gap();
        page.title(&title(group));
        page.table(&table(report, group));
    }
    page.heading("How to read it");
    reading(page, report);
    differences(page, report);
    unseen(page, report);
    for warning in &audit.warnings {
        page.toned_line(Tone::Warning, "warning", &warning.to_string());
    }
}

/// A group and its size.
pub(super) fn title(group: &AuditedGroup) -> String {
    let n = counted(group.n, "item");
    format!("{} {}: {n} in {}", group.column, group.group, counted(group.lists, "list"))
}

fn table(report: &AuditReport, group: &AuditedGroup) -> Table {
    let interval = format!("{} % interval", 100.0 * report.audit.level);
    let p = if report.has_several_groups() { "p (corrected)" } else { "p" };
    let beside = reference(report, group).map(|reference| format!("less {}", reference.group));
    let titles = ["measure", "value", &interval, "rest", "ratio"].into_iter();
    let mut table = Table::new(titles.chain(beside.as_deref()).chain([p]));
    for kind in Kind::ALL {
        let mut rows =
            rows(report, group).filter(|(measure, _)| measure.info.kind == kind).peekable();
        if rows.peek().is_some() {
            table.group(kind.title());
        }
        for (_, row) in rows {
            let figure = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), short);
            let interval = row.low.zip(row.high);
            let interval = interval.map(|(low, high)| format!("{} to {}", short(low), short(high)));
            let p = report.p_of(row);
            let shown = p.map_or_else(|| "-".to_owned(), |p| format!("{p:.4}"));
            let p = match p.is_some_and(|p| p < DIFFERS) {
                true => Cell::toned(shown, Tone::Warning),
                false => Cell::from(shown),
            };
            let cells = [
                Cell::from(row.measure.as_str()),
                figure(row.value).into(),
                interval.unwrap_or_else(|| "-".to_owned()).into(),
                figure(row.rest).into(),
                figure(row.ratio).into(),
            ];
            table.row(cells.into_iter().chain(less_reference(row).map(Cell::from)).chain([p]));
        }
    }
    table
}

/// The reference group that a group is compared with, if there is one.
pub(super) fn reference<'r>(
    report: &'r AuditReport,
    group: &'r AuditedGroup,
) -> Option<&'r ToReference> {
    rows(report, group).find_map(|(_, row)| row.to_reference.as_ref())
}

/// The difference to the reference group with its interval.
pub(super) fn less_reference(row: &Compared) -> Option<String> {
    let other = row.to_reference.as_ref()?;
    let with = |value| with_interval(value, other.low, other.high);
    Some(other.difference.map_or_else(|| "-".to_owned(), with))
}

/// The measures of a group, with the rows of the table they are from.
pub(super) fn rows<'r>(
    report: &'r AuditReport,
    group: &'r AuditedGroup,
) -> impl Iterator<Item = (Measure, &'r Compared)> {
    let of_group = |row: &&Compared| row.group == group.group && row.column == group.column;
    let rows = report.audit.measures.iter().filter(of_group);
    // Names of an audit are those of the table.
    rows.filter_map(|row| Some((row.measure.parse().ok()?, row)))
}

/// What the columns are.
fn reading(page: &mut Page, report: &AuditReport) {
    let audit = &report.audit;
    page.line("value", &format!(
        "of the group; rest: the same for all others of its lists. Mean ranks, displacements and noise are in {}; \
         positive ones are lower in the list",
        match audit.lists { 1 => "positions", _ => "shares of the list" }
    ));
    if audit.draws > 0 {
        page.line("p", &format!(
            "the share of {} in which a group of as many items drawn at random is at least as extreme{}",
            counted(audit.draws, "relabelling"),
            if report.has_several_groups() { ", corrected for the number of groups" } else { "" }
        ));
    }
}

/// Which measures differ from chance, group by group.
fn differences(page: &mut Page, report: &AuditReport) {
    if report.audit.draws == 0 {
        return;
    }
    for group in &report.audit.groups {
        let names: Vec<&str> = report
            .differing(&group.group)
            .filter(|row| row.column == group.column)
            .map(|row| row.measure.as_str())
            .collect();
        let text = match names.is_empty() {
            true => "no measure differs from what chance gives (p < 0.05)".to_owned(),
            false => format!("differs from what chance gives (p < 0.05) by {}", names.join(", ")),
        };
        page.line(&group.group, &text);
    }
}

/// What the measures cannot see, in words.
pub(super) fn unseen_words(report: &AuditReport) -> String {
    let unseen = &report.audit.unseen;
    match unseen.is_empty() {
        true => "each measure alone is blind to something; together they cover the patterns of the framework, \
                 in groups of about ten among a hundred. Small groups, few lists and patterns that nobody thought \
                 of stay unseen"
            .to_owned(),
        false => {
            let words: Vec<&str> = unseen.iter().map(|pattern| pattern.words()).collect();
            format!("these measures cannot see: {}", words.join("; "))
        }
    }
}

fn unseen(page: &mut Page, report: &AuditReport) {
    page.line("blind spots", &unseen_words(report));
}
