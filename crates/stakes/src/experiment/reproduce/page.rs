//! A reproduction as a page for a terminal.

use super::report::{PaperTable, Reproduced};
use crate::text::{Page, Table};

pub(super) fn write(page: &mut Page, found: &Reproduced) {
    page.title(found.reference);
    found.protocol.iter().for_each(|text| page.text(text));
    for table in &found.tables {
        page.heading(&table.title);
        page.table(&as_table(table));
        table.remarks.iter().for_each(|remark| page.text(remark));
    }
    page.heading("Claims");
    for claim in &found.claims {
        page.hanging(
            "- ",
            &format!("{}. Here it {}: {}.", claim.says, claim.held.word(), claim.found),
        );
    }
    page.gap();
    page.text(&found.tally());
    if !found.missing.is_empty() {
        page.heading("Not run");
        found.missing.iter().for_each(|text| page.hanging("- ", text));
    }
}

fn as_table(table: &PaperTable) -> Table {
    let mut shown = Table::new(titles(table));
    rows(table).into_iter().for_each(|row| shown.row(row));
    shown
}

/// The titles of the columns.
pub(super) fn titles(table: &PaperTable) -> Vec<String> {
    let mut titles = vec![table.rows_are.to_owned(), "paper".to_owned()];
    for (place, title) in table.ours_are.iter().enumerate() {
        titles.push((*title).to_owned());
        if place == 0 {
            titles.push("difference".to_owned());
        }
    }
    titles
}

/// The texts of the cells; what is not there is a dash.
pub(super) fn rows(table: &PaperTable) -> Vec<Vec<String>> {
    let decimals = table.decimals;
    let dash = || "-".to_owned();
    let row = |row: &super::PaperRow| {
        let printed = row.printed.map_or_else(dash, |number| number.shown(decimals));
        let mut cells = vec![row.name.clone(), printed];
        for (place, number) in row.ours.iter().enumerate() {
            cells.push(number.map_or_else(dash, |number| number.shown(decimals)));
            if place == 0 {
                let difference = row.difference();
                cells.push(difference.map_or_else(dash, |value| format!("{value:+.decimals$}")));
            }
        }
        cells
    };
    table.rows.iter().map(row).collect()
}
