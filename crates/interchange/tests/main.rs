//! Tests of models across libraries.

mod export;
mod import;
