//! One observer for trainings that go on at the same time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use stakes_learn::{Awaited, Flow, Observer as RunObserver, Round, RunProgress};
use stakes_model::StageSummary;

use crate::Observer;

/// What is done of all cells.
pub(super) struct Progress<'o> {
    shared: Mutex<Shared<'o>>,
    stopped: AtomicBool,
}

struct Shared<'o> {
    observer: &'o mut dyn Observer,
    cells: Vec<RunProgress>,
    done: usize,
}

impl<'o> Progress<'o> {
    /// Cells of this much work, of which some are finished.
    pub(super) fn new(observer: &'o mut dyn Observer, work: &[f64], finished: &[bool]) -> Self {
        let of_cell = |(&of, &finished): (&f64, &bool)| RunProgress {
            done: if finished { of } else { 0.0 },
            of,
        };
        let cells = work.iter().zip(finished).map(of_cell).collect();
        let done = finished.iter().filter(|&&finished| finished).count();
        let shared = Mutex::new(Shared { observer, cells, done });
        Progress { shared, stopped: AtomicBool::new(false) }
    }

    /// Whether no further cell should begin.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }

    /// No further cell should begin.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
    }

    /// A cell is finished.
    pub(super) fn finish(&self, cell: usize) {
        let mut shared = self.lock();
        shared.cells[cell].done = shared.cells[cell].of;
        shared.done += 1;
        let (done, of) = (shared.done, shared.cells.len());
        if shared.observer.finished(done, of) == Flow::Stop && done < of {
            self.stop();
        }
    }

    /// Cells are computed elsewhere, and none is finished yet.
    pub(super) fn wait(&self) {
        let mut shared = self.lock();
        let (done, of) = (shared.done, shared.cells.len());
        if shared.observer.awaited(&Awaited { done, of, checkpoint: None }) == Flow::Stop {
            self.stop();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Shared<'o>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared<'_> {
    fn all(&self) -> RunProgress {
        let add = |sum: RunProgress, cell: &RunProgress| RunProgress {
            done: sum.done + cell.done,
            of: sum.of + cell.of,
        };
        self.cells.iter().fold(RunProgress { done: 0.0, of: 0.0 }, add)
    }
}

/// The observer of one cell, which tells of the whole experiment.
pub(super) struct Seat<'p, 'o> {
    progress: &'p Progress<'o>,
    cell: usize,
    name: String,
}

impl<'p, 'o> Seat<'p, 'o> {
    /// The cell begins.
    pub(super) fn new(progress: &'p Progress<'o>, cell: usize, name: String) -> Self {
        progress.lock().observer.stage(&name);
        Seat { progress, cell, name }
    }
}

impl RunObserver for Seat<'_, '_> {
    fn stage_ended(&mut self, _what: &str, summary: &StageSummary) {
        self.progress.lock().observer.stage_ended(&self.name, summary);
    }

    fn round(&mut self, round: &Round<'_>) -> Flow {
        let mut shared = self.progress.lock();
        // The estimate before the cell began may be in another proportion than the cell's own.
        let of = shared.cells[self.cell].of;
        shared.cells[self.cell].done = of * round.run.share();
        let run = shared.all();
        let flow = shared.observer.round(&Round { stage: &self.name, run, ..*round });
        if flow == Flow::Stop {
            self.progress.stop();
        }
        if self.progress.is_stopped() { Flow::Stop } else { Flow::Continue }
    }

    fn exact(&mut self, progress: &stakes_exact::Progress) -> Flow {
        let flow = self.progress.lock().observer.exact(progress);
        if flow == Flow::Stop {
            self.progress.stop();
        }
        if self.progress.is_stopped() { Flow::Stop } else { Flow::Continue }
    }
}

/// Notes on a training are about one cell of many, and are left out.
impl Observer for Seat<'_, '_> {}
