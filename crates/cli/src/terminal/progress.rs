//! Progress of a training on one line: the whole run and the time left, then the step. Also the wish
//! to stop.

use std::time::{Duration, Instant};

use stakes::exact::Progress;
use stakes::learn::{Awaited, Flow, Observer as RunObserver, Round, RunProgress};
use stakes::model::StageSummary;
use stakes::text::width;
use stakes::{Note, Observer};

use super::live::{LiveLine, time};
use super::output::{counted, detail};
use super::{draw, hints, interrupt, proof};

/// Observes the trainings of one command.
pub(crate) struct Watcher {
    line: LiveLine,
    name: String,
    /// What is trained, if not the model itself.
    beside: &'static str,
    run: WholeRun,
    begun: Instant,
    /// When the present stage began.
    stage_begun: Instant,
    stop_after: Option<usize>,
    made: usize,
}

impl Watcher {
    /// Observes the training of `name`, which work of this amount follows.
    pub(crate) fn new(name: &str, after: f64, stop_after: Option<usize>) -> Self {
        Watcher {
            line: LiveLine::new(),
            name: name.to_owned(),
            beside: "",
            run: WholeRun::new(after),
            begun: Instant::now(),
            stage_begun: Instant::now(),
            stop_after,
            made: 0,
        }
    }

    /// The training is over, and what follows it begins.
    pub(crate) fn next(&mut self, beside: &'static str) {
        self.beside = beside;
        self.run.next();
        self.stop_after = None;
    }

    /// What a stage is called, from the whole to its part; nothing for the only stage of a learner.
    fn names(&self, parts: &[&str]) -> String {
        let mut names = vec![self.beside];
        names.extend(parts);
        names.dedup();
        names.retain(|name| !name.is_empty() && *name != StageSummary::SCORE);
        names.join(", ")
    }

    fn head(&self) -> String {
        format!("{} {}", self.name, self.run)
    }
}

impl RunObserver for Watcher {
    fn stage(&mut self, what: &str) {
        self.stage_begun = Instant::now();
        self.line.show(|_| format!("{} · {what}", self.head()));
    }

    fn stage_ended(&mut self, what: &str, summary: &StageSummary) {
        let seconds = self.stage_begun.elapsed().as_secs_f64();
        let name = match &*self.names(&[what, &summary.name]) {
            "" => self.name.clone(),
            name => name.to_owned(),
        };
        detail(format!("{name}: {}, {seconds:.2} s", stage_words(summary)));
    }

    fn exact(&mut self, progress: &Progress) -> Flow {
        self.line.show(|_| format!("{} · {}", self.name, proof::progress(progress)));
        if interrupt::asked() { Flow::Stop } else { Flow::Continue }
    }

    fn awaited(&mut self, awaited: &Awaited<'_>) -> Flow {
        let Awaited { done, of, .. } = awaited;
        self.line.show(|_| format!("{} · {done} of {of} trainings on Ray", self.name));
        if interrupt::asked() { Flow::Stop } else { Flow::Continue }
    }

    fn round(&mut self, round: &Round<'_>) -> Flow {
        self.run.tell(round.run, self.begun.elapsed());
        let step = Step::new(self.names(&[round.stage]), round);
        self.line.show(|room| step.line(&self.head(), room));
        self.made += 1;
        let stop = interrupt::asked() || self.stop_after.is_some_and(|n| self.made >= n);
        if stop { Flow::Stop } else { Flow::Continue }
    }
}

impl Observer for Watcher {
    fn note(&mut self, note: &Note) {
        hints::note(note);
    }
}

/// The rounds of a stage that is over, and what they came to.
fn stage_words(stage: &StageSummary) -> String {
    let rounds = format!("{}, {} kept", counted(stage.curve.len(), "round"), stage.kept);
    match stage.figure() {
        Some(figure) => format!("{rounds}, {} {figure:.4}", stage.measure),
        None => rounds,
    }
}

/// The progress of trainings that follow each other.
struct WholeRun {
    /// The work of those that are over, and of those to come.
    before: f64,
    after: f64,
    now: RunProgress,
    /// The share that is shown: it never falls, even where there is more to do than was thought.
    share: f64,
    /// The time and the work when the first round was done, and the time now.
    first: Option<(Duration, f64)>,
    at: Duration,
}

impl WholeRun {
    fn new(after: f64) -> Self {
        let now = RunProgress { done: 0.0, of: after };
        WholeRun { before: 0.0, after, now, share: 0.0, first: None, at: Duration::ZERO }
    }

    fn tell(&mut self, run: RunProgress, at: Duration) {
        self.now =
            RunProgress { done: self.before + run.done, of: self.before + run.of + self.after };
        self.share = self.share.max(self.now.share());
        self.at = at;
        self.first.get_or_insert((at, self.now.done));
    }

    fn next(&mut self) {
        self.before = self.now.done;
        self.after = 0.0;
    }

    /// The seconds that are left, once they can be told from those so far.
    fn seconds_left(&self) -> Option<f64> {
        let (begun, before) = self.first?;
        let seconds = (self.at - begun).as_secs_f64();
        let done = self.now.done - before;
        (seconds >= 1.0 && done > 0.0).then(|| seconds * (self.now.of - self.now.done) / done)
    }
}

impl std::fmt::Display for WholeRun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.0}%", (100.0 * self.share).floor())?;
        match self.seconds_left() {
            Some(seconds) => write!(f, " · {} left", time(seconds)),
            None => Ok(()),
        }
    }
}

/// The step of a run: its rounds.
struct Step {
    /// Which one it is.
    name: String,
    /// What is measured, and its value.
    figure: String,
    best: String,
    done: usize,
    of: usize,
}

impl Step {
    fn new(name: String, round: &Round<'_>) -> Self {
        // On which lists it is measured, and by which conventions, is said in the summary.
        let measure = round.measure.split(" on ").next().unwrap_or_default();
        let measure = measure.split([':', '(']).next().unwrap_or_default();
        let (best_round, best) = round.best;
        Step {
            name,
            figure: format!("{measure} {:.4}", round.value),
            best: format!("best {best:.4} in round {best_round}"),
            done: round.done,
            of: round.of,
        }
    }

    /// A line of at most `room` columns after a head: as much as leaves room for a bar, or else for
    /// the count.
    fn line(&self, head: &str, room: usize) -> String {
        const MAX_BAR: usize = 30;
        let Step { name, figure, best, done, of } = self;
        let colon = if name.is_empty() { "" } else { ": " };
        let now = format!("{head} · {name}{colon}{figure}");
        let named = if name.is_empty() { head.to_owned() } else { format!("{head} · {name}") };
        let count = format!("{done} of {of}");
        for (text, min_bar) in
            [(format!("{now}, {best}"), 10), (now.clone(), 5), (now, 0), (named, 0)]
        {
            let Some(left) = room.checked_sub(width(&text) + 1 + width(&count)) else { continue };
            let cells = left.saturating_sub(1).min(MAX_BAR);
            match min_bar {
                0 => return format!("{text} {count}"),
                min if cells >= min => {
                    let bar = draw::bar(*done as f64 / (*of).max(1) as f64, cells);
                    return format!("{text} {bar} {count}");
                }
                _ => {}
            }
        }
        head.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(run: &mut WholeRun, done: f64, of: f64, seconds: u64) -> String {
        run.tell(RunProgress { done, of }, Duration::from_secs(seconds));
        run.to_string()
    }

    #[test]
    fn the_whole_run_and_the_time_left() {
        let mut run = WholeRun::new(100.0);
        assert_eq!(run.to_string(), "0%");
        assert_eq!(told(&mut run, 1.0, 300.0, 5), "0%");
        // 20 units in 10 seconds, and 379 are left.
        assert_eq!(told(&mut run, 21.0, 300.0, 15), "5% · 3m10s left");
        // A stage ended early: less is left, at the same pace.
        assert_eq!(told(&mut run, 21.0, 121.0, 15), "9% · 1m40s left");
        assert_eq!(told(&mut run, 121.0, 121.0, 65), "54% · 50s left");
        // There is more to do than was thought.
        assert_eq!(told(&mut run, 121.0, 321.0, 65), "54% · 2m30s left");
        assert_eq!(told(&mut run, 121.0, 121.0, 65), "54% · 50s left");
        run.next();
        assert_eq!(told(&mut run, 50.0, 100.0, 90), "77% · 25s left");
        assert_eq!(told(&mut run, 100.0, 100.0, 115), "100% · 0s left");
    }

    #[test]
    fn a_resumed_run_counts_only_its_own_time() {
        let mut run = WholeRun::new(0.0);
        assert_eq!(told(&mut run, 500.0, 1000.0, 1), "50%");
        assert_eq!(told(&mut run, 510.0, 1000.0, 11), "51% · 8m10s left");
    }

    #[test]
    fn the_line_fits_and_says_the_most_important() {
        let step = Step {
            name: "two-part, fold 3 of 5".into(),
            figure: "rcs@10 0.3461".into(),
            best: "best 0.3472 in round 101".into(),
            done: 120,
            of: 500,
        };
        let line = |room| step.line("auto 34% · 1m20s left", room);
        assert_eq!(
            line(80),
            "auto 34% · 1m20s left · two-part, fold 3 of 5: rcs@10 0.3461 █▉       120 of 500"
        );
        assert!(line(120).contains("0.3461, best 0.3472 in round 101 ███"), "{}", line(120));
        assert_eq!(
            line(75),
            "auto 34% · 1m20s left · two-part, fold 3 of 5: rcs@10 0.3461 120 of 500"
        );
        assert_eq!(line(60), "auto 34% · 1m20s left · two-part, fold 3 of 5 120 of 500");
        assert_eq!(line(40), "auto 34% · 1m20s left");
        for room in 22..200 {
            assert!(width(&line(room)) <= room, "{room}: {}", line(room));
        }
        let only = Step { name: String::new(), ..step };
        assert_eq!(only.line("mart 2%", 40), "mart 2% · rcs@10 0.3461 █▎    120 of 500");
        assert_eq!(only.line("mart 2%", 20), "mart 2% 120 of 500");
    }
}
