//! Orders of items, with ties. Items and ranks are two index spaces with two types.

mod best_first;
mod column;
mod index;
mod ranking;
mod ties;

pub(crate) use best_first::best_first;
pub use column::ColumnDirection;
pub use index::{ItemIdx, Rank};
pub use ranking::Ranking;
pub use ties::TieRule;

/// The score of an item that a ranking leaves out: it ranks below all others and gets no
/// credit, like a document that a search run did not retrieve.
pub const UNRANKED: f64 = f64::NEG_INFINITY;

/// How far a value may be below a bound, relative to itself: (bound - value) / |value|, or 0 if it reaches
/// the bound.
pub fn relative_gap(value: f64, bound: f64) -> f64 {
    if bound <= value { 0.0 } else { (bound - value) / value.abs().max(f64::MIN_POSITIVE) }
}
