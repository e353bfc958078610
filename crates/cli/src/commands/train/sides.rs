//! The lists to train on and the lists to validate with.

use anyhow::{Context, bail};
use clap::Args;
use stakes::config::TrainConfig;
use stakes::data::{Dataset, read_like};
use stakes::fit::{Division, Fit};
use stakes::goal::Goal;
use stakes::io::is_same_file;
use stakes::split::HoldOut;

use crate::args::{DataArgs, Reading};
use crate::terminal::hints;

#[derive(Args)]
#[command(next_help_heading = "Training")]
pub(crate) struct SideArgs {
    /// Lists to validate with: 20%, 0.2, a number, none
    ///
    /// They are drawn by list id; with --time they are the latest. Default, if at least 5 lists have a
    /// cost to save: none with auto and with boosted trees, which are cross-validated, unless there
    /// are times or more than 20 million values; else 20%.
    #[arg(long, value_name = "PART")]
    hold_out: Option<HoldOut>,
    /// Another file with validation lists, read as DATA is
    ///
    /// They stop the training in time, and measure the model.
    #[arg(long, value_name = "FILE", conflicts_with = "hold_out", hide_short_help = true)]
    valid: Option<String>,
    /// Train on all lists, and cross-validate in N folds
    ///
    /// The model is measured and calibrated by lists left out in turn. Folds of boosted trees are
    /// trained in step, the lists left out decide when to stop, and the model is the mean over the
    /// folds; other learners are trained once more for every fold, and make all --rounds.
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u16).range(2..=1000),
        conflicts_with_all = ["hold_out", "valid"]
    )]
    folds: Option<u16>,
    /// Features that may put the cost in order almost perfectly
    ///
    /// Without it such a feature is refused: as a rule it is computed from the cost, or known only with it.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', hide_short_help = true)]
    allow_leak: Vec<String>,
}

impl SideArgs {
    /// Validates as it is asked for.
    pub(super) fn apply<'f>(&self, fit: Fit<'f>) -> Fit<'f> {
        match (self.hold_out, self.folds) {
            (Some(part), _) => fit.hold_out(part),
            (None, Some(folds)) => fit.folds(folds.into()),
            (None, None) => fit,
        }
    }

    /// Takes the part to hold out from stakes.toml if flags say nothing, and returns it in words.
    pub(super) fn use_config(&mut self, train: &TrainConfig) -> Option<String> {
        if self.valid.is_some() || self.hold_out.is_some() || self.folds.is_some() {
            return None;
        }
        self.hold_out = train.hold_out;
        train.hold_out.map(|part| format!("hold-out {part}"))
    }

    /// The file with validation lists.
    pub(super) fn file(&self) -> Option<&String> {
        self.valid.as_ref()
    }

    /// Divides the data.
    pub(super) fn divide(
        &self,
        fit: &Fit<'_>,
        data: Dataset,
        goal: &Goal,
        args: &DataArgs,
    ) -> anyhow::Result<Division<'static>> {
        let division = match &self.valid {
            Some(path) if is_same_file(path, &args.data) => {
                bail!("--valid is {path}, the training data; give other lists, or --hold-out")
            }
            Some(path) => {
                let mut options = args.options(data.columns().extras.clone())?;
                options.roles.outcomes = goal.cost.columns();
                let reading = Reading::of(path);
                let other = read_like(&data, path, &options)?;
                reading.done(&other);
                fit.validate_with(data, other, goal).context("--valid")?
            }
            None => fit.divide(data, goal)?,
        };
        hints::notes(&division.notes);
        division.check_leaks(&self.allow_leak)?;
        Ok(division)
    }
}
