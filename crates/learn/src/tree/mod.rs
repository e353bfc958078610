//! Regression trees on binned features. Nothing here depends on lists or ranking.
//!
//! A [`TreeGrower`] holds what all trees on one matrix share; for each tree it runs a `TreeBuilder`
//! (one tree under construction) and returns a [`GrownTree`] (the tree and its training rows by
//! leaf).

mod agreed_bins;
mod bins;
mod builder;
mod category;
mod constraint;
mod facts;
mod few_rows;
mod grower;
mod grown_tree;
mod histogram;
mod lanes;
mod layout;
mod leaf_sums;
mod lookup;
mod matrix;
mod params;
mod partition;
mod quantise;
mod scan;
mod sketch;
mod spare;
mod split;
mod stored_bins;

pub use crate::params::Direction;
pub(crate) use bins::code_bins;
pub use bins::{Binning, FeatureBins};
pub use constraint::Interactions;
pub use grower::TreeGrower;
pub use grown_tree::GrownTree;
pub use matrix::BinnedMatrix;
pub use params::{TreeParams, Trees};
pub(crate) use quantise::MAX_ROWS;
pub use stakes_model::tree::{CategorySet, Child, Leaf, Node, Test, Tree};
