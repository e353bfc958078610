//! How large data may be, for those who read what others send.

use crate::ReadError;

/// How large data may be. Without limits a reader takes what the memory holds, and refuses only what expands beyond
/// all measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most rows.
    pub rows: usize,
    /// The most columns.
    pub columns: usize,
    /// The most bytes that a compressed part may expand to; values take no more of them either, at 4 bytes each.
    pub bytes: u64,
}

impl Limits {
    const BYTES_OF_A_VALUE: u64 = 4;

    pub(crate) fn check_columns(&self, source: &str, columns: usize) -> Result<(), ReadError> {
        let most = self.columns;
        let what = || format!("there are {columns} columns; at most {most} are allowed");
        if columns <= most { Ok(()) } else { Err(too_large(source, what())) }
    }

    /// Checks that there is room for this many rows of so many columns.
    pub(crate) fn check_rows(
        &self,
        source: &str,
        rows: usize,
        columns: usize,
    ) -> Result<(), ReadError> {
        let most = self.rows;
        if rows > most {
            return Err(too_large(
                source,
                format!("there are more than {most} rows, the most that are allowed"),
            ));
        }
        let values = self.bytes / Self::BYTES_OF_A_VALUE;
        if (rows as u64).saturating_mul(columns as u64) > values {
            let what = format!(
                "{rows} rows of {columns} columns are more than {values} values, the most that are allowed"
            );
            return Err(too_large(source, what));
        }
        Ok(())
    }
}

fn too_large(source: &str, what: String) -> ReadError {
    ReadError::TooLarge { file: source.to_owned(), what }
}
