//! One call for all methods.

use stakes_core::random::{Stream, purpose};

use crate::climb::Climber;
use crate::clock::Clock;
use crate::cones::{Explorer, Limits};
use crate::incumbent::Incumbent;
use crate::outcome::{Ended, Outcome, Progress, Watch};
use crate::problem::{Problem, ProblemError};
use crate::program::Formulation;
use crate::rules::Rules;
use crate::solver::SolverError;
use crate::supports::supports;
use crate::sweep::sweep;

/// How the best weights are proven to be the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Whatever suits the problem: a sweep for one or two features, else cones; the program for points.
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
    /// Bytes of memory that open parts of the problem may take.
    pub memory: usize,
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
            memory: 4 << 30,
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
    let mut clock = Clock::new(options.seconds, watch);
    let draws = Stream::new(purpose(options.seed, b"climbing"), 0);
    let mut incumbent = Incumbent::none(problem.width());
    let nothing = vec![0.0; problem.width()];
    incumbent.offer(&nothing, problem.value(&nothing));
    let supports = supports(rules, problem.width());
    let narrow = supports.iter().all(|(features, _)| features.len() <= 2);
    if narrow && options.method == Method::Auto {
        let mut bound = incumbent.value;
        for (features, cost) in &supports {
            let (best, most) = sweep(problem, rules, features);
            incumbent.offer(&best.weights, best.value - cost);
            bound = bound.max(most - cost);
        }
        return Ok(finish(clock, problem, rules, incumbent, bound, Ended::Proven, 0, "sweep"));
    }
    let climbers: Vec<Climber<'_>> = supports
        .iter()
        .map(|(features, _)| Climber::new(problem, rules, features, draws))
        .collect();
    for climber in &climbers {
        climber.search(&options.starts, &mut incumbent, climbers.len(), &mut clock);
    }
    let mut explorer = Explorer::new(problem, rules, &supports);
    let limits = Limits { nodes: options.nodes, gap: options.gap, memory: options.memory };
    let climb = |weights: &[f64]| {
        let (weights, value, _) = climbers[0].climb(weights.to_vec(), 0);
        (weights, value)
    };
    let ended = explorer.run(&limits, &mut incumbent, &climb, &mut clock);
    let bound = explorer.bound(&incumbent);
    let nodes = explorer.nodes();
    Ok(finish(clock, problem, rules, incumbent, bound, ended, nodes, "cones"))
}

#[allow(clippy::too_many_arguments)]
fn finish(
    clock: Clock<'_, '_>,
    problem: &Problem,
    rules: &Rules,
    incumbent: Incumbent,
    bound: f64,
    ended: Ended,
    nodes: u64,
    method: &'static str,
) -> Outcome {
    let weights = incumbent.weights;
    let value = problem.value(&weights) - rules.cost(&weights);
    let seconds = clock.seconds();
    let mut history = clock.history;
    history.push(Progress { seconds, incumbent: value, bound, nodes });
    Outcome { weights, value, bound: bound.max(value), ended, nodes, seconds, method, history }
}
