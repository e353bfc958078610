//! The bodies of the fuzz targets, one per parser.
//!
//! Each body takes any bytes and must return: without a panic, an endless loop or excessive
//! memory. Accepted input is then checked: a data set keeps its invariants, a
//! metric's name parses to the same metric, a model has finite scores, no figure is `NaN`,
//! a damaged checkpoint is refused or resumed.
//!
//! The same bodies run in two places: `fuzz/fuzz_targets` (libFuzzer, `make fuzz`) and
//! `tests/smoke` (a fixed number of seeded mutations, in every `make test`). To add a
//! target: a body, a line in [`TARGETS`], a file in `fuzz/fuzz_targets`, seeds in
//! `fuzz/seeds/<name>`.

mod columnar;
mod compressed;
mod config;
mod data;
mod experiment;
mod file;
mod import;
mod language;
mod model;
mod params;
mod roles;
mod runs;
mod tables;
mod time;
mod world;

pub use columnar::{arrow, json_rows, leave_decoders_to_reader, parquet};
pub use compressed::compressed;
pub use config::config;
pub use data::{csv, letor, qrels, run, scores, xlsx};
pub use experiment::{contestants, folds};
pub use file::{file, query};
pub use import::import;
pub use language::{cost, metric_spec, option, policy};
pub use model::model;
pub use params::params;
pub use roles::roles;
pub use runs::{checkpoint, resume_run, resume_tuning, tuning, unfinished_run, unfinished_tuning};
pub use tables::{class_costs, pair_costs};
pub use time::time;

/// The body of a target, which takes any bytes.
pub type Body = fn(&[u8]);

/// All targets with their names.
pub const TARGETS: &[(&str, Body)] = &[
    ("csv", csv),
    ("xlsx", xlsx),
    ("letor", letor),
    ("query", query),
    ("parquet", parquet),
    ("arrow", arrow),
    ("json_rows", json_rows),
    ("file", file),
    ("compressed", compressed),
    ("roles", roles),
    ("config", config),
    ("time", time),
    ("qrels", qrels),
    ("run", run),
    ("scores", scores),
    ("pair_costs", pair_costs),
    ("class_costs", class_costs),
    ("metric_spec", metric_spec),
    ("cost", cost),
    ("policy", policy),
    ("option", option),
    ("folds", folds),
    ("contestants", contestants),
    ("params", params),
    ("model", model),
    ("import", import),
    ("checkpoint", checkpoint),
    ("tuning", tuning),
];

/// The parsed value, if there is one; an error must have a message.
fn accepted<T, E: std::fmt::Display>(result: Result<T, E>) -> Option<T> {
    result.inspect_err(|error| assert!(!error.to_string().is_empty())).ok()
}

/// The first lines of text. Further ones would take time and reach nothing that these do not.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().take(16)
}

/// What is before the first blank line and what is after it.
fn at_blank_line(data: &[u8]) -> (&[u8], &[u8]) {
    let at = data.windows(2).position(|pair| pair == b"\n\n");
    at.map_or((data, &[]), |at| (&data[..at], &data[at + 2..]))
}
