//! Trainings elsewhere: Python carries jobs to wherever they are done, and their results back.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use stakes::jobs::{Elsewhere, Heard, Job, Jobs as AllJobs};

/// Where the jobs of a workflow are done.
#[pyclass(frozen, module = "stakes._stakes")]
pub(crate) struct Jobs(AllJobs);

#[pymethods]
impl Jobs {
    /// Elsewhere: `work` gets the jobs, each a name and bytes, and returns an iterator (with `close`) over what is heard:
    /// `None`, or the number of a job with the bytes of its result or with a text that says why there is none.
    #[staticmethod]
    fn elsewhere(work: Py<PyAny>) -> Jobs {
        Jobs(AllJobs::elsewhere(Arc::new(Carrier(work))))
    }

    /// Only one: the workflow ends with an error when it is done.
    #[staticmethod]
    fn only(name: String, begun: Vec<u8>) -> Jobs {
        Jobs(AllJobs::only(Job::new(name, begun)))
    }

    /// What the one job came to, when it is done.
    #[getter]
    fn result<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.0.result().map(|bytes| PyBytes::new(py, &bytes))
    }
}

impl Jobs {
    /// Of a workflow that may be told.
    pub(crate) fn of(jobs: Option<&Jobs>) -> AllJobs {
        jobs.map(|jobs| jobs.0.clone()).unwrap_or_default()
    }
}

/// A function of Python that does jobs: see [`Jobs::elsewhere`].
pub(crate) struct Carrier(pub(crate) Py<PyAny>);

/// What is heard: see [`Jobs::elsewhere`].
#[derive(FromPyObject)]
enum Came {
    Bytes(usize, Vec<u8>),
    Text(usize, String),
}

impl Elsewhere for Carrier {
    fn work(&self, jobs: &[Job], hear: &mut dyn FnMut(Heard) -> bool) -> Result<(), String> {
        let heard = Python::attach(|py| {
            let jobs = jobs.iter().map(|job| (job.name.as_str(), PyBytes::new(py, &job.begun)));
            let heard = self.0.bind(py).call1((jobs.collect::<Vec<_>>(),))?;
            Ok::<_, PyErr>(heard.try_iter()?.unbind())
        });
        let heard = heard.map_err(words)?;
        loop {
            let next = Python::attach(|py| match heard.bind(py).clone().next() {
                None => Ok(None),
                Some(next) => told(&next?).map(Some),
            });
            let Some(next) = next.map_err(words)? else { return Ok(()) };
            if !hear(next) {
                break;
            }
        }
        let closed = Python::attach(|py| heard.bind(py).call_method0("close").map(drop));
        closed.map_err(words)
    }
}

fn told(heard: &Bound<'_, PyAny>) -> PyResult<Heard> {
    if heard.is_none() {
        return Ok(Heard::Nothing);
    }
    Ok(match heard.extract()? {
        Came::Bytes(at, bytes) => Heard::Done(at, Ok(bytes)),
        Came::Text(at, why) => Heard::Done(at, Err(why)),
    })
}

/// An exception in words; its kind says something unless it is ours.
pub(crate) fn words(error: PyErr) -> String {
    Python::attach(|py| match error.is_instance_of::<PyValueError>(py) {
        true => error.value(py).to_string(),
        false => error.to_string(),
    })
}
