//! Writing a data set as CSV or TSV.

use std::io::{self, Write};

use csv::WriterBuilder;
use stakes_core::data::Dataset;

use crate::number;
use crate::table::{self, Content};

/// Writes the header and all rows. Missing values are empty fields.
pub(crate) fn write(data: &Dataset, out: &mut dyn Write, tsv: bool) -> io::Result<()> {
    write_records(data, out, tsv).map_err(|error| match error.into_kind() {
        // The conversion of the csv crate would hide the kind of the error (a closed pipe, a
        // full disk).
        csv::ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    })
}

fn write_records(data: &Dataset, out: &mut dyn Write, tsv: bool) -> csv::Result<()> {
    let delimiter = if tsv { b'\t' } else { b',' };
    let mut writer = WriterBuilder::new().delimiter(delimiter).from_writer(out);
    let columns = table::columns(data);
    writer.write_record(columns.iter().map(|column| column.name))?;
    let mut digits = String::new();
    for (item, list) in table::rows(data) {
        for column in &columns {
            let value = match &column.content {
                Content::Text(text) => {
                    writer.write_field(text(item, list).unwrap_or_default())?;
                    continue;
                }
                Content::Numbers(values) => values[item],
                Content::Feature(j) => {
                    let value = data.features().row(item)[*j];
                    digits.clear();
                    if !value.is_nan() {
                        number::push_f32(&mut digits, value);
                    }
                    writer.write_field(&digits)?;
                    continue;
                }
            };
            digits.clear();
            if !value.is_nan() {
                number::push_f64(&mut digits, value);
            }
            writer.write_field(&digits)?;
        }
        writer.write_record(None::<&[u8]>)?;
    }
    Ok(writer.flush()?)
}
