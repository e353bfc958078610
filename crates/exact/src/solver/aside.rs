//! A solver on a thread of its own, so that nobody has to wait for it.
//!
//! Solvers look at the clock, or ask whether to stop, when it suits them: between nodes, or every some
//! iterations. Here the caller looks every few hundredths of a second. When time is up or the watcher says stop,
//! the solver has a moment to return; otherwise what it has written down so far is the result, and its thread
//! ends by itself as soon as it looks up.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::{Limits, Solved, SolverError};
use crate::outcome::{Ended, Flow, Progress, Watch};

/// How often the caller looks.
const GLANCE: Duration = Duration::from_millis(20);
/// How often the watcher is told.
const NEWS: Duration = Duration::from_millis(150);
/// How long a solver that should stop is waited for.
const PATIENCE: Duration = Duration::from_millis(200);

/// What a solver writes down while it works.
#[derive(Debug)]
pub(super) struct Desk {
    stop: AtomicBool,
    notes: Mutex<Solved>,
}

impl Desk {
    fn new(bound: f64) -> Self {
        let notes = Solved {
            values: None,
            objective: f64::NEG_INFINITY,
            bound,
            ended: Ended::Limit,
            nodes: 0,
        };
        Desk { stop: AtomicBool::new(false), notes: Mutex::new(notes) }
    }

    fn notes(&self) -> MutexGuard<'_, Solved> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
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
}

/// Lets a solver work on another thread while this one tells the watcher and minds the clock. `bound` is what is
/// known before.
pub(super) fn aside(
    name: &'static str,
    limits: &Limits,
    bound: f64,
    watch: &mut Watch<'_>,
    work: impl FnOnce(&Desk) -> Result<Solved, SolverError> + Send + 'static,
) -> Result<Solved, SolverError> {
    let begun = Instant::now();
    let limit = limits.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let deadline = limit.and_then(|limit| begun.checked_add(limit));
    let desk = Arc::new(Desk::new(bound));
    let (sender, results) = sync_channel(1);
    let job = {
        let desk = Arc::clone(&desk);
        // Nobody receives what comes too late.
        move || drop(sender.send(work(&desk)))
    };
    let failed = |why: String| SolverError { solver: name, why };
    let thread = thread::Builder::new().name(name.to_owned()).spawn(job);
    let thread = thread.map_err(|error| failed(format!("no thread to run in: {error}")))?;
    // Also if the watcher panics.
    let guard = StopAtEnd(&desk);

    let mut told = begun;
    let mut ended: Option<(Ended, Instant)> = None;
    loop {
        match results.recv_timeout(GLANCE) {
            Ok(result) => {
                let mut solved = result?;
                solved.bound = solved.bound.min(desk.notes().bound);
                // The solver knows only that it was stopped, not why.
                if let (Some((reason, _)), true) = (ended, solved.ended != Ended::Proven) {
                    solved.ended = reason;
                }
                return Ok(solved);
            }
            Err(RecvTimeoutError::Disconnected) => {
                let panic = thread.join().err().unwrap_or_else(|| Box::new("no result"));
                let text = panic.downcast_ref::<String>().map(String::as_str);
                match text.or(panic.downcast_ref::<&str>().copied()) {
                    Some(text) => return Err(failed(text.to_owned())),
                    None => resume_unwind(panic),
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        let now = Instant::now();
        if let Some((reason, since)) = ended {
            if now - since > PATIENCE {
                let mut solved = desk.notes().clone();
                solved.ended = reason;
                return Ok(solved);
            }
            continue;
        }
        if deadline.is_some_and(|deadline| now >= deadline) {
            ended = Some((Ended::Limit, now));
        } else if now - told >= NEWS {
            told = now;
            let progress = {
                let notes = desk.notes();
                Progress {
                    seconds: begun.elapsed().as_secs_f64(),
                    incumbent: notes.objective,
                    bound: notes.bound.max(notes.objective),
                    nodes: notes.nodes,
                }
            };
            if watch(&progress) == Flow::Stop {
                ended = Some((Ended::Interrupted, now));
            }
        }
        if ended.is_some() {
            guard.0.stop.store(true, Ordering::Relaxed);
        }
    }
}

struct StopAtEnd<'d>(&'d Desk);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const LIMITS: Limits = Limits { seconds: Some(0.05), nodes: None, gap: 0.0, threads: 1 };

    #[test]
    fn a_solver_that_does_not_listen_is_left_alone() {
        let begun = Instant::now();
        let solved = aside("deaf", &LIMITS, 9.0, &mut |_| Flow::GoOn, |desk| {
            desk.found(|| vec![1.0], 4.0);
            desk.found(|| vec![2.0], 3.0);
            desk.bounded(7.0, 5);
            desk.bounded(8.0, 4);
            thread::sleep(Duration::from_secs(20));
            unreachable!("nobody waits for it")
        });
        assert!(begun.elapsed().as_secs_f64() < 5.0);
        let (values, ended) = (Some(vec![1.0]), Ended::Limit);
        assert_eq!(solved.unwrap(), Solved { values, objective: 4.0, bound: 7.0, ended, nodes: 5 });
    }

    #[test]
    fn a_solver_that_listens_may_say_the_last_word() {
        let limits = Limits { seconds: None, ..LIMITS };
        let solved = aside("quick", &limits, 9.0, &mut |_| Flow::Stop, |desk| {
            while !desk.stopped() {
                thread::sleep(Duration::from_millis(1));
            }
            let (values, ended) = (Some(vec![5.0]), Ended::Limit);
            Ok(Solved { values, objective: 5.0, bound: 10.0, ended, nodes: 1 })
        });
        let solved = solved.unwrap();
        assert_eq!((solved.values, solved.ended), (Some(vec![5.0]), Ended::Interrupted));
        // What was known before is not forgotten.
        assert_eq!(solved.bound, 9.0);
    }

    #[test]
    fn a_solver_that_panics_has_failed() {
        let failed = aside("wild", &LIMITS, 9.0, &mut |_| Flow::GoOn, |_| panic!("at node {}", 3));
        let error = failed.unwrap_err().to_string();
        assert!(error.starts_with("wild failed: at node 3"), "{error}");
    }
}
