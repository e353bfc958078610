//! A solver on a thread of its own, so that nobody has to wait for it.
//!
//! Solvers look at the clock, or ask whether to stop, when it suits them: between nodes, or every some
//! iterations. Here the caller looks every few hundredths of a second. When time is up or the watcher says stop,
//! the solver has a moment to return; otherwise what it has written down so far is the result, and its thread
//! ends by itself as soon as it looks up.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::desk::Desk;
use super::{Limits, Solved, SolverError};
use crate::outcome::{Ended, Flow, Watch};
use crate::program::Program;

/// How often the caller looks.
const GLANCE: Duration = Duration::from_millis(20);
/// How often the watcher is told.
const NEWS: Duration = Duration::from_millis(150);
/// How long a solver that should stop is waited for.
const PATIENCE: Duration = Duration::from_millis(200);

/// All the time there is; `None` if there is no end to it.
pub(super) fn time(limits: &Limits) -> Option<Duration> {
    limits.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok())
}

/// Lets a solver work on another thread while this one tells the watcher and minds the clock.
pub(super) fn aside(
    name: &'static str,
    (program, start): (&Program, Option<&[f64]>),
    limits: &Limits,
    watch: &mut Watch<'_>,
    work: impl FnOnce(&Desk) -> Result<Solved, String> + Send + 'static,
) -> Result<Solved, SolverError> {
    let begun = Instant::now();
    let deadline = time(limits).and_then(|limit| begun.checked_add(limit));
    let desk = Arc::new(Desk::new(program, start));
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
    let _stop_at_end = StopAtEnd(&desk);

    let mut told = begun;
    let mut ended: Option<(Ended, Instant)> = None;
    loop {
        let reason = ended.map(|(reason, _)| reason);
        match results.recv_timeout(GLANCE) {
            Ok(last) => {
                return last.and_then(|last| desk.result(Some(last), reason)).map_err(failed);
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
        match ended {
            Some((_, since)) if now - since > PATIENCE => {
                return desk.result(None, reason).map_err(failed);
            }
            Some(_) => continue,
            None => {}
        }
        if deadline.is_some_and(|deadline| now >= deadline) {
            ended = Some((Ended::Limit, now));
        } else if now - told >= NEWS {
            told = now;
            if watch(&desk.progress(begun)) == Flow::Stop {
                ended = Some((Ended::Interrupted, Instant::now()));
            }
        }
        if ended.is_some() {
            desk.stop();
        }
    }
}

struct StopAtEnd<'d>(&'d Desk);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::outcome::Progress;
    use crate::program::Column;

    const LIMITS: Limits = Limits { seconds: Some(0.05), nodes: None, gap: 0.0, threads: 1 };

    /// One column from 0 to 9, worth itself.
    fn up_to_nine() -> Program {
        let column = Column { lower: 0.0, upper: 9.0, objective: 1.0, integer: false };
        Program { columns: vec![column], ..Program::default() }
    }

    fn solved(value: Option<f64>, bound: f64, ended: Ended) -> Solved {
        let values = value.map(|value| vec![value]);
        let objective = value.unwrap_or(f64::NEG_INFINITY);
        Solved { values, objective, bound, ended, nodes: 1 }
    }

    #[test]
    fn a_solver_that_does_not_listen_is_left_alone() {
        let begun = Instant::now();
        let program = up_to_nine();
        let left = aside("deaf", (&program, None), &LIMITS, &mut |_| Flow::GoOn, |desk| {
            desk.found(|| vec![4.0], 4.0);
            desk.found(|| vec![3.0], 3.0);
            desk.bounded(7.0, 1);
            desk.bounded(8.0, 0);
            thread::sleep(Duration::from_secs(20));
            unreachable!("nobody waits for it")
        });
        assert!(begun.elapsed().as_secs_f64() < 5.0);
        assert_eq!(left.unwrap(), solved(Some(4.0), 7.0, Ended::Limit));
    }

    #[test]
    fn a_solver_that_listens_has_the_last_word() {
        let (program, limits) = (up_to_nine(), Limits { seconds: None, ..LIMITS });
        let wait = |desk: &Desk| {
            while !desk.stopped() {
                thread::sleep(Duration::from_millis(1));
            }
        };
        let stop = &mut |_: &Progress| Flow::Stop;
        let last = aside("quick", (&program, None), &limits, stop, move |desk| {
            wait(desk);
            Ok(solved(Some(5.0), 10.0, Ended::Limit))
        });
        // What the columns' bounds say is not forgotten.
        assert_eq!(last.unwrap(), solved(Some(5.0), 9.0, Ended::Interrupted));
        // Nor is the start, if it is possible.
        for (start, value) in [(6.0, 6.0), (4.0, 5.0), (10.0, 5.0)] {
            let start = [start];
            let last = aside("quick", (&program, Some(&start)), &limits, stop, move |desk| {
                wait(desk);
                Ok(solved(Some(5.0), 5.0, Ended::Limit))
            });
            assert_eq!(last.unwrap(), solved(Some(value), value, Ended::Interrupted));
        }
    }

    #[test]
    fn a_solver_that_panics_or_contradicts_has_failed() {
        let (program, go_on) = (up_to_nine(), &mut |_: &Progress| Flow::GoOn);
        // Without a clock: a busy machine may take its time to panic.
        let limits = Limits { seconds: None, ..LIMITS };
        let failed = aside("wild", (&program, None), &limits, go_on, |_| panic!("at node {}", 3));
        let error = failed.unwrap_err().to_string();
        assert!(error.starts_with("wild failed: at node 3"), "{error}");
        let denies = |_: &Desk| Ok(solved(None, f64::NEG_INFINITY, Ended::Proven));
        assert!(aside("blind", (&program, Some(&[1.0])), &limits, go_on, denies).is_err());
        let nothing = aside("right", (&program, None), &limits, go_on, denies).unwrap();
        assert_eq!(nothing, solved(None, f64::NEG_INFINITY, Ended::Proven));
    }
}
