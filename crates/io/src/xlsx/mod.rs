//! Excel workbooks (.xlsx): a sheet becomes the same records of text as CSV, so that one path serves both.
//!
//! Cells of numbers are written in full precision, dates as ISO dates, times as `HH:MM:SS`, truth values as 1 and 0;
//! a cell with an error such as `#N/A` is missing. The header need not be the first row, and units may stand below it
//! (`layout`). Cells of text may hold numbers and dates as offices write them (`crate::notation`).
//!
//! Workbooks are read by the crate `calamine`, the most used reader of Rust: it knows the formats of dates, shared
//! texts and both calendars, and hands over cell by cell. (As a whole table, one cell far away would fill the memory.)
//! They are written by `rust_xlsxwriter`, a port of XlsxWriter by its author, whose files Excel opens without
//! complaint. Both are built without optional features. An archive is measured before it is read
//! (`archive`): a small file made to fill the memory is refused.

mod archive;
mod cells;
mod layout;
mod write;

use std::io::Cursor;

use calamine::{Reader, Xlsx};
use csv::ByteRecord;
use stakes_core::data::Dataset;

use crate::csv::{Records, from_records};
use crate::guard::{damaged, guarded};
use crate::input::Input;
use crate::{FileOptions, ReadError, ReadOptions};
use cells::{Sheet, read_sheet};
use layout::Layout;

pub(crate) use write::{MAX_COLUMNS, MAX_ROWS, write};

/// Reads a workbook.
pub(crate) fn read(input: Input, options: &ReadOptions) -> Result<Dataset, ReadError> {
    let (name, bytes) = input.into_bytes()?;
    parse(&name, bytes, options)
}

/// Reads a workbook from memory.
pub fn parse_xlsx_bytes(
    bytes: &[u8],
    options: impl Into<ReadOptions>,
) -> Result<Dataset, ReadError> {
    parse("memory", bytes.to_vec(), &options.into())
}

/// Returns the names of a sheet's columns.
pub(crate) fn columns(input: Input, options: &FileOptions) -> Result<Vec<String>, ReadError> {
    let (name, bytes) = input.into_bytes()?;
    Ok(records(&name, bytes, options)?.header.names)
}

fn parse(name: &str, bytes: Vec<u8>, options: &ReadOptions) -> Result<Dataset, ReadError> {
    from_records(&records(name, bytes, &options.file)?, options)
}

/// The records of the sheet that is asked for.
pub(crate) fn records<'a>(
    name: &'a str,
    bytes: Vec<u8>,
    options: &FileOptions,
) -> Result<Records<'a>, ReadError> {
    archive::check(name, &bytes, options.limits)?;
    let (sheet, mut notes) = guarded(name, || find(name, bytes, options.sheet.as_deref()))?;
    let Some(layout) = Layout::of(&sheet) else {
        let what = format!("sheet `{}` has no table: a header and a row below it", sheet.name);
        return Err(ReadError::at(name, 0, what));
    };
    notes.extend(layout.notes(&sheet));
    let (header, rows) = layout.take(sheet);
    let header = crate::names::Names::new(&header);
    let (rows, found) = cells::plain(rows, &header.names, options);
    notes.extend(found);
    let record = |(line, cells): (u64, Vec<cells::Content>)| {
        (
            line,
            ByteRecord::from(cells.into_iter().map(cells::Content::into_text).collect::<Vec<_>>()),
        )
    };
    Ok(Records::made(name, header, notes, rows.into_iter().map(record).collect()))
}

/// Finds the sheet by its name or number, or the first that has data.
fn find(
    name: &str,
    bytes: Vec<u8>,
    wanted: Option<&str>,
) -> Result<(Sheet, Vec<String>), ReadError> {
    let mut book = Xlsx::new(Cursor::new(bytes)).map_err(|error| damaged(name, error))?;
    let sheets = book.sheet_names();
    let listed = sheets.join(", ");
    if let Some(wanted) = wanted {
        let by_number = || sheets.get(wanted.trim().parse::<usize>().ok()?.checked_sub(1)?);
        let Some(sheet) = sheets.iter().find(|sheet| *sheet == wanted).or_else(by_number) else {
            let what = format!("there is no sheet `{wanted}`; the sheets are {listed}");
            return Err(ReadError::at(name, 0, what));
        };
        return Ok((read_sheet(&mut book, name, sheet)?, Vec::new()));
    }
    for sheet in &sheets {
        let sheet = read_sheet(&mut book, name, sheet)?;
        if sheet.rows.is_empty() {
            continue;
        }
        let others = sheets.len() - 1;
        let note = format!("sheet `{}` is read, of {listed} (set `sheet` to NAME)", sheet.name);
        return Ok((sheet, (others > 0).then_some(note).into_iter().collect()));
    }
    Err(ReadError::at(name, 0, format!("no sheet has any cell (sheets: {listed})")))
}
