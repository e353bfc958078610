//! What fuzzing runs: one body per text parser.
//!
//! Each body takes any bytes and must come back: no panic, no endless loop, no memory out of
//! proportion. What a parser accepts is then looked at: a data set keeps its promises, a
//! metric's name reads back as the same metric, a model scores finitely, no figure is `NaN`.
//!
//! The same bodies run in two places: `fuzz/fuzz_targets` (libFuzzer, `make fuzz`) and
//! `tests/smoke.rs` (a fixed number of seeded mutations, in every `make test`). To add a
//! target: a body, a line in [`TARGETS`], a file in `fuzz/fuzz_targets`, seeds in
//! `fuzz/seeds/<name>`.

mod data;
mod language;
mod model;

pub use data::{csv, letor, qrels, run, scores};
pub use language::{cost, metric_spec};
pub use model::model;

/// Takes any bytes.
pub type Body = fn(&[u8]);

/// Every target by name.
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
