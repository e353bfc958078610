//! Solvers of mixed-integer programs, behind one small trait.
//!
//! [`solvers`] lists those of this build, the best first: HiGHS if it was built with the feature `highs`,
//! and microlp, which is small and always available.

mod background;
mod check;
#[cfg(feature = "highs")]
mod highs;
mod microlp;
mod shared;

#[cfg(feature = "highs")]
pub use highs::Highs;
pub use microlp::Microlp;

use crate::outcome::{Ended, Watch};
use crate::program::Program;

/// The limits of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The wall-clock limit in seconds.
    pub seconds: Option<f64>,
    /// The maximum number of nodes of the search tree.
    pub nodes: Option<u64>,
    /// The relative gap at which a solution counts as optimal.
    pub gap: f64,
    /// The number of threads, if the solver can use several.
    pub threads: usize,
}

/// The result of a solver.
#[derive(Debug, Clone, PartialEq)]
pub struct Solved {
    /// The best values of the columns; `None` if none were found or the program is infeasible.
    pub values: Option<Vec<f64>>,
    /// The objective of these values.
    pub objective: f64,
    /// The solver's upper bound on the objective, up to its tolerances. Minus infinity if the
    /// program is infeasible.
    pub bound: f64,
    /// Why it ended.
    pub ended: Ended,
    /// The number of nodes of the search tree.
    pub nodes: u64,
}

/// A failure of a solver.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{solver} failed: {why}; try another solver, or a smaller problem")]
pub struct SolverError {
    /// The name of the solver.
    pub solver: &'static str,
    /// The reason.
    pub why: String,
}

/// A solver of mixed-integer programs.
pub trait Solver: Sync {
    /// The name by which [`solver`] finds it.
    fn name(&self) -> &'static str;

    /// Maximises a program, starting from a feasible solution if one is given.
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

/// The solver with this name.
pub fn solver(name: &str) -> Result<&'static dyn Solver, UnknownSolver> {
    let found = solvers().iter().find(|solver| solver.name() == name);
    found.copied().ok_or_else(|| UnknownSolver { name: name.to_owned() })
}

/// The error for a name that no solver of this build has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownSolver {
    /// The unknown name.
    pub name: String,
}

impl std::error::Error for UnknownSolver {}

impl std::fmt::Display for UnknownSolver {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = solvers().iter().map(|solver| solver.name()).collect();
        write!(to, "unknown solver `{}`; this build has: {}", self.name, names.join(", "))?;
        if cfg!(not(feature = "highs")) {
            write!(to, "; highs needs the feature `highs`")?;
        }
        Ok(())
    }
}
