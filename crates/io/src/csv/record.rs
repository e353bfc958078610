//! One record of a table: its numbers, names and categories, or what is wrong with it.

use std::borrow::Cow;
use std::cell::Cell;

use csv::ByteRecord;
use stakes_core::data::{DataProblem, Place, Role};

use super::Records;
use super::kinds::Kind;
use super::rows::Rows;
use super::written::{self, Written};
use crate::ReadError;
use crate::notation::Notation;
use crate::number;
use crate::plan::Plan;

/// The text has been checked to be UTF-8, so this is lossless.
fn text_of(field: Cow<'_, [u8]>) -> Cow<'_, str> {
    match field {
        Cow::Borrowed(field) => String::from_utf8_lossy(field),
        Cow::Owned(field) => Cow::Owned(String::from_utf8_lossy(&field).into_owned()),
    }
}

/// One record, with all that error messages need.
pub(super) struct At<'r> {
    pub(super) records: &'r Records<'r>,
    pub(super) plan: &'r Plan,
    pub(super) line: u64,
    pub(super) record: &'r ByteRecord,
    pub(super) written: &'r Written<'r>,
    /// Told the column in which text stands instead of a number.
    pub(super) not_plain: &'r Cell<Option<usize>>,
}

impl At<'_> {
    /// Adds all that is needed of the record, or returns the first mistake in it.
    pub(super) fn add_to(
        &self,
        rows: &mut Rows,
        kinds: &[Kind],
        notations: &[Option<Notation>],
    ) -> Result<(), ReadError> {
        for (((column, _), kind), notation) in self.plan.features.iter().zip(kinds).zip(notations) {
            let field = &self.record[*column];
            let value = match kind {
                Kind::Number => self.number_in(*column, *notation)?,
                Kind::Category => {
                    let is_there = !number::is_missing(field);
                    rows.push_text(is_there.then(|| text_of(written::plain(*notation, field))));
                    0.0
                }
            };
            rows.features.push(value);
        }
        for column in &self.plan.extras {
            rows.extras.push(self.number(*column)?);
        }
        let role = |role| self.plan.role(role);
        rows.push_text(self.name(role(Role::List))?);
        rows.push_text(self.name(role(Role::Id))?);
        rows.push_text(self.category(role(Role::Group)));
        rows.push_text(self.category(role(Role::Time)));
        rows.numbers.push([
            self.outcome(role(Role::Impact))?,
            self.role(role(Role::Weight))?,
            self.role(role(Role::Price))?,
        ]);
        rows.lines.push(self.line);
        Ok(())
    }

    /// The number in a column, `NaN` if missing, or an error if it is text.
    fn number(&self, column: usize) -> Result<f64, ReadError> {
        self.number_in(column, self.written.notation(column))
    }

    /// The same for a column that is known to be written so.
    fn number_in(&self, column: usize, notation: Option<Notation>) -> Result<f64, ReadError> {
        let field = &self.record[column];
        let value = match notation {
            None => number::parse(field),
            Some(_) => number::parse(&written::plain(notation, field)),
        };
        match value {
            Some(value) => Ok(value),
            None if number::is_missing(field) => Ok(f64::NAN),
            None => Err(self.text_in_number(column)),
        }
    }

    fn role(&self, column: Option<usize>) -> Result<Option<f64>, ReadError> {
        let value = column.map(|column| self.number(column)).transpose()?;
        Ok(value.filter(|v| !v.is_nan()))
    }

    /// The impact, which may also be given as yes or no.
    fn outcome(&self, column: Option<usize>) -> Result<Option<f64>, ReadError> {
        match column.and_then(|column| number::yes_or_no(&self.record[column])) {
            Some(happened) => Ok(Some(f64::from(u8::from(happened)))),
            None => self.role(column),
        }
    }

    /// A list or an id, which may be anything but empty.
    fn name(&self, column: Option<usize>) -> Result<Option<Cow<'_, str>>, ReadError> {
        let Some(column) = column else { return Ok(None) };
        if self.record[column].trim_ascii().is_empty() {
            let column = self.records.names()[column].clone();
            let what = DataProblem::MissingValue { column }.to_string();
            return Err(ReadError::at(self.records.source, self.line, what));
        }
        Ok(Some(self.text(column)))
    }

    fn category(&self, column: Option<usize>) -> Option<Cow<'_, str>> {
        let column = column?;
        (!number::is_missing(&self.record[column])).then(|| self.text(column))
    }

    fn text(&self, column: usize) -> Cow<'_, str> {
        text_of(self.written.plain(column, &self.record[column]))
    }

    fn text_in_number(&self, column: usize) -> ReadError {
        self.not_plain.set(Some(column));
        let text = |column: Option<usize>| column.map(|c| self.text(c).into_owned());
        let place = Place {
            source: self.records.source.to_owned(),
            line: self.line,
            list: text(self.plan.role(Role::List)),
            item: text(self.plan.role(Role::Id)),
        };
        ReadError::at_place(
            place,
            not_a_number(&self.records.names()[column], &self.record[column]),
        )
    }
}

/// The message about text in a column of numbers.
pub(crate) fn not_a_number(column: &str, met: &[u8]) -> String {
    let mut shown: String = String::from_utf8_lossy(met).chars().take(60).collect();
    if shown.len() < met.len() {
        shown.push_str("...");
    }
    format!(
        "{column} is `{shown}`; a number is needed here (missing: leave it empty or write NA); \
         correct it or choose another column"
    )
}
