//! Arrow IPC: the file format (Feather 2), recognised by its magic bytes, and the stream format.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek};

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, SchemaRef};
use stakes_core::data::Dataset;

use super::rows::{Filled, Part, Rows, batch_rows};
use super::{damaged, names_of};
use crate::input::Input;
use crate::{ReadError, Roles};

type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>>>;

pub(super) fn read(input: Input, path: &str, roles: &Roles) -> Result<Dataset, ReadError> {
    let name = input.name.clone();
    let (schema, batches) = open(input, path)?;
    let mut rows = Rows::new(&name, &schema, roles)?;
    let (features, mut used) = (rows.feature_columns(), rows.role_columns());
    used.extend(&features);
    used.sort_unstable();
    let step = batch_rows(used.len());
    let mut filled = Filled::default();
    for batch in batches {
        let batch = batch.and_then(|b| b.project(&used)).map_err(|e| damaged(&name, e))?;
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

pub(super) fn columns(input: Input, path: &str) -> Result<Vec<String>, ReadError> {
    Ok(names_of(&open(input, path)?.0))
}

fn open(input: Input, path: &str) -> Result<(SchemaRef, Batches), ReadError> {
    let name = input.name.clone();
    let wrong = |e: ArrowError| damaged(&name, e);
    if !input.head.starts_with(b"ARROW1") {
        let reader = BufReader::new(input.into_reader());
        let reader = StreamReader::try_new(reader, None).map_err(wrong)?;
        return Ok((reader.schema(), Box::new(reader)));
    }
    if input.is_plain_file(path) {
        let file = File::open(path).map_err(|e| ReadError::io(path, e))?;
        return file_batches(BufReader::new(file)).map_err(wrong);
    }
    file_batches(Cursor::new(input.into_bytes()?.1)).map_err(wrong)
}

fn file_batches<R: Read + Seek + 'static>(reader: R) -> Result<(SchemaRef, Batches), ArrowError> {
    let reader = FileReader::try_new(reader, None)?;
    Ok((reader.schema(), Box::new(reader)))
}
