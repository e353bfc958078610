//! The options of a search.

/// Limits and options of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The wall-clock limit in seconds.
    pub seconds: Option<f64>,
    /// The maximum number of nodes of the search tree.
    pub nodes: Option<u64>,
    /// The gap at which a solution counts as optimal, relative to the objective.
    pub relative_gap: f64,
    /// The gap at which a solution counts as optimal, in units of the objective.
    pub absolute_gap: f64,
    /// The tolerance for integrality and for the bounds of rows.
    pub tolerance: f64,
    /// Whether to use heuristics for good solutions. They pay off if there is no start.
    pub heuristics: bool,
    /// The number of threads. The same model with the same number of threads gives the same search.
    pub threads: usize,
    /// The seed of the solver's random choices.
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
