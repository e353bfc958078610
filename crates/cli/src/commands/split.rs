//! `stakes split`: one file into two, list by list.

use clap::Args;
use stakes::data::lost_by_writing;
use stakes::io::{check_targets, check_write, target_format};
use stakes::split::HoldOut;

use crate::args::DataArgs;
use crate::terminal::hints;
use crate::terminal::output::{counted, note};

/// Split data into training lists and a test set
///
/// Whole lists go to one side or the other, by the same draw as `stakes train --hold-out`:
/// it depends on the seed and the list's id alone. With --time the latest lists are held out.
#[derive(Args)]
pub(crate) struct Split {
    #[command(flatten)]
    data: DataArgs,
    /// Part that goes to the second file: a percentage or share of the lists, or a number of them
    #[arg(long, value_name = "PART", default_value = "20%")]
    hold_out: HoldOut,
    /// Where to write both sides (formats from the extensions)
    #[arg(short, long, num_args = 2, value_names = ["REST", "HELD_OUT"], required = true)]
    output: Vec<String>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

impl Split {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        anyhow::ensure!(
            self.hold_out != HoldOut::None,
            "--hold-out is none: there would be nothing to write to {}",
            self.output[1]
        );
        check_targets(&self.output, [&self.data.data])?;
        for path in &self.output {
            target_format(path, None)?;
        }
        let data = self.data.read_exact()?;
        for path in &self.output {
            let format = check_write(&data, path, None)?;
            lost_by_writing(&data, format).iter().for_each(hints::note);
        }
        let sides = self.hold_out.divide(&data, &data.lists_with_impact(), self.seed)?;
        for (lists, path) in [&sides.kept, &sides.held_out].into_iter().zip(&self.output) {
            let part = data.take_lists(lists);
            stakes::io::write(&part, path, None)?;
            let (items, lists) = (counted(part.len(), "item"), counted(part.n_lists(), "list"));
            note(format!("{items} in {lists} written to {path}"));
        }
        if sides.by_time {
            note(format!("{} holds the latest lists", self.output[1]));
        }
        Ok(())
    }
}
