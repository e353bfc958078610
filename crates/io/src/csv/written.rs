//! Columns whose numbers or dates are not written plainly. Only columns that are not plain are looked at, as far as
//! they may still be numbers or dates: for most that is one value.

use std::borrow::Cow;

use super::Records;
use crate::notation::{Notation, ReadAs, Sniffer, Verdict, unknown};
use crate::{Decimal, FileOptions, ReadError};

/// How columns are written, as far as that is known.
pub(super) struct Written<'r> {
    records: &'r Records<'r>,
    options: &'r FileOptions,
    verdicts: Vec<Option<Verdict>>,
}

impl<'r> Written<'r> {
    pub(super) fn new(records: &'r Records<'r>, options: &'r FileOptions) -> Self {
        Written { records, options, verdicts: vec![None; records.names().len()] }
    }

    /// Whether even a plain number must be looked at, because its point separates thousands.
    pub(super) fn has_commas(&self) -> bool {
        self.records.is_text() && self.options.decimal == Some(Decimal::Comma)
    }

    /// Looks at columns for numbers and dates, or for dates alone.
    pub(super) fn look(
        &mut self,
        columns: impl IntoIterator<Item = usize>,
        dates_alone: bool,
    ) -> Result<(), ReadError> {
        if !self.records.is_text() {
            return Ok(());
        }
        let new = || match dates_alone {
            true => Sniffer::of_dates(self.options),
            false => Sniffer::new(self.options),
        };
        let columns = columns.into_iter().filter(|&column| self.verdicts[column].is_none());
        let mut seen: Vec<(usize, Sniffer, bool)> =
            columns.map(|column| (column, new(), true)).collect();
        self.records.while_wanted(|record| {
            let mut wanted = false;
            for (column, sniffer, is_open) in seen.iter_mut().filter(|(.., is_open)| *is_open) {
                *is_open = sniffer.see(&record[*column]);
                wanted |= *is_open;
            }
            wanted
        })?;
        for (column, sniffer, _) in seen {
            self.verdicts[column] = Some(sniffer.verdict());
        }
        Ok(())
    }

    /// How a column is written; `None` if it is plain or text.
    pub(super) fn notation(&self, column: usize) -> Option<Notation> {
        match self.verdicts[column] {
            Some(Verdict::Written(notation, _)) => Some(notation),
            _ => None,
        }
    }

    /// Whether a column has been looked at, or need not be.
    pub(super) fn is_known(&self, column: usize) -> bool {
        !self.records.is_text() || self.verdicts[column].is_some()
    }

    /// A field in plain form.
    pub(super) fn plain<'f>(&self, column: usize, field: &'f [u8]) -> Cow<'f, [u8]> {
        plain(self.notation(column), field)
    }

    /// Refuses a column that can be read in two ways, where one is needed.
    pub(super) fn check(&self, column: usize) -> Result<(), ReadError> {
        match self.verdicts[column].as_ref().and_then(unknown) {
            Some(why) => {
                let column = &self.records.names()[column];
                Err(ReadError::at(self.records.source, 0, format!("column `{column}`: {why}")))
            }
            None => Ok(()),
        }
    }

    /// What should be known of the columns.
    pub(super) fn notes(&self) -> Vec<String> {
        let columns = self.records.names().iter().zip(&self.verdicts);
        let columns = columns
            .filter_map(|(column, verdict)| Some(ReadAs { column, verdict: verdict.clone()? }));
        ReadAs::notes(&columns.collect::<Vec<_>>())
    }
}

/// A field in plain form, if it is written so; a missing value stays as it is.
pub(super) fn plain(notation: Option<Notation>, field: &[u8]) -> Cow<'_, [u8]> {
    let text = notation.and_then(|notation| notation.plain(std::str::from_utf8(field).ok()?));
    text.map_or(Cow::Borrowed(field), |text| Cow::Owned(text.into_bytes()))
}
