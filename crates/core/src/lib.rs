//! The vocabulary of cost-sensitive ranking: lists of items, what acting on an item saves, the
//! probability that each position is acted on, and metrics of an order.
//!
//! This crate has no files, no printing, no clock and no mutable globals. Data enter through
//! [`data::DatasetBuilder`], which makes every check; afterwards the types guarantee it.

pub mod cost;
pub mod data;
pub mod metric;
pub mod random;
pub mod rank;
pub mod suggest;
