//! From batches of columns to rows: first the roles, which create the rows, then the features,
//! which fill them. Both may come in one batch, or the features in separate batches.

use std::ops::Range;

use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Schema};
use stakes_core::data::{Columns, DataProblem, Dataset, Place, Role, Row};

use super::numbers;
use super::texts::{self, Texts};
use crate::categories::Coder;
use crate::csv::not_a_number;
use crate::number::is_missing;
use crate::plan::{Plan, Wanted};
use crate::sink::Sink;
use crate::{ReadError, ReadOptions};

/// A data set that is being read.
pub(super) struct Rows<'a> {
    source: &'a str,
    names: Vec<String>,
    plan: Plan,
    sink: Sink,
    coders: Vec<Option<Coder>>,
    /// For each row of the file, whether it was kept.
    kept: Vec<bool>,
    numbers: Vec<f64>,
    exact: bool,
}

/// A batch and the numbers of the file's columns that it holds, ascending.
#[derive(Clone, Copy)]
pub(super) struct Part<'b> {
    pub(super) batch: &'b RecordBatch,
    pub(super) columns: &'b [usize],
}

/// How many rows have their features: of the file, and of those kept.
#[derive(Clone, Copy, Default)]
pub(super) struct Filled {
    file: usize,
    kept: usize,
}

impl Filled {
    /// Checks that every row has been filled.
    pub(super) fn check_end(self, rows: &Rows<'_>) -> Result<(), ReadError> {
        if self.file == rows.kept.len() {
            return Ok(());
        }
        Err(super::damaged(rows.source, "columns differ in length"))
    }
}

impl<'a> Rows<'a> {
    pub(super) fn new(
        source: &'a str,
        schema: &Schema,
        options: &ReadOptions,
    ) -> Result<Self, ReadError> {
        let (roles, limits) = (&options.roles, options.file.limits);
        let names = super::names_of(schema);
        let mut plan = Plan::new(source, &names, roles)?;
        if roles.exact {
            let features = plan.features.clone();
            plan.keep_exact(|j| {
                let (at, wanted) = features[j];
                let kind = schema.field(at).data_type();
                match wanted {
                    Wanted::Categorical => false,
                    Wanted::Numeric => !numbers::fits_f32(kind),
                    Wanted::Any => numbers::is_numeric(kind) && !numbers::fits_f32(kind),
                }
            });
        }
        let mut sink = Sink::new(source, plan.columns(&names), roles, limits)?;
        if roles.exact {
            sink.builder.set_column_order(names.clone());
        }
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
        let (kept, numbers, exact) = (Vec::new(), Vec::new(), roles.exact);
        let rows = Rows { source, names, plan, sink, coders, kept, numbers, exact };
        rows.check_types(schema)?;
        Ok(rows)
    }

    /// The same for roles alone, of one of many files: the rows are added to those of the files before. Returns the
    /// columns of the features, and the kinds that were asked for, as well.
    pub(super) fn of_roles(
        source: &'a str,
        schema: &Schema,
        options: &ReadOptions,
        before: Option<Sink>,
    ) -> Result<(Self, Vec<(usize, Wanted)>), ReadError> {
        let (roles, limits) = (&options.roles, options.file.limits);
        let names = super::names_of(schema);
        let plan = Plan::new(source, &names, roles)?;
        let columns = Columns { features: Vec::new(), ..plan.columns(&names) };
        let mut sink = match before {
            Some(sink) => sink,
            None => Sink::new(source, columns.clone(), roles, limits)?,
        };
        if *sink.builder.columns() != columns {
            let what = "the columns of lists, impacts, ids and the like are others than in the files before; give files \
                        of the same columns";
            return Err(ReadError::at(source, 0, what));
        }
        sink.builder.set_source(source);
        let (coders, kept, numbers) = (Vec::new(), Vec::new(), Vec::new());
        let mut rows = Rows { source, names, plan, sink, coders, kept, numbers, exact: false };
        rows.check_types(schema)?;
        let features = std::mem::take(&mut rows.plan.features);
        Ok((rows, features))
    }

    /// The rows so far, and for each row of the file, whether it was kept.
    pub(super) fn into_parts(self) -> (Sink, Vec<bool>) {
        (self.sink, self.kept)
    }

    /// Refuses columns of other types before any of them is decoded: a row of a nested one may have any
    /// number of values.
    fn check_types(&self, schema: &Schema) -> Result<(), ReadError> {
        let kind = |at: usize| schema.field(at).data_type();
        let mut used = self.role_columns().into_iter().chain(self.feature_columns());
        match used.find(|&at| !texts::is_text_or_number(kind(at))) {
            None => Ok(()),
            Some(at) => Err(ReadError::at(self.source, 0, self.unsupported(at, kind(at)))),
        }
    }

    /// The file's columns that [`Rows::push`] needs.
    pub(super) fn role_columns(&self) -> Vec<usize> {
        self.plan.not_features()
    }

    /// The file's columns that are features, ascending.
    pub(super) fn feature_columns(&self) -> Vec<usize> {
        self.plan.features.iter().map(|(at, _)| *at).collect()
    }

    /// Makes room for this many rows, a number that the file claims.
    pub(super) fn reserve(&mut self, rows: i64) -> Result<(), ReadError> {
        let rows = usize::try_from(rows)
            .map_err(|_| super::damaged(self.source, format!("{rows} rows")))?;
        self.sink.check_rows(rows)?;
        Ok(self.sink.builder.reserve(rows)?)
    }

    /// Adds the rows of a batch, with all features zero.
    pub(super) fn push(&mut self, part: Part<'_>) -> Result<(), ReadError> {
        let impact = self.role(part, self.plan.role(Role::Impact))?;
        let weight = self.role(part, self.plan.role(Role::Weight))?;
        let price = self.role(part, self.plan.role(Role::Price))?;
        let mut columns = Vec::new();
        for at in self.plan.extras.clone() {
            columns.extend(self.role(part, Some(at))?);
            self.check_exact(part, at)?;
        }
        let text = |at: Option<usize>| at.map(|at| self.texts(part, at)).transpose();
        let (list, id) = (text(self.plan.role(Role::List))?, text(self.plan.role(Role::Id))?);
        let (group, time) = (text(self.plan.role(Role::Group))?, text(self.plan.role(Role::Time))?);
        let mut extras = vec![0.0; columns.len()];
        for row in 0..part.batch.num_rows() {
            let line = self.kept.len() as u64 + 1;
            let get = |texts: &'_ Option<Texts<'_>>| {
                let text = texts.as_ref().and_then(|texts| texts.get(row));
                text.map(|text| text.into_owned())
            };
            let given = |text: Option<String>| text.filter(|t| !is_missing(t.as_bytes()));
            let named = |text: Option<String>, at: Option<usize>| match at {
                Some(at) if text.as_ref().is_none_or(|t| t.trim().is_empty()) => {
                    let column = self.names[at].clone();
                    let what = DataProblem::MissingValue { column }.to_string();
                    Err(ReadError::at(self.source, line, what))
                }
                _ => Ok(text),
            };
            let number = |values: &Option<Vec<f64>>| {
                values.as_ref().map(|values| values[row]).filter(|v| !v.is_nan())
            };
            let list = named(get(&list), self.plan.role(Role::List))?;
            let id = named(get(&id), self.plan.role(Role::Id))?;
            let (group, time) = (given(get(&group)), given(get(&time)));
            extras.iter_mut().zip(&columns).for_each(|(to, column)| *to = column[row]);
            let item = Row {
                line,
                list: list.as_deref().unwrap_or_default(),
                impact: number(&impact),
                id: id.as_deref(),
                weight: number(&weight),
                group: group.as_deref(),
                price: number(&price),
                time: time.as_deref(),
                features: &[],
                extras: &extras,
            };
            let before = self.sink.builder.len();
            self.sink.push_with(item, |_| {})?;
            self.kept.push(self.sink.builder.len() > before);
        }
        Ok(())
    }

    /// Fills the features of `range` in the rows of the batch.
    pub(super) fn fill(
        &mut self,
        part: Part<'_>,
        range: Range<usize>,
        filled: &mut Filled,
    ) -> Result<(), ReadError> {
        let start = *filled;
        filled.file += part.batch.num_rows();
        let Some(kept) = self.kept.get(start.file..filled.file) else {
            return Err(super::damaged(self.source, "columns differ in length"));
        };
        filled.kept += kept.iter().filter(|kept| **kept).count();
        for j in range {
            let at = self.plan.features[j].0;
            match self.coders[j].take() {
                None => {
                    let read = self.read_numbers(part, at);
                    read.map_err(|wrong| wrong.at(self.source, |row| self.place(start, row)))?;
                }
                Some(mut coder) => {
                    let texts = self.texts(part, at)?;
                    self.numbers.clear();
                    self.numbers.extend((0..part.batch.num_rows()).map(
                        |row| match texts.get(row) {
                            Some(text) if !is_missing(text.as_bytes()) => {
                                f64::from(coder.code(&text))
                            }
                            _ => f64::NAN,
                        },
                    ));
                    self.coders[j] = Some(coder);
                }
            }
            let kept = &self.kept[start.file..filled.file];
            let values = self.numbers.iter().zip(kept).filter(|(_, kept)| **kept);
            let builder = &mut self.sink.builder;
            let values: Vec<f32> =
                values.map(|(value, _)| builder.round_feature(j, *value)).collect();
            let done = builder.fill_feature(j, start.kept, values);
            done.map_err(|error| self.sink.explain(error))?;
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Dataset, ReadError> {
        let coders = self.coders.into_iter().enumerate();
        self.sink.finish(coders.filter_map(|(j, coder)| Some((j, coder?))))
    }

    fn role(&mut self, part: Part<'_>, at: Option<usize>) -> Result<Option<Vec<f64>>, ReadError> {
        let Some(at) = at else { return Ok(None) };
        let first = self.kept.len();
        self.read_numbers(part, at).map_err(|wrong| {
            wrong.at(self.source, |row| {
                let text = |role: Option<usize>| {
                    let texts = self.texts(part, role?).ok()?;
                    texts.get(row).map(|text| text.into_owned())
                };
                let (list, item) =
                    (text(self.plan.role(Role::List)), text(self.plan.role(Role::Id)));
                Place { list, item, ..Place::line(self.source, (first + row) as u64 + 1) }
            })
        })?;
        Ok(Some(self.numbers.clone()))
    }

    /// Refuses integers that would be rounded although full precision was asked for.
    fn check_exact(&self, part: Part<'_>, at: usize) -> Result<(), ReadError> {
        let rounded = self.exact.then(|| numbers::first_rounded(part.column(at))).flatten();
        let Some((row, met)) = rounded else { return Ok(()) };
        let what = format!(
            "{} is {met}, which a 64-bit floating-point number cannot hold; make the column \
             `categorical`, or drop it",
            self.names[at]
        );
        Err(ReadError::at(self.source, (self.kept.len() + row) as u64 + 1, what))
    }

    /// Reads the numbers of a column into `self.numbers`.
    fn read_numbers(&mut self, part: Part<'_>, at: usize) -> Result<(), Wrong> {
        let array = part.column(at);
        match numbers::fill(array, &mut self.numbers) {
            Some(Ok(())) => Ok(()),
            Some(Err(wrong)) => {
                Err(Wrong::Row(wrong.row, not_a_number(&self.names[at], wrong.met.as_bytes())))
            }
            None => Err(Wrong::Column(self.unsupported(at, array.data_type()))),
        }
    }

    fn texts<'b>(&self, part: Part<'b>, at: usize) -> Result<Texts<'b>, ReadError> {
        let array = part.column(at);
        Texts::new(array)
            .ok_or_else(|| ReadError::at(self.source, 0, self.unsupported(at, array.data_type())))
    }

    /// The place of a row, counted from `start`.
    fn place(&self, start: Filled, row: usize) -> Place {
        let file = start.file + row;
        if !self.kept[file] {
            return Place::line(self.source, file as u64 + 1);
        }
        let before = self.kept[start.file..file].iter().filter(|kept| **kept).count();
        self.sink.builder.place(start.kept + before)
    }

    fn unsupported(&self, at: usize, kind: &DataType) -> String {
        format!(
            "column `{}` is of type {kind}; numbers, text, dates and timestamps are supported: \
             drop the column or convert it",
            self.names[at]
        )
    }
}

impl<'b> Part<'b> {
    /// The file's column `at`, which must be in the batch.
    fn column(self, at: usize) -> &'b dyn Array {
        self.batch.column(self.columns.partition_point(|column| *column < at))
    }
}

/// The reason why a column cannot be numbers.
enum Wrong {
    /// The text of one row.
    Row(usize, String),
    /// The type of the column.
    Column(String),
}

impl Wrong {
    fn at(self, source: &str, place: impl FnOnce(usize) -> Place) -> ReadError {
        match self {
            Wrong::Row(row, what) => ReadError::at_place(place(row), what),
            Wrong::Column(what) => ReadError::at(source, 0, what),
        }
    }
}

/// The number of rows in a batch: about 2 MiB of features, which is small beside the matrix.
pub(super) fn batch_rows(columns: usize) -> usize {
    ((1 << 19) / columns.max(1)).clamp(64, 8192)
}
