//! What all reproductions share: the folder of data, the run directory, the observer, the clock.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use stakes_core::metric::Part;
use stakes_io::{read_bytes, write_bytes};
use stakes_stats::{PairedTest, TestOptions, paired_differences};

use super::super::compare::{self, Entries};
use super::super::figures::Measured;
use super::super::run_directory::claim;
use super::super::{CompareOptions, Contestant, Outcome, Setting};
use super::manifest::Manifest;
use super::raw::Folder;
use super::{Paper, ReproduceOptions};
use crate::{Error, Observer};

/// Differences with a p value below this are called significant.
pub(super) const LEVEL: f64 = 0.05;

/// Why there is no result.
pub(super) enum Stop {
    Failed(Box<Error>),
    /// The observer stopped it.
    Interrupted {
        done: usize,
        of: usize,
    },
}

impl<E: Into<Error>> From<E> for Stop {
    fn from(error: E) -> Self {
        Stop::Failed(Box::new(error.into()))
    }
}

/// A reproduction under way.
pub(super) struct Work<'o> {
    pub(super) paper: Paper,
    pub(super) options: &'o ReproduceOptions,
    pub(super) data: Folder,
    /// Seconds of training so far.
    pub(super) seconds: f64,
    observer: &'o mut dyn Observer,
}

impl<'o> Work<'o> {
    pub(super) fn new(
        paper: Paper,
        options: &'o ReproduceOptions,
        observer: &'o mut dyn Observer,
    ) -> Result<Self, Error> {
        let data = Folder(options.data.clone());
        if let Some(run) = options.run.as_ref().filter(|_| paper.is_trained()) {
            let manifest = Manifest::new(paper, options);
            claim(&format!("{run}/{paper}"), &manifest, Manifest::difference)?;
        }
        Ok(Work { paper, options, data, seconds: 0.0, observer })
    }

    /// Says what is being done.
    pub(super) fn stage(&mut self, name: &str) {
        self.observer.stage(name);
    }

    /// Compares contestants; what is finished is kept under this name.
    pub(super) fn compare(
        &mut self,
        name: &str,
        setting: &Setting<'_>,
        contestants: &[Contestant],
        options: CompareOptions,
    ) -> Result<Entries, Stop> {
        self.stage(name);
        let options = CompareOptions { run: self.place(name), ..options };
        match compare::entries(setting, contestants, &options, false, Some(self.observer))? {
            Outcome::Finished(entries) => {
                self.seconds += entries.compared.times.iter().map(|time| time.seconds).sum::<f64>();
                Ok(*entries)
            }
            Outcome::Interrupted { done, of } => Err(Stop::Interrupted { done, of }),
        }
    }

    /// What was kept under this name, or what is computed and then kept.
    pub(super) fn keep<T: Serialize + DeserializeOwned>(
        &mut self,
        name: &str,
        compute: impl FnOnce(&mut dyn Observer) -> Result<Option<T>, Error>,
    ) -> Result<T, Stop> {
        let path = self.place(name).map(|place| format!("{place}.json"));
        if let Some(path) = path.as_ref().filter(|path| Path::new(path).exists()) {
            let kept = serde_json::from_slice(&read_bytes(path)?);
            return Ok(kept.map_err(|error| Error::RunDirectory {
                path: path.clone(),
                why: format!("this is not a finished part of this reproduction ({error})"),
            })?);
        }
        self.stage(name);
        let Some(found) = compute(self.observer)? else {
            return Err(Stop::Interrupted { done: 0, of: 1 });
        };
        if let Some(path) = path {
            let text =
                serde_json::to_vec_pretty(&found).map_err(|e| Error::Paper(e.to_string()))?;
            write_bytes(&path, &text)?;
        }
        Ok(found)
    }

    fn place(&self, name: &str) -> Option<String> {
        let run = self.options.run.as_ref()?;
        Some(format!("{run}/{}/{name}", self.paper))
    }
}

impl Entries {
    /// The place of a contestant.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.contestants.iter().position(|contestant| contestant.name == name)
    }

    /// The figure of a contestant under the metric at this place.
    pub(super) fn value(&self, metric: usize, name: &str) -> Option<f64> {
        self.measured[metric].figures[self.place(name)?].value
    }

    /// The mean over folds of a contestant's figures.
    pub(super) fn by_fold(&self, metric: usize, name: &str) -> Option<f64> {
        self.measured[metric].figures[self.place(name)?].mean_over_folds
    }

    /// One contestant against another: the difference, and its p value over lists.
    pub(super) fn against(&self, metric: usize, name: &str, other: &str) -> Option<(f64, f64)> {
        let measured: &Measured = &self.measured[metric];
        let (a, b) = (self.place(name)?, self.place(other)?);
        let difference = measured.figures[a].value? - measured.figures[b].value?;
        Some((difference, p_value(&measured.parts[a], &measured.parts[b])?))
    }
}

/// The probability of a difference at least as large if both were equally good, over lists.
pub(super) fn p_value(own: &[Part], other: &[Part]) -> Option<f64> {
    let differences = paired_differences(own, other).ok()?;
    let result = PairedTest::default().run(&differences, &TestOptions::default()).ok()??;
    Some(result.p_value)
}
