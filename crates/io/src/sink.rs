//! The last step of every reader: rows to the builder, with the treatment of missing
//! impacts and the advice that goes with a refusal.

use stakes_core::data::{Columns, DataError, DataProblem, Dataset, DatasetBuilder, Row};

use crate::categories::Coder;
use crate::{MissingImpact, ReadError};

/// A builder that knows what to do with missing impacts.
#[derive(Debug)]
pub(crate) struct Sink {
    pub(crate) builder: DatasetBuilder,
    missing: MissingImpact,
    has_impact: bool,
    impact: String,
}

impl Sink {
    pub(crate) fn new(
        source: &str,
        columns: Columns,
        missing: MissingImpact,
    ) -> Result<Sink, ReadError> {
        let impact = columns.impact.clone();
        let builder = DatasetBuilder::new(source, columns)?;
        Ok(Sink {
            builder,
            missing,
            has_impact: impact.is_some(),
            impact: impact.unwrap_or_default(),
        })
    }

    /// Adds a row whose features are at hand.
    pub(crate) fn push(&mut self, row: Row<'_>) -> Result<(), ReadError> {
        self.push_with(row, |features| features.copy_from_slice(row.features))
    }

    /// Adds a row whose features are written in place.
    pub(crate) fn push_with(
        &mut self,
        mut row: Row<'_>,
        fill: impl FnOnce(&mut [f32]),
    ) -> Result<(), ReadError> {
        if self.has_impact && row.impact.is_none_or(f64::is_nan) {
            match self.missing {
                MissingImpact::Drop => return Ok(()),
                MissingImpact::Zero => row.impact = Some(0.0),
                MissingImpact::Refuse => {}
            }
        }
        self.builder.push_with(row, fill).map_err(|error| self.explain(error))
    }

    pub(crate) fn explain(&self, error: DataError) -> ReadError {
        match &error.problem {
            DataProblem::MissingValue { column } if self.has_impact && *column == self.impact => {
                let what = format!(
                    "{column} is missing; every row needs an impact: fill it in, or have such \
                     rows dropped or counted as zero (--missing-impact drop or zero)"
                );
                ReadError::at_place(*error.place, what)
            }
            DataProblem::InfiniteFeature { column } => {
                let what = format!(
                    "feature {column} is infinite or beyond 3.4e38, the largest 32-bit number; \
                     features are finite numbers, or empty when missing"
                );
                ReadError::at_place(*error.place, what)
            }
            _ => error.into(),
        }
    }

    /// Closes the data set; `coders` are the categorical features.
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
