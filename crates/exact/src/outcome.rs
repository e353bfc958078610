//! The result of a search, and its progress on the way.

use crate::program::Formulation;

/// The progress of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Seconds since the start of the search.
    pub seconds: f64,
    /// The best value found so far; minus infinity if there is none.
    pub incumbent: f64,
    /// The upper bound on the value of any weights.
    pub bound: f64,
    /// The number of nodes of the search tree explored so far.
    pub nodes: u64,
}

impl Progress {
    /// The relative gap between incumbent and bound.
    pub fn gap(&self) -> f64 {
        gap(self.incumbent, self.bound)
    }
}

/// Whether a search should continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Continue the search.
    Continue,
    /// Stop and return the best weights found so far.
    Stop,
}

/// A callback that receives the progress of a search, at most a few times per second, and may stop it.
pub type Watch<'w> = dyn FnMut(&Progress) -> Flow + Send + 'w;

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The weights are proven to be optimal, up to the requested gap.
    Proven,
    /// The time limit or the limit of nodes was reached.
    Limit,
    /// The method cannot prove more: there are too many features, or weights must be integers.
    OutOfReach,
    /// The progress callback stopped it.
    Interrupted,
}

/// The best weights found, and an upper bound on the value of all others.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The best weights found that the rules allow, per unit of the original features.
    pub weights: Vec<f64>,
    /// Their value by [`crate::Problem::value`], minus their penalty.
    pub value: f64,
    /// An upper bound on the value, minus the penalty, of all weights that the rules allow. If a program proved it,
    /// of all those whose scores keep the program's margin ([`crate::program::solve_program`]).
    pub bound: f64,
    /// Why the search ended.
    pub ended: Ended,
    /// The number of nodes of the search tree that were explored.
    pub nodes: u64,
    /// The duration of the search.
    pub seconds: f64,
    /// The method or solver that proved the bound: `sweep`, `cones`, `highs`, ...
    pub method: &'static str,
    /// The program that was solved, if one was. It is not always the one that was requested
    /// ([`crate::program::valid_formulation`]).
    pub formulation: Option<Formulation>,
    /// Incumbent and bound over time.
    pub history: Vec<Progress>,
}

impl Outcome {
    /// The relative gap between value and bound.
    pub fn gap(&self) -> f64 {
        gap(self.value, self.bound)
    }
}

/// The relative gap (bound - value) / |value|; 0 if the bound is reached.
pub fn gap(value: f64, bound: f64) -> f64 {
    if bound <= value { 0.0 } else { (bound - value) / value.abs().max(f64::MIN_POSITIVE) }
}
