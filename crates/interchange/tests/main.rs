//! Tests of models across libraries.
#![allow(clippy::unwrap_used)]

mod export;
