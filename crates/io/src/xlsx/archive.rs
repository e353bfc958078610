//! The size of what is in an archive, before it is read.

use std::io::{self, Cursor, Read};

use zip::ZipArchive;

use crate::guard::{damaged, guarded};
use crate::{Limits, ReadError};

/// A workbook may expand to this many bytes, and beyond that by this factor: as for compressed text.
const FREE_BYTES: u64 = 256 << 20;
const MAX_FACTOR: u64 = 500;
/// Workbooks have a file for each sheet and some more.
const MAX_FILES: usize = 10_000;

/// Refuses an archive that expands beyond measure. Sizes that it states are not believed: all of it is expanded once,
/// to nowhere.
pub(super) fn check(name: &str, bytes: &[u8], limits: Option<Limits>) -> Result<(), ReadError> {
    let usual = FREE_BYTES.max(bytes.len() as u64 * MAX_FACTOR);
    let limit = limits.map_or(usual, |limits| usual.min(limits.bytes));
    guarded(name, || {
        let mut archive =
            ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(name, error))?;
        let too_large = || {
            let what = format!(
                "the workbook expands to more than {} MB, which data do not; if it is right, save the sheet as \
                 CSV (UTF-8)",
                limit >> 20
            );
            ReadError::at(name, 0, what)
        };
        if archive.len() > MAX_FILES {
            return Err(too_large());
        }
        let mut left = limit;
        for i in 0..archive.len() {
            let file = archive.by_index(i).map_err(|error| damaged(name, error))?;
            let mut file = file.take(left.saturating_add(1));
            let size = io::copy(&mut file, &mut io::sink());
            let size = size.map_err(|error| damaged(name, error))?;
            left = left.checked_sub(size).ok_or_else(too_large)?;
        }
        Ok(())
    })
}
