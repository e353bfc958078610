//! The tests of exact search, against independent references.
#![allow(clippy::unwrap_used)]

mod problems;
mod programs;
mod solve;
mod solvers;
