//! A group in a few plain sentences: how many it has, where it stands, and what of its cost is covered.

use stakes_core::display::{counted, nice_number};
use stakes_fair::audit::{AuditedGroup, Compared};

use super::{AuditReport, table};
use crate::text::percent;

/// What a reader without statistics should know of a group.
pub(super) fn sentences(report: &AuditReport, group: &AuditedGroup) -> Vec<String> {
    let rows: Vec<(String, &Compared)> = table::rows(report, group)
        .map(|(measure, row)| (measure.info.name.to_owned(), row))
        .collect();
    let of = |name: &str| rows.iter().find(|(known, _)| known == name).map(|(_, row)| *row);
    let value = |name: &str| of(name).and_then(|row| row.value);
    let share = percent(group.n as f64 / report.audit.items.max(1) as f64);
    let mut words = vec![format!("It has {} ({share} of all).", counted(group.n, "item"))];
    if let Some(above) = value("rank-parity") {
        words.push(format!(
            "In {} of the pairs of a member and another item of the list, the member stands above.",
            percent(above)
        ));
    }
    let at_cut = rows.iter().find(|(name, row)| name == "exposure" && row.measure.contains('@'));
    if let Some((_, row)) = at_cut
        && let Some(times) = row.value
    {
        words.push(format!(
            "At the top (the first {}) it gets {} times the attention that its number would give.",
            cut_off(row),
            nice_number((100.0 * times).round() / 100.0)
        ));
    }
    if let Some(suffered) = value("cost-share") {
        words.push(format!("It has {} of all cost.", percent(suffered)));
    }
    if let Some(row) = of("cost-recall")
        && let (Some(own), Some(rest)) = (row.value, row.rest)
    {
        words.push(format!(
            "Acting on the first {} covers {} of its cost, and {} of the others'.",
            cut_off(row),
            percent(own),
            percent(rest)
        ));
    }
    words
}

/// The cut-off of a measure, as it is written.
fn cut_off(row: &Compared) -> &str {
    row.measure.split_once('@').map_or("items", |(_, k)| k)
}
