//! Writing any format to a path.

use stakes_core::data::Dataset;

use crate::format::UnknownFormat;
use crate::{Format, WriteError, csv, letor, output};

/// Writes a data set; `-` is stdout, a name that ends in `.gz` is packed. The file appears
/// under its name only when it is complete.
pub fn write(data: &Dataset, path: &str, format: Option<Format>) -> Result<(), WriteError> {
    let format =
        format.or_else(|| Format::from_path(path)).ok_or_else(|| UnknownFormat::of_path(path))?;
    match format {
        Format::Csv => output::to(path, |mut out| csv::write(data, &mut out, false)),
        Format::Tsv => output::to(path, |mut out| csv::write(data, &mut out, true)),
        Format::Letor => match letor::objection(data) {
            None => output::to(path, |mut out| letor::write(data, &mut out)),
            Some(what) => Err(WriteError::Refused { path: output::target_name(path), what }),
        },
        #[cfg(feature = "arrow")]
        format => output::to(path, |out| crate::columnar::write(data, out, format)),
        #[cfg(not(feature = "arrow"))]
        format => Err(UnknownFormat::not_built(format).into()),
    }
}
