//! An answer in the making: the best weights by our own measure, the bound, and rows that lower it before a
//! solver begins to branch.

use std::time::Instant;

use super::cuts::impossible_orders;
use super::{Built, Program};
use crate::outcome::{Ended, Flow, Outcome, Progress, Watch, gap};
use crate::problem::Problem;
use crate::rules::Rules;
use crate::solve::ExactError;
use crate::solver::{Limits, Solver, SolverError};

/// How often cuts are sought before the branch and bound.
const ROUNDS: usize = 30;
/// A round that lowers less than this part of what is open between bound and value is the last.
const STALL: f64 = 3e-3;
/// The part of the time that may go into cuts.
const CUTTING: f64 = 0.5;
/// How far a solver's sums may be from ours, relative to the value.
const TOLERANCE: f64 = 1e-6;

/// What is known so far.
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
            flow: Flow::GoOn,
            ended: Ended::Interrupted,
            history: Vec::new(),
        }
    }

    pub(super) fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// What is left of all the time.
    pub(super) fn left(&self, all: f64) -> f64 {
        (all - self.seconds()).max(0.0)
    }

    /// Takes weights that are allowed and better than what there is, by our own measure.
    pub(super) fn offer(&mut self, weights: &[f64]) {
        if weights.len() == self.problem.width() && self.rules.allow(weights) {
            let value = self.problem.value(weights) - self.rules.cost(weights);
            if value > self.value {
                (self.weights, self.value) = (weights.to_vec(), value);
            }
        }
    }

    /// Adds rows that the relaxation breaks, in rounds, as long as they lower the bound.
    pub(super) fn cut(&mut self, built: &mut Built, limits: &Limits) {
        let time = limits.seconds.map(|all| CUTTING * all);
        // The relaxation's own solution is w = 0 and nearly all z = 1: no need to solve it.
        let mut values = vec![1.0; built.program().columns.len()];
        for _ in 0..ROUNDS {
            let is_late = || time.is_some_and(|time| self.left(time) == 0.0);
            let rows = impossible_orders(built, &values, &is_late);
            let done = rows.is_empty() || is_late();
            built.program_mut().rows.extend(rows);
            if done {
                break;
            }
            let relaxed = relaxation(built.program());
            let left = Limits { seconds: time.map(|time| self.left(time)), ..*limits };
            let (begun, incumbent, bound) = (self.begun, self.value, self.bound);
            let (watch, flow) = (&mut *self.watch, &mut self.flow);
            let mut tell = |_: &Progress| {
                let seconds = begun.elapsed().as_secs_f64();
                *flow = watch(&Progress { seconds, incumbent, bound, nodes: 0 });
                *flow
            };
            // A relaxation that fails costs cuts, nothing else.
            let Ok(solved) = self.solver.maximise(&relaxed, None, &left, &mut tell) else { break };
            let (Ended::Proven, Some(found)) = (solved.ended, solved.values) else { break };
            let before = self.bound;
            self.bound = before.min(solved.bound);
            values = found;
            let (seconds, incumbent) = (self.seconds(), self.value);
            let progress = Progress { seconds, incumbent, bound: self.bound, nodes: 0 };
            self.history.push(progress);
            self.flow = (self.watch)(&progress);
            let stalls = before - self.bound < STALL * (self.bound - self.value);
            if self.flow == Flow::Stop || (stalls && before < self.problem.ideal()) {
                break;
            }
        }
    }

    /// The outcome, if the bound holds for the weights that we have.
    pub(super) fn answer(self, limits: &Limits) -> Result<Outcome, ExactError> {
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
