//! Integration tests of the learners, in one binary.
#![allow(clippy::unwrap_used)]

mod contract;
mod losses;
mod rankboost;
mod rerank;
mod trees;
