//! Who runs the program: the shell alone, or Python, which can have trainings made elsewhere.

use std::sync::Arc;

use stakes::jobs::{Elsewhere, Jobs};

/// Opens a place where trainings are made: the address of a Ray cluster, and the number of CPUs of each training.
pub type OpenRay = dyn Fn(&str, usize) -> Result<Arc<dyn Elsewhere>, String> + Send + Sync;

/// What the one who runs the program can do.
#[derive(Clone, Default)]
pub struct Host {
    /// Has trainings made as tasks of Ray, if it can.
    pub(crate) ray: Option<Arc<OpenRay>>,
    /// The one training that is asked for, if it is one of many that a program gave out.
    pub(crate) only: Jobs,
    /// The threads that are asked for, if they are.
    pub(crate) threads: Option<usize>,
}

impl Host {
    /// One that has trainings made as tasks of Ray.
    #[must_use]
    pub fn with_ray(open: Arc<OpenRay>) -> Self {
        Host { ray: Some(open), ..Host::default() }
    }
}
