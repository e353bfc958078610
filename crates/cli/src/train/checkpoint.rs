//! The unfinished run beside the model: `model.json.checkpoint`. Written while a model is
//! learnt, so that little is lost; taken up by `--resume`; removed when learning ends by itself.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::bail;
use stakes::learn::Checkpoint;

use crate::output::note;

pub(crate) struct CheckpointFile {
    path: String,
    every: Duration,
    written: Instant,
}

impl CheckpointFile {
    /// The checkpoint of the model that is to be written to `output`.
    pub(crate) fn of(output: &str, every: Duration) -> Self {
        CheckpointFile { path: format!("{output}.checkpoint"), every, written: Instant::now() }
    }

    /// The run to take up.
    pub(crate) fn read(&self) -> anyhow::Result<Checkpoint> {
        if !Path::new(&self.path).exists() {
            bail!(
                "{}: there is no unfinished run to take up; a checkpoint stands beside the model \
                 only while it is learnt or after an interruption (train without --resume)",
                self.path
            );
        }
        let bytes = stakes::io::read_bytes(&self.path)?;
        Ok(Checkpoint::from_json(&bytes, &self.path)?)
    }

    /// Whether it is time to write another one.
    pub(crate) fn is_due(&self) -> bool {
        self.written.elapsed() >= self.every
    }

    /// Writes; a full disk is told and does not end the learning. Says whether it was written.
    pub(crate) fn write(&mut self, checkpoint: &Checkpoint) -> bool {
        self.written = Instant::now();
        let done = stakes::io::write_bytes(&self.path, checkpoint.to_json().as_bytes());
        if let Err(error) = &done {
            note(format!("no checkpoint: {error}"));
        }
        done.is_ok()
    }

    /// The run is finished.
    pub(crate) fn remove(&self) {
        // Where none was written there is none to remove.
        let _ = std::fs::remove_file(&self.path);
    }
}
