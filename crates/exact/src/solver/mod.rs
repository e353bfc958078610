//! Solvers of mixed-integer programs, behind one small trait.
//!
//! [`solvers`] are those that this build has, the best first: HiGHS if it was built with the feature `highs`,
//! and microlp, which is small and always there.

mod aside;
mod check;
mod desk;
#[cfg(feature = "highs")]
mod highs;
mod microlp;

#[cfg(feature = "highs")]
pub use highs::Highs;
pub use microlp::Microlp;

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

/// The solvers of this build, the best first.
pub fn solvers() -> &'static [&'static dyn Solver] {
    &[
        #[cfg(feature = "highs")]
        &Highs,
        &Microlp,
    ]
}

/// The solver of this name.
pub fn solver(name: &str) -> Result<&'static dyn Solver, UnknownSolver> {
    let found = solvers().iter().find(|solver| solver.name() == name);
    found.copied().ok_or_else(|| UnknownSolver { name: name.to_owned() })
}

/// A name that no solver of this build has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownSolver {
    /// The name that was asked for.
    pub name: String,
}

impl std::error::Error for UnknownSolver {}

impl std::fmt::Display for UnknownSolver {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = solvers().iter().map(|solver| solver.name()).collect();
        write!(to, "there is no solver `{}`; this build has: {}", self.name, names.join(", "))?;
        if cfg!(not(feature = "highs")) {
            write!(to, "; highs comes with `make program` (cargo build --features highs)")?;
        }
        Ok(())
    }
}
