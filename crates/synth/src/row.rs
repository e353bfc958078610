//! From generated rows to a data set.

use stakes_core::data::{Columns, DataError, Dataset, DatasetBuilder, Row};

use crate::error::SynthError;

/// One item of a list with the values of all roles. Text is borrowed from the generator.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GeneratedRow<'a> {
    pub(crate) list: &'a str,
    pub(crate) impact: f64,
    pub(crate) expected: Option<f64>,
    pub(crate) id: Option<&'a str>,
    pub(crate) group: Option<&'a str>,
    pub(crate) price: Option<f64>,
    pub(crate) time: Option<&'a str>,
    pub(crate) features: &'a [f32],
}

impl<'a> GeneratedRow<'a> {
    /// A row with only a list, an impact and features.
    pub(crate) fn plain(list: &'a str, impact: f64, features: &'a [f32]) -> Self {
        GeneratedRow {
            list,
            impact,
            expected: None,
            id: None,
            group: None,
            price: None,
            time: None,
            features,
        }
    }
}

/// The receiver of generated rows.
pub(crate) type Sink<'s> = dyn FnMut(GeneratedRow<'_>) + 's;

/// Builds a data set from the rows of a generator. The expected impact becomes the first extra
/// column if `columns` has one.
pub(crate) fn dataset(
    source: &str,
    columns: Columns,
    generate: impl FnOnce(&mut Sink<'_>) -> Result<(), SynthError>,
) -> Result<Dataset, SynthError> {
    let extras = columns.extras.len();
    let mut builder = DatasetBuilder::new(source, columns)?;
    let mut line = 0;
    let mut refused: Option<DataError> = None;
    generate(&mut |row| {
        line += 1;
        let pushed = builder.push(Row {
            line,
            list: row.list,
            impact: Some(row.impact),
            id: row.id,
            group: row.group,
            price: row.price,
            time: row.time,
            features: row.features,
            extras: &row.expected.as_slice()[..extras],
            ..Row::default()
        });
        refused = refused.take().or(pushed.err());
    })?;
    match refused {
        Some(error) => Err(error.into()),
        None => Ok(builder.finish()?),
    }
}
