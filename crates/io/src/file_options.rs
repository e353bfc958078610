//! How a file is to be read, whatever its columns are for.

use std::fmt;
use std::str::FromStr;

use stakes_core::suggest;

use crate::{Format, Limits, ReadError};

/// How a file is to be read: its format, and what a table as offices have it does not say by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileOptions {
    /// The format; by default from the file's extension or its first bytes.
    pub format: Option<Format>,
    /// The sheet of a workbook, by its name or its number from 1; by default the first that has data.
    pub sheet: Option<String>,
    /// What separates decimals in numbers that are text; by default as the whole column shows.
    pub decimal: Option<Decimal>,
    /// The order of day, month and year in dates that are text; by default as the whole column shows.
    pub dates: Option<DateOrder>,
    /// How large the data may be; by default as large as the memory.
    pub limits: Option<Limits>,
}

impl From<Option<Format>> for FileOptions {
    fn from(format: Option<Format>) -> Self {
        FileOptions { format, ..FileOptions::default() }
    }
}

impl FileOptions {
    /// The same, with what another says where it has an effect on the file.
    #[must_use]
    pub fn or(mut self, other: &FileOptions, path: &str) -> Self {
        let format = self.format.or_else(|| Format::from_path(path));
        if format.is_some_and(is_table) {
            self.decimal = self.decimal.or(other.decimal);
            self.dates = self.dates.or(other.dates);
        }
        if format == Some(Format::Xlsx) && self.sheet.is_none() {
            self.sheet.clone_from(&other.sheet);
        }
        self
    }

    /// Refuses what has no effect on a format.
    pub(crate) fn check(&self, source: &str, format: Format) -> Result<(), ReadError> {
        let is_table = is_table(format);
        let refused = |option: &str, of: &str| {
            let what = format!("`{option}` is for {of}, and this is {format}; leave it out");
            Err(ReadError::at(source, 0, what))
        };
        match self {
            FileOptions { sheet: Some(_), .. } if format != Format::Xlsx => {
                refused("sheet", "workbooks")
            }
            FileOptions { decimal: Some(_), .. } if !is_table => refused("decimal", "csv and xlsx"),
            FileOptions { dates: Some(_), .. } if !is_table => refused("dates", "csv and xlsx"),
            _ => Ok(()),
        }
    }
}

/// Whether cells may hold text that is a number or a date.
fn is_table(format: Format) -> bool {
    matches!(format, Format::Csv | Format::Tsv | Format::Xlsx)
}

/// What separates the decimals of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decimal {
    /// `1,234.56`
    Point,
    /// `1.234,56`
    Comma,
}

impl Decimal {
    const NAMES: [(&'static str, Decimal); 2] =
        [("point", Decimal::Point), ("comma", Decimal::Comma)];
}

impl FromStr for Decimal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        by_name("decimal separator", &Decimal::NAMES, text)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name_of(&Decimal::NAMES, self))
    }
}

/// The order of day, month and year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateOrder {
    /// `31.12.2011`
    Dmy,
    /// `12/31/2011`
    Mdy,
    /// `2011/12/31`
    Ymd,
}

impl DateOrder {
    const NAMES: [(&'static str, DateOrder); 3] =
        [("dmy", DateOrder::Dmy), ("mdy", DateOrder::Mdy), ("ymd", DateOrder::Ymd)];
}

impl FromStr for DateOrder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        by_name("order of dates", &DateOrder::NAMES, text)
    }
}

impl fmt::Display for DateOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name_of(&DateOrder::NAMES, self))
    }
}

fn name_of<T: PartialEq>(names: &[(&'static str, T)], value: &T) -> &'static str {
    names.iter().find(|(_, other)| other == value).map_or("", |(name, _)| name)
}

fn by_name<T: Copy>(what: &str, names: &[(&str, T)], text: &str) -> Result<T, String> {
    names.iter().find(|(name, _)| *name == text).map(|(_, value)| *value).ok_or_else(|| {
        let hint = suggest::hint(text, names.iter().map(|(name, _)| *name));
        format!("there is no {what} `{text}`; {hint}")
    })
}
