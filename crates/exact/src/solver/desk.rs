//! Where a solver on its own thread writes down what it has, and sees that it should stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::Solved;
use super::check::{box_bound, possible, worth};
use crate::outcome::{Ended, Progress};
use crate::program::Program;

/// What a solver writes down while it works.
#[derive(Debug)]
pub(super) struct Desk {
    stop: AtomicBool,
    notes: Mutex<Solved>,
}

impl Desk {
    /// With what is known before: the start, if it is possible, and what the columns' bounds allow.
    pub(super) fn new(program: &Program, start: Option<&[f64]>) -> Self {
        let start = start.filter(|start| possible(program, start));
        let notes = Solved {
            values: start.map(<[f64]>::to_vec),
            objective: start.map_or(f64::NEG_INFINITY, |start| worth(program, start)),
            bound: box_bound(program),
            ended: Ended::Limit,
            nodes: 0,
        };
        Desk { stop: AtomicBool::new(false), notes: Mutex::new(notes) }
    }

    fn notes(&self) -> MutexGuard<'_, Solved> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the solver to return.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the solver should return.
    pub(super) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Values were found; kept if they are the best so far.
    pub(super) fn found(&self, values: impl FnOnce() -> Vec<f64>, objective: f64) {
        let mut notes = self.notes();
        if notes.values.is_none() || objective > notes.objective {
            (notes.values, notes.objective) = (Some(values()), objective);
        }
    }

    /// Nothing is worth more than this, and so many nodes were looked at.
    pub(super) fn bounded(&self, bound: f64, nodes: u64) {
        let mut notes = self.notes();
        notes.bound = notes.bound.min(bound);
        notes.nodes = notes.nodes.max(nodes);
    }

    pub(super) fn progress(&self, begun: Instant) -> Progress {
        let notes = self.notes();
        let (incumbent, bound) = (notes.objective, notes.bound.max(notes.objective));
        Progress { seconds: begun.elapsed().as_secs_f64(), incumbent, bound, nodes: notes.nodes }
    }

    /// The last word of a solver, or `None` if it has none, beside what was written down before: never worse than
    /// the start, never with a bound below what was found.
    pub(super) fn result(
        &self,
        last: Option<Solved>,
        reason: Option<Ended>,
    ) -> Result<Solved, String> {
        let notes = self.notes().clone();
        let mut solved = last.unwrap_or_else(|| notes.clone());
        if solved.ended != Ended::Proven {
            // The solver may not know why it had to end.
            solved.ended = reason.unwrap_or(solved.ended);
        } else if solved.values.is_none() && notes.values.is_some() {
            return Err("it finds no solution where there is one".to_owned());
        }
        if notes.values.is_some() && notes.objective > solved.objective {
            (solved.values, solved.objective) = (notes.values, notes.objective);
        }
        solved.bound = solved.bound.min(notes.bound).max(solved.objective);
        Ok(solved)
    }
}
