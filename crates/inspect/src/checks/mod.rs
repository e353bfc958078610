//! Checks that turn facts into findings: what was found, why it matters, and what to do.
//!
//! A finding is a question if the numbers cannot decide: a column that ranks the cost nearly perfectly may
//! be a leak, or simply a good feature.

mod columns;
mod lists;
mod suspicious;

use super::{Finding, Inspection};

/// Runs all checks; warnings come first.
pub(super) fn run(inspection: &Inspection) -> Vec<Finding> {
    let mut findings = suspicious::run(inspection);
    findings.extend(lists::run(inspection));
    findings.extend(columns::run(inspection));
    findings.sort_by_key(|finding| finding.severity);
    findings
}

/// A share as text: `37 %`, `0.2 %`, `less than 0.1 %`.
fn percent(share: f64) -> String {
    match 100.0 * share {
        // "100 %" only for exactly all.
        p if p > 99.0 && p < 100.0 => format!("{:.1} %", (10.0 * p).floor() / 10.0),
        p if p >= 9.95 => format!("{p:.0} %"),
        p if p >= 0.1 => format!("{p:.1} %"),
        _ => "less than 0.1 %".to_owned(),
    }
}

/// The names of columns in a sentence; of many, only the first.
fn listed(columns: &[String]) -> String {
    const MAX_SHOWN: usize = 6;
    let mut names = columns.iter().take(MAX_SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if columns.len() > MAX_SHOWN {
        names.push_str(", ...");
    }
    names
}
