//! Other tables beside the log: of items, of lists, or of items in lists. Columns are matched by their names.

use std::collections::{HashMap, HashSet};

use stakes_core::data::Feature;
use stakes_core::display::counted;
use stakes_core::suggest;
use stakes_io::FileOptions;

use super::log::Log;
use super::source::{Column, Source};
use super::{ListOf, PrepareOptions};
use crate::Error;

/// A table to join, by its keys.
pub(super) struct Join {
    source: Source,
    /// Whether its rows are of items, of lists, or of both.
    pub(super) by_item: bool,
    pub(super) by_list: bool,
    /// The row of a list and an item; either is empty if the table does not have it.
    rows: HashMap<(String, String), usize>,
    columns: Vec<(String, Column)>,
}

impl Join {
    pub(super) fn read(path: &str, options: &PrepareOptions) -> Result<Join, Error> {
        // Numbers and dates are written as in the log, where that was decided.
        let of_log = FileOptions { sheet: None, ..options.file.clone() };
        let source = Source::read(path, &FileOptions::default().or(&of_log, path))?;
        let item = source.column(&options.item);
        let list = list_columns(&source, &options.list);
        if item.is_none() && list.is_none() {
            return Err(Error::Prepare(no_key(&source, options)));
        }
        let mut keys: HashSet<&str> = HashSet::new();
        keys.extend(item.map(|_| options.item.as_str()));
        keys.extend(list.iter().flat_map(|(names, _)| names.iter().map(String::as_str)));
        let rest = source.names().filter(|name| !keys.contains(name));
        let columns: Vec<(String, Column)> =
            rest.filter_map(|name| Some((name.to_owned(), source.column(name)?))).collect();
        if columns.is_empty() {
            let what = "it has no column beside those that it is matched by; leave it out";
            return Err(Error::Prepare(format!("{path}: {what}")));
        }
        let mut rows: HashMap<(String, String), usize> = HashMap::new();
        for row in 0..source.len() {
            let of_item = item.map(|column| source.text(column, row));
            let of_list = list.as_ref().map(|(_, columns)| options.list.key(&source, columns, row));
            let (of_item, of_list) = match (of_item, of_list) {
                (Some(None), _) | (_, Some(None)) => return Err(no_value(&source, row)),
                (item, list) => (
                    item.flatten().map_or_else(String::new, |text| text.trim().to_owned()),
                    list.flatten().map_or_else(String::new, |key| options.list.id(&key)),
                ),
            };
            let key = [of_list.as_str(), of_item.as_str()].join(" ").trim().to_owned();
            if let Some(first) = rows.insert((of_list, of_item), row) {
                let near = match item {
                    None => suggest::nearest(&options.item, source.names()).map(|name| {
                        format!("; did you mean the column `{name}` to be `{}`?", options.item)
                    }),
                    Some(_) => None,
                };
                return Err(Error::Prepare(format!(
                    "{path}:{}: {key} is there already, in line {}; a key may occur once{}",
                    source.line(row),
                    source.line(first),
                    near.unwrap_or_default()
                )));
            }
        }
        Ok(Join { source, by_item: item.is_some(), by_list: list.is_some(), rows, columns })
    }

    /// The items that it has, sorted, if it is a table of items.
    pub(super) fn items(&self) -> Option<Vec<String>> {
        let mut items: Vec<String> = self.rows.keys().map(|(_, item)| item.clone()).collect();
        items.sort();
        (self.by_item && !self.by_list).then_some(items)
    }

    /// Its columns as features.
    pub(super) fn features(&self) -> impl Iterator<Item = Feature> {
        self.columns.iter().map(|(name, column)| self.source.feature(name, *column))
    }

    /// Refuses names that are there already.
    pub(super) fn check_names(&self, taken: &HashSet<String>) -> Result<(), Error> {
        match self.columns.iter().find(|(name, _)| taken.contains(name)) {
            None => Ok(()),
            Some((name, _)) => Err(Error::Prepare(format!(
                "{}: the column `{name}` is there already, from the log or another file; rename or remove one",
                self.source.path
            ))),
        }
    }

    /// Appends the values of an item in a list; missing if it has none. Returns whether it has.
    pub(super) fn push(&self, list: &str, item: &str, row: &mut Vec<f32>) -> bool {
        let found = self.row(list, item);
        row.extend(
            self.columns
                .iter()
                .map(|(_, column)| found.map_or(f32::NAN, |row| self.source.value(*column, row))),
        );
        found.is_some()
    }

    fn row(&self, list: &str, item: &str) -> Option<usize> {
        let list = if self.by_list { list } else { "" };
        let item = if self.by_item { item } else { "" };
        self.rows.get(&(list.to_owned(), item.to_owned())).copied()
    }

    /// The value of a column for each item, by its code, if this table of items has the column.
    pub(super) fn regions(&self, column: &str, items: &[String]) -> Option<Vec<Option<String>>> {
        let (_, at) = self.columns.iter().find(|(name, _)| name == column)?;
        let text = |item: &String| Some(self.source.text(*at, self.row("", item)?)?.into_owned());
        (self.by_item && !self.by_list).then(|| items.iter().map(text).collect())
    }

    /// What should be known of it; `unmatched` rows of the panel have no row here.
    pub(super) fn notes(&self, log: &Log, (unmatched, rows): (usize, usize)) -> Vec<String> {
        let path = &self.source.path;
        let mut notes: Vec<String> =
            self.source.notes().iter().map(|note| format!("{path}: {note}")).collect();
        if unmatched > 0 {
            let of = counted(rows, "row");
            notes.push(format!(
                "{path}: nothing for {unmatched} of {of}; its columns are missing there"
            ));
        }
        let (lists, items): (HashSet<&String>, HashSet<&String>) =
            (log.lists.iter().collect(), log.items.iter().collect());
        let is_unused = |(list, item): &&(String, String)| {
            self.by_list && !lists.contains(list) || self.by_item && !items.contains(item)
        };
        let unused = self.rows.keys().filter(is_unused).count();
        if unused > 0 {
            let what = if self.by_list { "are of no list or item" } else { "had no event" };
            notes.push(format!(
                "{path}: {unused} of {} {what} of the log",
                counted(self.rows.len(), "row")
            ));
        }
        if self.by_list {
            notes.push(format!(
                "{path}: its values differ by list; they must be known before the list begins (a forecast, not what \
                 was measured)"
            ));
        }
        notes
    }
}

/// The columns by which a table is of lists, with their names.
fn list_columns(source: &Source, list: &ListOf) -> Option<(Vec<String>, Vec<Column>)> {
    let all = |names: &[String]| -> Option<(Vec<String>, Vec<Column>)> {
        let columns = names.iter().map(|name| source.column(name)).collect::<Option<Vec<_>>>()?;
        Some((names.to_vec(), columns))
    };
    let made = || match list {
        ListOf::Calendar(..) => all(&[list.name().to_owned()]),
        ListOf::Columns(_) => None,
    };
    all(list.columns()).or_else(made)
}

fn no_key(source: &Source, options: &PrepareOptions) -> String {
    let mut wanted = vec![options.item.clone()];
    wanted.extend(options.list.columns().iter().cloned());
    wanted.extend(
        matches!(options.list, ListOf::Calendar(..)).then(|| options.list.name().to_owned()),
    );
    let near = wanted.iter().find_map(|name| Some((name, suggest::nearest(name, source.names())?)));
    let hint = match near {
        Some((name, near)) => format!("is its column `{near}` to be called `{name}`?"),
        None => {
            let shown: Vec<&str> = source.names().take(12).collect();
            format!("it has {}", shown.join(", "))
        }
    };
    let path = &source.path;
    format!("{path}: it is matched by {}, and has none of these columns; {hint}", wanted.join(", "))
}

fn no_value(source: &Source, row: usize) -> Error {
    Error::Prepare(format!(
        "{}:{}: the item or list that the row is matched by is missing (or is no date); fill it in, or remove the row",
        source.path,
        source.line(row)
    ))
}
