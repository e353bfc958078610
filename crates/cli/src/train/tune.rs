//! `--tune N`: settings are tried, and what is known of them stands in OUTPUT.tuning.json until
//! the run is finished, so that `--resume` does not learn it again.

use std::path::Path;

use anyhow::bail;
use clap::Args;
use serde_json::json;
use stakes::learn::tune::{Trial, Tuned, UnfinishedTuning};
use stakes::learn::{Flow, LearnerInfo, Round, Watch};

use super::watch::Watcher;
use crate::output::{counted, note, table};

/// Trials that are shown.
const SHOWN: usize = 5;

#[derive(Args)]
#[command(next_help_heading = "Parameters")]
pub(crate) struct TuneArgs {
    /// Try so many settings of the learner and keep the best on the lists to judge by: the one
    /// given, and others drawn from values worth trying (stakes learners NAME). All begin with a
    /// few rounds, and the better half goes on, again and again. What is given is not tuned
    #[arg(
        long = "tune",
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(2..=10_000),
        conflicts_with = "first"
    )]
    trials: Option<u32>,
}

impl TuneArgs {
    /// The tuning that is wanted, if one is; with what is known if one is taken up.
    pub(crate) fn begin(
        &self,
        learner: &LearnerInfo,
        output: &str,
        resume: bool,
    ) -> anyhow::Result<Option<Tuning>> {
        let Some(trials) = self.trials else { return Ok(None) };
        if learner.is_blend() {
            bail!(
                "--tune is for one learner, and {} is a blend of several that chooses by itself: \
                 give it more effort (--effort high), or name the learner to tune (--learner \
                 cs-mart --tune {trials})",
                learner.name
            );
        }
        if learner.reranks() {
            bail!(
                "--tune is for a learner by itself: tune the base (--learner cs-mart --tune \
                 {trials}), and re-rank that model (--learner {} --base MODEL.json)",
                learner.name
            );
        }
        let path = format!("{output}.tuning.json");
        if resume && !Path::new(&path).exists() {
            bail!(
                "{path}: there is no unfinished tuning to take up; it stands beside the model \
                 only while settings are tried or after an interruption (train without --resume)"
            );
        }
        let known = match resume {
            true => Some(UnfinishedTuning::from_json(&stakes::io::read_bytes(&path)?, &path)?),
            false => None,
        };
        Ok(Some(Tuning { trials: trials as usize, path, known }))
    }
}

/// A tuning to begin or to take up.
pub(crate) struct Tuning {
    pub(crate) trials: usize,
    path: String,
    pub(crate) known: Option<UnfinishedTuning>,
}

impl Tuning {
    /// The run is finished.
    pub(crate) fn forget(&self) {
        let _ = std::fs::remove_file(&self.path);
    }

    /// What is said of an interruption.
    pub(crate) fn interrupted(&self, watcher: &Watcher, has_model: bool, output: &str) -> String {
        let stage = watcher.stopped.as_ref().map_or("", |stopped| &stopped.stage);
        let go_on = match Path::new(&self.path).exists() {
            true => format!("; go on with --resume (what is known is in {})", self.path),
            false => String::new(),
        };
        let best = match has_model {
            true => format!("the best so far is in {output}"),
            // It was learnt before this run.
            false => format!("nothing better than before, {output} is left as it is"),
        };
        format!("interrupted ({stage}): {best}{go_on}")
    }
}

/// Shows rounds as always, and writes down what is known.
pub(crate) struct Writing<'w> {
    pub(crate) watcher: &'w mut Watcher,
    path: String,
}

impl<'w> Writing<'w> {
    pub(crate) fn new(watcher: &'w mut Watcher, tuning: &Tuning) -> Self {
        Writing { watcher, path: tuning.path.clone() }
    }
}

impl Watch for Writing<'_> {
    fn stage(&mut self, what: &str) {
        self.watcher.stage(what);
    }

    fn round(&mut self, round: &Round<'_>) -> Flow {
        self.watcher.round(round)
    }

    fn tried(&mut self, so_far: &UnfinishedTuning) {
        // A full disk is told and does not end the learning.
        if let Err(error) = stakes::io::write_bytes(&self.path, so_far.to_json().as_bytes()) {
            self.watcher.suspend(|| note(format!("what is known is not written: {error}")));
        }
    }
}

/// The best trials, for people.
pub(crate) fn text(tuned: &Tuned, metric: &str) -> String {
    let name = metric.split(':').next().unwrap_or_default();
    let keys: Vec<&String> =
        tuned.trials.iter().take(1).flat_map(|t| t.parameters.keys()).collect();
    let words = ["trial", name, "trees", "rung"].map(str::to_owned);
    let header: Vec<String> = words.into_iter().chain(keys.iter().map(|k| (*k).clone())).collect();
    let row = |&number: &usize| {
        let trial = &tuned.trials[number];
        let last = trial.rungs.last()?;
        let chosen = if tuned.chosen == Some(number) { ", chosen" } else { "" };
        let given = if number == 0 { ", as given" } else { "" };
        let came = format!("{} of {}", trial.rungs.len(), tuned.rungs);
        let figures = [format!("{:.4}", last.value), last.rounds.to_string(), came];
        let values = trial.parameters.values().cloned();
        let first = format!("{}{given}{chosen}", number + 1);
        Some([first].into_iter().chain(figures).chain(values).collect())
    };
    let rows: Vec<Vec<String>> = tuned.ranking.iter().filter_map(row).take(SHOWN).collect();
    let trials = counted(tuned.trials.len(), "setting");
    format!("{trials} tried, the best on the lists that judge (which flatters):\n{}\n", {
        table(&header, &rows)
    })
}

/// All trials, for programs.
pub(crate) fn json(tuned: &Tuned) -> serde_json::Value {
    let trial = |(i, trial): (usize, &Trial)| json!({ "trial": i + 1, "parameters": trial.parameters, "rungs": trial.rungs });
    json!({
        "rungs": tuned.rungs,
        "chosen": tuned.chosen.map(|trial| trial + 1),
        "trials": tuned.trials.iter().enumerate().map(trial).collect::<Vec<_>>(),
    })
}
