//! Reading CSV text into a data set.

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{BufRead, BufReader};

use csv::ByteRecord;
use stakes_core::data::{DataProblem, Dataset, Place, Role, Row};

use super::Records;
use super::written::{self, Written};
use crate::categories::Coder;
use crate::input::Input;
use crate::notation::Notation;
use crate::number;
use crate::plan::{Plan, Wanted};
use crate::sink::Sink;
use crate::{Limits, ReadError, ReadOptions, Roles};

/// Reads a whole text.
pub(crate) fn parse(
    source: &str,
    text: Vec<u8>,
    tsv: bool,
    options: &ReadOptions,
) -> Result<Dataset, ReadError> {
    from_records(&Records::new(source, text, tsv)?, options)
}

/// Reads the records of a table.
pub(crate) fn from_records(
    records: &Records<'_>,
    options: &ReadOptions,
) -> Result<Dataset, ReadError> {
    let roles = &records.header.drop_repeats(&options.roles);
    let mut plan = Plan::new(records.source, records.names(), roles)?;
    let mut written = Written::new(records, &options.file);
    let numeric = plan.numeric();
    if written.has_commas() {
        written.look(numeric, false)?;
    }
    written.look([Role::List, Role::Time].into_iter().filter_map(|role| plan.role(role)), true)?;
    plan.role(Role::Time).map_or(Ok(()), |column| written.check(column))?;
    let mut kinds = detect(records, &plan, roles.exact, &mut written)?;
    if roles.exact {
        plan.keep_exact(|j| kinds[j] != Kind::Category);
        kinds.retain(|kind| *kind == Kind::Category);
    }
    loop {
        let not_plain = Cell::new(None);
        let reading = Reading { roles, limits: options.file.limits, not_plain: &not_plain };
        match build(records, &plan, reading, (&kinds, &written)) {
            Err(error) => match not_plain.get() {
                Some(column) if !written.is_known(column) => {
                    written.look([column], false)?;
                    written.check(column)?;
                }
                _ => return Err(error),
            },
            done => return done,
        }
    }
}

/// How rows are read; the first column in which text stands instead of a number is told.
#[derive(Clone, Copy)]
struct Reading<'r> {
    roles: &'r Roles,
    limits: Option<Limits>,
    not_plain: &'r Cell<Option<usize>>,
}

/// Builds the data set.
fn build(
    records: &Records<'_>,
    plan: &Plan,
    Reading { roles, limits, not_plain }: Reading<'_>,
    (kinds, written): (&[Kind], &Written<'_>),
) -> Result<Dataset, ReadError> {
    let mut sink = Sink::new(records.source, plan.columns(records.names()), roles, limits)?;
    if roles.exact {
        sink.builder.set_column_order(records.names().to_vec());
    }
    sink.builder.set_notes(records.notes.iter().cloned().chain(written.notes()).collect());
    let coder = |kind: &Kind| (*kind == Kind::Category).then(Coder::default);
    let mut coders: Vec<Option<Coder>> = kinds.iter().map(coder).collect();
    let notations: Vec<_> = plan.features.iter().map(|(at, _)| written.notation(*at)).collect();
    let mut features = vec![0.0; plan.features.len()];
    let mut extras = vec![0.0; plan.extras.len()];
    records.for_each(|line, record| {
        let at = At { records, plan, line, record, written, not_plain };
        let named = features.iter_mut().zip(&plan.features).zip(&mut coders).zip(&notations);
        for (j, (((value, (column, _)), coder), notation)) in named.enumerate() {
            *value = match coder {
                Some(_) if number::is_missing(&record[*column]) => f32::NAN,
                Some(coder) => coder.code(&text_of(written::plain(*notation, &record[*column]))),
                None => sink.builder.round_feature(j, at.number_in(*column, *notation)?),
            };
        }
        for (value, column) in extras.iter_mut().zip(&plan.extras) {
            *value = at.number(*column)?;
        }
        let list = at.name(plan.role(Role::List))?;
        let (id, group, time) = (
            at.name(plan.role(Role::Id))?,
            at.category(plan.role(Role::Group)),
            at.category(plan.role(Role::Time)),
        );
        sink.push(Row {
            line,
            list: list.as_deref().unwrap_or_default(),
            impact: at.outcome(plan.role(Role::Impact))?,
            id: id.as_deref(),
            weight: at.role(plan.role(Role::Weight))?,
            group: group.as_deref(),
            price: at.role(plan.role(Role::Price))?,
            time: time.as_deref(),
            features: &features,
            extras: &extras,
        })
    })?;
    let coders = coders.into_iter().enumerate().filter_map(|(j, coder)| Some((j, coder?)));
    sink.finish(coders)
}

/// Returns the names in the header, reading no further than needed.
pub(crate) fn header(input: Input, tsv: bool) -> Result<Vec<String>, ReadError> {
    let name = input.name.clone();
    let mut reader = BufReader::new(input.into_reader());
    let mut text = Vec::new();
    loop {
        let read = reader.read_until(b'\n', &mut text).map_err(|e| ReadError::io(&name, e))?;
        let open = text.iter().filter(|b| **b == b'"').count() % 2 == 1;
        if read == 0 || !(open || text.trim_ascii().is_empty()) {
            break;
        }
    }
    Ok(Records::new(&name, text, tsv)?.header.names)
}

/// What a feature holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Category,
}

/// The first pass: finds the categorical features. Those that are not plain numbers are looked at again: they may
/// be numbers that are written in another way.
fn detect(
    records: &Records<'_>,
    plan: &Plan,
    exact: bool,
    written: &mut Written<'_>,
) -> Result<Vec<Kind>, ReadError> {
    let kind = |(_, wanted): &(usize, Wanted)| match wanted {
        Wanted::Categorical => Kind::Category,
        Wanted::Any | Wanted::Numeric => Kind::Number,
    };
    let mut kinds: Vec<Kind> = plan.features.iter().map(kind).collect();
    let free = plan.features.iter().enumerate().filter(|(_, (_, w))| *w == Wanted::Any);
    let mut undecided: Vec<(usize, usize)> = free.map(|(j, (column, _))| (j, *column)).collect();
    let mut not_plain = Vec::new();
    if written.has_commas() {
        not_plain = std::mem::take(&mut undecided);
    }
    if !undecided.is_empty() {
        records.for_each(|_, record| {
            undecided.retain(|&(j, column)| {
                let field = &record[column];
                let code = number::is_code(field) || exact && number::is_rounded(field);
                let number = number::parse(field).is_some() && !code || number::is_missing(field);
                match code {
                    // Digits that a number would lose.
                    true => kinds[j] = Kind::Category,
                    false if !number => not_plain.push((j, column)),
                    false => {}
                }
                number
            });
            Ok(())
        })?;
    }
    written.look(not_plain.iter().map(|(_, column)| *column), false)?;
    for (j, column) in not_plain {
        let is_number = matches!(written.notation(column), Some(Notation::Number(_)));
        kinds[j] = if is_number { Kind::Number } else { Kind::Category };
    }
    Ok(kinds)
}

/// The text has been checked to be UTF-8, so this is lossless.
fn text_of(field: Cow<'_, [u8]>) -> Cow<'_, str> {
    match field {
        Cow::Borrowed(field) => String::from_utf8_lossy(field),
        Cow::Owned(field) => Cow::Owned(String::from_utf8_lossy(&field).into_owned()),
    }
}

/// One record, with all that error messages need.
struct At<'r> {
    records: &'r Records<'r>,
    plan: &'r Plan,
    line: u64,
    record: &'r ByteRecord,
    written: &'r Written<'r>,
    not_plain: &'r Cell<Option<usize>>,
}

impl At<'_> {
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
