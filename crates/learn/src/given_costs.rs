//! Costs that are given beside the data.

use crate::multiclass::ClassCosts;

/// Costs of pairs, given beside the data ([`crate::FitContext::costs`]).
#[derive(Debug, Clone, PartialEq)]
pub enum GivenCosts {
    /// Pairs of items, one by one, and the file they came from. Pairs that are not among them do not
    /// count.
    Pairs(String, Vec<GivenPair>),
    /// Of classes, and the file they came from.
    Classes(String, ClassCosts),
}

/// The cost of one pair of items.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenPair {
    /// The line of the file it stood in.
    pub line: u64,
    /// The list of both items.
    pub list: String,
    /// The id of the item that should stand above; its line, where items have no ids.
    pub better: String,
    /// The id of the other.
    pub worse: String,
    /// What it costs if they do not stand so; finite, and not below 0.
    pub cost: f64,
}
