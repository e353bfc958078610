//! Who watches the learning: a bar for people, checkpoints, and the wish to stop.

use std::io::IsTerminal;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use stakes::exact::Progress;
use stakes::learn::rerank::STAGE as RERANKING;
use stakes::learn::{Flow, Observer, Round};

use super::checkpoint::CheckpointFile;
use super::interrupt;
use crate::output::width;

/// Watches one run.
pub(crate) struct Watcher {
    bar: ProgressBar,
    stage: String,
    /// Where to write checkpoints, if they are wanted.
    checkpoint: Option<CheckpointFile>,
    stop_after: Option<usize>,
    made: usize,
    /// When the search for the best weights began, and how long it took.
    began: Option<Instant>,
    searched: Option<f64>,
    /// How the run was broken off, if it was.
    pub(crate) stopped: Option<Stopped>,
}

/// A run that was broken off.
pub(crate) struct Stopped {
    pub(crate) stage: String,
    pub(crate) round: usize,
    pub(crate) best: usize,
    pub(crate) can_resume: bool,
}

impl Watcher {
    /// A bar is drawn if somebody looks at stderr and it is not to be quiet.
    pub(crate) fn new(
        checkpoint: Option<CheckpointFile>,
        stop_after: Option<usize>,
        quiet: bool,
    ) -> Self {
        let bar = match std::io::stderr().is_terminal() && !quiet {
            true => ProgressBar::new_spinner(),
            false => ProgressBar::hidden(),
        };
        bar.enable_steady_tick(std::time::Duration::from_millis(100));
        Watcher {
            bar,
            stage: String::new(),
            checkpoint,
            stop_after,
            made: 0,
            began: None,
            searched: None,
            stopped: None,
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&mut self) {
        self.bar.finish_and_clear();
        self.searched = self.began.map(|began| began.elapsed().as_secs_f64());
    }

    /// Seconds that the search for the best weights took, if there was one.
    pub(crate) fn searched(&self) -> Option<f64> {
        self.searched
    }

    /// The run ended by itself.
    pub(crate) fn forget_checkpoint(&self) {
        self.checkpoint.iter().for_each(CheckpointFile::remove);
    }

    /// Says something while the bar is away.
    pub(crate) fn suspend(&self, say: impl FnOnce()) {
        self.bar.suspend(say);
    }

    fn show(&mut self, round: &Round<'_>) {
        if self.stage != round.stage {
            self.stage = round.stage.to_owned();
            let style = "{msg} {wide_bar} {pos} of {len}, {eta} left";
            if let Ok(style) = ProgressStyle::with_template(style) {
                self.bar.set_style(style.progress_chars("██ "));
            }
            self.bar.reset_eta();
        }
        self.bar.set_length(round.of as u64);
        self.bar.set_position(round.done as u64);
        self.bar.set_message(message(round, width()));
    }
}

/// What stands before the bar: as much as leaves room for it.
fn message(round: &Round<'_>, width: usize) -> String {
    let stage = if round.stage == "score" { "" } else { &format!("{}: ", round.stage) };
    // On which lists it is measured, and by which conventions, is said in the summary.
    let measure = round.measure.split(" on ").next().unwrap_or_default();
    let measure = measure.split([':', '(']).next().unwrap_or_default();
    let (value, (best_round, best)) = (round.value, round.best);
    let now = format!("{stage}{measure} {value:.4}");
    let all = format!("{now}, best {best:.4} in round {best_round}");
    // " 100000 of 100000, 59s left" and some bar.
    const REST: usize = 32;
    if all.chars().count() + REST <= width { all } else { now }
}

impl Observer for Watcher {
    fn stage(&mut self, what: &str) {
        self.began = (what == RERANKING).then(Instant::now).or(self.began);
        self.bar.set_message(what.to_owned());
    }

    fn exact(&mut self, progress: &Progress) -> Flow {
        if self.stage != RERANKING {
            self.stage = RERANKING.to_owned();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                self.bar.set_style(style);
            }
        }
        self.bar.set_message(crate::exact::progress(progress));
        if !interrupt::asked() {
            return Flow::Continue;
        }
        let stage = RERANKING.to_owned();
        self.stopped = Some(Stopped { stage, round: 0, best: 0, can_resume: false });
        Flow::Stop
    }

    fn round(&mut self, round: &Round<'_>) -> Flow {
        self.show(round);
        self.made += 1;
        let stop = interrupt::asked() || self.stop_after.is_some_and(|n| self.made >= n);
        let mut written = false;
        if let Some(file) = &mut self.checkpoint
            && (stop || file.is_due())
        {
            let checkpoint = (round.checkpoint)();
            written = self.bar.suspend(|| file.write(&checkpoint));
        }
        if !stop {
            return Flow::Continue;
        }
        self.stopped = Some(Stopped {
            stage: round.stage.to_owned(),
            round: round.done,
            best: round.best.0,
            can_resume: written,
        });
        Flow::Stop
    }
}
