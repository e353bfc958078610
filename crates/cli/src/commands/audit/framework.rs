//! `stakes audit --framework`: what each measure can see, without data.

use anyhow::bail;
use clap::builder::ArgPredicate;
use clap::{Arg, Args};
use stakes::audit::{FrameworkOptions, ScenarioOptions, framework, write_cells, write_matrix};
use stakes::cost::Capacity;

use super::Audit;
use crate::terminal::output::{self, print_json, print_page};

/// The cut-off of the framework's measures: a fifth of its lists.
const FRAMEWORK_K: usize = 20;

/// What has to do with data, which the framework does without.
pub(super) const OF_DATA: [&str; 35] = [
    "classes",
    "envy",
    "individuals",
    "data",
    "config",
    "format",
    "sheet",
    "decimal",
    "dates",
    "list",
    "impact",
    "id",
    "time",
    "price",
    "drop",
    "group",
    "weight",
    "categorical",
    "numeric",
    "missing_impact",
    "missing_group",
    "score",
    "score_file",
    "model",
    "cost",
    "budget",
    "policy",
    "level",
    "resamples",
    "protected",
    "reference",
    "svg",
    "html",
    "per_list",
    "expected",
];

#[derive(Args)]
#[command(next_help_heading = "Framework")]
pub(super) struct SizeArgs {
    /// Items of its rankings (default: 100)
    #[arg(long, value_name = "N", requires = "framework", hide_short_help = true)]
    items: Option<usize>,
    /// Members of its group (default: 10)
    #[arg(long, value_name = "N", requires = "framework", hide_short_help = true)]
    members: Option<usize>,
}

/// Data are needed, unless the framework is asked for.
pub(crate) fn data_unless_framework(arg: Arg) -> Arg {
    let asked = ArgPredicate::Equals("true".into());
    arg.required(false).required_unless_present("framework").default_value_if(
        "framework",
        asked,
        "-",
    )
}

impl Audit {
    pub(super) fn show_framework(&self) -> anyhow::Result<()> {
        let usual = ScenarioOptions::default();
        let k = match self.cost.k {
            None => FRAMEWORK_K,
            Some(Capacity::Items(k)) => k,
            Some(other) => bail!("k is {other}; the framework needs a number of items, such as 20"),
        };
        let scenarios = ScenarioOptions {
            n: self.sizes.items.unwrap_or(usual.n),
            m: self.sizes.members.unwrap_or(usual.m),
            seed: self.uncertainty.seed,
            ..usual
        };
        let options = FrameworkOptions {
            measures: self.measures(k)?,
            scenarios,
            draws: self.uncertainty.draws,
            k,
            ..FrameworkOptions::default()
        };
        let found = framework(&options)?;
        if self.json {
            return print_json(&found);
        }
        let mut page = output::page();
        match self.measure.is_empty() {
            true => write_matrix(&mut page, &found),
            false => write_cells(&mut page, &found),
        }
        print_page(page)
    }
}
