//! One body on its way to a data set.

use std::borrow::Cow;
use std::sync::atomic::Ordering;

use stakes_core::data::{Dataset, DatasetBuilder, Row};

use super::text::{Text, Value};
use super::{Column, Kind, KnownRows};
use crate::Limits;
use crate::number::is_missing;

/// A body that is being read.
pub(super) struct Reading<'k, 't> {
    known: &'k KnownRows,
    text: Text<'t>,
    limits: Option<Limits>,
    /// By column.
    held: Vec<Held>,
    row: ReadRow<'t>,
    /// The features of the row as they are kept.
    rounded: Vec<f32>,
    builder: Option<DatasetBuilder>,
}

/// What a column has held so far.
#[derive(Clone, Copy, Default)]
struct Held {
    /// The last row that has it, from 1.
    row: usize,
    /// All values of a column are of one sort.
    sort: Option<Sort>,
}

#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Number,
    /// A number that is a name.
    Digits,
    Flag,
    Text,
}

/// The row that is being read.
#[derive(Default)]
struct ReadRow<'t> {
    list: Option<Cow<'t, str>>,
    id: Option<Cow<'t, str>>,
    price: Option<f64>,
    features: Vec<f64>,
}

impl<'k, 't> Reading<'k, 't> {
    pub(super) fn new(known: &'k KnownRows, text: &'t str, limits: Option<Limits>) -> Option<Self> {
        let columns = known.columns.len();
        limits.map_or(Ok(()), |limits| limits.check_columns("", columns)).ok()?;
        Some(Reading {
            known,
            text: Text::new(text),
            limits,
            held: vec![Held::default(); columns],
            row: ReadRow { features: vec![f64::NAN; known.width], ..ReadRow::default() },
            rounded: Vec::with_capacity(known.width),
            builder: None,
        })
    }

    /// The array of rows, or the object around it.
    pub(super) fn all(mut self) -> Option<Dataset> {
        let is_wrapped = self.text.take(b"{");
        if is_wrapped {
            self.text.expect(b"\"rows\"")?;
            self.text.expect(b":")?;
        }
        self.text.expect(b"[")?;
        for number in 1.. {
            self.read_row(number)?;
            self.push_row(number)?;
            if !self.text.take(b",") {
                break;
            }
        }
        self.text.expect(b"]")?;
        if is_wrapped {
            self.text.expect(b"}")?;
        }
        if !self.text.rest().is_empty() || !self.has_all_features() {
            return None;
        }
        self.builder?.finish().ok()
    }

    /// Whether every feature is in some row. One that is in none is no missing value, but a mistake.
    fn has_all_features(&self) -> bool {
        let is_there = |(column, held): (&Column, &Held)| {
            held.row > 0 || !matches!(column.kind, Kind::Number(_) | Kind::Category(..))
        };
        self.known.columns.iter().zip(&self.held).all(is_there)
    }

    fn read_row(&mut self, number: usize) -> Option<()> {
        let known = self.known;
        (self.row.list, self.row.id, self.row.price) = (None, None, None);
        self.row.features.fill(f64::NAN);
        self.text.expect(b"{")?;
        let mut before = 0;
        loop {
            let at = self.column(before)?;
            before = at + 1;
            if std::mem::replace(&mut self.held[at].row, number) == number {
                return None;
            }
            self.text.expect(b":")?;
            self.cell(at, &known.columns[at].kind)?;
            if !self.text.take(b",") {
                return self.text.expect(b"}");
            }
        }
    }

    /// The number of the next column, by its name.
    fn column(&mut self, before: usize) -> Option<usize> {
        let KnownRows { columns, places, after, .. } = self.known;
        let rest = self.text.rest();
        let expected = after[before].load(Ordering::Relaxed) as usize;
        if rest.starts_with(&columns[expected].name) {
            self.text.skip(columns[expected].name.len());
            return Some(expected);
        }
        let end = rest.iter().skip(1).position(|b| *b == b'"')? + 2;
        let at = *places.get(&rest[..end])?;
        after[before].store(at as u32, Ordering::Relaxed);
        self.text.skip(end);
        Some(at)
    }

    fn cell(&mut self, at: usize, kind: &Kind) -> Option<()> {
        let value = self.text.value()?;
        let sort = match (kind, &value) {
            (Kind::List | Kind::Id | Kind::Price, Value::Null) => return None,
            (_, Value::Null) => return Some(()),
            (Kind::Number(_) | Kind::Price | Kind::Unread, Value::Number(_)) => Sort::Number,
            (Kind::Number(_) | Kind::Unread, Value::Flag(_)) => Sort::Flag,
            (Kind::Number(_) | Kind::Price, _) | (_, Value::Flag(_)) => return None,
            (_, Value::Number(_)) => Sort::Digits,
            (_, Value::Text(_)) => Sort::Text,
        };
        if *self.held[at].sort.get_or_insert(sort) != sort {
            return None;
        }
        let row = &mut self.row;
        match kind {
            Kind::Number(feature) => row.features[*feature] = value.as_number()?,
            Kind::Category(feature, codes) => {
                let name = value.into_name()?;
                if !is_missing(name.as_bytes()) {
                    row.features[*feature] = f64::from(*codes.get(&*name)?);
                }
            }
            Kind::List => {
                row.list = Some(value.into_name().filter(|name| !name.trim().is_empty())?)
            }
            Kind::Id => row.id = Some(value.into_name().filter(|name| !name.trim().is_empty())?),
            Kind::Price => row.price = Some(value.as_number()?),
            // Beyond all numbers it is a mistake, read or not.
            Kind::Unread if sort == Sort::Number => {
                value.as_number()?;
            }
            Kind::Unread => {}
        }
        Some(())
    }

    /// Adds the row to the data, which have prices if the first row has one.
    fn push_row(&mut self, number: usize) -> Option<()> {
        let KnownRows { columns, priced, unpriced, has_list, .. } = self.known;
        let Reading { row, rounded, builder, limits, .. } = self;
        limits.map_or(Ok(()), |limits| limits.check_rows("", number, columns.len())).ok()?;
        let template = if row.price.is_some() { priced.as_ref()? } else { unpriced };
        let builder = builder.get_or_insert_with(|| template.clone());
        if builder.columns().price != template.columns().price || *has_list != row.list.is_some() {
            return None;
        }
        rounded.clear();
        rounded.extend(row.features.iter().enumerate().map(|(j, v)| builder.round_feature(j, *v)));
        let row = Row {
            line: number as u64,
            list: row.list.as_deref().unwrap_or_default(),
            id: row.id.as_deref(),
            price: row.price,
            features: rounded,
            ..Row::default()
        };
        builder.push(row).ok()
    }
}
