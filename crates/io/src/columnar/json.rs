//! Rows as JSON, `[{"network": "north", "wind": 14}, ...]` or `{"rows": [...]}`, into columns.
//!
//! The text is read once, without a tree of values in between. Columns are found by their place in the row before, which
//! is nearly always right. Whole numbers are kept as such, so that long ids lose no digit.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, LargeStringBuilder};
use arrow_array::{Array, ArrayRef, RecordBatch};
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use super::damaged;
use crate::{Limits, ReadError};

const NEEDED: &str = "rows are an array of objects, or an object with it under `rows`: [{\"wind\": 14}, {\"wind\": 9}]";
/// More values than this are refused without other limits: most of them would be null.
const MAX_VALUES: usize = 100_000_000;

/// Columns begin with room for so many rows: often there is one.
const FIRST_ROWS: usize = 8;

/// Reads all rows.
pub(crate) fn rows(
    name: &str,
    bytes: &[u8],
    limits: Option<Limits>,
) -> Result<RecordBatch, ReadError> {
    let mut table = Table { name, limits, ..Table::default() };
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let read = (&mut json).deserialize_any(Whole(&mut table)).and_then(|()| json.end());
    match read {
        Ok(()) => table.finish(),
        Err(error) => Err(table.refused.take().unwrap_or_else(|| {
            ReadError::at(
                name,
                error.line() as u64,
                format!("this is not JSON ({error}); {NEEDED}"),
            )
        })),
    }
}

/// Columns on their way.
#[derive(Default)]
struct Table<'n> {
    name: &'n str,
    limits: Option<Limits>,
    columns: Vec<(String, Values)>,
    numbers: HashMap<String, usize>,
    /// Rows that are complete.
    rows: usize,
    /// Why the reading ended, if not for want of JSON.
    refused: Option<ReadError>,
}

/// The values of a column.
enum Values {
    Nulls(usize),
    Flags(BooleanBuilder),
    Integers(Int64Builder),
    Numbers(Float64Builder),
    Texts(LargeStringBuilder),
}

/// A value.
enum Value<'v> {
    Null,
    Flag(bool),
    Integer(i64),
    Number(f64),
    Text(&'v str),
}

impl Values {
    fn len(&self) -> usize {
        use arrow_array::builder::ArrayBuilder as _;
        match self {
            Values::Nulls(n) => *n,
            Values::Flags(flags) => flags.len(),
            Values::Integers(integers) => integers.len(),
            Values::Numbers(numbers) => numbers.len(),
            Values::Texts(texts) => texts.len(),
        }
    }

    /// What the column holds, in words.
    fn kind(&self) -> &'static str {
        match self {
            Values::Nulls(_) => "nothing",
            Values::Flags(_) => "true and false",
            Values::Integers(_) | Values::Numbers(_) => "numbers",
            Values::Texts(_) => "text",
        }
    }

    fn append_nulls(&mut self, n: usize) {
        match self {
            Values::Nulls(rows) => *rows += n,
            Values::Flags(flags) => flags.append_nulls(n),
            Values::Integers(integers) => integers.append_nulls(n),
            Values::Numbers(numbers) => numbers.append_nulls(n),
            Values::Texts(texts) => (0..n).for_each(|_| texts.append_null()),
        }
    }

    /// The column of the kind of its first value.
    fn of(value: &Value<'_>) -> Self {
        match value {
            Value::Null => Values::Nulls(0),
            Value::Flag(_) => Values::Flags(BooleanBuilder::with_capacity(FIRST_ROWS)),
            Value::Integer(_) => Values::Integers(Int64Builder::with_capacity(FIRST_ROWS)),
            Value::Number(_) => Values::Numbers(Float64Builder::with_capacity(FIRST_ROWS)),
            Value::Text(_) => Values::Texts(LargeStringBuilder::with_capacity(FIRST_ROWS, 64)),
        }
    }

    /// Appends a value; `false` if it is of another kind.
    fn append(&mut self, value: Value<'_>) -> bool {
        if let (&mut Values::Nulls(nulls), false) = (&mut *self, matches!(value, Value::Null)) {
            *self = Values::of(&value);
            self.append_nulls(nulls);
        }
        match (self, value) {
            (values, Value::Null) => values.append_nulls(1),
            (Values::Flags(flags), Value::Flag(flag)) => flags.append_value(flag),
            (Values::Integers(integers), Value::Integer(integer)) => integers.append_value(integer),
            (Values::Numbers(numbers), Value::Integer(integer)) => {
                numbers.append_value(integer as f64);
            }
            (Values::Numbers(numbers), Value::Number(number)) => numbers.append_value(number),
            (values @ Values::Integers(_), Value::Number(number)) => {
                let mut numbers = Float64Builder::new();
                if let Values::Integers(integers) = values {
                    integers
                        .finish()
                        .iter()
                        .for_each(|i| numbers.append_option(i.map(|i| i as f64)));
                }
                numbers.append_value(number);
                *values = Values::Numbers(numbers);
            }
            (Values::Texts(texts), Value::Text(text)) => texts.append_value(text),
            _ => return false,
        }
        true
    }

    fn finish(self) -> ArrayRef {
        match self {
            // A column without a value is one of numbers that are missing.
            Values::Nulls(n) => {
                let mut numbers = Float64Builder::new();
                numbers.append_nulls(n);
                Arc::new(numbers.finish())
            }
            Values::Flags(mut flags) => Arc::new(flags.finish()),
            Values::Integers(mut integers) => Arc::new(integers.finish()),
            Values::Numbers(mut numbers) => Arc::new(numbers.finish()),
            Values::Texts(mut texts) => Arc::new(texts.finish()),
        }
    }
}

impl Table<'_> {
    /// Ends the reading for a reason that names the row.
    fn refuse<E: serde::de::Error>(&mut self, what: String) -> E {
        self.stop(ReadError::at(self.name, self.rows as u64 + 1, what))
    }

    fn stop<E: serde::de::Error>(&mut self, error: ReadError) -> E {
        self.refused = Some(error);
        E::custom("refused")
    }

    /// The number of a column, which should be `expected`.
    fn column<E: serde::de::Error>(&mut self, name: &str, expected: usize) -> Result<usize, E> {
        let is_there = self.columns.get(expected).is_some_and(|(other, _)| other == name);
        let known = if is_there { Some(expected) } else { self.numbers.get(name).copied() };
        let at = match known {
            Some(at) => at,
            None => {
                let at = self.columns.len();
                self.check(self.rows + 1, at + 1)?;
                self.columns.push((name.to_owned(), Values::Nulls(0)));
                self.numbers.insert(name.to_owned(), at);
                at
            }
        };
        let rows = self.rows;
        let values = &mut self.columns[at].1;
        match values.len() {
            len if len > rows => Err(self.refuse(format!("`{name}` is there twice; give it once"))),
            len => {
                values.append_nulls(rows - len);
                Ok(at)
            }
        }
    }

    fn append<E: serde::de::Error>(&mut self, at: usize, value: Value<'_>) -> Result<(), E> {
        let met = match &value {
            Value::Null => "null".to_owned(),
            Value::Flag(flag) => flag.to_string(),
            Value::Text(text) if text.len() > 60 => "a text".to_owned(),
            Value::Text(text) => format!("the text `{text}`"),
            // Without a text for each of the many numbers.
            Value::Integer(_) | Value::Number(_) => String::new(),
        };
        let number = match value {
            Value::Integer(integer) => Some(integer as f64),
            Value::Number(number) => Some(number),
            _ => None,
        };
        if self.columns[at].1.append(value) {
            return Ok(());
        }
        let met = number.map_or(met, |number| format!("the number {number}"));
        let (name, values) = &self.columns[at];
        let what = format!(
            "`{name}` is {met}, and the rows before have {} in it; a column holds numbers, text, or true and false, \
             with null where there is none",
            values.kind()
        );
        Err(self.refuse(what))
    }

    fn check<E: serde::de::Error>(&mut self, rows: usize, columns: usize) -> Result<(), E> {
        let checked = match &self.limits {
            Some(limits) => (limits.check_columns(self.name, columns))
                .and_then(|()| limits.check_rows(self.name, rows, columns)),
            None if rows.saturating_mul(columns) > MAX_VALUES => {
                let what =
                    format!("{rows} rows of {columns} columns are more than {MAX_VALUES} values");
                Err(ReadError::TooLarge { file: self.name.to_owned(), what })
            }
            None => Ok(()),
        };
        checked.map_err(|error| self.stop(error))
    }

    fn finish(self) -> Result<RecordBatch, ReadError> {
        let Table { name, columns, rows, .. } = self;
        if columns.is_empty() {
            return Err(ReadError::at(name, 0, format!("there are no rows with values; {NEEDED}")));
        }
        let columns = columns.into_iter().map(|(name, mut values)| {
            values.append_nulls(rows - values.len());
            let values = values.finish();
            let is_nullable = values.null_count() > 0;
            (name, values, is_nullable)
        });
        RecordBatch::try_from_iter_with_nullable(columns).map_err(|error| damaged(name, error))
    }
}

/// The array of rows, or the object around it.
struct Whole<'t, 'n>(&'t mut Table<'n>);

impl<'de> Visitor<'de> for Whole<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of rows")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<(), A::Error> {
        while rows.next_element_seed(Row(self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut is_read = false;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "rows" if !is_read => map.next_value_seed(AllRows(self.0))?,
                "rows" => return Err(self.0.refuse("`rows` is there twice; give it once".into())),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    let shown: String = key.chars().take(60).collect();
                    let what = format!("there is no `{shown}` beside the rows; {NEEDED}");
                    return Err(self.0.refuse(what));
                }
            }
            is_read = true;
        }
        if is_read { Ok(()) } else { Err(A::Error::custom("there is no `rows`")) }
    }
}

/// The array of rows.
struct AllRows<'t, 'n>(&'t mut Table<'n>);

impl<'de> DeserializeSeed<'de> for AllRows<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_seq(Whole(self.0))
    }
}

/// A row.
struct Row<'t, 'n>(&'t mut Table<'n>);

impl<'de> DeserializeSeed<'de> for Row<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Row<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object as row {}", self.0.rows + 1)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let table = self.0;
        table.check(table.rows + 1, table.columns.len())?;
        let mut next = 0;
        while let Some(at) = map.next_key_seed(Key { table: &mut *table, expected: next })? {
            map.next_value_seed(Cell { table: &mut *table, at })?;
            next = at + 1;
        }
        table.rows += 1;
        Ok(())
    }
}

/// The name of a column.
struct Key<'t, 'n> {
    table: &'t mut Table<'n>,
    expected: usize,
}

impl<'de> DeserializeSeed<'de> for Key<'_, '_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<usize, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_, '_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a column")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<usize, E> {
        self.table.column(name, self.expected)
    }
}

/// A value of a row.
struct Cell<'t, 'n> {
    table: &'t mut Table<'n>,
    at: usize,
}

impl<'de> DeserializeSeed<'de> for Cell<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl Cell<'_, '_> {
    fn nested<E: serde::de::Error>(self, what: &str) -> E {
        let name = &self.table.columns[self.at].0;
        let what = format!("`{name}` is {what}; allowed are a number, a text, true, false or null");
        self.table.refuse(what)
    }
}

impl<'de> Visitor<'de> for Cell<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a text, true, false or null")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        self.table.append(self.at, Value::Null)
    }

    fn visit_bool<E: serde::de::Error>(self, flag: bool) -> Result<(), E> {
        self.table.append(self.at, Value::Flag(flag))
    }

    fn visit_i64<E: serde::de::Error>(self, integer: i64) -> Result<(), E> {
        self.table.append(self.at, Value::Integer(integer))
    }

    fn visit_u64<E: serde::de::Error>(self, integer: u64) -> Result<(), E> {
        let value = i64::try_from(integer).map_or(Value::Number(integer as f64), Value::Integer);
        self.table.append(self.at, value)
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<(), E> {
        self.table.append(self.at, Value::Number(number))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        self.table.append(self.at, Value::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(self.nested("an array"))
    }

    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(self.nested("an object"))
    }
}
