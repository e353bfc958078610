//! What the data holds, and its lists.

use stakes::display::nice_number;
use stakes::inspect::{DataFacts, Inspection, ListFacts};
use stakes::text::{Page, percent};

use crate::terminal::draw::sparkline;
use crate::terminal::output::counted;

/// Groups beyond this many are only counted.
const MOST_GROUPS: usize = 6;

pub(crate) fn write(page: &mut Page, seen: &Inspection) {
    page.heading("Data");
    let data = &seen.data;
    let n = |count: usize| nice_number(count as f64);
    page.line("source", &data.source);
    page.line("items", &format!("{} in {}", n(data.rows), counted(data.lists, "list")));
    let kinds = format!("{} numeric, {} categorical", n(data.numeric), n(data.categorical));
    page.line("features", &format!("{} ({kinds})", n(data.features)));
    if data.roles.is_empty() {
        page.line("roles", "none: every column is a feature");
    } else {
        let role = |r: &stakes::inspect::Role| format!("{} = {}", r.role, r.column);
        page.line("roles", &data.roles.iter().map(role).collect::<Vec<_>>().join(", "));
    }
    if let Some(time) = &data.time {
        page.line("time", &format!("{} to {}", time.first, time.last));
    }
    groups(page, data);
    lists(page, &seen.lists);
}

fn groups(page: &mut Page, data: &DataFacts) {
    if data.groups.is_empty() {
        return;
    }
    let mut text: Vec<String> = data
        .groups
        .iter()
        .take(MOST_GROUPS)
        .map(|group| {
            let cost =
                group.cost_share.map_or(String::new(), |c| format!(", {} of cost", percent(c)));
            let items = nice_number(group.items as f64);
            format!("{} {items} ({} of items{cost})", group.name, percent(group.share))
        })
        .collect();
    if data.groups.len() > MOST_GROUPS {
        text.push(format!("and {} more", data.groups.len() - MOST_GROUPS));
    }
    page.line("groups", &text.join("; "));
}

fn lists(page: &mut Page, lists: &ListFacts) {
    page.heading("Lists");
    let s = &lists.sizes;
    let [min, q25, median, q75, mean, max] =
        [s.min, s.q25, s.median, s.q75, s.mean, s.max].map(nice_number);
    page.line(
        "items each",
        &format!("from {min} to {max}; quartiles {q25}, {median}, {q75}; mean {mean}"),
    );
    if s.min < s.max {
        let counts: Vec<f64> = lists.histogram.iter().map(|bin| bin.count as f64).collect();
        page.lines("", &[format!("{min} {} {max}", sparkline(&counts))]);
    }
    if lists.of_one > 0 {
        page.line("of one item", &nice_number(lists.of_one as f64));
    }
    let (low, high) = (lists.k_12_5_percent, lists.k_25_percent);
    page.line("k", &format!("{low} is 12.5 % of the mean, {high} is 25 % (rounded up)"));
}
