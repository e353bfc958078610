//! Writing a data set as Parquet (snappy) or Arrow IPC: text as strings, roles and extras as
//! doubles, features as floats, missing values as null.

use std::error::Error;
use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Float64Array, RecordBatch, StringArray};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use stakes_core::data::Dataset;

use crate::Format;
use crate::table::{self, Column, Content};

/// The number of rows in a batch.
const BATCH: usize = 8192;

pub(crate) fn write(
    data: &Dataset,
    out: &mut (dyn Write + Send),
    format: Format,
) -> io::Result<()> {
    let columns = table::columns(data);
    let schema = schema(&columns);
    if format == Format::Parquet {
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer = ArrowWriter::try_new(out, schema.clone(), Some(properties));
        let mut writer = writer.map_err(system_error)?;
        each_batch(data, &columns, &schema, |batch| writer.write(batch).map_err(system_error))?;
        writer.close().map_err(system_error)?;
        return Ok(());
    }
    let mut writer = FileWriter::try_new(out, &schema).map_err(system_error)?;
    each_batch(data, &columns, &schema, |batch| writer.write(batch).map_err(system_error))?;
    writer.finish().map_err(system_error)
}

/// The system's error, such as a full disk, behind an error of the format's writer.
fn system_error(error: impl Error + Send + Sync + 'static) -> io::Error {
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(error) = cause {
        let code = error.downcast_ref().and_then(io::Error::raw_os_error);
        if let Some(code) = code {
            return io::Error::from_raw_os_error(code);
        }
        cause = error.source();
    }
    io::Error::other(error)
}

fn schema(columns: &[Column<'_>]) -> SchemaRef {
    let field = |column: &Column<'_>| {
        let kind = match column.content {
            Content::Text(_) => DataType::Utf8,
            Content::Numbers(_) => DataType::Float64,
            Content::Feature(_) => DataType::Float32,
        };
        Field::new(column.name, kind, true)
    };
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

fn each_batch(
    data: &Dataset,
    columns: &[Column<'_>],
    schema: &SchemaRef,
    mut f: impl FnMut(&RecordBatch) -> io::Result<()>,
) -> io::Result<()> {
    let rows: Vec<(usize, usize)> = table::rows(data).collect();
    for rows in rows.chunks(BATCH) {
        let arrays = columns.iter().map(|column| array(data, column, rows)).collect();
        let batch: Result<RecordBatch, ArrowError> = RecordBatch::try_new(schema.clone(), arrays);
        f(&batch.map_err(io::Error::other)?)?;
    }
    Ok(())
}

fn array(data: &Dataset, column: &Column<'_>, rows: &[(usize, usize)]) -> ArrayRef {
    match &column.content {
        Content::Text(text) => {
            let values = rows.iter().map(|&(item, list)| text(item, list));
            Arc::new(values.collect::<StringArray>())
        }
        Content::Numbers(numbers) => {
            let values = rows.iter().map(|&(item, _)| Some(numbers[item]).filter(|v| !v.is_nan()));
            Arc::new(values.collect::<Float64Array>())
        }
        Content::Feature(j) => {
            let value = |item: usize| data.features().row(item)[*j];
            let values = rows.iter().map(|&(item, _)| Some(value(item)).filter(|v| !v.is_nan()));
            Arc::new(values.collect::<Float32Array>())
        }
    }
}
