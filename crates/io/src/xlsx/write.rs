//! Writing a table as a workbook of one sheet: a bold header that stays in sight, columns as wide as their first
//! values, numbers as numbers. Equal tables give equal bytes.

use std::io::{self, Write};

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use stakes_core::data::Dataset;

use crate::number;
use crate::table::{self, Content};

/// The limits of a sheet.
pub(crate) const MAX_ROWS: usize = 1_048_575;
pub(crate) const MAX_COLUMNS: usize = 16_384;
const MAX_CHARACTERS: usize = 32_767;

/// A value to write.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cell<'a> {
    Text(&'a str),
    Number(f64),
    Empty,
}

/// Writes a data set.
pub(crate) fn write(data: &Dataset, out: &mut dyn Write) -> io::Result<()> {
    let columns = table::columns(data);
    let header: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let rows: Vec<(usize, usize)> = table::rows(data).collect();
    write_sheet(out, &header, rows.len(), |row, column| {
        let (item, list) = rows[row];
        match &columns[column].content {
            Content::Text(text) => text(item, list).map_or(Cell::Empty, Cell::Text),
            Content::Numbers(values) => Cell::Number(values[item]),
            // The shortest text that is read as the same 32 bits: 0.1 and not 0.10000000149.
            Content::Feature(j) => Cell::Number(shortest(data.features().row(item)[*j])),
        }
    })
}

fn shortest(value: f32) -> f64 {
    let mut text = String::new();
    number::push_f32(&mut text, value);
    number::parse(text.as_bytes()).unwrap_or(f64::NAN)
}

/// Writes the header and all rows, of which `cell` gives each value by row and column.
fn write_sheet<'a>(
    out: &mut dyn Write,
    header: &[&str],
    rows: usize,
    cell: impl Fn(usize, usize) -> Cell<'a>,
) -> io::Result<()> {
    let mut book = workbook(header, rows, cell).map_err(io::Error::other)?;
    out.write_all(&book.save_to_buffer().map_err(io::Error::other)?)
}

fn workbook<'a>(
    header: &[&str],
    rows: usize,
    cell: impl Fn(usize, usize) -> Cell<'a>,
) -> Result<Workbook, XlsxError> {
    let mut book = Workbook::new();
    // The day of writing would make every file another.
    let day = ExcelDateTime::from_ymd(2000, 1, 1)?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&day));
    let bold = Format::new().set_bold();
    let sheet = book.add_worksheet();
    sheet.set_freeze_panes(1, 0)?;
    for (column, name) in (0_u16..).zip(header) {
        sheet.write_string_with_format(0, column, *name, &bold)?;
        sheet.set_column_width(column, width(name, rows, |row| cell(row, column.into())))?;
    }
    for row in 0..rows {
        for column in 0..header.len() {
            put(sheet, row as u32 + 1, column as u16, cell(row, column))?;
        }
    }
    Ok(book)
}

fn put(sheet: &mut Worksheet, row: u32, column: u16, cell: Cell<'_>) -> Result<(), XlsxError> {
    match cell {
        Cell::Text("") | Cell::Empty => {}
        Cell::Text(text) if text.len() > MAX_CHARACTERS => {
            let cut: String = text.chars().take(MAX_CHARACTERS - 1).chain(['…']).collect();
            sheet.write_string(row, column, cut)?;
        }
        Cell::Text(text) => drop(sheet.write_string(row, column, text)?),
        Cell::Number(value) if value.is_finite() => drop(sheet.write_number(row, column, value)?),
        Cell::Number(_) => {}
    }
    Ok(())
}

/// The width that the name and the first values need.
fn width<'a>(name: &str, rows: usize, cell: impl Fn(usize) -> Cell<'a>) -> f64 {
    const ROWS: usize = 100;
    let of_cell = |row| match cell(row) {
        Cell::Text(text) => text.chars().count(),
        Cell::Number(value) => value.to_string().len().min(14),
        Cell::Empty => 0,
    };
    let widest = (0..rows.min(ROWS)).map(of_cell).chain([name.chars().count()]).max();
    widest.unwrap_or(0).clamp(6, 48) as f64 + 2.0
}
