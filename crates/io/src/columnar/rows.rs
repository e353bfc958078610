//! Batches of columns to rows.

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Schema};
use stakes_core::data::{Dataset, Place, Row};

use super::numbers;
use super::texts::Texts;
use crate::categories::Coder;
use crate::csv::not_a_number;
use crate::number::is_missing;
use crate::plan::{Plan, Wanted};
use crate::sink::Sink;
use crate::{ReadError, Roles};

/// Takes batches that hold the columns of `used`, in that order.
pub(super) struct Rows<'a> {
    source: &'a str,
    names: Vec<String>,
    plan: Plan,
    /// Place of a file's column in a batch.
    place: Vec<usize>,
    sink: Sink,
    coders: Vec<Option<Coder>>,
    /// Rows so far.
    rows: u64,
    features: Vec<f32>,
    numbers: Vec<f64>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(source: &'a str, schema: &Schema, roles: &Roles) -> Result<Self, ReadError> {
        let names = super::names_of(schema);
        let plan = Plan::new(source, &names, roles)?;
        let sink = Sink::new(source, plan.columns(&names), roles.missing_impact)?;
        let coders = plan.features.iter().map(|(at, wanted)| {
            let text = !numbers::is_numeric(schema.field(*at).data_type());
            match wanted {
                Wanted::Categorical => true,
                Wanted::Numeric => false,
                Wanted::Any => text,
            }
            .then(Coder::default)
        });
        let coders = coders.collect();
        let mut place = vec![usize::MAX; names.len()];
        plan.used().iter().enumerate().for_each(|(i, &at)| place[at] = i);
        let (features, numbers) = (Vec::new(), Vec::new());
        Ok(Rows { source, names, plan, place, sink, coders, rows: 0, features, numbers })
    }

    /// The file's columns that are needed.
    pub(super) fn used(&self) -> Vec<usize> {
        self.plan.used()
    }

    pub(super) fn push(&mut self, batch: &RecordBatch) -> Result<(), ReadError> {
        let n = batch.num_rows();
        let width = self.plan.features.len();
        self.features.clear();
        self.features.resize(n * width, 0.0);
        for j in 0..width {
            let at = self.plan.features[j].0;
            match self.coders[j].take() {
                None => {
                    self.read_numbers(batch, at)?;
                    let column = self.features.iter_mut().skip(j).step_by(width);
                    column.zip(&self.numbers).for_each(|(to, from)| *to = *from as f32);
                }
                Some(mut coder) => {
                    let texts = self.texts(batch, at)?;
                    let column = (0..n).map(|row| texts.get(row));
                    let codes: Vec<f32> = column
                        .map(|text| match text {
                            Some(text) if !is_missing(text.as_bytes()) => coder.code(&text),
                            _ => f32::NAN,
                        })
                        .collect();
                    let column = self.features.iter_mut().skip(j).step_by(width);
                    column.zip(codes).for_each(|(to, from)| *to = from);
                    self.coders[j] = Some(coder);
                }
            }
        }
        self.push_rows(batch)?;
        self.rows += n as u64;
        Ok(())
    }

    fn push_rows(&mut self, batch: &RecordBatch) -> Result<(), ReadError> {
        let impact = self.role(batch, self.plan.impact)?;
        let weight = self.role(batch, self.plan.weight)?;
        let price = self.role(batch, self.plan.price)?;
        let mut columns = Vec::new();
        for at in self.plan.extras.clone() {
            self.read_numbers(batch, at)?;
            columns.push(self.numbers.clone());
        }
        let text = |at: Option<usize>| at.map(|at| self.texts(batch, at)).transpose();
        let (list, id) = (text(self.plan.list)?, text(self.plan.id)?);
        let (group, time) = (text(self.plan.group)?, text(self.plan.time)?);
        let width = self.plan.features.len();
        let mut extras = vec![0.0; columns.len()];
        for row in 0..batch.num_rows() {
            let get = |texts: &'_ Option<Texts<'_>>| {
                let text = texts.as_ref().and_then(|texts| texts.get(row));
                text.map(|text| text.into_owned())
            };
            let filled = |text: Option<String>| text.filter(|t| !is_missing(t.as_bytes()));
            let line = self.rows + row as u64 + 1;
            let named = |text: Option<String>, at: Option<usize>| match (text, at) {
                (None, Some(at)) => Err(self.missing(line, at)),
                (Some(text), Some(at)) if text.trim().is_empty() => Err(self.missing(line, at)),
                (text, _) => Ok(text),
            };
            let list = named(get(&list), self.plan.list)?;
            let id = named(get(&id), self.plan.id)?;
            let (group, time) = (filled(get(&group)), filled(get(&time)));
            extras.iter_mut().zip(&columns).for_each(|(to, column)| *to = column[row]);
            let number = |values: &Option<Vec<f64>>| {
                values.as_ref().map(|values| values[row]).filter(|v| !v.is_nan())
            };
            self.sink.push(Row {
                line,
                list: list.as_deref().unwrap_or_default(),
                impact: number(&impact),
                id: id.as_deref(),
                weight: number(&weight),
                group: group.as_deref(),
                price: number(&price),
                time: time.as_deref(),
                features: &self.features[row * width..(row + 1) * width],
                extras: &extras,
            })?;
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Dataset, ReadError> {
        let coders = self.coders.into_iter().enumerate();
        self.sink.finish(coders.filter_map(|(j, coder)| Some((j, coder?))))
    }

    fn role(
        &mut self,
        batch: &RecordBatch,
        at: Option<usize>,
    ) -> Result<Option<Vec<f64>>, ReadError> {
        let Some(at) = at else { return Ok(None) };
        self.read_numbers(batch, at)?;
        Ok(Some(self.numbers.clone()))
    }

    /// A column's numbers into `self.numbers`.
    fn read_numbers(&mut self, batch: &RecordBatch, at: usize) -> Result<(), ReadError> {
        let array = batch.column(self.place[at]);
        match numbers::fill(array, &mut self.numbers) {
            Some(Ok(())) => Ok(()),
            Some(Err(wrong)) => {
                let text = |role: Option<usize>| {
                    let texts = self.texts(batch, role?).ok()?;
                    texts.get(wrong.row).map(|text| text.into_owned())
                };
                let place = Place {
                    source: self.source.to_owned(),
                    line: self.rows + wrong.row as u64 + 1,
                    list: text(self.plan.list),
                    item: text(self.plan.id),
                };
                let what = not_a_number(&self.names[at], wrong.met.as_bytes());
                Err(ReadError::at_place(place, what))
            }
            None => Err(self.unsupported(at, array.data_type())),
        }
    }

    fn texts<'b>(&self, batch: &'b RecordBatch, at: usize) -> Result<Texts<'b>, ReadError> {
        let array = batch.column(self.place[at]);
        Texts::new(array).ok_or_else(|| self.unsupported(at, array.data_type()))
    }

    fn missing(&self, line: u64, at: usize) -> ReadError {
        let what = format!("{} is missing; every row needs one", self.names[at]);
        ReadError::at(self.source, line, what)
    }

    fn unsupported(&self, at: usize, kind: &DataType) -> ReadError {
        let what = format!(
            "column `{}` is of type {kind}; numbers, text, dates and timestamps are supported: \
             drop the column or convert it",
            self.names[at]
        );
        ReadError::at(self.source, 0, what)
    }
}

/// Rows in a batch: about 2 MiB of features, so that batches do not weigh beside the matrix.
pub(super) fn batch_rows(columns: usize) -> usize {
    ((1 << 19) / columns.max(1)).clamp(64, 8192)
}
