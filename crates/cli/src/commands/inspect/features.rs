//! The features: what is missing, what is of no use, and what orders the cost alone.

use stakes::display::{counted, nice_number};
use stakes::inspect::{ColumnFacts, ColumnKind, Inspection, Varies};
use stakes::rank::ColumnDirection;
use stakes::text::{Page, cut, pad, percent};

use crate::terminal::draw::bar;

/// Lines of each kind.
const MOST: usize = 5;

/// Names of columns are cut to this.
fn name_width(page: &Page) -> usize {
    (page.room() / 3).min(28)
}

pub(crate) fn write(page: &mut Page, seen: &Inspection) {
    if seen.columns.is_empty() {
        return;
    }
    page.heading("Features");
    missing(page, seen);
    let count = |wanted: Varies| seen.columns.iter().filter(|c| c.varies == wanted).count();
    let rows = [
        ("constant", count(Varies::Never), "in all rows"),
        ("", count(Varies::BetweenLists), "within every list"),
        ("repeated", seen.same_columns.iter().map(|group| group.len() - 1).sum(), "columns"),
        ("", seen.repeated_rows.rows, "rows within their list"),
    ];
    let text = |count: usize, what: &str| format!("{} {what}", nice_number(count as f64));
    for pair in rows.chunks(2) {
        page.line(
            pair[0].0,
            &format!("{}, {}", text(pair[0].1, pair[0].2), text(pair[1].1, pair[1].2)),
        );
    }
    categories(page, seen);
    alone(page, seen);
}

fn missing(page: &mut Page, seen: &Inspection) {
    let mut columns: Vec<&ColumnFacts> = seen.columns.iter().filter(|c| c.missing > 0).collect();
    if columns.is_empty() {
        return page.line("missing", "nothing");
    }
    columns.sort_by_key(|column| std::cmp::Reverse(column.missing));
    let wide = name_width(page);
    let cells = page.room().saturating_sub(wide + 25).clamp(4, 20);
    let all = counted(seen.columns.len(), "column");
    let mut lines = vec![format!("in {} of {all}", columns.len())];
    lines.extend(columns.iter().take(MOST).map(|c| {
        let (name, bar) = (pad(&cut(&c.name, wide), wide), bar(c.missing_share, cells));
        let rows = counted(c.missing, "row");
        format!("{name} {bar} {:>7}  {rows}", percent(c.missing_share))
    }));
    page.lines("missing", &lines);
}

fn categories(page: &mut Page, seen: &Inspection) {
    let mut columns: Vec<&ColumnFacts> =
        seen.columns.iter().filter(|c| c.kind == ColumnKind::Categorical).collect();
    columns.sort_by_key(|column| std::cmp::Reverse(column.distinct));
    let mut text: Vec<String> = columns
        .iter()
        .take(MOST)
        .map(|c| format!("{} ({})", cut(&c.name, 28), nice_number(c.distinct as f64)))
        .collect();
    if columns.len() > MOST {
        text.push(format!("and {} more", columns.len() - MOST));
    }
    page.line("categories", &text.join(", "));
}

/// The columns to beat.
fn alone(page: &mut Page, seen: &Inspection) {
    let best = seen.best_columns();
    let (Some(cost), false) = (&seen.cost, best.is_empty()) else { return };
    let wide = name_width(page);
    let cells = page.room().saturating_sub(wide + 27).clamp(4, 20);
    let mut lines: Vec<String> = vec![format!("R_CS@{}, pairs in order", cost.captured.k)];
    lines.extend(best.iter().take(MOST).map(|(column, alone)| {
        let name = pad(&cut(&column.name, wide), wide);
        let way = match alone.direction {
            ColumnDirection::HighFirst => "high first",
            ColumnDirection::LowFirst => "low first",
        };
        let pairs = alone.concordance.map_or(String::new(), |c| percent(c.value));
        let bar = bar(alone.r_cs, cells);
        format!("{name} {bar} {:.3}  {pairs:>6}  {way}", alone.r_cs)
    }));
    let random = cost.captured.r_cs_random;
    lines.push(format!("{:<wide$} {} {random:.3}    50 %", "random order", bar(random, cells)));
    page.lines("alone", &lines);
}
