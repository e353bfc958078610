//! Arrow IPC: the file format (Feather 2), recognised by its magic bytes, and the stream format.

use std::io::{BufReader, Read};

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, DataType, Schema};
use stakes_core::data::Dataset;

use super::messages::Batches;
use super::rows::{Filled, Part, Rows, batch_rows};
use super::{damaged, names_of};
use crate::input::Input;
use crate::{Limits, ReadError, ReadOptions};

pub(super) fn read(input: Input, options: &ReadOptions) -> Result<Dataset, ReadError> {
    let name = input.name.clone();
    let batches = open(input, options.file.limits).map_err(|e| damaged(&name, e))?;
    let schema = batches.schema().clone();
    read_batches(&name, &schema, batches, options)
}

/// Reads batches of rows, whole columns at a time.
pub(super) fn read_batches(
    name: &str,
    schema: &Schema,
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>>,
    options: &ReadOptions,
) -> Result<Dataset, ReadError> {
    let mut rows = Rows::new(name, schema, options)?;
    let (features, mut used) = (rows.feature_columns(), rows.role_columns());
    used.extend(&features);
    used.sort_unstable();
    // Without any value the number of rows would be a mere claim.
    if used.iter().all(|&column| *schema.field(column).data_type() == DataType::Null) {
        return Err(ReadError::at(name, 0, "no column that is read has a value; check the file"));
    }
    let step = batch_rows(used.len());
    let mut filled = Filled::default();
    for batch in batches {
        let batch = batch.and_then(|b| b.project(&used)).map_err(|e| damaged(name, e))?;
        // Batches in files have any size; slices keep the copy small.
        for start in (0..batch.num_rows()).step_by(step) {
            let slice = batch.slice(start, step.min(batch.num_rows() - start));
            let part = Part { batch: &slice, columns: &used };
            rows.push(part)?;
            rows.fill(part, 0..features.len(), &mut filled)?;
        }
    }
    rows.finish()
}

pub(super) fn columns(input: Input) -> Result<Vec<String>, ReadError> {
    let name = input.name.clone();
    let batches = open(input, None).map_err(|e| damaged(&name, e))?;
    Ok(names_of(batches.schema()))
}

fn open(input: Input, limits: Option<Limits>) -> Result<Batches<impl Read>, ArrowError> {
    let is_file = input.head.starts_with(b"ARROW1");
    let most = limits.map_or(u64::MAX, |limits| limits.bytes);
    Batches::new(BufReader::new(input.into_reader()), is_file, most)
}
