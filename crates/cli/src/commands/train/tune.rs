//! `--tune N`: settings are tried.

use anyhow::bail;
use clap::Args;
use stakes::fit::{Interruption, tuning_file};
use stakes::learn::tune::Tuned;
use stakes::learn::{Kind, Learner};

use crate::terminal::output::{counted, table};

/// The maximum number of trials that are shown.
const MAX_SHOWN: usize = 5;

#[derive(Args)]
#[command(next_help_heading = "Parameters")]
pub(crate) struct TuneArgs {
    /// Tune with N trials and keep the best on the validation lists: the given settings, and others
    /// drawn from values worth trying (stakes learners NAME), by successive halving. Parameters you
    /// set stay fixed
    #[arg(
        long = "tune",
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(2..=10_000),
        conflicts_with = "first"
    )]
    trials: Option<u32>,
}

impl TuneArgs {
    /// The number of settings to try, if the learner can be tuned.
    pub(super) fn trials(&self, learner: &dyn Learner) -> anyhow::Result<Option<usize>> {
        let Some(trials) = self.trials else { return Ok(None) };
        if learner.kind() == Kind::Blend {
            bail!(
                "--tune is for one learner, and {} is a blend of several that chooses by itself: \
                 give it more effort (--effort high), or name the learner to tune (--learner \
                 cs-mart --tune {trials})",
                learner.name()
            );
        }
        if learner.kind() == Kind::Rerank {
            bail!(
                "--tune is for a learner by itself: tune the base (--learner cs-mart --tune \
                 {trials}), and re-rank that model (--learner {} --base MODEL.json)",
                learner.name()
            );
        }
        Ok(Some(trials as usize))
    }
}

/// What is said of an interrupted tuning.
pub(super) fn interrupted(stopped: &Interruption, has_model: bool, output: &str) -> String {
    let go_on = match stopped.can_resume {
        true => format!("; go on with --resume (what is known is in {})", tuning_file(output)),
        false => String::new(),
    };
    let best = match has_model {
        true => format!("the best so far is in {output}"),
        // It was trained before this run.
        false => format!("nothing better than before, {output} is left as it is"),
    };
    format!("interrupted ({}): {best}{go_on}", stopped.stage)
}

/// The best trials, for people.
pub(super) fn text(tuned: &Tuned, metric: &str) -> String {
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
    let rows: Vec<Vec<String>> = tuned.ranking.iter().filter_map(row).take(MAX_SHOWN).collect();
    let trials = counted(tuned.trials.len(), "setting");
    format!("{trials} tried, the best on the lists that judge (which flatters):\n{}\n", {
        table(&header, &rows)
    })
}
