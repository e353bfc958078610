//! Between a training run and its observer: checkpoints are written, and an interruption is
//! recorded.

use std::time::{Duration, Instant};

use serde::Serialize;
use stakes_exact::Progress;
use stakes_learn::rerank::STAGE as RERANKING;
use stakes_learn::tune::UnfinishedTuning;
use stakes_learn::{Awaited, Flow, Observer as RunObserver, Round};
use stakes_model::{Checkpoint, StageSummary};

use super::Observer;
use crate::Note;

/// Where a run was interrupted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Interruption {
    /// The stage: `score`, `chance`, ...
    pub stage: String,
    /// The round; 0 in a search without rounds, and where trainings are made elsewhere.
    pub round: usize,
    /// The best round so far.
    pub best_round: usize,
    /// Whether the run can be resumed.
    pub can_resume: bool,
    /// Whether the model was finished, and only its cross-validation was interrupted.
    pub is_trained: bool,
}

pub(super) struct Recorder<'o> {
    observer: &'o mut dyn Observer,
    /// The checkpoint, or the state of a tuning.
    file: Option<String>,
    is_tuning: bool,
    interval: Duration,
    written: Instant,
    /// When the exact search began.
    searching: Option<Instant>,
    /// Whether the model is trained, and cross-validated now.
    is_trained: bool,
    stopped: Option<Interruption>,
    notes: Vec<Note>,
}

impl<'o> Recorder<'o> {
    pub(super) fn new(
        observer: &'o mut dyn Observer,
        file: Option<String>,
        is_tuning: bool,
        interval: Duration,
    ) -> Self {
        Recorder {
            observer,
            file,
            is_tuning,
            interval,
            written: Instant::now(),
            searching: None,
            is_trained: false,
            stopped: None,
            notes: Vec::new(),
        }
    }

    /// Passes a note on, and keeps it.
    pub(super) fn note(&mut self, note: Note) {
        self.observer.note(&note);
        self.notes.push(note);
    }

    /// The model is trained: no checkpoints are written from now on. Returns the seconds of the exact
    /// search, if there was one, and where the training was interrupted.
    pub(super) fn end_training(&mut self) -> (Option<f64>, Option<Interruption>) {
        self.file = None;
        self.is_trained = true;
        let seconds = self.searching.take().map(|begun| begun.elapsed().as_secs_f64());
        (seconds, self.stopped.take())
    }

    /// Where the cross-validation was interrupted, and all notes.
    pub(super) fn finish(self) -> (Option<Interruption>, Vec<Note>) {
        (self.stopped, self.notes)
    }

    /// Whether it is time for a checkpoint. What is tuned is resumed by its values.
    fn is_due(&self, flow: Flow) -> bool {
        !self.is_tuning && (flow == Flow::Stop || self.written.elapsed() >= self.interval)
    }

    /// Writes a checkpoint. A full disk does not end the training.
    fn write(&mut self, checkpoint: &dyn Fn() -> Checkpoint) -> bool {
        let Some(file) = &self.file else { return false };
        self.written = Instant::now();
        let written = stakes_io::write_bytes(file, checkpoint().to_json().as_bytes());
        if let Err(error) = &written {
            self.note(Note::NoCheckpoint { reason: error.to_string() });
        }
        written.is_ok()
    }
}

impl RunObserver for Recorder<'_> {
    fn stage(&mut self, what: &str) {
        if what == RERANKING {
            self.searching = Some(Instant::now());
        }
        self.observer.stage(what);
    }

    fn stage_ended(&mut self, name: &str, summary: &StageSummary) {
        self.observer.stage_ended(name, summary);
    }

    fn round(&mut self, round: &Round<'_>) -> Flow {
        let flow = self.observer.round(round);
        let can_resume = self.is_due(flow) && self.write(round.checkpoint);
        if flow == Flow::Stop {
            self.stopped = Some(Interruption {
                stage: round.stage.to_owned(),
                round: round.done,
                best_round: round.best.0,
                can_resume,
                is_trained: self.is_trained,
            });
        }
        flow
    }

    fn awaited(&mut self, awaited: &Awaited<'_>) -> Flow {
        let flow = self.observer.awaited(awaited);
        let can_resume = self.is_due(flow)
            && awaited.checkpoint.is_some_and(|checkpoint| self.write(checkpoint));
        if flow == Flow::Stop {
            self.stopped = Some(Interruption {
                stage: format!("{} of {} trainings elsewhere", awaited.done, awaited.of),
                can_resume,
                is_trained: self.is_trained,
                ..Interruption::default()
            });
        }
        flow
    }

    fn exact(&mut self, progress: &Progress) -> Flow {
        let flow = self.observer.exact(progress);
        if flow == Flow::Stop {
            self.stopped = Some(Interruption {
                stage: RERANKING.to_owned(),
                is_trained: self.is_trained,
                ..Interruption::default()
            });
        }
        flow
    }

    fn tried(&mut self, so_far: &UnfinishedTuning) {
        self.observer.tried(so_far);
        let Some(file) = &self.file else { return };
        if let Err(error) = stakes_io::write_bytes(file, so_far.to_json().as_bytes()) {
            self.note(Note::NoTuningFile { reason: error.to_string() });
        }
    }
}
