//! The solver HiGHS, behind a safe door.
//!
//! Linear programs, and mixed-integer linear programs, as plain data:
//!
//! max (or min) offset + c.x, where lower <= x <= upper, row lower <= A x <= row upper, some x whole numbers.
//!
//! A caller hears of the progress of a search, and may stop it (`solve`). This is the only crate of the
//! project with `unsafe`: all of it is in `handle.rs` (calls of HiGHS) and `callback.rs` (calls by HiGHS).
//!
//! Without the feature `bundled` this crate is empty. With it, HiGHS is built from source.
//!
//! Q. Huangfu and J. A. J. Hall, Parallelizing the dual revised simplex method, Mathematical Programming
//! Computation 10(1), 2018.

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
