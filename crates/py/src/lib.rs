//! The Python module `stakes._stakes`: the workflows of the library, and nothing else. What a workflow returns
//! goes to Python as the JSON of the program, and as arrays where there is a value for each item; the package
//! in `python/stakes` gives it its types and its manners.

mod arrow;
mod data;
mod evaluate;
mod experiment;
mod export;
mod goal;
mod import;
mod jobs;
mod make;
mod matrix;
mod model;
mod own;
mod pool;
mod rank;
mod report;
mod shard;
mod tables;
mod train;
mod watch;

use std::ffi::OsString;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;
use stakes::jobs::Elsewhere;
use stakes_cli::Host;

/// What is wrong, as an exception.
fn error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A result as JSON.
fn json(result: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(result).map_err(error)
}

/// Runs the program `stakes` with the words of a command line, its name first, and returns the exit code. `open_ray` gets an
/// address and a number of CPUs where trainings are to be tasks of Ray, and returns what [`jobs::Jobs::elsewhere`] takes.
#[pyfunction]
fn program(py: Python<'_>, words: Vec<OsString>, open_ray: Py<PyAny>) -> u8 {
    let open = move |address: &str, cpus: usize| -> Result<Arc<dyn Elsewhere>, String> {
        let work = Python::attach(|py| open_ray.call1(py, (address, cpus)));
        Ok(Arc::new(jobs::Carrier(work.map_err(jobs::words)?)))
    };
    let host = Host::with_ray(Arc::new(open));
    py.detach(|| stakes_cli::main_of(words, host))
}

/// Does one job of a program that was run with these words.
#[pyfunction]
fn program_job(py: Python<'_>, words: Vec<OsString>, jobs: &jobs::Jobs) -> PyResult<()> {
    let (pool, jobs) = (pool::pool()?, jobs::Jobs::of(Some(jobs)));
    py.detach(|| pool.install(|| stakes_cli::one_job(words, &jobs))).map_err(PyValueError::new_err)
}

#[pymodule]
fn _stakes(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<data::Data>()?;
    module.add_class::<model::Model>()?;
    module.add_function(wrap_pyfunction!(program, module)?)?;
    module.add_function(wrap_pyfunction!(program_job, module)?)?;
    module.add_class::<jobs::Jobs>()?;
    module.add_function(wrap_pyfunction!(pool::set_threads, module)?)?;
    module.add_function(wrap_pyfunction!(data::read_file, module)?)?;
    module.add_function(wrap_pyfunction!(data::read_files, module)?)?;
    module.add_function(wrap_pyfunction!(data::read_frame, module)?)?;
    module.add_function(wrap_pyfunction!(data::read_columns, module)?)?;
    module.add_function(wrap_pyfunction!(data::read_matrix, module)?)?;
    module.add_function(wrap_pyfunction!(make::prepare, module)?)?;
    module.add_function(wrap_pyfunction!(make::generate, module)?)?;
    module.add_function(wrap_pyfunction!(import::import_model, module)?)?;
    module.add_function(wrap_pyfunction!(import::import_kinds, module)?)?;
    module.add_function(wrap_pyfunction!(import::calibrate, module)?)?;
    module.add_function(wrap_pyfunction!(train::train, module)?)?;
    module.add_class::<shard::Shard>()?;
    module.add_function(wrap_pyfunction!(shard::combine, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate::evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate::figure, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate::audit, module)?)?;
    module.add_function(wrap_pyfunction!(rank::rank, module)?)?;
    module.add_function(wrap_pyfunction!(rank::plan, module)?)?;
    module.add_function(wrap_pyfunction!(report::report, module)?)?;
    module.add_function(wrap_pyfunction!(experiment::compare, module)?)?;
    module.add_function(wrap_pyfunction!(experiment::backtest, module)?)?;
    module.add_function(wrap_pyfunction!(export::export, module)?)?;
    module.add_function(wrap_pyfunction!(export::export_formats, module)?)?;
    module.add_function(wrap_pyfunction!(tables::learners, module)?)?;
    module.add_function(wrap_pyfunction!(tables::metrics, module)?)?;
    Ok(())
}
