//! Columns of the data file beside a ranking: the names and places that somebody needs to act. They are
//! read as text, as the file has them, whatever the model makes of them.

use std::collections::HashSet;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use stakes_core::data::{DataError, DataProblem, Dataset, Place};
use stakes_core::suggest;
use stakes_io::{ReadOptions, Roles};

use super::Ranked;
use crate::{Error, data};

/// The columns to show beside a ranking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keep {
    /// All but the list and the id, which a ranking has anyway.
    All,
    /// Those with these names.
    Columns(Vec<String>),
}

/// Columns of a data file, as text.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptColumns {
    columns: Dataset,
    /// The numbers of the columns, in the order in which they were asked for.
    order: Vec<usize>,
    /// The row of `columns` of each item.
    rows: Vec<usize>,
}

/// The kept values of an item; as JSON an object with a text, or null, for each column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeptRow<'a> {
    columns: &'a KeptColumns,
    item: usize,
}

impl KeptColumns {
    /// Reads columns of the file that `data` were read from.
    pub fn read(
        data: &Dataset,
        path: &str,
        options: &ReadOptions,
        keep: &Keep,
    ) -> Result<Self, Error> {
        let refused = |why| Error::NothingToKeep { path: path.to_owned(), why };
        if path == "-" {
            return Err(refused("stdin can be read only once, and they need a second time"));
        }
        let there = stakes_io::columns(path, &options.file)?;
        if data::is_letor(path, options.file.format, &there) {
            return Err(refused("LETOR has no names of columns"));
        }
        let known = data.columns();
        let mut wanted: Vec<String> = match keep {
            Keep::Columns(names) => names.clone(),
            Keep::All => {
                let named = [&known.list, &known.id].map(Option::as_ref);
                there.iter().filter(|name| !named.contains(&Some(name))).cloned().collect()
            }
        };
        if let Some(name) = wanted.iter().find(|name| !there.contains(name)) {
            let hint = suggest::hint(name, there.iter().map(String::as_str));
            let problem = DataProblem::UnknownColumn { name: name.clone(), hint };
            return Err(DataError::new(Place::source(path), problem).into());
        }
        let mut seen = HashSet::new();
        wanted.retain(|name| seen.insert(name.clone()));
        let others = there.into_iter().filter(|name| !wanted.contains(name));
        let roles = Roles { categorical: wanted.clone(), ..Roles::new().drop(others) };
        let columns = stakes_io::read(path, ReadOptions { roles, ..options.clone() })?;
        // Without a list column, rows are in the order of the file.
        let lines: Vec<u64> = (0..columns.len()).map(|row| columns.line(row)).collect();
        let row = |item| lines.partition_point(|line| *line < data.line(item));
        let rows = (0..data.len()).map(row).collect();
        let at =
            |name: &String| columns.feature_info().iter().position(|column| column.name == *name);
        let order = wanted.iter().filter_map(at).collect();
        Ok(KeptColumns { columns, order, rows })
    }

    /// The names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(|&at| self.columns.feature_info()[at].name.as_str())
    }
}

impl<'a> KeptRow<'a> {
    /// The values, in the order of [`KeptColumns::names`]; `None` where missing.
    pub fn values(&self) -> impl Iterator<Item = Option<&'a str>> {
        let KeptColumns { columns, order, rows } = self.columns;
        let codes = columns.features().row(rows[self.item]);
        order.iter().map(|&at| columns.feature_info()[at].category(codes[at]))
    }
}

impl Serialize for KeptRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in self.columns.names().zip(self.values()) {
            map.serialize_entry(name, &value)?;
        }
        map.end()
    }
}

impl<'a> Ranked<'a> {
    /// Puts columns of the data file beside each item.
    pub fn keep(&mut self, columns: &'a KeptColumns) {
        for item in &mut self.items {
            item.columns = Some(KeptRow { columns, item: item.item });
        }
    }
}
