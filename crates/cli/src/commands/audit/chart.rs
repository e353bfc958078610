//! Where groups stand, in the terminal.

use stakes::audit::AuditReport;
use stakes::text::{Page, cut, pad, width};

use crate::terminal::draw::sparkline_beside;

/// Names are cut to this.
const NAME: usize = 24;

pub(crate) fn write(page: &mut Page, report: &AuditReport) {
    let groups = &report.audit.groups;
    let Some(parts) = groups.first().map(|group| group.positions.len()) else { return };
    let names: Vec<String> = groups.iter().map(|group| cut(&group.group, NAME)).collect();
    const EVEN: &str = "evenly";
    let room = names.iter().map(|name| width(name)).chain([EVEN.len()]).max().unwrap_or(0);
    let even = vec![1.0 / parts as f64; parts];
    let all = groups.iter().flat_map(|group| &group.positions).chain(&even);
    let largest = all.copied().fold(0.0, f64::max);
    page.heading("Where groups stand");
    page.unbroken(&format!("  {} top {} end", pad("", room), " ".repeat(parts.saturating_sub(8))));
    let lines = names.iter().map(String::as_str).zip(groups.iter().map(|group| &group.positions));
    for (name, shares) in lines.chain([(EVEN, &even)]) {
        page.unbroken(&format!("  {} {}", pad(name, room), sparkline_beside(shares, largest)));
    }
}
