//! The bodies of the fuzz targets, one per text parser.
//!
//! Each body takes any bytes and must return: without a panic, an endless loop or excessive
//! memory. Accepted input is then checked: a data set keeps its invariants, a
//! metric's name parses to the same metric, a model has finite scores, no figure is `NaN`.
//!
//! The same bodies run in two places: `fuzz/fuzz_targets` (libFuzzer, `make fuzz`) and
//! `tests/smoke` (a fixed number of seeded mutations, in every `make test`). To add a
//! target: a body, a line in [`TARGETS`], a file in `fuzz/fuzz_targets`, seeds in
//! `fuzz/seeds/<name>`.

mod data;
mod language;
mod model;

pub use data::{csv, letor, qrels, run, scores};
pub use language::{cost, metric_spec};
pub use model::model;

/// The body of a target, which takes any bytes.
pub type Body = fn(&[u8]);

/// All targets with their names.
pub const TARGETS: &[(&str, Body)] = &[
    ("csv", csv),
    ("letor", letor),
    ("qrels", qrels),
    ("run", run),
    ("scores", scores),
    ("metric_spec", metric_spec),
    ("cost", cost),
    ("model", model),
];
