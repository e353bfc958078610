//! What was found, in full sentences.

use stakes::inspect::{Finding, Severity};

use crate::terminal::page::Page;

/// Columns named in one finding; the rest is counted.
const MOST: usize = 8;

pub(crate) fn write(page: &mut Page, findings: &[Finding]) {
    page.heading("Findings");
    if findings.is_empty() {
        return page.line("none", "Nothing here should make you stop.");
    }
    for finding in findings {
        let label = match finding.severity {
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        page.line(label, &finding.what);
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
    }
}
