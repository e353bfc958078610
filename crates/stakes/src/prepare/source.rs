//! A table as it is in its file: numbers in full precision, all else as text.

use std::borrow::Cow;

use stakes_core::data::{Dataset, Feature, FeatureKind};
use stakes_io::{FileOptions, Format, ReadOptions, Roles};

use crate::Error;

/// A file with columns.
pub(super) struct Source {
    pub(super) path: String,
    data: Dataset,
}

/// A column of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    Number(usize),
    Text(usize),
}

impl Column {
    pub(super) fn is_text(self) -> bool {
        matches!(self, Column::Text(_))
    }
}

impl Source {
    pub(super) fn read(path: &str, options: &FileOptions) -> Result<Self, Error> {
        let format = options.format.or_else(|| Format::from_path(path));
        if format == Some(Format::Letor) {
            let what = "LETOR has lists already, and no names of columns; events are read from csv, xlsx, parquet";
            return Err(Error::Prepare(format!("{path}: {what}")));
        }
        let read = ReadOptions { file: options.clone(), ..Roles::new().exact().into() };
        Ok(Source { path: path.to_owned(), data: stakes_io::read(path, read)? })
    }

    pub(super) fn len(&self) -> usize {
        self.data.len()
    }

    /// How the file was read.
    pub(super) fn notes(&self) -> &[String] {
        self.data.notes()
    }

    pub(super) fn line(&self, row: usize) -> u64 {
        self.data.line(row)
    }

    /// The names of the columns, in the order of the file.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.data.column_order().iter().map(String::as_str)
    }

    pub(super) fn column(&self, name: &str) -> Option<Column> {
        let number = self.data.extras().position(|(other, _)| other == name).map(Column::Number);
        let text = || self.data.feature_info().iter().position(|f| f.name == name);
        number.or_else(|| text().map(Column::Text))
    }

    /// A column by its name, or an error with a similar name.
    pub(super) fn find(&self, name: &str) -> Result<Column, Error> {
        self.column(name).ok_or_else(|| {
            let hint = stakes_core::suggest::hint(name, self.names());
            Error::Prepare(format!("{}: there is no column `{name}`; {hint}", self.path))
        })
    }

    /// A value as text; `None` where missing.
    pub(super) fn text(&self, column: Column, row: usize) -> Option<Cow<'_, str>> {
        match column {
            Column::Number(_) => self.number(column, row).map(|value| value.to_string().into()),
            Column::Text(at) => {
                let name = self.data.feature_info()[at].category(self.data.features().row(row)[at]);
                name.map(Cow::Borrowed)
            }
        }
    }

    /// A number; `None` where missing, or if it is text.
    pub(super) fn number(&self, column: Column, row: usize) -> Option<f64> {
        match column {
            Column::Number(at) => {
                let value = self.data.extras().nth(at).map_or(f64::NAN, |(_, values)| values[row]);
                Some(value).filter(|value| !value.is_nan())
            }
            Column::Text(_) => None,
        }
    }

    /// The column as a feature.
    pub(super) fn feature(&self, name: &str, column: Column) -> Feature {
        let kind = match column {
            Column::Number(_) => FeatureKind::Numeric,
            Column::Text(at) => self.data.feature_info()[at].kind.clone(),
        };
        Feature { name: name.to_owned(), kind }
    }

    /// A value of that feature.
    pub(super) fn value(&self, column: Column, row: usize) -> f32 {
        match column {
            Column::Number(_) => self.number(column, row).map_or(f32::NAN, |value| value as f32),
            Column::Text(at) => self.data.features().row(row)[at],
        }
    }
}
