//! Reading CSV text into a data set.

use std::borrow::Cow;
use std::io::{BufRead, BufReader};

use csv::ByteRecord;
use stakes_core::data::{DataProblem, Dataset, Place, Role, Row};

use super::Records;
use crate::categories::Coder;
use crate::input::Input;
use crate::number;
use crate::plan::{Plan, Wanted};
use crate::sink::Sink;
use crate::{ReadError, Roles};

/// Reads a whole text.
pub(crate) fn parse(
    source: &str,
    text: Vec<u8>,
    tsv: bool,
    roles: &Roles,
) -> Result<Dataset, ReadError> {
    let records = Records::new(source, text, tsv)?;
    let mut plan = Plan::new(source, &records.names, roles)?;
    let mut coders = detect(&records, &plan, roles.exact)?;
    if roles.exact {
        plan.keep_exact(|j| coders[j].is_none());
        coders.retain(Option::is_some);
    }
    let mut sink = Sink::new(source, plan.columns(&records.names), roles)?;
    if roles.exact {
        sink.builder.set_column_order(records.names.clone());
    }
    let mut features = vec![0.0; plan.features.len()];
    let mut extras = vec![0.0; plan.extras.len()];
    records.for_each(|line, record| {
        let at = At { records: &records, plan: &plan, line, record };
        let named = features.iter_mut().zip(&plan.features).zip(&mut coders);
        for (j, ((value, (column, _)), coder)) in named.enumerate() {
            *value = match coder {
                Some(_) if number::is_missing(&record[*column]) => f32::NAN,
                Some(coder) => coder.code(&text_of(&record[*column])),
                None => sink.builder.round_feature(j, at.number(*column)?),
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
    Ok(Records::new(&name, text, tsv)?.names)
}

/// The first pass: finds the categorical features, and gives each of them an empty coder.
fn detect(
    records: &Records<'_>,
    plan: &Plan,
    exact: bool,
) -> Result<Vec<Option<Coder>>, ReadError> {
    let wanted = |(_, w): &(usize, Wanted)| (*w == Wanted::Categorical).then(Coder::default);
    let mut coders: Vec<Option<Coder>> = plan.features.iter().map(wanted).collect();
    let mut undecided: Vec<(usize, usize)> = plan
        .features
        .iter()
        .enumerate()
        .filter(|(_, (_, wanted))| *wanted == Wanted::Any)
        .map(|(j, (column, _))| (j, *column))
        .collect();
    records.for_each(|_, record| {
        undecided.retain(|&(j, column)| {
            let field = &record[column];
            let code = number::is_code(field) || exact && number::is_rounded(field);
            let number = number::parse(field).is_some() && !code || number::is_missing(field);
            if !number {
                coders[j] = Some(Coder::default());
            }
            number
        });
        Ok(())
    })?;
    Ok(coders)
}

/// The text has been checked to be UTF-8, so this is lossless.
fn text_of(field: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(field)
}

/// One record, with all that error messages need.
struct At<'r> {
    records: &'r Records<'r>,
    plan: &'r Plan,
    line: u64,
    record: &'r ByteRecord,
}

impl At<'_> {
    /// The number in a column, `NaN` if missing, or an error if it is text.
    fn number(&self, column: usize) -> Result<f64, ReadError> {
        let field = &self.record[column];
        match number::parse(field) {
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
            let column = self.records.names[column].clone();
            let what = DataProblem::MissingValue { column }.to_string();
            return Err(ReadError::at(self.records.source, self.line, what));
        }
        Ok(Some(text_of(&self.record[column])))
    }

    fn category(&self, column: Option<usize>) -> Option<Cow<'_, str>> {
        let field = &self.record[column?];
        (!number::is_missing(field)).then(|| text_of(field))
    }

    fn text_in_number(&self, column: usize) -> ReadError {
        let text = |column: Option<usize>| column.map(|c| text_of(&self.record[c]).into_owned());
        let place = Place {
            source: self.records.source.to_owned(),
            line: self.line,
            list: text(self.plan.role(Role::List)),
            item: text(self.plan.role(Role::Id)),
        };
        ReadError::at_place(place, not_a_number(&self.records.names[column], &self.record[column]))
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
