//! Progress of all trainings of an experiment on one line, and the wish to stop.

use stakes::exact::Progress;
use stakes::learn::{Awaited, Flow, Observer as RunObserver, Round};
use stakes::model::StageSummary;
use stakes::{Note, Observer};

use crate::terminal::interrupt;
use crate::terminal::progress::Watcher;

pub(crate) struct Watch {
    watcher: Watcher,
    stop_after: Option<usize>,
    finished: usize,
}

impl Watch {
    pub(crate) fn new(what: &'static str, stop_after: Option<u32>) -> Self {
        let stop_after = stop_after.map(|n| n as usize);
        Watch { watcher: Watcher::new(what, 0.0, None), stop_after, finished: 0 }
    }
}

impl RunObserver for Watch {
    fn stage(&mut self, what: &str) {
        self.watcher.stage(what);
    }

    fn stage_ended(&mut self, what: &str, summary: &StageSummary) {
        self.watcher.stage_ended(what, summary);
    }

    fn round(&mut self, round: &Round<'_>) -> Flow {
        self.watcher.round(round)
    }

    fn awaited(&mut self, awaited: &Awaited<'_>) -> Flow {
        self.watcher.awaited(awaited)
    }

    fn exact(&mut self, progress: &Progress) -> Flow {
        self.watcher.exact(progress)
    }
}

impl Observer for Watch {
    fn note(&mut self, note: &Note) {
        self.watcher.note(note);
    }

    fn finished(&mut self, _done: usize, _of: usize) -> Flow {
        self.finished += 1;
        let stop = interrupt::asked() || self.stop_after.is_some_and(|n| self.finished >= n);
        if stop { Flow::Stop } else { Flow::Continue }
    }
}
