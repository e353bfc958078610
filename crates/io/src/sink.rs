//! The last step of every reader: rows to the builder, with the treatment of missing
//! outcomes and with advice in the errors.

use stakes_core::data::{Columns, DataError, DataProblem, Dataset, DatasetBuilder, Place, Row};

use crate::categories::Coder;
use crate::{Limits, MissingImpact, ReadError, Roles};

/// A builder with a treatment of missing impacts and other outcomes.
#[derive(Debug)]
pub(crate) struct Sink {
    pub(crate) builder: DatasetBuilder,
    missing: MissingImpact,
    has_impact: bool,
    impact: String,
    has_list: bool,
    /// The extras that are outcomes: their numbers and names.
    outcomes: Vec<(usize, String)>,
    limits: Option<Limits>,
    width: usize,
}

impl Sink {
    pub(crate) fn new(
        source: &str,
        columns: Columns,
        roles: &Roles,
        limits: Option<Limits>,
    ) -> Result<Sink, ReadError> {
        let width = columns.names().count();
        limits.map_or(Ok(()), |limits| limits.check_columns(source, width))?;
        let impact = columns.impact.clone();
        let has_list = columns.list.is_some();
        let outcomes = roles.extras.iter().enumerate().filter(|(_, e)| roles.outcomes.contains(e));
        let outcomes = outcomes.map(|(i, name)| (i, name.trim().to_owned())).collect();
        let builder = DatasetBuilder::new(source, columns)?;
        Ok(Sink {
            builder,
            missing: roles.missing_impact,
            has_impact: impact.is_some(),
            impact: impact.unwrap_or_default(),
            has_list,
            outcomes,
            limits,
            width,
        })
    }

    /// Refuses more rows than are allowed.
    pub(crate) fn check_rows(&self, rows: usize) -> Result<(), ReadError> {
        let Some(limits) = &self.limits else { return Ok(()) };
        limits.check_rows(self.builder.source(), rows, self.width)
    }

    /// Adds a row with its features.
    pub(crate) fn push(&mut self, row: Row<'_>) -> Result<(), ReadError> {
        self.push_with(row, |features| features.copy_from_slice(row.features))
    }

    /// Adds a row whose features `fill` writes in place.
    pub(crate) fn push_with(
        &mut self,
        row: Row<'_>,
        fill: impl FnOnce(&mut [f32]),
    ) -> Result<(), ReadError> {
        self.check_rows(self.builder.len() + 1)?;
        let no_impact = self.has_impact && row.impact.is_none_or(f64::is_nan);
        let no_outcome = self.outcomes.iter().find(|(i, _)| row.extras[*i].is_nan());
        let filled: Vec<f64>;
        let mut row = row;
        match (self.missing, no_outcome) {
            (MissingImpact::Drop, _) if no_impact || no_outcome.is_some() => {
                self.builder.count_dropped();
                return Ok(());
            }
            // The builder refuses a missing impact itself.
            (MissingImpact::Refuse, Some((_, name))) if !no_impact => {
                return Err(self.missing_outcome(&row, name));
            }
            (MissingImpact::Zero, _) => {
                if no_impact {
                    row.impact = Some(0.0);
                }
                if no_outcome.is_some() {
                    filled = self.with_zeros(row.extras);
                    row.extras = &filled;
                }
            }
            _ => {}
        }
        self.builder.push_with(row, fill).map_err(|error| self.explain(error))
    }

    fn with_zeros(&self, extras: &[f64]) -> Vec<f64> {
        let mut extras = extras.to_vec();
        for (i, _) in &self.outcomes {
            if extras[*i].is_nan() {
                extras[*i] = 0.0;
            }
        }
        extras
    }

    fn missing_outcome(&self, row: &Row<'_>, column: &str) -> ReadError {
        let place = Place {
            list: self.has_list.then(|| row.list.to_owned()),
            item: row.id.map(str::to_owned),
            ..Place::line(self.builder.source(), row.line)
        };
        let (place, column) = (Box::new(place), column.to_owned());
        ReadError::MissingImpact { place, column, is_impact: false }
    }

    /// Adds advice to an error of the builder.
    pub(crate) fn explain(&self, error: DataError) -> ReadError {
        match &error.problem {
            DataProblem::MissingValue { column } if self.has_impact && *column == self.impact => {
                let column = column.clone();
                ReadError::MissingImpact { place: error.place, column, is_impact: true }
            }
            DataProblem::InfiniteFeature { column } => {
                let what = format!(
                    "feature {column} is infinite or beyond 3.4e38, the largest 32-bit number; \
                     allowed are finite numbers, or an empty field where missing"
                );
                ReadError::at_place(*error.place, what)
            }
            _ => error.into(),
        }
    }

    /// Finishes the data set; `coders` are the categorical features.
    pub(crate) fn finish(
        mut self,
        coders: impl IntoIterator<Item = (usize, Coder)>,
    ) -> Result<Dataset, ReadError> {
        for (feature, coder) in coders {
            coder.finish(&mut self.builder, feature)?;
        }
        Ok(self.builder.finish()?)
    }
}
