//! The tables of learners and metrics, as JSON.

use pyo3::prelude::*;
use stakes::learn::learners as all_learners;
use stakes::metric::METRICS;
use stakes::tables::{LearnerEntry, MetricEntry};

/// All learners with their parameters.
#[pyfunction]
pub(crate) fn learners() -> PyResult<String> {
    let entries: Vec<LearnerEntry> =
        all_learners().map(|learner| LearnerEntry::from(&*learner)).collect();
    crate::json(&entries)
}

/// All metrics with their options.
#[pyfunction]
pub(crate) fn metrics() -> PyResult<String> {
    let entries: Vec<MetricEntry> = METRICS.iter().map(MetricEntry::from).collect();
    crate::json(&entries)
}
