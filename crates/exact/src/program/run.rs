//! The solution of a program so far: the best weights by their own value, the bound, and cuts that lower it before a
//! solver begins to branch.

use std::time::Instant;

use super::cuts::impossible_orders;
use super::{BuiltProgram, Formulation, Program};
use crate::outcome::{Ended, Flow, Outcome, Progress, Watch, gap};
use crate::problem::Problem;
use crate::rules::Rules;
use crate::solve::ExactError;
use crate::solver::{Limits, Solver, SolverError};

/// The maximum number of rounds of cuts before branch and bound.
const MAX_ROUNDS: usize = 30;
/// The minimum share of the gap that a round must close for another one to follow.
const MIN_GAP_CLOSED: f64 = 3e-3;
/// The maximum share of the time limit for cuts.
const MAX_CUT_SHARE: f64 = 0.5;
/// The maximum error of a solver's sums, relative to the value.
const TOLERANCE: f64 = 1e-6;

/// The state of a solution.
pub(super) struct Run<'r, 'w> {
    problem: &'r Problem,
    rules: &'r Rules,
    solver: &'r dyn Solver,
    pub(super) watch: &'r mut Watch<'w>,
    begun: Instant,
    pub(super) weights: Vec<f64>,
    pub(super) value: f64,
    pub(super) bound: f64,
    pub(super) nodes: u64,
    pub(super) flow: Flow,
    pub(super) ended: Ended,
    pub(super) history: Vec<Progress>,
}

impl<'r, 'w> Run<'r, 'w> {
    pub(super) fn new(
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
            flow: Flow::Continue,
            ended: Ended::Interrupted,
            history: Vec::new(),
        }
    }

    pub(super) fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// The remaining seconds of a time limit.
    pub(super) fn remaining(&self, all: f64) -> f64 {
        (all - self.seconds()).max(0.0)
    }

    /// Replaces the weights by these if they are allowed and have a greater value by [`Problem::value`].
    pub(super) fn offer(&mut self, weights: &[f64]) {
        if weights.len() == self.problem.width() && self.rules.allow(weights) {
            let value = self.problem.value(weights) - self.rules.cost(weights);
            if value > self.value {
                (self.weights, self.value) = (weights.to_vec(), value);
            }
        }
    }

    /// Adds rows that the solution of the relaxation violates, in rounds, as long as they lower the bound.
    pub(super) fn cut(&mut self, built: &mut BuiltProgram, limits: &Limits) {
        let time = limits.seconds.map(|all| MAX_CUT_SHARE * all);
        // The solution of the first relaxation is known: w = 0 and nearly all z = 1.
        let mut values = vec![1.0; built.program().columns.len()];
        for _ in 0..MAX_ROUNDS {
            let is_late = || time.is_some_and(|time| self.remaining(time) == 0.0);
            let rows = impossible_orders(built, &values, &is_late);
            let done = rows.is_empty() || is_late();
            built.program_mut().rows.extend(rows);
            if done {
                break;
            }
            let relaxed = relaxation(built.program());
            let remaining = Limits { seconds: time.map(|time| self.remaining(time)), ..*limits };
            let (begun, incumbent, bound) = (self.begun, self.value, self.bound);
            let (watch, flow) = (&mut *self.watch, &mut self.flow);
            let mut report = |_: &Progress| {
                let seconds = begun.elapsed().as_secs_f64();
                *flow = watch(&Progress { seconds, incumbent, bound, nodes: 0 });
                *flow
            };
            // If the relaxation fails, the search continues without further cuts.
            let solved = self.solver.maximise(&relaxed, None, &remaining, &mut report);
            let Ok(solved) = solved else { break };
            let (Ended::Proven, Some(found)) = (solved.ended, solved.values) else { break };
            let before = self.bound;
            self.bound = before.min(solved.bound);
            values = found;
            let (seconds, incumbent) = (self.seconds(), self.value);
            let progress = Progress { seconds, incumbent, bound: self.bound, nodes: 0 };
            self.history.push(progress);
            self.flow = (self.watch)(&progress);
            let stalled = before - self.bound < MIN_GAP_CLOSED * (self.bound - self.value);
            if self.flow == Flow::Stop || (stalled && before < self.problem.ideal()) {
                break;
            }
        }
    }

    /// The outcome; an error if the bound does not hold for the known weights.
    pub(super) fn finish(
        self,
        formulation: Formulation,
        limits: &Limits,
    ) -> Result<Outcome, ExactError> {
        let (seconds, tolerance) = (self.seconds(), TOLERANCE * self.value.abs().max(1.0));
        if self.bound < self.value - tolerance {
            let why = format!(
                "its upper bound on the value is {}, but the weights {:?} have the value {}; their scores differ by \
                 less than the margin, so use a smaller margin",
                self.bound, self.weights, self.value
            );
            return Err(SolverError { solver: self.solver.name(), why }.into());
        }
        let bound = self.bound.max(self.value);
        let open = gap(self.value, bound) > limits.gap && bound - self.value > tolerance;
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
            formulation: Some(formulation),
            history: self.history,
        })
    }
}

/// The linear relaxation: the same program without integrality conditions.
fn relaxation(program: &Program) -> Program {
    let mut relaxed = program.clone();
    relaxed.columns.iter_mut().for_each(|column| column.integer = false);
    relaxed
}
