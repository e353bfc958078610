//! Tables and figures as plain text.

use stakes_core::display::{nice_number, printable};
use unicode_width::UnicodeWidthStr;

/// A table of cells: the first column to the left, the others to the right.
pub fn table(header: &[String], rows: &[Vec<String>]) -> String {
    // Names may come from outside, and their length must be what is shown.
    let shown = |cells: &[String]| -> Vec<String> {
        cells.iter().map(|cell| printable(cell).into_owned()).collect()
    };
    let header = &shown(header);
    let rows: &Vec<Vec<String>> = &rows.iter().map(|row| shown(row)).collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| &row[column]).chain([&header[column]]);
        cells.map(|cell| cell.width()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let line = |cells: &[String]| -> String {
        let mut line = String::new();
        for (column, (cell, width)) in cells.iter().zip(&widths).enumerate() {
            let space = " ".repeat(width - cell.width());
            match column {
                0 => line += &format!(" {cell}{space} "),
                _ => line += &format!(" {space}{cell} "),
            }
        }
        line.trim_end().to_owned() + "\n"
    };
    std::iter::once(header).chain(rows).map(|cells| line(cells)).collect()
}

/// A figure with four decimals where it is a share, with four digits elsewhere.
pub fn short(value: f64) -> String {
    match value.abs() {
        size if size < 0.5e-4 => "0.0000".into(), // and not -0.0000
        size if size <= 10.0 => format!("{value:.4}"),
        _ => nice_number(value),
    }
}

/// `37 %`, `0.2 %`; never 0 or 100 for what is not.
pub fn percent(share: f64) -> String {
    match 100.0 * share {
        0.0 => "0 %".to_owned(),
        p if p > 99.0 && p < 100.0 => format!("{:.1} %", (10.0 * p).floor() / 10.0),
        p if p >= 9.95 => format!("{p:.0} %"),
        p if p >= 0.05 => format!("{p:.1} %"),
        _ => "< 0.1 %".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let text = |cells: [&str; 2]| cells.map(str::to_owned);
        let rows = [text(["random order", "0.5"]).to_vec(), text(["ideal", "1.25"]).to_vec()];
        let expected = " score          rcs\n random order   0.5\n ideal         1.25\n";
        assert_eq!(table(&text(["score", "rcs"]), &rows), expected);
    }
}
