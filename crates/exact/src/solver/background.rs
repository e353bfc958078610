//! Runs a solver on its own thread, so that time limits and interruptions take effect at once.
//!
//! Solvers check the clock, or whether to stop, only now and then: between nodes, or every few iterations. Here the
//! calling thread checks every few hundredths of a second. When the time is up or the progress callback says stop,
//! the solver gets a short grace period to return. After that the result is what it has recorded so far, and its thread
//! ends at its own next check.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::shared::Shared;
use super::{Limits, Solved, SolverError};
use crate::outcome::{Ended, Flow, Watch};
use crate::program::Program;

/// The interval at which the calling thread checks time and result.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// The minimum interval between two calls of the progress callback.
const REPORT_INTERVAL: Duration = Duration::from_millis(150);
/// The time that a solver has to return once it should stop.
const GRACE_PERIOD: Duration = Duration::from_millis(200);

/// The time limit; `None` if there is none.
pub(super) fn time_limit(limits: &Limits) -> Option<Duration> {
    limits.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok())
}

/// Runs a solver on another thread, while this one calls the progress callback and checks the time.
pub(super) fn run_in_background(
    name: &'static str,
    (program, start): (&Program, Option<&[f64]>),
    limits: &Limits,
    watch: &mut Watch<'_>,
    work: impl FnOnce(&Shared) -> Result<Solved, String> + Send + 'static,
) -> Result<Solved, SolverError> {
    let begun = Instant::now();
    let deadline = time_limit(limits).and_then(|limit| begun.checked_add(limit));
    let shared = Arc::new(Shared::new(program, start));
    let (sender, results) = sync_channel(1);
    let job = {
        let shared = Arc::clone(&shared);
        // Sending fails if the result comes after the grace period; it is then ignored.
        move || drop(sender.send(work(&shared)))
    };
    let failed = |why: String| SolverError { solver: name, why };
    let thread = thread::Builder::new().name(name.to_owned()).spawn(job);
    let thread = thread.map_err(|error| failed(format!("cannot start its thread: {error}")))?;
    // Stops the solver also if the progress callback panics.
    let _stop_at_end = StopAtEnd(&shared);

    let mut reported = begun;
    let mut ended: Option<(Ended, Instant)> = None;
    loop {
        let reason = ended.map(|(reason, _)| reason);
        match results.recv_timeout(POLL_INTERVAL) {
            Ok(last) => {
                return last.and_then(|last| shared.result(Some(last), reason)).map_err(failed);
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
            Some((_, since)) if now - since > GRACE_PERIOD => {
                return shared.result(None, reason).map_err(failed);
            }
            Some(_) => continue,
            None => {}
        }
        if deadline.is_some_and(|deadline| now >= deadline) {
            ended = Some((Ended::Limit, now));
        } else if now - reported >= REPORT_INTERVAL {
            reported = now;
            if watch(&shared.progress(begun)) == Flow::Stop {
                ended = Some((Ended::Interrupted, Instant::now()));
            }
        }
        if ended.is_some() {
            shared.stop();
        }
    }
}

struct StopAtEnd<'s>(&'s Shared);

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

    /// One column from 0 to 9, which is also the objective.
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
        let keep_going = &mut |_: &Progress| Flow::Continue;
        let left = run_in_background("deaf", (&program, None), &LIMITS, keep_going, |shared| {
            shared.record_solution(|| vec![4.0], 4.0);
            shared.record_solution(|| vec![3.0], 3.0);
            shared.record_bound(7.0, 1);
            shared.record_bound(8.0, 0);
            thread::sleep(Duration::from_secs(20));
            unreachable!("the test is over by then")
        });
        assert!(begun.elapsed().as_secs_f64() < 5.0);
        assert_eq!(left.unwrap(), solved(Some(4.0), 7.0, Ended::Limit));
    }

    #[test]
    fn a_solver_that_listens_has_the_last_word() {
        let (program, limits) = (up_to_nine(), Limits { seconds: None, ..LIMITS });
        let wait = |shared: &Shared| {
            while !shared.should_stop() {
                thread::sleep(Duration::from_millis(1));
            }
        };
        let stop = &mut |_: &Progress| Flow::Stop;
        let last = run_in_background("quick", (&program, None), &limits, stop, move |shared| {
            wait(shared);
            Ok(solved(Some(5.0), 10.0, Ended::Limit))
        });
        // The bound from the columns' bounds is better.
        assert_eq!(last.unwrap(), solved(Some(5.0), 9.0, Ended::Interrupted));
        // The start is kept if it is feasible and better.
        for (start, value) in [(6.0, 6.0), (4.0, 5.0), (10.0, 5.0)] {
            let start = [start];
            let given = (&program, Some(&start[..]));
            let last = run_in_background("quick", given, &limits, stop, move |shared| {
                wait(shared);
                Ok(solved(Some(5.0), 5.0, Ended::Limit))
            });
            assert_eq!(last.unwrap(), solved(Some(value), value, Ended::Interrupted));
        }
    }

    #[test]
    fn a_solver_that_panics_or_contradicts_has_failed() {
        let (program, keep_going) = (up_to_nine(), &mut |_: &Progress| Flow::Continue);
        // Without a time limit: on a busy machine it may take a while to panic.
        let limits = Limits { seconds: None, ..LIMITS };
        let panics = |_: &Shared| panic!("at node {}", 3);
        let failed = run_in_background("wild", (&program, None), &limits, keep_going, panics);
        let error = failed.unwrap_err().to_string();
        assert!(error.starts_with("wild failed: at node 3"), "{error}");
        let denies = |_: &Shared| Ok(solved(None, f64::NEG_INFINITY, Ended::Proven));
        let started = (&program, Some(&[1.0][..]));
        assert!(run_in_background("blind", started, &limits, keep_going, denies).is_err());
        let nothing =
            run_in_background("right", (&program, None), &limits, keep_going, denies).unwrap();
        assert_eq!(nothing, solved(None, f64::NEG_INFINITY, Ended::Proven));
    }
}
