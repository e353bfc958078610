//! Orders: items and positions are two index spaces with two types, and ties are named.

mod index;
mod ranking;
mod ties;

pub use index::{ItemIdx, Rank};
pub use ranking::Ranking;
pub use ties::TieRule;
