//! When to stop, and how to search.

/// Limits and choices of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// On the clock.
    pub seconds: Option<f64>,
    /// Nodes of the search tree.
    pub nodes: Option<u64>,
    /// A gap that is small enough, as a part of the objective.
    pub relative_gap: f64,
    /// A gap that is small enough, in units of the objective.
    pub absolute_gap: f64,
    /// By how much whole numbers may differ from whole numbers, and rows from their bounds.
    pub tolerance: f64,
    /// Whether to look for good values before and besides the search. Without a start they are worth their time.
    pub heuristics: bool,
    /// Threads to use. The same model is searched in the same way with the same number of threads.
    pub threads: usize,
    /// Of the solver's random choices.
    pub seed: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            seconds: None,
            nodes: None,
            relative_gap: 1e-9,
            absolute_gap: 1e-9,
            tolerance: 1e-7,
            heuristics: true,
            threads: 1,
            seed: 0,
        }
    }
}
