//! The threads that work is done with. They are ours, not those of the process: a process that was forked has
//! none of its parent's threads, and would wait for them for ever.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

struct Threads {
    process: u32,
    /// As asked for; 0: all cores.
    number: usize,
    pool: Arc<ThreadPool>,
}

static THREADS: Mutex<Option<Threads>> = Mutex::new(None);

/// Sets the number of threads; 0 stands for `STAKES_THREADS`, or else all cores.
#[pyfunction]
pub(crate) fn set_threads(number: usize) -> PyResult<()> {
    let mut threads = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
    *threads = Some(make(number)?);
    Ok(())
}

/// The threads of this process.
pub(crate) fn pool() -> PyResult<Arc<ThreadPool>> {
    let mut threads = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
    let number = threads.as_ref().map_or(0, |threads| threads.number);
    let is_ours = threads.as_ref().is_some_and(|threads| threads.process == std::process::id());
    if !is_ours {
        // What the parent had is left alone: its threads cannot be joined.
        std::mem::forget(threads.take());
        *threads = Some(make(number)?);
    }
    Ok(threads.as_ref().map(|threads| threads.pool.clone()).expect("made above"))
}

fn make(number: usize) -> PyResult<Threads> {
    let asked = std::env::var("STAKES_THREADS").ok().and_then(|text| text.parse().ok());
    let used = if number == 0 { asked.unwrap_or(0) } else { number };
    let pool = ThreadPoolBuilder::new().num_threads(used).build().map_err(crate::error)?;
    Ok(Threads { process: std::process::id(), number, pool: Arc::new(pool) })
}
