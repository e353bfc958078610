//! Models as files of other libraries.

use pyo3::prelude::*;
use stakes::export::{ExportRequest, export_file};
use stakes::interchange::export::TARGETS;

use crate::json;
use crate::model::Model;
use crate::watch::quietly;

/// Writes a model in another format; what was written as JSON.
#[pyfunction]
#[pyo3(signature = (model, path, *, to, parity_rows, seed, no_missing))]
pub(crate) fn export(
    py: Python<'_>,
    model: &Model,
    path: &str,
    to: String,
    parity_rows: usize,
    seed: u64,
    no_missing: bool,
) -> PyResult<String> {
    let request = ExportRequest { to, parity_rows, seed, no_missing };
    json(&quietly(py, || export_file(&model.0, path, &request))?)
}

/// The formats: name, ending of files, what is held, precision, what verifies it.
#[pyfunction]
pub(crate) fn export_formats() -> Vec<[&'static str; 5]> {
    TARGETS.iter().map(|t| [t.name, t.ending, t.holds, t.precision, t.verified_by]).collect()
}
