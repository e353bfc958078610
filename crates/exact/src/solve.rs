//! One call for all methods.

use stakes_core::random::{Stream, purpose};

use crate::climb::{Climber, forward};
use crate::clock::Clock;
use crate::cones::{Explorer, Limits};
use crate::incumbent::Incumbent;
use crate::outcome::{Ended, Outcome, Progress, Watch, gap};
use crate::points::{all_points, points};
use crate::problem::{Problem, ProblemError};
use crate::program::{Formulation, by_program};
use crate::rules::{Rules, RulesError};
use crate::solver::{self, SolverError, UnknownSolver, solver, solvers};
use crate::supports::{Support, supports};
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
    /// Bytes of memory that open parts of the problem may take; beyond that the search goes on, slower.
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

/// A problem that was not solved.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
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

/// The part of the time that goes into finding good weights before anything is proven, and how many seconds it is
/// at least.
const SEARCHING: (f64, f64) = (0.25, 1.0);

/// The best weights, and a bound on what any weights are worth.
///
/// ```
/// use stakes_exact::{Ended, Flow, Options, Problem, Rules, Sum, solve};
///
/// // Four items of two features; acting on two of them saves what they cost.
/// let rows = vec![0.0, 3.0, 1.0, 1.0, 2.0, 2.0, 3.0, 0.0];
/// let sum = Sum { gains: vec![0.0, 9.0, 0.0, 4.0], discounts: vec![vec![1.0, 1.0]], unmoved: 0.0 };
/// let problem = Problem::new(2, vec![0, 4], rows, sum)?;
/// let best = solve(&problem, &Rules::default(), &Options::default(), &mut |_| Flow::GoOn)?;
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
    // From within the pool of threads: from outside every small batch would have to wake it up.
    rayon::scope(|_| Solving { problem, rules, options, incumbent, clock }.run())
}

struct Solving<'s, 'w> {
    problem: &'s Problem,
    rules: &'s Rules,
    options: &'s Options,
    incumbent: Incumbent,
    clock: Clock<'s, 'w>,
}

/// Whether a support stands for sets that are too many to be looked at: it holds weights that are not allowed.
fn is_relaxed(supports: &[Support], rules: &Rules) -> bool {
    let too_many =
        |(features, _): &Support| rules.at_most.is_some_and(|most| most < features.len());
    supports.iter().any(too_many)
}

/// What is proven of all weights.
struct Proof {
    bound: f64,
    ended: Ended,
    nodes: u64,
    method: &'static str,
}

impl Solving<'_, '_> {
    fn run(mut self) -> Result<Outcome, ExactError> {
        let width = self.problem.width();
        // Starts first: what is as good as no weights at all still has an order.
        self.options.starts.iter().for_each(|start| self.offer(start));
        self.offer(&vec![0.0; width]);
        let supports = supports(self.rules, width);
        let narrow = supports.iter().all(|(features, _)| features.len() <= 2);
        let proof = match self.options.method {
            Method::Auto if narrow && self.rules.points.is_none() => self.sweep(&supports),
            Method::Auto | Method::Cones if self.rules.points.is_none() => self.cones(&supports),
            Method::Cones => self.cones(&supports),
            Method::Auto if all_points(self.problem, self.rules, &mut self.incumbent) => {
                let bound = self.incumbent.value;
                Proof { bound, ended: Ended::Proven, nodes: 0, method: "enumeration" }
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
                Proof { bound, ended, nodes: 0, method: "search" }
            }
        };
        Ok(self.finish(proof))
    }

    /// Takes weights that are allowed, if they are better.
    fn offer(&mut self, weights: &[f64]) {
        if weights.len() == self.problem.width() && self.rules.allow(weights) {
            let value = self.problem.value(weights) - self.rules.cost(weights);
            self.incumbent.offer(weights, value);
        }
    }

    fn sweep(&mut self, supports: &[Support]) -> Proof {
        let mut bound = self.incumbent.value;
        for (features, cost) in supports {
            let (best, most) = sweep(self.problem, self.rules, features);
            self.offer(&best.weights);
            bound = bound.max(most - cost);
        }
        Proof { bound, ended: Ended::Proven, nodes: 0, method: "sweep" }
    }

    fn climbers<'c>(&self, rules: &'c Rules, supports: &[Support]) -> Vec<Climber<'c>>
    where
        Self: 'c,
    {
        let draws = Stream::new(purpose(self.options.seed, b"climbing"), 0);
        let climber = |(features, _): &Support| Climber::new(self.problem, rules, features, draws);
        supports.iter().map(climber).collect()
    }

    /// Good weights. Says whether the watcher wants no more of it.
    fn search(&mut self, supports: &[Support]) -> bool {
        let real = Rules { points: None, ..self.rules.clone() };
        let climbers = self.climbers(&real, supports);
        let mut found = self.incumbent.clone();
        let only = self.options.method == Method::Search;
        let part =
            self.clock.rest().map_or(1.0, |rest| SEARCHING.0.max(SEARCHING.1 / rest).min(1.0));
        let end = self.clock.part(if only { 1.0 } else { part });
        // A search that is all there is goes on as long as it may; sets of features share.
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
            if end.is_up() {
                break;
            }
        }
        match self.rules.points {
            Some(most) => {
                points(self.problem, self.rules, most, &found.weights, &mut self.incumbent);
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
        // Along the features of the only support: where there are many, each is small and soon searched. Climbs
        // know nothing of whole numbers.
        let one = supports.len() == 1 && self.rules.points.is_none();
        let one = one && !is_relaxed(supports, self.rules);
        let climbers = self.climbers(self.rules, if one { supports } else { &[] });
        let end = self.clock.deadline();
        let climb = |weights: &[f64], best: &Incumbent, round: u64| match climbers.first() {
            Some(climber) => climber.again(weights, best, round, end),
            None => Vec::new(),
        };
        let ended = match stopped {
            true => Ended::Interrupted,
            false => explorer.run(&limits, &mut self.incumbent, &climb, &self.clock),
        };
        let bound = explorer.bound(&self.incumbent);
        Proof { bound, ended, nodes: explorer.nodes(), method: "cones" }
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
            let (ended, method) = (Ended::Interrupted, solver.name());
            return Ok(Proof { bound: ideal, ended, nodes: 0, method });
        }
        let Options { nodes, gap, margin, .. } = *self.options;
        let limits = solver::Limits {
            seconds: self.clock.rest(),
            nodes,
            gap,
            threads: rayon::current_num_threads(),
        };
        let start = self.incumbent.weights.clone();
        let mut tell = |now: &Progress| self.clock.tell(now.incumbent, now.bound, now.nodes);
        let outcome = by_program(
            self.problem,
            self.rules,
            formulation,
            margin,
            solver,
            Some(&start),
            &limits,
            &mut tell,
        )?;
        self.offer(&outcome.weights);
        let Outcome { bound, ended, nodes, method, .. } = outcome;
        Ok(Proof { bound: bound.min(ideal), ended, nodes, method })
    }

    /// What is claimed is what our own measure says of the weights.
    fn finish(self, proof: Proof) -> Outcome {
        let Proof { bound, ended, nodes, method } = proof;
        let Incumbent { weights, .. } = self.incumbent;
        let value = self.problem.value(&weights) - self.rules.cost(&weights);
        let (seconds, bound) = (self.clock.seconds(), bound.max(value));
        let mut history = self.clock.history();
        history.push(Progress { seconds, incumbent: value, bound, nodes });
        Outcome { weights, value, bound, ended, nodes, seconds, method, history }
    }
}
