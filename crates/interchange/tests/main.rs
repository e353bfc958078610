//! Tests of models across libraries.

mod export;
