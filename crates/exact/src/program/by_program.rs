//! From a problem to an answer by way of its program: build, cut, solve, read the weights, look again.
//!
//! A solver's claims hold with its tolerances only, so none of them is taken as it is. Weights are valued
//! again by [`Problem::value`], in f64, and that is the value that is returned; a bound below the value of
//! weights at hand is refused with an error.
//!
//! The bound is one for all weights **that keep the margin**: whose scores, with features scaled to [0, 1]
//! and weights to [-1, 1], differ by the margin or do not count as different. Orders that need nearer scores
//! are not in the program. A smaller margin leaves fewer of them out, down to what a solver can tell from
//! nothing (about 1e-5).

use std::time::Instant;

use super::cuts::impossible_orders;
use super::{Built, Formulation, Program, build};
use crate::outcome::{Ended, Flow, Outcome, Progress, Watch, gap};
use crate::problem::Problem;
use crate::rules::Rules;
use crate::solve::ExactError;
use crate::solver::{Limits, Solver, SolverError};

/// How often cuts are sought before the branch and bound.
const ROUNDS: usize = 30;
/// A round that lowers less than this part of what is open between bound and value is the last.
const STALL: f64 = 5e-3;
/// The part of the time that may go into cuts.
const CUTTING: f64 = 0.5;
/// How far a solver's sums may be from ours, relative to the value.
const TOLERANCE: f64 = 1e-6;

/// The formulation whose bound is one on [`Problem::value`]. Subrank puts tied items lower than that: where
/// ties cannot be helped, because items have the same features or few weights may be used, what Subrank
/// cannot reach says nothing of what is there, and ResolvedRank takes its place.
pub fn honest(problem: &Problem, rules: &Rules, formulation: Formulation) -> Formulation {
    let sparse = rules.at_most.is_some() || rules.points.is_some() || rules.penalty > 0.0;
    let tied = sparse || !problem.duplicates().is_empty();
    if tied && formulation == Formulation::Subrank {
        Formulation::ResolvedRank
    } else {
        formulation
    }
}

/// The best weights by a solver, and what it proves of all that keep the margin.
#[allow(clippy::too_many_arguments)] // All of them are what a caller decides.
pub fn by_program(
    problem: &Problem,
    rules: &Rules,
    formulation: Formulation,
    margin: f64,
    solver: &dyn Solver,
    start: Option<&[f64]>,
    limits: &Limits,
    watch: &mut Watch<'_>,
) -> Result<Outcome, ExactError> {
    let mut built = build(problem, rules, margin, honest(problem, rules, formulation));
    let mut run = Run::new(problem, rules, solver, watch);
    run.offer(&vec![0.0; problem.width()]);
    run.offer(start.unwrap_or_default());
    let values = built.start(problem, &run.weights);
    if let Some(values) = &values {
        built.seek(built.program().objective(values));
    }
    run.cut(&mut built, limits)?;
    if run.flow == Flow::GoOn {
        let left = Limits { seconds: limits.seconds.map(|all| run.left(all)), ..*limits };
        let (begun, so_far, bound) = (run.seconds(), run.value, run.bound);
        let mut history = Vec::new();
        let mut tell = |progress: &Progress| {
            let known = Progress {
                seconds: begun + progress.seconds,
                incumbent: progress.incumbent.max(so_far),
                bound: progress.bound.min(bound),
                ..*progress
            };
            history.push(known);
            (run.watch)(&known)
        };
        let solved = solver.maximise(built.program(), values.as_deref(), &left, &mut tell)?;
        run.history.extend(history);
        if let Some(values) = &solved.values {
            run.offer(&built.weights(values));
        }
        run.bound = run.bound.min(solved.bound);
        (run.ended, run.nodes) = (solved.ended, solved.nodes);
    }
    run.answer(limits)
}

/// What is known so far.
struct Run<'r, 'w> {
    problem: &'r Problem,
    rules: &'r Rules,
    solver: &'r dyn Solver,
    watch: &'r mut Watch<'w>,
    begun: Instant,
    weights: Vec<f64>,
    value: f64,
    bound: f64,
    nodes: u64,
    flow: Flow,
    ended: Ended,
    history: Vec<Progress>,
}

impl<'r, 'w> Run<'r, 'w> {
    fn new(
        problem: &'r Problem,
        rules: &'r Rules,
        solver: &'r dyn Solver,
        watch: &'r mut Watch<'w>,
    ) -> Self {
        Run {
            problem,
            rules,
            solver,
            watch,
            begun: Instant::now(),
            weights: Vec::new(),
            value: f64::NEG_INFINITY,
            bound: problem.ideal(),
            nodes: 0,
            flow: Flow::GoOn,
            ended: Ended::Interrupted,
            history: Vec::new(),
        }
    }

    fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// What is left of all the time.
    fn left(&self, all: f64) -> f64 {
        (all - self.seconds()).max(0.0)
    }

    /// Takes weights that are allowed and better than what there is, by our own measure.
    fn offer(&mut self, weights: &[f64]) {
        if weights.len() == self.problem.width() && self.rules.allow(weights) {
            let value = self.problem.value(weights) - self.rules.cost(weights);
            if value > self.value {
                (self.weights, self.value) = (weights.to_vec(), value);
            }
        }
    }

    /// Adds rows that the relaxation breaks, in rounds, as long as they lower the bound.
    fn cut(&mut self, built: &mut Built, limits: &Limits) -> Result<(), SolverError> {
        let time = limits.seconds.map(|all| CUTTING * all);
        // The relaxation's own solution is w = 0 and nearly all z = 1: no need to solve it.
        let mut values = vec![1.0; built.program().columns.len()];
        for _ in 0..ROUNDS {
            let rows = impossible_orders(built, &values);
            let late = time.is_some_and(|time| self.left(time) == 0.0);
            if rows.is_empty() {
                break;
            }
            built.program_mut().rows.extend(rows);
            if late || self.flow == Flow::Stop {
                break;
            }
            let relaxed = relaxation(built.program());
            let left = Limits { seconds: time.map(|time| self.left(time)), ..*limits };
            let solved = self.solver.maximise(&relaxed, None, &left, &mut |_| Flow::GoOn)?;
            let (Ended::Proven, Some(found)) = (solved.ended, solved.values) else { break };
            let before = self.bound;
            self.bound = before.min(solved.bound);
            values = found;
            let (seconds, incumbent) = (self.seconds(), self.value);
            let progress = Progress { seconds, incumbent, bound: self.bound, nodes: 0 };
            self.history.push(progress);
            self.flow = (self.watch)(&progress);
            if before - self.bound < STALL * (self.bound - self.value)
                && before < self.problem.ideal()
            {
                break;
            }
        }
        Ok(())
    }

    /// The outcome, if the bound holds for the weights that we have.
    fn answer(self, limits: &Limits) -> Result<Outcome, ExactError> {
        let (seconds, near) = (self.seconds(), TOLERANCE * self.value.abs().max(1.0));
        if self.bound < self.value - near {
            let why = format!(
                "it says that no weights are worth more than {}, but {:?} are worth {}; their scores differ by \
                 less than the margin, take a smaller one",
                self.bound, self.weights, self.value
            );
            return Err(SolverError { solver: self.solver.name(), why }.into());
        }
        let bound = self.bound.max(self.value);
        let open = gap(self.value, bound) > limits.gap && bound - self.value > near;
        let ended = match self.ended {
            Ended::Proven if open => Ended::Limit,
            ended => ended,
        };
        Ok(Outcome {
            weights: self.weights,
            value: self.value,
            bound,
            ended,
            nodes: self.nodes,
            seconds,
            method: self.solver.name(),
            history: self.history,
        })
    }
}

/// The same program where parts of whole numbers are allowed.
fn relaxation(program: &Program) -> Program {
    let mut relaxed = program.clone();
    relaxed.columns.iter_mut().for_each(|column| column.integer = false);
    relaxed
}
