//! Orders of items, with ties. Items and ranks are two index spaces with two types.

mod best_first;
mod index;
mod ranking;
mod ties;

pub(crate) use best_first::best_first;
pub use index::{ItemIdx, Rank};
pub use ranking::Ranking;
pub use ties::TieRule;

/// The score of an item that a ranking leaves out: it ranks below all others and gets no
/// credit, like a document that a search run did not retrieve.
pub const UNRANKED: f64 = f64::NEG_INFINITY;
