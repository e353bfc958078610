//! A safe interface to the solver HiGHS (Huangfu and Hall 2018).
//!
//! Linear programs, and mixed-integer linear programs, as plain data:
//!
//! max (or min) offset + c.x, where lower <= x <= upper, row lower <= A x <= row upper, some x integers.
//!
//! `solve` reports the progress of a search to its caller, who may stop it. This is the only crate of the
//! project with `unsafe`: all of it is in `handle.rs` (calls of HiGHS) and `callback.rs` (calls by HiGHS).
//!
//! Without the feature `bundled` this crate is empty. With it, HiGHS is built from source.

#![cfg(feature = "bundled")]

mod callback;
mod handle;
mod model;
mod options;
mod solution;
mod solve;

pub use callback::{Progress, Watch};
pub use model::{Model, Sense};
pub use options::Options;
pub use solution::{Error, Solution, Status};
pub use solve::solve;
