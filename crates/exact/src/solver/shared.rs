//! The state that a solver on its own thread shares with the calling thread: its results so far, and whether to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::Solved;
use super::check::{TOLERANCE, box_bound};
use crate::outcome::{Ended, Progress};
use crate::program::Program;

/// The results of a solver so far, and a request to stop.
#[derive(Debug)]
pub(super) struct Shared {
    stop: AtomicBool,
    best: Mutex<Solved>,
}

impl Shared {
    /// Begins with what is known before the search: the start, if it is feasible, and the bound from the columns' bounds.
    pub(super) fn new(program: &Program, start: Option<&[f64]>) -> Self {
        let start = start.filter(|start| program.admits(start, TOLERANCE));
        let best = Solved {
            values: start.map(<[f64]>::to_vec),
            objective: start.map_or(f64::NEG_INFINITY, |start| program.objective(start)),
            bound: box_bound(program),
            ended: Ended::Limit,
            nodes: 0,
        };
        Shared { stop: AtomicBool::new(false), best: Mutex::new(best) }
    }

    fn best(&self) -> MutexGuard<'_, Solved> {
        self.best.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the solver to return.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the solver should return.
    pub(super) fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Records a solution if it is the best so far.
    pub(super) fn record_solution(&self, values: impl FnOnce() -> Vec<f64>, objective: f64) {
        let mut best = self.best();
        if best.values.is_none() || objective > best.objective {
            (best.values, best.objective) = (Some(values()), objective);
        }
    }

    /// Records an upper bound, and the number of nodes explored.
    pub(super) fn record_bound(&self, bound: f64, nodes: u64) {
        let mut best = self.best();
        best.bound = best.bound.min(bound);
        best.nodes = best.nodes.max(nodes);
    }

    /// The progress so far.
    pub(super) fn progress(&self, begun: Instant) -> Progress {
        let best = self.best();
        let (incumbent, bound) = (best.objective, best.bound.max(best.objective));
        Progress { seconds: begun.elapsed().as_secs_f64(), incumbent, bound, nodes: best.nodes }
    }

    /// Combines the final result of a solver, or `None` if it did not return in time, with what it recorded: never worse
    /// than the start, never with a bound below the objective.
    pub(super) fn result(
        &self,
        last: Option<Solved>,
        reason: Option<Ended>,
    ) -> Result<Solved, String> {
        let best = self.best().clone();
        let mut solved = last.unwrap_or_else(|| best.clone());
        if solved.ended != Ended::Proven {
            // The solver may not know why it had to stop.
            solved.ended = reason.unwrap_or(solved.ended);
        } else if solved.values.is_none() && best.values.is_some() {
            return Err("it calls the program infeasible, but a solution is known".to_owned());
        }
        if best.values.is_some() && best.objective > solved.objective {
            (solved.values, solved.objective) = (best.values, best.objective);
        }
        solved.bound = solved.bound.min(best.bound).max(solved.objective);
        Ok(solved)
    }
}
