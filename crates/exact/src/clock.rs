//! Time, and who is told how it is spent.

use std::time::{Duration, Instant};

use crate::outcome::{Flow, Progress, Watch};

/// How often a watcher is told.
const EVERY: Duration = Duration::from_millis(100);

/// A moment that other threads can look at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    /// Whether it is past.
    pub(crate) fn is_up(&self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}

/// The time of a search.
pub(crate) struct Clock<'c, 'w> {
    begun: Instant,
    end: Deadline,
    told: Option<Instant>,
    watch: &'c mut Watch<'w>,
    /// What there was to tell.
    pub(crate) history: Vec<Progress>,
}

impl<'c, 'w> Clock<'c, 'w> {
    /// Begins now.
    pub(crate) fn new(seconds: Option<f64>, watch: &'c mut Watch<'w>) -> Self {
        let begun = Instant::now();
        // A number of seconds beyond all clocks is no limit.
        let end = seconds.and_then(|s| Duration::try_from_secs_f64(s.max(0.0)).ok());
        let end = Deadline(end.and_then(|limit| begun.checked_add(limit)));
        Clock { begun, end, told: None, watch, history: Vec::new() }
    }

    /// Since the beginning.
    pub(crate) fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// What is left.
    pub(crate) fn rest(&self) -> Option<f64> {
        self.end.0.map(|end| end.saturating_duration_since(Instant::now()).as_secs_f64())
    }

    /// Whether the time is up.
    pub(crate) fn is_up(&self) -> bool {
        self.end.is_up()
    }

    /// When it will be.
    pub(crate) fn deadline(&self) -> Deadline {
        self.end
    }

    /// Tells the watcher, now and then, and keeps what has changed.
    pub(crate) fn tell(&mut self, now: Progress) -> Flow {
        let changed = self
            .history
            .last()
            .is_none_or(|last| last.incumbent < now.incumbent || last.bound > now.bound);
        let due = self.told.is_none_or(|told| told.elapsed() >= EVERY);
        if !due {
            return Flow::GoOn;
        }
        if changed {
            self.history.push(now);
        }
        self.told = Some(Instant::now());
        (self.watch)(&now)
    }
}
