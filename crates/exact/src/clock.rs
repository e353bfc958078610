//! Time, and who is told how it is spent.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::outcome::{Flow, Progress, Watch};

/// How often a watcher is told.
const EVERY: Duration = Duration::from_millis(100);

/// The time of a search, for all of its threads.
pub(crate) struct Clock<'c, 'w> {
    begun: Instant,
    end: Option<Instant>,
    stopped: AtomicBool,
    desk: Mutex<Desk<'c, 'w>>,
}

struct Desk<'c, 'w> {
    watch: &'c mut Watch<'w>,
    told: Option<Instant>,
    now: Progress,
    history: Vec<Progress>,
}

/// The end of a part of the time.
#[derive(Clone, Copy)]
pub(crate) struct Deadline<'d> {
    clock: &'d (dyn Time + Sync),
    end: Option<Instant>,
}

/// What a deadline needs of a clock.
trait Time {
    /// Looks up from work: tells the watcher if it is time to. Says whether to stop.
    fn look_up(&self) -> bool;
}

impl Deadline<'_> {
    /// Whether it is past, or the watcher wants no more.
    pub(crate) fn is_up(&self) -> bool {
        self.clock.look_up() || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

impl<'c, 'w> Clock<'c, 'w> {
    /// Begins now; no weights are worth more than the bound.
    pub(crate) fn new(seconds: Option<f64>, bound: f64, watch: &'c mut Watch<'w>) -> Self {
        let begun = Instant::now();
        // A number of seconds beyond all clocks is no limit.
        let limit = seconds.and_then(|s| Duration::try_from_secs_f64(s.max(0.0)).ok());
        let now = Progress { seconds: 0.0, incumbent: f64::NEG_INFINITY, bound, nodes: 0 };
        Clock {
            begun,
            end: limit.and_then(|limit| begun.checked_add(limit)),
            stopped: AtomicBool::new(false),
            desk: Mutex::new(Desk { watch, told: None, now, history: Vec::new() }),
        }
    }

    /// Since the beginning.
    pub(crate) fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// What is left.
    pub(crate) fn rest(&self) -> Option<f64> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()).as_secs_f64())
    }

    /// When a part of what is left will be over.
    pub(crate) fn part(&self, part: f64) -> Deadline<'_> {
        let after = |end: Instant| end.saturating_duration_since(Instant::now()).mul_f64(part);
        Deadline { clock: self, end: self.end.map(|end| Instant::now() + after(end)) }
    }

    /// When the time is up.
    pub(crate) fn deadline(&self) -> Deadline<'_> {
        Deadline { clock: self, end: self.end }
    }

    /// Whether the watcher wants no more.
    pub(crate) fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Knows more, and tells the watcher now and then.
    pub(crate) fn tell(&self, incumbent: f64, bound: f64, nodes: u64) -> Flow {
        {
            let mut desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
            desk.now = Progress { seconds: self.seconds(), incumbent, bound, nodes };
        }
        if self.look_up() { Flow::Stop } else { Flow::GoOn }
    }

    /// All that was told and new.
    pub(crate) fn history(self) -> Vec<Progress> {
        self.desk.into_inner().unwrap_or_else(PoisonError::into_inner).history
    }
}

impl Time for Clock<'_, '_> {
    fn look_up(&self) -> bool {
        // Who finds another thread telling goes on with its work.
        if !self.stopped()
            && let Ok(mut desk) = self.desk.try_lock()
            && desk.told.is_none_or(|told| told.elapsed() >= EVERY)
        {
            let now = Progress { seconds: self.seconds(), ..desk.now };
            let new = |last: &Progress| last.incumbent < now.incumbent || last.bound > now.bound;
            if desk.history.last().is_none_or(new) {
                desk.history.push(now);
            }
            desk.told = Some(Instant::now());
            if (desk.watch)(&now) == Flow::Stop {
                self.stopped.store(true, Ordering::Relaxed);
            }
        }
        self.stopped()
    }
}
