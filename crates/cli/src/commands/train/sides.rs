//! The lists to train on and the lists to validate with.

use anyhow::{Context, bail};
use clap::Args;
use stakes::data::{Dataset, read_like};
use stakes::fit::{Division, Fit};
use stakes::goal::Goal;
use stakes::io::is_same_file;
use stakes::split::HoldOut;

use crate::args::{DataArgs, note_dropped};
use crate::terminal::hints;

#[derive(Args)]
#[command(next_help_heading = "Validation")]
pub(crate) struct SideArgs {
    /// Another file with validation lists: for early stopping, and to measure the model. Parsed
    /// with the same options as DATA
    #[arg(long, value_name = "FILE", conflicts_with = "hold_out")]
    valid: Option<String>,
    /// Lists of the data to hold out for validation: a percentage or share (20%, 0.2), a number
    /// of lists, or none. Drawn by list id; with --time the latest. Default: 20%, if at least 5
    /// lists have a cost to save; none with the learner auto, which cross-validates
    #[arg(long, value_name = "PART")]
    hold_out: Option<HoldOut>,
}

impl SideArgs {
    /// The part to hold out, if it is given.
    pub(super) fn hold_out(&self) -> Option<HoldOut> {
        self.hold_out
    }

    /// The file with validation lists.
    pub(super) fn file(&self) -> Option<&String> {
        self.valid.as_ref()
    }

    /// Divides the data. `as_lists` makes lists of a file of rows.
    pub(super) fn divide(
        &self,
        fit: &Fit<'_>,
        data: Dataset,
        goal: &Goal,
        args: &DataArgs,
        as_lists: impl Fn(Dataset) -> Result<Dataset, stakes::Error>,
    ) -> anyhow::Result<Division> {
        let division = match &self.valid {
            Some(path) if is_same_file(path, &args.data) => {
                bail!("--valid is {path}, the training data; give other lists, or --hold-out")
            }
            Some(path) => {
                let mut options = args.options();
                options.roles.extras = goal.cost.columns();
                options.roles.outcomes = goal.cost.columns();
                let other = read_like(&data, path, &options)?;
                note_dropped(&other);
                fit.validate_with(data, as_lists(other)?).context("--valid")?
            }
            None => fit.divide(data, goal)?,
        };
        hints::notes(&division.notes);
        Ok(division)
    }
}
