//! Costs that are given in addition to the data.

use std::path::Path;

use crate::multiclass::ClassCosts;

/// The files of costs that the parameters of a learner name. The caller reads them and passes
/// their contents ([`crate::FitContext::costs`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CostFiles<'l> {
    /// The costs of pairs of items.
    pub pairs: Option<&'l Path>,
    /// The costs of taking one class for another.
    pub classes: Option<&'l Path>,
}

/// Costs given in addition to the data ([`crate::FitContext::costs`]).
#[derive(Debug, Clone, PartialEq)]
pub enum GivenCosts {
    /// The name of a file, and the costs of pairs of items in it. Other pairs cost 0.
    Pairs(String, Vec<GivenPair>),
    /// The name of a file, and the costs of classes in it.
    Classes(String, ClassCosts),
}

impl GivenCosts {
    /// The name of the file.
    pub fn file(&self) -> &String {
        match self {
            GivenCosts::Pairs(file, _) | GivenCosts::Classes(file, _) => file,
        }
    }
}

/// The cost of one pair of items.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenPair {
    /// The line of the file.
    pub line: u64,
    /// The list of both items.
    pub list: String,
    /// The id of the item that should be ranked higher, or its line if items have no ids.
    pub better: String,
    /// The id of the other item.
    pub worse: String,
    /// The cost of the wrong order; finite and not negative.
    pub cost: f64,
}
