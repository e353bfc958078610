//! Tests of models across libraries.

mod import;
