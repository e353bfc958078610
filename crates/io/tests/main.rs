//! The crate's integration tests, as one binary: linking costs more than running them.
#![allow(clippy::unwrap_used)]

mod content;
mod kinds;
mod large_csv;
mod many_files;
mod offices;
mod real_files;
mod refusals;
mod round_trip;
mod workbooks;
