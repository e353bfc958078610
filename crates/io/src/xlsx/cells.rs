//! The cells of a sheet as text.

use std::collections::BTreeSet;
use std::io::{Read, Seek};

use calamine::{DataRef, ExcelDateTime, Xlsx};

use crate::guard::damaged;
use crate::notation::{Notation, ReadAs, Sniffer, Verdict};
use crate::number::{is_missing, push_f64};
use crate::{FileOptions, ReadError};

/// More cells than this are refused: they would not fit the memory of most machines.
const MAX_CELLS: usize = 100_000_000;

/// The cells of a sheet; rows and columns without any are left out.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sheet {
    pub(super) name: String,
    /// Rows that hold something, with their numbers in the sheet from 1; all of the same width.
    pub(super) rows: Vec<(u64, Vec<Content>)>,
    /// Cells with an error such as `#DIV/0!`.
    pub(super) errors: usize,
}

/// What a cell holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum Content {
    #[default]
    Empty,
    Text(String),
    /// A number, date or time, in plain form.
    Plain(String),
}

impl Content {
    /// Whether it is text, missing values aside.
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Content::Text(text) if !is_missing(text.as_bytes()))
    }

    pub(super) fn is_filled(&self) -> bool {
        !matches!(self, Content::Empty)
    }

    pub(super) fn text(&self) -> &str {
        match self {
            Content::Empty => "",
            Content::Text(text) | Content::Plain(text) => text,
        }
    }

    pub(super) fn into_text(self) -> String {
        match self {
            Content::Empty => String::new(),
            Content::Text(text) | Content::Plain(text) => text,
        }
    }
}

/// Reads the cells of a sheet.
pub(super) fn read_sheet<R: Read + Seek>(
    book: &mut Xlsx<R>,
    source: &str,
    sheet: &str,
) -> Result<Sheet, ReadError> {
    let wrong = |error: calamine::XlsxError| damaged(source, error);
    let mut rows: Vec<(u64, Vec<(u32, Content)>)> = Vec::new();
    let (mut columns, mut errors) = (BTreeSet::new(), 0);
    let mut cells = match book.worksheet_cells_reader(sheet) {
        Ok(cells) => cells,
        // A sheet of charts has no cells.
        Err(calamine::XlsxError::NotAWorksheet(_)) => {
            return Ok(Sheet { name: sheet.to_owned(), rows: Vec::new(), errors });
        }
        Err(error) => return Err(wrong(error)),
    };
    while let Some(cell) = cells.next_cell().map_err(wrong)? {
        let (row, column) = cell.get_position();
        errors += usize::from(matches!(cell.get_value(), DataRef::Error(_)));
        let content = content(cell.get_value());
        if !content.is_filled() {
            continue;
        }
        let line = u64::from(row) + 1;
        columns.insert(column);
        match rows.last_mut() {
            Some((other, cells)) if *other == line => cells.push((column, content)),
            Some((other, _)) if *other > line => {
                return Err(damaged(source, format!("row {line} stands after row {other}")));
            }
            _ => rows.push((line, vec![(column, content)])),
        }
    }
    // A cell far away is one more column, and not thousands of empty ones.
    let columns: Vec<u32> = columns.into_iter().collect();
    let width = columns.len();
    if rows.len().saturating_mul(width) > MAX_CELLS {
        let what = format!(
            "sheet `{sheet}` has {} rows and {width} columns, more than {MAX_CELLS} cells; save it as CSV (UTF-8)",
            rows.len()
        );
        return Err(ReadError::at(source, 0, what));
    }
    let full = |(line, cells): (u64, Vec<(u32, Content)>)| {
        let mut row = vec![Content::Empty; width];
        for (column, content) in cells {
            row[columns.partition_point(|other| *other < column)] = content;
        }
        (line, row)
    };
    Ok(Sheet { name: sheet.to_owned(), rows: rows.into_iter().map(full).collect(), errors })
}

fn content(value: &DataRef<'_>) -> Content {
    let text = |text: &str| match text.trim() {
        "" => Content::Empty,
        _ => Content::Text(text.to_owned()),
    };
    match value {
        DataRef::Empty | DataRef::Error(_) => Content::Empty,
        DataRef::String(value) => text(value),
        DataRef::SharedString(value) => text(value),
        DataRef::Int(value) => Content::Plain(value.to_string()),
        DataRef::Float(value) if value.is_finite() => {
            let mut text = String::new();
            push_f64(&mut text, *value);
            Content::Plain(text)
        }
        DataRef::Float(_) => Content::Empty,
        DataRef::Bool(value) => Content::Plain(u8::from(*value).to_string()),
        DataRef::DateTime(value) => Content::Plain(date(value)),
        DataRef::DateTimeIso(value) | DataRef::DurationIso(value) => text(value),
    }
}

/// A date, a time of day, or both; a duration in hours, minutes and seconds.
fn date(value: &ExcelDateTime) -> String {
    const SECONDS_OF_DAY: f64 = 86_400.0;
    let (days, milliseconds) = (value.as_f64(), (value.as_f64() * SECONDS_OF_DAY * 1e3).round());
    if value.is_duration() || (0.0..1.0).contains(&days) {
        let seconds = (milliseconds / 1e3).round() as i64;
        let (sign, seconds) = (if seconds < 0 { "-" } else { "" }, seconds.unsigned_abs());
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        return format!("{sign}{hours:02}:{minutes:02}:{seconds:02}");
    }
    let (year, month, day, hour, minute, second, milli) = value.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    match (hour, minute, second, milli) {
        (0, 0, 0, 0) => date,
        (.., 0) => format!("{date}T{hour:02}:{minute:02}:{second:02}"),
        _ => format!("{date}T{hour:02}:{minute:02}:{second:02}.{milli:03}"),
    }
}

/// Puts cells of text that are numbers or dates into plain form, column by column, and says so.
pub(super) fn plain(
    mut rows: Vec<(u64, Vec<Content>)>,
    names: &[String],
    options: &FileOptions,
) -> (Vec<(u64, Vec<Content>)>, Vec<String>) {
    let mut found = Vec::new();
    for (at, column) in names.iter().enumerate() {
        let mut sniffer = Sniffer::new(options);
        let texts = rows.iter().filter_map(|(_, row)| match &row[at] {
            Content::Text(text) => Some(text),
            _ => None,
        });
        let mut is_open = false;
        for text in texts {
            is_open = sniffer.see(text.as_bytes());
            if !is_open {
                break;
            }
        }
        let verdict = if is_open { sniffer.verdict() } else { Verdict::AsItIs };
        if let Verdict::Written(notation, _) = verdict {
            // A date among numbers stays what it is, and the column becomes text.
            rows.iter_mut().for_each(|(_, row)| rewrite(&mut row[at], notation));
        }
        found.push(ReadAs { column, verdict });
    }
    (rows, ReadAs::notes(&found))
}

fn rewrite(cell: &mut Content, notation: Notation) {
    if let Content::Text(text) = cell
        && let Some(plain) = notation.plain(text)
    {
        *cell = Content::Plain(plain);
    }
}
