//! `--tune N`: settings are tried.

use anyhow::bail;
use clap::Args;
use stakes::fit::{Interruption, tuning_file};
use stakes::learn::tune::Tuned;
use stakes::learn::{Kind, Learner};
use stakes::text::{Page, Table};

use crate::terminal::output::counted;

/// The maximum number of trials that are shown.
const MAX_SHOWN: usize = 5;

#[derive(Args)]
#[command(next_help_heading = "Training")]
pub(crate) struct TuneArgs {
    /// Tune a single learner with N trials
    ///
    /// The given settings and others, drawn from values worth trying (stakes learners NAME), by
    /// successive halving on the validation lists. Parameters you set stay fixed.
    #[arg(
        long = "tune",
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(2..=10_000),
        conflicts_with = "first",
        hide_short_help = true
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

/// The note on an interrupted tuning.
pub(super) fn interrupted(stopped: &Interruption, has_model: bool, output: &str) -> String {
    let go_on = match stopped.can_resume {
        true => {
            format!("; continue with --resume (the trials so far are in {})", tuning_file(output))
        }
        false => String::new(),
    };
    let best = match has_model {
        true => format!("the best model so far is in {output}"),
        // The best one was trained before this run, or there is none yet.
        false => format!("no better model than before, {output} is unchanged"),
    };
    format!("interrupted ({}): {best}{go_on}", stopped.stage)
}

/// The best trials as a table.
pub(super) fn write(page: &mut Page, tuned: &Tuned, metric: &str) {
    let name = metric.split(':').next().unwrap_or_default();
    let keys = tuned.trials.iter().take(1).flat_map(|t| t.parameters.keys().map(String::as_str));
    let mut table = Table::new(["trial", name, "trees", "rung"].into_iter().chain(keys));
    let row = |&number: &usize| {
        let trial = &tuned.trials[number];
        let last = trial.rungs.last()?;
        let chosen = if tuned.chosen == Some(number) { ", chosen" } else { "" };
        let given = if number == 0 { ", as given" } else { "" };
        let came = format!("{} of {}", trial.rungs.len(), tuned.rungs);
        let figures = [format!("{:.4}", last.value), last.rounds.to_string(), came];
        let values = trial.parameters.values().cloned();
        let first = format!("{}{given}{chosen}", number + 1);
        Some([first].into_iter().chain(figures).chain(values))
    };
    tuned.ranking.iter().filter_map(row).take(MAX_SHOWN).for_each(|cells| table.row(cells));
    let trials = counted(tuned.trials.len(), "setting");
    page.text(&format!("{trials} tried, the best on the validation lists (slightly optimistic):"));
    page.table(&table);
    page.gap();
}
