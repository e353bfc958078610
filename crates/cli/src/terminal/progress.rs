//! Progress of a training: a bar, and the wish to stop.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};
use stakes::Note;
use stakes::exact::Progress;
use stakes::fit::Observer;
use stakes::learn::rerank::STAGE as RERANKING;
use stakes::learn::{Flow, Observer as RunObserver, Round};

use super::output::width;
use super::{hints, interrupt, proof};

/// Observes one run.
pub(crate) struct Watcher {
    bar: ProgressBar,
    stage: String,
    stop_after: Option<usize>,
    made: usize,
}

impl Watcher {
    /// A bar is drawn if stderr is a terminal and it is not to be quiet.
    pub(crate) fn new(stop_after: Option<usize>, quiet: bool) -> Self {
        let bar = match std::io::stderr().is_terminal() && !quiet {
            true => ProgressBar::new_spinner(),
            false => ProgressBar::hidden(),
        };
        bar.enable_steady_tick(std::time::Duration::from_millis(100));
        Watcher { bar, stage: String::new(), stop_after, made: 0 }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
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

impl RunObserver for Watcher {
    fn stage(&mut self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    fn exact(&mut self, progress: &Progress) -> Flow {
        if self.stage != RERANKING {
            self.stage = RERANKING.to_owned();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                self.bar.set_style(style);
            }
        }
        self.bar.set_message(proof::progress(progress));
        if interrupt::asked() { Flow::Stop } else { Flow::Continue }
    }

    fn round(&mut self, round: &Round<'_>) -> Flow {
        self.show(round);
        self.made += 1;
        let stop = interrupt::asked() || self.stop_after.is_some_and(|n| self.made >= n);
        if stop { Flow::Stop } else { Flow::Continue }
    }
}

impl Observer for Watcher {
    fn note(&mut self, note: &Note) {
        self.bar.suspend(|| hints::note(note));
    }
}
