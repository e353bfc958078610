//! Decision trees on binned features. Nothing here knows of lists or ranking.

#[allow(clippy::module_inception)]
mod tree;

pub use tree::{CategorySet, Child, Leaf, Node, Test, Tree};
