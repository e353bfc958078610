//! Public files as their authors wrote them: tables of text, made into data by what an experiment takes
//! of them.

use std::path::{Path, PathBuf};

use stakes_core::data::Dataset;
use stakes_io::{Roles, parse_csv_bytes, read_bytes};

use crate::Error;

/// The folder of the public data sets.
#[derive(Debug, Clone)]
pub(super) struct Folder(pub(super) PathBuf);

impl Folder {
    /// The bytes of a file, decompressed.
    pub(super) fn bytes(&self, path: &str) -> Result<Vec<u8>, Error> {
        Ok(read_bytes(&self.path(path).display().to_string())?)
    }

    /// A table with a header of names.
    pub(super) fn table(&self, path: &str) -> Result<RawTable, Error> {
        let mut table = RawTable { names: Vec::new(), rows: self.rows(path)? };
        table.names = if table.rows.is_empty() { Vec::new() } else { table.rows.remove(0) };
        Ok(table)
    }

    /// A table without a header.
    pub(super) fn table_of(&self, path: &str, names: &[&str]) -> Result<RawTable, Error> {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        Ok(RawTable { names, rows: self.rows(path)? })
    }

    /// The cells of every line that has some. Lines that begin with `@` (of the KEEL format) are no rows.
    pub(super) fn rows(&self, path: &str) -> Result<Vec<Vec<String>>, Error> {
        let bytes = self.bytes(path)?;
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .comment(Some(b'@'))
            .from_reader(&bytes[..]);
        let mut rows = Vec::new();
        let mut record = csv::ByteRecord::new();
        let bad = |error: csv::Error| Error::Paper(format!("{}: {error}", self.shown(path)));
        while reader.read_byte_record(&mut record).map_err(bad)? {
            let cell = |cell: &[u8]| String::from_utf8_lossy(cell).into_owned();
            rows.push(record.iter().map(cell).collect());
        }
        Ok(rows)
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.join(Path::new(path))
    }

    fn shown(&self, path: &str) -> String {
        self.path(path).display().to_string()
    }
}

/// Named columns of text.
#[derive(Debug, Clone, Default)]
pub(super) struct RawTable {
    pub(super) names: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl RawTable {
    /// A table without rows.
    pub(super) fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        RawTable { names: names.into_iter().map(str::to_owned).collect(), rows: Vec::new() }
    }

    /// The place of a column.
    pub(super) fn column(&self, name: &str) -> Result<usize, Error> {
        let place = self.names.iter().position(|own| own == name);
        place.ok_or_else(|| Error::Paper(format!("a public file has no column `{name}`")))
    }

    /// A table of these columns.
    pub(super) fn select(&self, names: &[&str]) -> Result<RawTable, Error> {
        let places = names.iter().map(|name| self.column(name)).collect::<Result<Vec<_>, _>>()?;
        let row = |row: &Vec<String>| places.iter().map(|&place| row[place].clone()).collect();
        let mut table = RawTable::new(names.iter().copied());
        table.rows = self.rows.iter().map(row).collect();
        Ok(table)
    }

    /// A table without columns in which a value is missing.
    pub(super) fn without_missing(&self) -> RawTable {
        let is_missing = |cell: &String| matches!(cell.as_str(), "" | "?" | "NA");
        let is_whole = |&column: &usize| !self.rows.iter().any(|row| is_missing(&row[column]));
        let kept: Vec<usize> = (0..self.names.len()).filter(is_whole).collect();
        let take = |row: &Vec<String>| kept.iter().map(|&c| row[c].clone()).collect();
        RawTable { names: take(&self.names), rows: self.rows.iter().map(take).collect() }
    }

    /// Each value of a column as a column of zeros and ones, in place of it.
    pub(super) fn one_hot(mut self, name: &str) -> Result<RawTable, Error> {
        let place = self.column(name)?;
        let mut values: Vec<String> = self.rows.iter().map(|row| row[place].clone()).collect();
        values.sort_unstable();
        values.dedup();
        self.names.remove(place);
        self.names.extend(values.iter().map(|value| format!("{name}={value}")));
        for row in &mut self.rows {
            let own = row.remove(place);
            row.extend(values.iter().map(|value| u8::from(*value == own).to_string()));
        }
        Ok(self)
    }

    /// Adds a column.
    pub(super) fn with(
        mut self,
        name: &str,
        value: impl Fn(usize, &[String]) -> String,
    ) -> RawTable {
        for (number, row) in self.rows.iter_mut().enumerate() {
            let value = value(number, row);
            row.push(value);
        }
        self.names.push(name.to_owned());
        self
    }

    /// Data of these rows, read as a CSV file of them would be.
    pub(super) fn dataset(&self, roles: Roles) -> Result<Dataset, Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let bad = |error: csv::Error| Error::Paper(error.to_string());
        writer.write_record(&self.names).map_err(bad)?;
        for row in &self.rows {
            let value = |cell: &String| if cell == "?" { String::new() } else { cell.clone() };
            writer.write_record(row.iter().map(value)).map_err(bad)?;
        }
        let bytes = writer.into_inner().map_err(|error| Error::Paper(error.to_string()))?;
        Ok(parse_csv_bytes(&bytes, roles)?)
    }
}
