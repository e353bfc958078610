//! Tests of models across libraries.
