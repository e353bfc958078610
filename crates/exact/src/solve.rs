//! One call for all methods.

use std::time::Instant;

use crate::outcome::{Ended, Flow, Outcome, Progress, Watch};
use crate::problem::{Problem, ProblemError};
use crate::program::Formulation;
use crate::rules::Rules;
use crate::solver::SolverError;

/// How the best weights are proven to be the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Whatever suits the problem.
    #[default]
    Auto,
    /// Branch and bound over cones of weights.
    Cones,
    /// The mixed-integer program, by the solver of this name (see [`crate::solver::solvers`]).
    Program(Formulation, &'static str),
    /// Not at all: the search for good weights only.
    Search,
}

/// How to solve.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// How optimality is proven.
    pub method: Method,
    /// On the clock. What is found within a time depends on the machine.
    pub seconds: Option<f64>,
    /// Parts of the problem to look at: a limit that means the same everywhere.
    pub nodes: Option<u64>,
    /// A relative gap that is small enough.
    pub gap: f64,
    /// By how much scores must differ in programs, with features scaled to [0, 1] and weights to [-1, 1].
    pub margin: f64,
    /// Of all random draws.
    pub seed: u64,
    /// Weights to begin with, per unit of the features as given.
    pub starts: Vec<Vec<f64>>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            method: Method::Auto,
            seconds: Some(60.0),
            nodes: None,
            gap: 1e-9,
            margin: 1e-4,
            seed: 0,
            starts: Vec::new(),
        }
    }
}

/// A problem that was not solved.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
pub enum ExactError {
    #[error(transparent)]
    Problem(#[from] ProblemError),
    #[error(transparent)]
    Solver(#[from] SolverError),
}

/// The best weights, and a bound on what any weights are worth.
pub fn solve(
    problem: &Problem,
    rules: &Rules,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Outcome, ExactError> {
    let begun = Instant::now();
    let mut best = (vec![0.0; problem.width()], f64::NEG_INFINITY);
    let units = (0..problem.width()).flat_map(|feature| {
        [1.0, -1.0].map(|sign| {
            let mut unit = vec![0.0; problem.width()];
            unit[feature] = sign;
            unit
        })
    });
    for weights in options.starts.iter().cloned().chain(units).filter(|w| rules.allow(w)) {
        let value = problem.value(&weights) - rules.cost(&weights);
        if value > best.1 {
            best = (weights, value);
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let progress = Progress { seconds, incumbent: best.1, bound: problem.ideal(), nodes: 1 };
    let flow = watch(&progress);
    Ok(Outcome {
        weights: best.0,
        value: best.1,
        bound: progress.bound,
        ended: if flow == Flow::Stop { Ended::Interrupted } else { Ended::Limit },
        nodes: 1,
        seconds,
        method: "search",
        history: vec![progress],
    })
}
