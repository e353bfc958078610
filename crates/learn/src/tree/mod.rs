//! Decision trees on binned features. Nothing here knows of lists or ranking.

mod bins;
mod category;
mod constraint;
mod grow;
mod grown;
mod growth;
mod histogram;
mod lanes;
mod layout;
mod lookup;
mod params;
mod part;
mod quantise;
mod scan;
mod sketch;
mod split;

pub(crate) use bins::code_bins;
pub use bins::{BinnedMatrix, Binning, FeatureBins};
pub use constraint::{Direction, Interactions};
pub use grow::Grower;
pub use grown::Grown;
pub use params::TreeParams;
pub(crate) use quantise::MAX_ROWS;
pub use stakes_model::tree::{CategorySet, Child, Leaf, Node, Test, Tree};
