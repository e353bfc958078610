//! The language of cost-sensitive ranking: lists of items, what acting on an item saves,
//! how likely each position is to be acted on, and every measure of an order.
//!
//! There are no files, no printing, no clock and no globals in this crate. Data comes in
//! through [`data::DatasetBuilder`], which makes every check; afterwards the types carry
//! the proof.

pub mod act;
pub mod cost;
pub mod data;
pub mod display;
pub mod goal;
mod lists;
pub mod metric;
pub mod random;
pub mod rank;
pub mod split;
pub mod suggest;

pub use lists::{Lists, WeightedLists};
