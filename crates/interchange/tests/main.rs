//! Tests of models across libraries.
#![allow(clippy::unwrap_used)]

mod export;
mod import;
mod round_trip;
