//! The vocabulary of cost-sensitive ranking: lists of items, what acting on an item saves, the
//! probability that each position is acted on, and metrics of an order.
//!
//! This crate has no files, no printing, no clock and no mutable globals. Data enter through
//! [`data::DatasetBuilder`], which makes every check; afterwards the types guarantee it.

pub mod act;
pub mod cost;
pub mod data;
pub mod display;
mod exact_sum;
pub mod goal;
pub mod jobs;
mod lists;
pub mod metric;
pub mod processor;
pub mod random;
pub mod rank;
pub mod shards;
pub mod split;
pub mod suggest;

pub use exact_sum::ExactSum;
pub use lists::{Lists, WeightedLists};
