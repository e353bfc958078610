//! The crate's integration tests, as one binary: linking costs more than running them.
#![allow(clippy::unwrap_used)]

mod contract;
mod custom;
mod golden;
mod rankings;
mod reference;
