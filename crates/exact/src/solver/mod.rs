//! Solvers of mixed-integer programs, behind one small trait.

use crate::outcome::{Ended, Watch};
use crate::program::Program;

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// On the clock.
    pub seconds: Option<f64>,
    /// Nodes of the search tree.
    pub nodes: Option<u64>,
    /// A relative gap that is small enough.
    pub gap: f64,
    /// Threads to use, if the solver can.
    pub threads: usize,
}

/// What a solver found.
#[derive(Debug, Clone, PartialEq)]
pub struct Solved {
    /// The best values of the columns; `None` if none was found, or none are possible.
    pub values: Option<Vec<f64>>,
    /// What they are worth.
    pub objective: f64,
    /// No values are worth more, as the solver claims with its tolerances. Minus infinity if the
    /// program has no solution.
    pub bound: f64,
    /// Why it ended.
    pub ended: Ended,
    /// Nodes of the search tree.
    pub nodes: u64,
}

/// A solver that failed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{solver} failed: {why}; try another solver, or a smaller problem")]
pub struct SolverError {
    /// Its name.
    pub solver: &'static str,
    /// What it said.
    pub why: String,
}

/// Something that solves programs.
pub trait Solver: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Maximises, from values that are known to be possible if there are some.
    fn maximise(
        &self,
        program: &Program,
        start: Option<&[f64]>,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Solved, SolverError>;
}
