//! The time limit of a search, and the reports of its progress.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::outcome::{Flow, Progress, Watch};

/// The interval between two calls of the progress callback.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// The clock of a search, shared by all of its threads.
pub(crate) struct Clock<'c, 'w> {
    begun: Instant,
    end: Option<Instant>,
    stopped: AtomicBool,
    reports: Mutex<Reports<'c, 'w>>,
}

struct Reports<'c, 'w> {
    watch: &'c mut Watch<'w>,
    last: Option<Instant>,
    now: Progress,
    history: Vec<Progress>,
}

/// The time at which a part of a search has to end.
#[derive(Clone, Copy)]
pub(crate) struct Deadline<'d> {
    clock: &'d (dyn Poll + Sync),
    end: Option<Instant>,
}

/// The part of a clock that a deadline uses.
trait Poll {
    /// Calls the progress callback if a report is due, and returns whether the search should stop.
    fn poll(&self) -> bool;
}

impl Deadline<'_> {
    /// Whether the time is over, or the progress callback has stopped the search.
    pub(crate) fn has_passed(&self) -> bool {
        self.clock.poll() || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

impl<'c, 'w> Clock<'c, 'w> {
    /// Starts a clock for a search with this initial bound.
    pub(crate) fn new(seconds: Option<f64>, bound: f64, watch: &'c mut Watch<'w>) -> Self {
        let begun = Instant::now();
        // A number of seconds too large for a duration is no limit.
        let limit = seconds.and_then(|s| Duration::try_from_secs_f64(s.max(0.0)).ok());
        let now = Progress { seconds: 0.0, incumbent: f64::NEG_INFINITY, bound, nodes: 0 };
        Clock {
            begun,
            end: limit.and_then(|limit| begun.checked_add(limit)),
            stopped: AtomicBool::new(false),
            reports: Mutex::new(Reports { watch, last: None, now, history: Vec::new() }),
        }
    }

    /// The seconds since the start.
    pub(crate) fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// The remaining seconds; `None` without a limit.
    pub(crate) fn remaining(&self) -> Option<f64> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()).as_secs_f64())
    }

    /// The end of this share of the remaining time.
    pub(crate) fn share(&self, share: f64) -> Deadline<'_> {
        let after = |end: Instant| end.saturating_duration_since(Instant::now()).mul_f64(share);
        Deadline { clock: self, end: self.end.map(|end| Instant::now() + after(end)) }
    }

    /// The end of the whole search.
    pub(crate) fn deadline(&self) -> Deadline<'_> {
        Deadline { clock: self, end: self.end }
    }

    /// Whether the progress callback has stopped the search.
    pub(crate) fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Updates the progress, calls the progress callback if a report is due, and returns its answer.
    pub(crate) fn report(&self, incumbent: f64, bound: f64, nodes: u64) -> Flow {
        {
            let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
            reports.now = Progress { seconds: self.seconds(), incumbent, bound, nodes };
        }
        if self.poll() { Flow::Stop } else { Flow::Continue }
    }

    /// All reports that brought a better incumbent or bound.
    pub(crate) fn history(self) -> Vec<Progress> {
        self.reports.into_inner().unwrap_or_else(PoisonError::into_inner).history
    }
}

impl Poll for Clock<'_, '_> {
    fn poll(&self) -> bool {
        // A thread does not wait while another one reports.
        if !self.stopped()
            && let Ok(mut reports) = self.reports.try_lock()
            && reports.last.is_none_or(|last| last.elapsed() >= REPORT_INTERVAL)
        {
            let now = Progress { seconds: self.seconds(), ..reports.now };
            let new = |last: &Progress| last.incumbent < now.incumbent || last.bound > now.bound;
            if reports.history.last().is_none_or(new) {
                reports.history.push(now);
            }
            reports.last = Some(Instant::now());
            if (reports.watch)(&now) == Flow::Stop {
                self.stopped.store(true, Ordering::Relaxed);
            }
        }
        self.stopped()
    }
}
