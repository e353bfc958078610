//! Orders: items and positions are two index spaces with two types, and ties are named.

mod best_first;
mod index;
mod ranking;
mod ties;

pub(crate) use best_first::best_first;
pub use index::{ItemIdx, Rank};
pub use ranking::Ranking;
pub use ties::TieRule;

/// The score of an item that a ranking leaves out: it stands below all others and earns no
/// credit, as a document that a search run did not retrieve.
pub const UNRANKED: f64 = f64::NEG_INFINITY;
