//! `stakes inspect`: the command.

use clap::Args;
use stakes::Observer;
use stakes::cost::{Capacity, CostModel, Problem};
use stakes::goal::DEFAULT_ITEMS;
use stakes::inspect::{InspectOptions, Inspection};

use super::write;
use crate::args::{DataArgs, note_config};
use crate::terminal::output::{page, print_json, print_page, watched};

/// Look at data: the cost, where it is, what to check first
///
/// Facts about lists, costs and features, what k actions can reach, and findings: columns
/// that may leak the answer, rows sorted by cost, one list that dominates, useless columns.
#[derive(Args)]
pub(crate) struct Inspect {
    /// As JSON (docs/inspect-json.md)
    #[arg(long)]
    json: bool,

    /// Items of a list that can be acted on: 10, 12.5%, 10..40
    ///
    /// A percentage is of the mean list length, rounded up; 10..40 is a range of capacities.
    #[arg(short, long, value_name = "K", allow_negative_numbers = true, help_heading = "Goal")]
    k: Option<Capacity>,
    /// What acting on an item saves (default: its impact)
    ///
    /// y (the impact), exp2 (2^y - 1), a column, or an expression over columns such as
    /// 'customers * hours * 12.5'.
    #[arg(long, value_name = "COST", allow_hyphen_values = true, help_heading = "Goal")]
    cost: Option<String>,

    #[command(flatten)]
    data: DataArgs,
}

impl Inspect {
    pub(crate) fn run(mut self) -> anyhow::Result<()> {
        let config = self.data.load_config(true)?;
        let mut used = self.data.use_config(&config)?;
        let cost = match &self.cost {
            Some(text) => text.parse()?,
            None => {
                used.extend(config.goal.cost.iter().map(|cost| format!("cost {cost}")));
                config.goal.cost.clone().unwrap_or_default()
            }
        };
        let k = self.k.or_else(|| {
            let k = config.goal.goal().capacity().filter(|_| config.goal.reach.is_some());
            used.extend(k.map(|k| format!("k {k}")));
            k
        });
        note_config(&config, &used);
        let seen = watched(|observer| {
            observer.stage("reading");
            self.look(cost, k.unwrap_or(Capacity::Items(DEFAULT_ITEMS)), observer)
        })?;
        if self.json {
            return print_json(&seen);
        }
        let mut page = page();
        write(&mut page, &seen);
        print_page(page)
    }

    fn look(
        &self,
        model: CostModel,
        k: Capacity,
        observer: &mut dyn Observer,
    ) -> anyhow::Result<Inspection> {
        let data = self.data.read(model.columns(), model.columns())?;
        observer.stage("looking");
        let cost_name = (model != CostModel::Impact).then(|| model.to_string());
        let options = InspectOptions { k, cost_name };
        // Data to be scored has no impact yet; there is still something to see.
        if data.impact().is_none() && model == CostModel::Impact {
            return Ok(Inspection::of_data(&data, &options));
        }
        Ok(Inspection::of_problem(&Problem::new(&data, &model)?, &options))
    }
}
