//! One call for all methods.

use stakes_core::random::{Stream, purpose};

use crate::climb::{Climber, forward};
use crate::clock::Clock;
use crate::cones::{Explorer, Limits};
use crate::incumbent::Incumbent;
use crate::outcome::{Ended, Outcome, Progress, Watch, gap};
use crate::points::{search_points, try_all_points};
use crate::problem::{Problem, ProblemError};
use crate::program::{Formulation, solve_program};
use crate::rules::{Rules, RulesError};
use crate::solver::{self, SolverError, UnknownSolver, solver, solvers};
use crate::supports::{Support, supports};
use crate::sweep::sweep;

/// How optimality is proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// The method that suits the problem: a sweep for one or two features, else cones; for integer weights
    /// enumeration or a program.
    #[default]
    Auto,
    /// Branch and bound over cones of weights.
    Cones,
    /// A mixed-integer program, solved by the solver of this name (see [`crate::solver::solvers`]).
    Program(Formulation, &'static str),
    /// None: only a local search for good weights, with the value of the ideal order as bound.
    Search,
}

/// The options of [`solve`].
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// How optimality is proven.
    pub method: Method,
    /// The wall-clock limit in seconds. With one the result depends on the machine.
    pub seconds: Option<f64>,
    /// The maximum number of nodes of the search tree: a limit that does not depend on the machine.
    pub nodes: Option<u64>,
    /// The relative gap at which the weights count as optimal.
    pub gap: f64,
    /// The margin by which scores must differ in programs, with features scaled to [0, 1] and weights to [-1, 1].
    pub margin: f64,
    /// The seed of all random draws.
    pub seed: u64,
    /// Initial weights, per unit of the original features.
    pub starts: Vec<Vec<f64>>,
    /// The memory in bytes for open nodes; beyond that the search continues more slowly.
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
            memory: 2 << 30,
        }
    }
}

/// The reason why a problem was not solved.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // The messages explain the variants.
pub enum ExactError {
    #[error(transparent)]
    Problem(#[from] ProblemError),
    #[error(transparent)]
    Rules(#[from] RulesError),
    #[error(transparent)]
    UnknownSolver(#[from] UnknownSolver),
    #[error(transparent)]
    Solver(#[from] SolverError),
}

/// The share of the time limit that goes into finding good weights before the proof begins.
const SEARCH_SHARE: f64 = 0.25;

/// The minimum time for finding good weights, in seconds.
const MIN_SEARCH_SECONDS: f64 = 1.0;

/// Finds the best weights and an upper bound on the value of any weights.
///
/// ```
/// use stakes_exact::{Ended, Flow, Options, Problem, Rules, Sum, solve};
///
/// // Four items with two features; acting on the first two of the order saves their gains.
/// let rows = vec![0.0, 3.0, 1.0, 1.0, 2.0, 2.0, 3.0, 0.0];
/// let sum = Sum { gains: vec![0.0, 9.0, 0.0, 4.0], discounts: vec![vec![1.0, 1.0]], constant: 0.0 };
/// let problem = Problem::new(2, vec![0, 4], rows, sum)?;
/// let best = solve(&problem, &Rules::default(), &Options::default(), &mut |_| Flow::Continue)?;
/// assert_eq!((best.value, best.bound, best.ended), (13.0, 13.0, Ended::Proven));
/// # Ok::<(), stakes_exact::ExactError>(())
/// ```
pub fn solve(
    problem: &Problem,
    rules: &Rules,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Outcome, ExactError> {
    rules.check(problem.width())?;
    let clock = Clock::new(options.seconds, problem.ideal(), watch);
    let incumbent = Incumbent::none(problem.width());
    // Run inside the thread pool: from outside, every small batch would have to wake it up.
    rayon::scope(|_| Search { problem, rules, options, incumbent, clock }.run())
}

struct Search<'s, 'w> {
    problem: &'s Problem,
    rules: &'s Rules,
    options: &'s Options,
    incumbent: Incumbent,
    clock: Clock<'s, 'w>,
}

/// Whether a support has more features than the rules allow, because there are too many smaller sets to enumerate.
fn is_relaxed(supports: &[Support], rules: &Rules) -> bool {
    let too_many = |(features, _): &Support| rules.at_most.is_some_and(|max| max < features.len());
    supports.iter().any(too_many)
}

/// What was proven about all weights.
struct Proof {
    bound: f64,
    ended: Ended,
    nodes: u64,
    method: &'static str,
    formulation: Option<Formulation>,
}

impl Proof {
    /// By a method without a program.
    fn new(bound: f64, ended: Ended, nodes: u64, method: &'static str) -> Self {
        Proof { bound, ended, nodes, method, formulation: None }
    }
}

impl Search<'_, '_> {
    fn run(mut self) -> Result<Outcome, ExactError> {
        let width = self.problem.width();
        // Starts first: at equal value, weights that order the items are preferred to zero weights.
        self.options.starts.iter().for_each(|start| self.offer(start));
        self.offer(&vec![0.0; width]);
        let supports = supports(self.rules, width);
        let narrow = supports.iter().all(|(features, _)| features.len() <= 2);
        let proof = match self.options.method {
            Method::Auto if narrow && self.rules.points.is_none() => self.sweep(&supports),
            Method::Auto | Method::Cones if self.rules.points.is_none() => self.cones(&supports),
            Method::Cones => self.cones(&supports),
            Method::Auto if try_all_points(self.problem, self.rules, &mut self.incumbent) => {
                let bound = self.incumbent.value;
                Proof::new(bound, Ended::Proven, 0, "enumeration")
            }
            Method::Auto => {
                let best = solvers()[0].name();
                self.program(&supports, Formulation::fitting(self.problem), best)?
            }
            Method::Program(formulation, name) => self.program(&supports, formulation, name)?,
            Method::Search => {
                let stopped = self.search(&supports);
                let bound = self.problem.ideal();
                let ended = match gap(self.incumbent.value, bound) <= self.options.gap {
                    true => Ended::Proven,
                    false if stopped => Ended::Interrupted,
                    false => Ended::Limit,
                };
                Proof::new(bound, ended, 0, "search")
            }
        };
        Ok(self.finish(proof))
    }

    /// Replaces the incumbent by these weights if they are allowed and better.
    fn offer(&mut self, weights: &[f64]) {
        if weights.len() == self.problem.width() && self.rules.allow(weights) {
            let value = self.problem.value(weights) - self.rules.cost(weights);
            self.incumbent.offer(weights, value);
        }
    }

    fn sweep(&mut self, supports: &[Support]) -> Proof {
        let mut bound = self.incumbent.value;
        for (features, cost) in supports {
            let (best, upper) = sweep(self.problem, self.rules, features);
            self.offer(&best.weights);
            bound = bound.max(upper - cost);
        }
        Proof::new(bound, Ended::Proven, 0, "sweep")
    }

    fn climbers<'c>(&self, rules: &'c Rules, supports: &[Support]) -> Vec<Climber<'c>>
    where
        Self: 'c,
    {
        let draws = Stream::new(purpose(self.options.seed, b"climbing"), 0);
        let climber = |(features, _): &Support| Climber::new(self.problem, rules, features, draws);
        supports.iter().map(climber).collect()
    }

    /// Searches for good weights, and returns whether the progress callback stopped the search.
    fn search(&mut self, supports: &[Support]) -> bool {
        let real = Rules { points: None, ..self.rules.clone() };
        let climbers = self.climbers(&real, supports);
        let mut found = self.incumbent.clone();
        let only = self.options.method == Method::Search;
        let share = self
            .clock
            .remaining()
            .map_or(1.0, |seconds| SEARCH_SHARE.max(MIN_SEARCH_SECONDS / seconds).min(1.0));
        let end = self.clock.share(if only { 1.0 } else { share });
        // Without a proof to follow, a single support is searched until the time limit; several share the effort.
        let effort = match climbers.len() {
            1 if only && self.options.seconds.is_some() => f64::INFINITY,
            sets => 1.0 / sets as f64,
        };
        if is_relaxed(supports, &real) {
            let mut few = Incumbent::none(self.problem.width());
            let draws = Stream::new(purpose(self.options.seed, b"climbing"), 0);
            forward(self.problem, &real, draws, &mut few, end);
            found.offer(&few.weights, few.value);
        }
        for climber in climbers.iter().filter(|_| !is_relaxed(supports, &real)) {
            climber.search(&self.options.starts, &mut found, effort, &self.clock, end);
            if end.has_passed() {
                break;
            }
        }
        match self.rules.points {
            Some(limit) => {
                let weights = &found.weights;
                search_points(self.problem, self.rules, limit, weights, &mut self.incumbent);
            }
            None => self.incumbent = found,
        }
        self.clock.stopped()
    }

    fn cones(&mut self, supports: &[Support]) -> Proof {
        let mut explorer = Explorer::new(self.problem, self.rules, supports);
        let stopped = self.search(supports);
        let Options { nodes, gap, memory, .. } = *self.options;
        let limits = Limits { nodes, gap, memory };
        // Climb only if there is a single support (of many, each is small and soon searched) and weights need not be
        // integers.
        let one = supports.len() == 1 && self.rules.points.is_none();
        let one = one && !is_relaxed(supports, self.rules);
        let climbers = self.climbers(self.rules, if one { supports } else { &[] });
        let end = self.clock.deadline();
        let climb = |weights: &[f64], best: &Incumbent, round: u64| match climbers.first() {
            Some(climber) => climber.climb_batch(weights, best, round, end),
            None => Vec::new(),
        };
        let ended = match stopped {
            true => Ended::Interrupted,
            false => explorer.run(&limits, &mut self.incumbent, &climb, &self.clock),
        };
        let bound = explorer.bound(&self.incumbent);
        Proof::new(bound, ended, explorer.nodes(), "cones")
    }

    fn program(
        &mut self,
        supports: &[Support],
        formulation: Formulation,
        name: &str,
    ) -> Result<Proof, ExactError> {
        let solver = solver(name)?;
        let ideal = self.problem.ideal();
        if self.search(supports) {
            return Ok(Proof::new(ideal, Ended::Interrupted, 0, solver.name()));
        }
        let Options { nodes, gap, margin, .. } = *self.options;
        let limits = solver::Limits {
            seconds: self.clock.remaining(),
            nodes,
            gap,
            threads: rayon::current_num_threads(),
        };
        let start = self.incumbent.weights.clone();
        let mut report = |now: &Progress| self.clock.report(now.incumbent, now.bound, now.nodes);
        let outcome = solve_program(
            self.problem,
            self.rules,
            formulation,
            margin,
            solver,
            Some(&start),
            &limits,
            &mut report,
        )?;
        self.offer(&outcome.weights);
        let Outcome { bound, ended, nodes, method, formulation, .. } = outcome;
        Ok(Proof { bound: bound.min(ideal), ended, nodes, method, formulation })
    }

    /// The outcome, with the value of the weights computed by [`Problem::value`].
    fn finish(self, proof: Proof) -> Outcome {
        let Proof { bound, ended, nodes, method, formulation } = proof;
        let Incumbent { weights, .. } = self.incumbent;
        let value = self.problem.value(&weights) - self.rules.cost(&weights);
        let (seconds, bound) = (self.clock.seconds(), bound.max(value));
        let mut history = self.clock.history();
        history.push(Progress { seconds, incumbent: value, bound, nodes });
        Outcome { weights, value, bound, ended, nodes, seconds, method, formulation, history }
    }
}
