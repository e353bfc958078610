//! The events of a log: their list, item and amounts.

use std::collections::{BTreeSet, HashMap};

use stakes_core::display::counted;

use super::source::{Column, Source};
use super::{ListOf, PrepareOptions};
use crate::Error;

/// Events that have a list and an item, in time order.
pub(super) struct Log {
    pub(super) source: Source,
    pub(super) events: Vec<Event>,
    /// The ids of all lists, in time order.
    pub(super) lists: Vec<String>,
    /// The ids of all items of the log, sorted.
    pub(super) items: Vec<String>,
    pub(super) left_out: LeftOut,
    /// For each measure, how many events have no amount.
    pub(super) without_amount: Vec<usize>,
    /// Lists of a calendar in which nothing happened.
    pub(super) empty_lists: usize,
}

/// Events that are left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Without a list: no date, or an empty column.
    pub no_list: usize,
    /// Without an item.
    pub no_item: usize,
}

/// An event.
pub(super) struct Event {
    pub(super) list: usize,
    pub(super) item: usize,
    /// The row of the source.
    pub(super) row: usize,
    /// An amount for each measure, 0 where it is missing.
    pub(super) amounts: Vec<f64>,
}

/// How lists are told apart and ordered.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum ListKey {
    Period(i64),
    /// For each column the number, if all of it is numbers, and the text.
    Values(Vec<(u64, String)>),
}

impl ListOf {
    /// The key of a row's list; `None` where a value is missing or is no date.
    pub(super) fn key(&self, source: &Source, columns: &[Column], row: usize) -> Option<ListKey> {
        match self {
            ListOf::Calendar(unit, _) => {
                Some(ListKey::Period(unit.number(&source.text(columns[0], row)?)?))
            }
            ListOf::Columns(_) => {
                let value = |column: &Column| {
                    let number = source.number(*column, row).map_or(0, sortable);
                    Some((number, source.text(*column, row)?.into_owned()))
                };
                Some(ListKey::Values(columns.iter().map(value).collect::<Option<_>>()?))
            }
        }
    }

    /// The id of a list.
    pub(super) fn id(&self, key: &ListKey) -> String {
        match (self, key) {
            (ListOf::Calendar(unit, _), ListKey::Period(number)) => unit.id(*number),
            (_, ListKey::Period(number)) => number.to_string(),
            (_, ListKey::Values(values)) => {
                values.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("/")
            }
        }
    }
}

/// A number as an integer of the same order.
fn sortable(value: f64) -> u64 {
    let bits = value.to_bits();
    if value.is_sign_negative() { !bits } else { bits | 1 << 63 }
}

impl Log {
    pub(super) fn read(path: &str, options: &PrepareOptions) -> Result<Log, Error> {
        let source = Source::read(path, &options.file)?;
        let list = options.list.columns().iter().map(|name| {
            let unknown = || options.list.unknown(name, source.names());
            source.column(name).ok_or_else(|| Error::Prepare(format!("{path}: {}", unknown())))
        });
        let list: Vec<Column> = list.collect::<Result<_, _>>()?;
        let item = source.find(&options.item)?;
        let amounts = options.measures.iter().map(|measure| measure.column());
        let amounts = amounts.map(|name| name.map(|name| amount(&source, name)).transpose());
        let amounts: Vec<Option<Column>> = amounts.collect::<Result<_, _>>()?;
        let mut left_out = LeftOut::default();
        let mut found: Vec<(ListKey, String, usize)> = Vec::new();
        for row in 0..source.len() {
            let name = source.text(item, row).map(|text| text.trim().to_owned());
            match (options.list.key(&source, &list, row), name.filter(|text| !text.is_empty())) {
                (None, _) => left_out.no_list += 1,
                (_, None) => left_out.no_item += 1,
                (Some(key), Some(name)) => found.push((key, name, row)),
            }
        }
        check_left_out(&source, options, left_out)?;
        let (lists, empty_lists) = lists(&options.list, found.iter().map(|(key, ..)| key));
        let items: BTreeSet<&String> = found.iter().map(|(_, item, _)| item).collect();
        let items: Vec<String> = items.into_iter().cloned().collect();
        let list_at: HashMap<&ListKey, usize> = lists.iter().zip(0..).collect();
        let item_at: HashMap<&String, usize> = items.iter().zip(0..).collect();
        let mut without_amount = vec![0; amounts.len()];
        let mut events = Vec::with_capacity(found.len());
        for (key, item, row) in &found {
            let mut values = Vec::with_capacity(amounts.len());
            for (at, column) in amounts.iter().enumerate() {
                let value = column.map_or(Some(1.0), |column| source.number(column, *row));
                without_amount[at] += usize::from(value.is_none());
                values.push(checked(&source, options, at, *row, value.unwrap_or(0.0))?);
            }
            let (list, item) = (list_at[key], item_at[item]);
            events.push(Event { list, item, row: *row, amounts: values });
        }
        events.sort_by_key(|event| event.list);
        let lists = lists.iter().map(|key| options.list.id(key)).collect();
        Ok(Log { source, events, lists, items, left_out, without_amount, empty_lists })
    }
}

/// A column of amounts, which must be numbers.
fn amount(source: &Source, name: &str) -> Result<Column, Error> {
    let column = source.find(name)?;
    let is_text = |text: &str| text.parse::<f64>().is_err();
    let texts = (0..source.len()).filter_map(|row| Some((row, source.text(column, row)?)));
    match texts.into_iter().find(|(_, text)| column.is_text() && is_text(text)) {
        None if !column.is_text() => Ok(column),
        met => {
            let (row, met) = met.unwrap_or_default();
            Err(Error::Prepare(format!(
                "{}:{}: {name} is `{met}`; amounts must be numbers (missing: leave it empty or write NA; where \
                 decimals are unclear, set `decimal` to comma or point)",
                source.path,
                source.line(row)
            )))
        }
    }
}

/// An amount, which must not be negative.
fn checked(
    source: &Source,
    options: &PrepareOptions,
    measure: usize,
    row: usize,
    value: f64,
) -> Result<f64, Error> {
    if value >= 0.0 && value.is_finite() {
        return Ok(value);
    }
    let column = options.measures[measure].column().unwrap_or_default();
    Err(Error::Prepare(format!(
        "{}:{}: {column} is {value}; a cost is a finite number of at least 0: correct it, or choose another column",
        source.path,
        source.line(row)
    )))
}

/// Refuses a log of which more than half has no list or no item.
fn check_left_out(
    source: &Source,
    options: &PrepareOptions,
    left_out: LeftOut,
) -> Result<(), Error> {
    let LeftOut { no_list, no_item } = left_out;
    if source.len() >= 2 * (no_list + no_item) && source.len() > no_list + no_item {
        return Ok(());
    }
    let events = counted(source.len(), "event");
    let advice = match &options.list {
        ListOf::Calendar(_, column) => {
            let example = source
                .column(column)
                .and_then(|at| (0..source.len()).find_map(|row| source.text(at, row)));
            let example = example.map_or_else(String::new, |text| format!(", such as `{text}`"));
            format!(
                "the values of {column}{example} must be dates; where day and month are unclear, set `dates` to dmy \
                 or mdy"
            )
        }
        ListOf::Columns(_) => "choose other columns".to_owned(),
    };
    Err(Error::Prepare(format!(
        "{}: of {events} {no_list} have no {} and {no_item} no {}, more than half; {advice}",
        source.path,
        options.list.columns().join(", "),
        options.item
    )))
}

/// All lists in order, those of a calendar without a gap, and how many of them have no event.
fn lists<'a>(of: &ListOf, keys: impl Iterator<Item = &'a ListKey>) -> (Vec<ListKey>, usize) {
    let seen: BTreeSet<&ListKey> = keys.collect();
    let lists: Vec<ListKey> = match (of, seen.first(), seen.last()) {
        (ListOf::Calendar(..), Some(ListKey::Period(first)), Some(ListKey::Period(last))) => {
            (*first..=*last).map(ListKey::Period).collect()
        }
        _ => seen.iter().map(|key| (*key).clone()).collect(),
    };
    let empty = lists.len() - seen.len();
    (lists, empty)
}
