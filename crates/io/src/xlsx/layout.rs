//! Where the table is in a sheet: titles may stand above the header, units below it, and a column before it may be
//! empty.

use stakes_core::display::counted;

use super::cells::{Content, Sheet};

/// The place of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    /// The row of the header, counted among those that hold something.
    header: usize,
    has_units: bool,
    /// The columns that belong to the table.
    columns: Vec<usize>,
    /// The number of columns with a name and no value that are left out.
    empty: usize,
}

impl Layout {
    /// Finds the table: its header is the first row that is nearly as wide as the widest one and holds text alone
    /// (else the first row). `None` if there is no row below it.
    pub(super) fn of(sheet: &Sheet) -> Option<Layout> {
        let filled = |row: &[Content]| row.iter().filter(|cell| cell.is_filled()).count();
        let widest = sheet.rows.iter().map(|(_, row)| filled(row)).max()?;
        // A column or two may have no name.
        let is_wide = |row: &[Content]| 5 * filled(row) >= 4 * widest;
        let is_text = |row: &[Content]| row.iter().all(|cell| !matches!(cell, Content::Plain(_)));
        let is_header = |(_, row): &(u64, Vec<Content>)| is_wide(row) && is_text(row);
        let header = sheet.rows.iter().position(is_header).unwrap_or(0);
        let below = &sheet.rows[header + 1..];
        let has_units = below.len() > 1 && are_units(&below[0].1, &below[1..]);
        let values = &below[usize::from(has_units)..];
        if values.is_empty() {
            return None;
        }
        let names = &sheet.rows[header].1;
        let has_values = |at: &usize| values.iter().any(|(_, row)| row[*at].is_filled());
        let first_named = names.iter().position(Content::is_filled);
        // A column of titles may stand first.
        let is_part =
            |at: &usize| has_values(at) || names[*at].is_filled() && Some(*at) != first_named;
        let columns: Vec<usize> = (0..names.len()).filter(is_part).collect();
        let empty = usize::from(first_named.is_some_and(|at| !columns.contains(&at)));
        Some(Layout { header, has_units, columns, empty })
    }

    /// What was left out.
    pub(super) fn notes(&self, sheet: &Sheet) -> Vec<String> {
        let mut notes = Vec::new();
        let (line, names) = &sheet.rows[self.header];
        if self.header > 0 {
            let above = counted(line.saturating_sub(1) as usize, "row");
            notes.push(format!("header found in row {line}; {above} above it left out"));
        }
        if self.has_units {
            let line = sheet.rows[self.header + 1].0;
            notes.push(format!("row {line} left out: it holds units, not values"));
        }
        if self.empty > 0 {
            let name = names.iter().find(|cell| cell.is_filled()).map_or("", Content::text);
            notes.push(format!("the first column, `{name}`, left out: it has no values"));
        }
        if sheet.errors > 0 {
            let cells = counted(sheet.errors, "cell");
            notes.push(format!("{cells} with an error such as #N/A read as missing"));
        }
        notes
    }

    /// The header and the rows below it.
    pub(super) fn take(self, sheet: Sheet) -> (Vec<String>, Vec<(u64, Vec<Content>)>) {
        let pick = |mut row: Vec<Content>| -> Vec<Content> {
            self.columns.iter().map(|&at| std::mem::take(&mut row[at])).collect()
        };
        let mut rows = sheet.rows.into_iter().skip(self.header);
        let header = rows.next().map(|(_, row)| pick(row)).unwrap_or_default();
        let rows = rows.skip(usize::from(self.has_units));
        let rows = rows.map(|(line, row)| (line, pick(row)));
        let is_filled = |(_, row): &(u64, Vec<Content>)| row.iter().any(Content::is_filled);
        (header.into_iter().map(Content::into_text).collect(), rows.filter(is_filled).collect())
    }
}

/// Whether a row holds units: text alone, at least half of it in columns whose other values are no text.
fn are_units(row: &[Content], below: &[(u64, Vec<Content>)]) -> bool {
    let texts: Vec<usize> = (0..row.len()).filter(|&at| row[at].is_filled()).collect();
    let is_number = |at: &usize| {
        let is_plain = |row: &Vec<Content>| matches!(row[*at], Content::Plain(_));
        below.iter().any(|(_, row)| is_plain(row))
            && !below.iter().any(|(_, row)| row[*at].is_text())
    };
    let numbers = texts.iter().filter(|at| is_number(at)).count();
    texts.iter().all(|&at| row[at].is_text()) && numbers > 0 && 2 * numbers >= texts.len()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Rows of words with blanks between them; `-` is empty.
    fn sheet(rows: &[&str]) -> Sheet {
        let cell = |word: &str| match (word, word.parse::<f64>()) {
            ("-", _) => Content::Empty,
            (word, Ok(_)) => Content::Plain(word.into()),
            (word, _) => Content::Text(word.into()),
        };
        let row = |row: &&str| row.split(' ').map(cell).collect();
        let rows = (1..).zip(rows.iter().map(row)).collect();
        Sheet { name: "s".into(), rows, errors: 0 }
    }

    fn taken(rows: &[&str]) -> (Vec<String>, usize, Vec<String>) {
        let sheet = sheet(rows);
        let layout = Layout::of(&sheet).unwrap();
        let notes = layout.notes(&sheet);
        let (header, rows) = layout.take(sheet);
        (header, rows.len(), notes)
    }

    #[test]
    fn a_plain_table_is_taken_as_it_is() {
        let (header, rows, notes) = taken(&["a b", "x 1", "y 2"]);
        assert_eq!((header, rows, notes.len()), (vec!["a".into(), "b".into()], 2, 0));
        // Text alone below the header is no unit, nor is a header without one of its names.
        assert_eq!(taken(&["a b", "x y", "z w"]).1, 2);
        assert_eq!(taken(&["a b c d -", "x y z w 1", "x y z w 2"]).0, ["a", "b", "c", "d", ""]);
        assert_eq!(taken(&["2010 2011", "1 2"]).0, ["2010", "2011"]);
    }

    #[test]
    fn titles_units_and_an_empty_column_are_left_out() {
        let rows = [
            "Outages - - -",
            "- by me -",
            "variables state month cost",
            "Units - Month USD",
            "- Texas 7 12.5",
            "- Maine NA 3",
        ];
        let (header, rows, notes) = taken(&rows);
        assert_eq!((header.join(" "), rows), ("state month cost".into(), 2));
        assert_eq!(
            notes,
            [
                "header found in row 3; 2 rows above it left out",
                "row 4 left out: it holds units, not values",
                "the first column, `variables`, left out: it has no values"
            ]
        );
    }

    #[test]
    fn a_header_alone_is_no_table() {
        assert_eq!(Layout::of(&sheet(&["a b"])), None);
        assert_eq!(Layout::of(&sheet(&[])), None);
    }
}
