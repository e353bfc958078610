//! `stakes inspect`: the command.

use clap::Args;
use stakes::cost::{Capacity, CostModel, Problem};
use stakes::inspect::{InspectOptions, Inspection};

use super::write;
use crate::args::DataArgs;
use crate::terminal::output::{page, print_json, print_page, watched};

/// Look at data: the cost that can be saved, where it is, and what to check first
///
/// Facts about lists, costs and features, what k actions can reach, and findings: columns
/// that may leak the answer, rows sorted by cost, one list that dominates, useless columns.
#[derive(Args)]
pub(crate) struct Inspect {
    #[command(flatten)]
    data: DataArgs,
    /// What acting on an item saves: y (the impact), exp2 (2^y - 1), a column, or an
    /// expression over columns
    #[arg(long, value_name = "COST", default_value = "y", allow_hyphen_values = true)]
    cost: String,
    /// How many items of a list can be acted on: 10, 12.5% (of the mean list length, rounded
    /// up), or a range of capacities 10..40
    #[arg(short, long, value_name = "K", default_value = "10", allow_negative_numbers = true)]
    k: Capacity,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Inspect {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let seen = watched(|say| {
            say("reading");
            self.look(say)
        })?;
        if self.json {
            return print_json(&seen);
        }
        let mut page = page();
        write(&mut page, &seen);
        print_page(page)
    }

    fn look(&self, say: &dyn Fn(&str)) -> anyhow::Result<Inspection> {
        let model = CostModel::parse(&self.cost)?;
        let data = self.data.read(model.columns(), model.columns())?;
        say("looking");
        let cost_name = (model != CostModel::Impact).then(|| self.cost.clone());
        let options = InspectOptions { k: self.k, cost_name };
        // Data to be scored has no impact yet; there is still something to see.
        if data.impact().is_none() && model == CostModel::Impact {
            return Ok(Inspection::of_data(&data, &options));
        }
        Ok(Inspection::of_problem(&Problem::new(&data, &model)?, &options))
    }
}
