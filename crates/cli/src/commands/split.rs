//! `stakes split`: one file into two, list by list.

use clap::Args;
use stakes::cost::{CostModel, Problem};
use stakes::data::lost_by_writing;
use stakes::io::{check_targets, check_write, target_format};
use stakes::split::{HoldOut, HoldOutOptions};

use crate::args::{DataArgs, note_config};
use crate::terminal::hints;
use crate::terminal::output::{counted, note, written};

/// Split data into training lists and a test set
///
/// Whole lists go to one side or the other, by the same draw as `stakes train --hold-out`:
/// it depends on the seed and the list's id alone. With --time the latest lists are held out.
#[derive(Args)]
pub(crate) struct Split {
    /// Where to write both sides; formats by the extensions
    #[arg(short, long, num_args = 2, value_names = ["REST", "TEST"], required = true)]
    output: Vec<String>,
    /// Lists that go to the second file: 20%, 0.2, a number of lists
    #[arg(long, value_name = "PART", default_value = "20%")]
    hold_out: HoldOut,
    /// Seed of all random draws
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// What acting on an item saves (default: its impact)
    ///
    /// The cost that training will get: either side has lists with some of it to save.
    #[arg(long, value_name = "COST", allow_hyphen_values = true)]
    cost: Option<CostModel>,

    #[command(flatten)]
    data: DataArgs,
}

impl Split {
    pub(crate) fn run(mut self) -> anyhow::Result<()> {
        anyhow::ensure!(
            self.hold_out != HoldOut::None,
            "--hold-out is none: there would be nothing to write to {}",
            self.output[1]
        );
        check_targets(&self.output, [&self.data.data])?;
        for path in &self.output {
            target_format(path, None)?;
        }
        let config = self.data.load_config(true)?.for_copying();
        note_config(&config, &self.data.use_config(&config)?);
        let cost = self.cost.or(config.goal.cost);
        let columns = cost.as_ref().map(CostModel::columns).unwrap_or_default();
        let data = self.data.read_exact(columns)?;
        let savable = match &cost {
            Some(cost) => Some(Problem::new(&data, cost)?.savable()),
            None => None,
        };
        for path in &self.output {
            let format = check_write(&data, path, None)?;
            lost_by_writing(&data, format).iter().for_each(hints::note);
        }
        let options =
            HoldOutOptions { part: self.hold_out, seed: self.seed, savable: savable.as_deref() };
        let sides = data.hold_out_with(&options)?;
        for (part, path) in [&sides.kept, &sides.held_out].into_iter().zip(&self.output) {
            stakes::io::write(part, path, None)?;
            written(path);
            let (items, lists) = (counted(part.len(), "item"), counted(part.n_lists(), "list"));
            note(format!("{items} in {lists} written to {path}"));
        }
        if sides.by_time {
            note(format!("{} holds the latest lists", self.output[1]));
        }
        Ok(())
    }
}
