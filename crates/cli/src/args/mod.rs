//! Arguments that several commands share.

mod config;
mod exact;
mod scores;

pub(crate) use config::{note_config, use_config};
pub(crate) use exact::ExactArgs;
pub(crate) use scores::ScoreArgs;

use std::time::Instant;

use anyhow::bail;
use clap::Args;
use stakes::Task;
use stakes::config::{Config, GoalConfig};
use stakes::cost::{Capacity, Policy};
use stakes::data::Dataset;
use stakes::goal::{DEFAULT_ITEMS, Goal, Reach};
use stakes::io::{Format, MissingImpact, ReadOptions, Roles};
pub(crate) use stakes::learn::params::split_params;
use stakes::metric::{Metric, Spec, split_specs};

use crate::terminal::output::{counted, detail, note, shape};

/// The data file and the roles of its columns, by flags and by stakes.toml.
#[derive(Args, Clone)]
#[command(next_help_heading = "Columns")]
pub(crate) struct DataArgs {
    /// The data: CSV, TSV, Parquet, Arrow IPC or LETOR/SVMlight (text also as .gz); - is stdin
    pub(crate) data: String,

    /// File format (default: from the extension): csv, tsv, parquet, arrow, letor
    #[arg(long, value_name = "NAME")]
    pub(crate) format: Option<Format>,

    /// File with roles, goal and parameters, or none (default: stakes.toml beside the data)
    ///
    /// Flags win over it. `stakes init` writes a first one. Formats without columns (LETOR, TREC)
    /// ignore its section for columns.
    #[arg(long, value_name = "FILE")]
    config: Option<String>,

    #[command(flatten)]
    pub(crate) roles: RoleArgs,

    /// What stakes.toml says about these data.
    #[arg(skip)]
    file: Config,
}

/// Column roles by flags.
#[derive(Args, Clone)]
#[command(next_help_heading = "Columns")]
pub(crate) struct RoleArgs {
    /// Column with the list that an item belongs to (without it: one list)
    #[arg(long, value_name = "COLUMN", visible_alias = "qid")]
    pub(crate) list: Option<String>,
    /// Column with the observed impact or relevance label
    #[arg(long, value_name = "COLUMN", visible_alias = "label")]
    pub(crate) impact: Option<String>,
    /// Column with the item's id, unique within its list
    #[arg(long, value_name = "COLUMN")]
    pub(crate) id: Option<String>,
    /// Column with the protected group
    #[arg(long, value_name = "COLUMN")]
    pub(crate) group: Option<String>,
    /// Column with an importance weight, independent of the impact
    #[arg(long, value_name = "COLUMN")]
    pub(crate) weight: Option<String>,
    /// Column with the price of acting on the item
    #[arg(long, value_name = "COLUMN")]
    pub(crate) price: Option<String>,
    /// Column with the time of observation: numbers or ISO dates
    #[arg(long, value_name = "COLUMN")]
    pub(crate) time: Option<String>,
    /// Columns to leave out
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) drop: Vec<String>,
    /// Features to read as categories even where they look like numbers
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) categorical: Vec<String>,
    /// Features that must be numbers: text in them is an error
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) numeric: Vec<String>,
    /// Rows without an impact, or without a value in a column that the cost reads: refuse, drop
    /// or zero (default: refuse)
    #[arg(long, value_name = "WHAT")]
    pub(crate) missing_impact: Option<MissingImpact>,
}

impl DataArgs {
    /// Reads the data for a task.
    pub(crate) fn use_task(&mut self, task: &Task) {
        self.roles.categorical = task.roles(self.roles.roles()).categorical;
    }

    /// Reads the data; `extras` are numeric columns that are not features, and those among
    /// them that the cost reads are `outcomes`.
    pub(crate) fn read(
        &self,
        extras: Vec<String>,
        outcomes: Vec<String>,
    ) -> anyhow::Result<Dataset> {
        self.read_as(Roles { extras, outcomes, ..self.roles.roles() })
    }

    /// Reads the data to be copied: no number is rounded to 32 bits. Columns that the cost reads must
    /// hold numbers.
    pub(crate) fn read_exact(&self, cost: Vec<String>) -> anyhow::Result<Dataset> {
        self.read_as(Roles { extras: cost, ..self.roles.roles().exact() })
    }

    fn read_as(&self, roles: Roles) -> anyhow::Result<Dataset> {
        let begun = Instant::now();
        let data = stakes::io::read(&self.data, &self.filled(roles)?)?;
        let (size, seconds) = (shape(&data), begun.elapsed().as_secs_f64());
        detail(format!("{}: {size}, read in {seconds:.2} s", self.data));
        note_dropped(&data);
        Ok(data)
    }

    /// How the data are read, if `extras` are not features.
    pub(crate) fn options(&self, extras: Vec<String>) -> anyhow::Result<ReadOptions> {
        self.filled(Roles { extras, ..self.roles.roles() })
    }
}

impl RoleArgs {
    /// Refuses the protected group where a model is used, which has no use for it.
    pub(crate) fn refuse_group(&self, why: &str) -> anyhow::Result<()> {
        match &self.group {
            Some(group) => bail!(
                "--group {group} has no effect here: a model {why}; leave it out (stakes train \
                 --group keeps the column out of the features)"
            ),
            None => Ok(()),
        }
    }

    /// Column roles.
    pub(crate) fn roles(&self) -> Roles {
        let r = self.clone();
        Roles {
            list: r.list,
            impact: r.impact,
            id: r.id,
            group: r.group,
            weight: r.weight,
            price: r.price,
            time: r.time,
            drop: r.drop,
            categorical: r.categorical,
            numeric: r.numeric,
            missing_impact: r.missing_impact.unwrap_or_default(),
            ..Roles::default()
        }
    }
}

/// Says how many rows were left out on reading.
pub(crate) fn note_dropped(data: &Dataset) {
    if data.dropped_rows() > 0 {
        let rows = counted(data.dropped_rows(), "row");
        note(format!("{rows} left out: the impact or an input of the cost is missing"));
    }
}

/// The cost, and how many items can be acted on.
#[derive(Args, Clone)]
#[command(next_help_heading = "Cost and action")]
pub(crate) struct CostArgs {
    /// What acting on an item saves: y (the impact), exp2 (2^y - 1), a column, or an
    /// expression over columns such as 'customers * hours * 12.5'
    #[arg(long, value_name = "COST", allow_hyphen_values = true)]
    pub(crate) cost: Option<String>,
    /// How many items of a list can be acted on: 10, 12.5% (of the mean list length, rounded
    /// up), or a range of capacities 10..40
    #[arg(short, long, value_name = "K", allow_negative_numbers = true)]
    pub(crate) k: Option<Capacity>,
    /// Probability that a position is acted on: linear, log, step, geometric(0.9), or a table
    /// 1/0.8/0.5
    #[arg(long, value_name = "POLICY")]
    pub(crate) policy: Option<String>,
    /// Money to spend in each list instead of a number of items (needs --price)
    #[arg(long, value_name = "MONEY", conflicts_with = "k", allow_negative_numbers = true)]
    pub(crate) budget: Option<String>,

    /// What stakes.toml says about the goal.
    #[arg(skip)]
    pub(crate) file: GoalConfig,
}

impl CostArgs {
    /// The goal: cost, k or budget, policy, and the metric that decides. Without --k and
    /// --budget the cutoff of the metric is the number of items, or else the default.
    pub(crate) fn goal(&self, metric: Option<&str>) -> anyhow::Result<Goal> {
        self.goal_or(metric, &Goal::default())
    }

    /// The same with another default.
    pub(crate) fn goal_or(&self, metric: Option<&str>, default: &Goal) -> anyhow::Result<Goal> {
        Ok(self.given(metric)?.or(&self.file).goal_or(default))
    }

    /// What flags say.
    pub(crate) fn given(&self, metric: Option<&str>) -> anyhow::Result<GoalConfig> {
        let budget = self.budget.as_deref().map(money).transpose()?.map(Reach::Money);
        let policy = self.policy.as_deref().map(str::parse::<Policy>).transpose();
        Ok(GoalConfig {
            cost: self.cost.as_deref().map(str::parse).transpose()?,
            reach: self.k.map(Reach::from).or(budget),
            policy: policy?,
            metric: metric.map(str::parse).transpose()?,
        })
    }

    /// The number of items that can be acted on, if it is known.
    pub(crate) fn capacity(&self) -> Option<Capacity> {
        match (self.k, &self.budget, self.file.reach) {
            (Some(k), ..) | (None, None, Some(Reach::Items(k))) => Some(k),
            _ => None,
        }
    }

    /// A note when k was not given and matters.
    pub(crate) fn note_default_k(&self, asked: &[Spec], metrics: &[Metric]) {
        const DEFAULT: Capacity = Capacity::Items(DEFAULT_ITEMS);
        let filled = |(asked, metric): (&Spec, &Metric)| {
            asked.cutoff.is_none() && metric.cutoff() == Some(DEFAULT)
        };
        if self.capacity().is_none() && asked.iter().zip(metrics).any(filled) {
            note("k = 10; say how many items can be acted on with --k");
        }
    }
}

/// The metrics of a comma-separated text, as they were typed.
pub(crate) fn specs(text: &str) -> anyhow::Result<Vec<Spec>> {
    split_specs(text).iter().map(|text| Ok(text.parse()?)).collect()
}

fn money(text: &str) -> anyhow::Result<f64> {
    match text.trim().parse() {
        Ok(money) if money > 0.0 && f64::is_finite(money) => Ok(money),
        _ => bail!("--budget is `{text}`; it must be a number above 0"),
    }
}
