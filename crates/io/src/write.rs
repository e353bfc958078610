//! Writing any format to a path.

use stakes_core::data::Dataset;

use crate::format::UnknownFormat;
use crate::{
    Format, ReadError, Roles, WriteError, csv, letor, output, parse_csv_bytes, table, xlsx,
};

/// Writes a data set; `-` is stdout, and a name that ends in `.gz` or `.zst` is compressed. The
/// file appears under its name only when it is complete.
///
/// Columns have the order of the source if it was remembered ([`crate::Roles::exact`]); else
/// roles come first, then extras, then features. Rows are grouped by list. Numbers are written
/// so that reading gives the same bits (features have 32 bits, all others 64). Categories are
/// written by name (in LETOR by code). Text formats do not mark columns as categorical, so a
/// column whose names all look like numbers must be in [`crate::Roles::categorical`] when it
/// is read again.
pub fn write(data: &Dataset, path: &str, format: Option<Format>) -> Result<(), WriteError> {
    match check_write(data, path, format)? {
        Format::Csv => output::to(path, |mut out| csv::write(data, &mut out, false)),
        Format::Tsv => output::to(path, |mut out| csv::write(data, &mut out, true)),
        Format::Letor => output::to(path, |mut out| letor::write(data, &mut out)),
        Format::Xlsx => output::to(path, |mut out| xlsx::write(data, &mut out)),
        #[cfg(feature = "arrow")]
        format => output::to(path, |out| crate::columnar::write(data, out, format)),
        #[cfg(not(feature = "arrow"))]
        format => Err(UnknownFormat::not_built(format).into()),
    }
}

/// Writes a table that is given as CSV in another format: numbers become numbers, and columns with a role (a list, an
/// id) stay text.
pub fn write_csv_as(csv: &str, roles: Roles, path: &str, format: Format) -> Result<(), WriteError> {
    let data = parse_csv_bytes(csv.as_bytes(), roles.exact());
    let refused = |error: ReadError| WriteError::Refused {
        path: output::target_name(path),
        what: error.to_string(),
    };
    write(&data.map_err(refused)?, path, Some(format))
}

/// Returns the format that [`write()`] writes, or an error if the format cannot represent the data.
pub fn check_write(
    data: &Dataset,
    path: &str,
    format: Option<Format>,
) -> Result<Format, WriteError> {
    let format = target_format(path, format)?;
    let objection = match format {
        Format::Letor => letor::objection(data),
        format => table::objection(data, format),
    };
    match objection {
        Some(what) => Err(WriteError::Refused { path: output::target_name(path), what }),
        None => Ok(format),
    }
}

/// Returns the format of a file to be written: the one asked for, or that of its extension.
pub fn target_format(path: &str, asked: Option<Format>) -> Result<Format, WriteError> {
    let format = asked.or_else(|| Format::from_path(path));
    let format = format.ok_or_else(|| UnknownFormat::of_path(&output::target_name(path)))?;
    #[cfg(not(feature = "arrow"))]
    if !format.is_text() {
        return Err(UnknownFormat::not_built(format).into());
    }
    Ok(format)
}
