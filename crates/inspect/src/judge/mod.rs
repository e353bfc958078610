//! From facts to findings: what should make one stop and ask, why, and what to do.
//!
//! Findings are questions where the numbers cannot decide: a column that orders the cost
//! nearly perfectly may be the answer in disguise, or simply good.

mod columns;
mod lists;
mod suspicious;

use super::{Finding, Inspection};

/// All findings, warnings first.
pub(super) fn judge(seen: &Inspection) -> Vec<Finding> {
    let mut findings = suspicious::judge(seen);
    findings.extend(lists::judge(seen));
    findings.extend(columns::judge(seen));
    findings.sort_by_key(|finding| finding.severity);
    findings
}

/// A share in words: `37 %`, `0.2 %`, `less than 0.1 %`.
fn percent(share: f64) -> String {
    match 100.0 * share {
        // Never "100 %" for what is not all.
        p if p > 99.0 && p < 100.0 => format!("{:.1} %", (10.0 * p).floor() / 10.0),
        p if p >= 9.95 => format!("{p:.0} %"),
        p if p >= 0.1 => format!("{p:.1} %"),
        _ => "less than 0.1 %".to_owned(),
    }
}

/// The option that leaves these columns out; of many only the first are written.
fn drop_option(columns: &[String]) -> String {
    const MOST: usize = 6;
    let mut names = columns.iter().take(MOST).cloned().collect::<Vec<_>>().join(",");
    if columns.len() > MOST {
        names.push_str(",...");
    }
    // Signs that a shell would take for its own.
    let plain = names.chars().all(|c| c.is_alphanumeric() || "_-.:/,".contains(c));
    if plain { format!("--drop {names}") } else { format!("--drop '{names}'") }
}
