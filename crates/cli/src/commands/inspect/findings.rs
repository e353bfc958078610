//! What was found, in full sentences.

use stakes::inspect::{Finding, FindingKind, Severity};
use stakes::text::{Page, Tone};

use crate::terminal::shell::quoted;

/// Columns named in one finding; the rest is counted.
const MOST: usize = 8;

pub(crate) fn write(page: &mut Page, findings: &[Finding]) {
    page.heading("Findings");
    if findings.is_empty() {
        return page.line("none", "Nothing here should make you stop.");
    }
    for finding in findings {
        match finding.severity {
            Severity::Warning => page.toned_line(Tone::Warning, "warning", &finding.what),
            Severity::Note => page.line("note", &finding.what),
        }
        if finding.columns.iter().any(|name| !finding.what.contains(&format!("`{name}`"))) {
            let mut names =
                finding.columns.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
            if finding.columns.len() > MOST {
                names += &format!(" and {} more", finding.columns.len() - MOST);
            }
            page.line("  columns", &names);
        }
        page.line("  why", &finding.why);
        page.line("  do", &finding.remedy);
        if let Some(option) = option(finding) {
            page.line("  option", &option);
        }
    }
}

/// The command-line options for the remedy of a finding.
fn option(finding: &Finding) -> Option<String> {
    use FindingKind::*;
    let drop = drop_option(&finding.columns);
    match finding.kind {
        Leak | StrongColumn | MissingTells | OutcomeColumn | ConstantColumns | ConstantInLists
        | SameColumns => Some(drop),
        IdColumn => Some(format!("--id, or {drop}")),
        DateColumn => Some(format!("--time, or {drop}")),
        RoundedColumns => Some(format!("--id, --time, or {drop}")),
        FewValues => Some("--categorical".to_owned()),
        _ => None,
    }
}

/// The option that leaves columns out; of many, only the first are written.
fn drop_option(columns: &[String]) -> String {
    const MAX_SHOWN: usize = 6;
    let mut names = columns.iter().take(MAX_SHOWN).cloned().collect::<Vec<_>>().join(",");
    if columns.len() > MAX_SHOWN {
        names.push_str(",...");
    }
    format!("--drop {}", quoted(&names))
}
