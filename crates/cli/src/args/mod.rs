//! Arguments that several commands share.

mod exact;
mod scores;

pub(crate) use exact::ExactArgs;
pub(crate) use scores::ScoreArgs;

use anyhow::bail;
use clap::Args;
use stakes::cost::{Capacity, CostModel, Policy};
use stakes::data::Dataset;
use stakes::goal::{DEFAULT_ITEMS, Goal, Reach};
use stakes::io::{Format, MissingImpact, ReadOptions, Roles};
pub(crate) use stakes::learn::params::split_params;
use stakes::metric::{Metric, Spec, split_specs};

use crate::terminal::output::{counted, note};

/// The data file and the roles of its columns.
#[derive(Args, Clone)]
pub(crate) struct DataArgs {
    /// The data: CSV, TSV, Parquet, Arrow IPC or LETOR/SVMlight (text also as .gz); - is stdin
    pub(crate) data: String,

    /// File format (default: from the extension): csv, tsv, parquet, arrow, letor
    #[arg(long, value_name = "NAME")]
    pub(crate) format: Option<Format>,

    #[command(flatten)]
    pub(crate) roles: RoleArgs,
}

/// Column roles by flags.
#[derive(Args, Clone)]
#[command(next_help_heading = "Columns")]
pub(crate) struct RoleArgs {
    /// Column with the list that an item belongs to (without it: one list)
    #[arg(long, value_name = "COLUMN")]
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
    /// What to do with rows without an impact, or without a value in a column that the cost
    /// reads: refuse, drop or zero
    #[arg(long, value_name = "WHAT", default_value = "refuse")]
    pub(crate) missing_impact: MissingImpact,
}

impl DataArgs {
    /// Reads the data; `extras` are numeric columns that are not features, and those among
    /// them that the cost reads are `outcomes`.
    pub(crate) fn read(
        &self,
        extras: Vec<String>,
        outcomes: Vec<String>,
    ) -> anyhow::Result<Dataset> {
        self.read_as(extras, outcomes, false)
    }

    /// Reads the data to be copied: no number is rounded to 32 bits.
    pub(crate) fn read_exact(&self) -> anyhow::Result<Dataset> {
        self.read_as(Vec::new(), Vec::new(), true)
    }

    fn read_as(
        &self,
        extras: Vec<String>,
        outcomes: Vec<String>,
        exact: bool,
    ) -> anyhow::Result<Dataset> {
        let mut options = self.options();
        options.roles.extras = extras;
        options.roles.outcomes = outcomes;
        options.roles.exact = exact;
        let data = stakes::io::read(&self.data, &options)?;
        note_dropped(&data);
        Ok(data)
    }

    /// How the data are read.
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions { roles: self.roles.roles(), format: self.format }
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
            missing_impact: r.missing_impact,
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
    #[arg(long, value_name = "COST", default_value = "y", allow_hyphen_values = true)]
    pub(crate) cost: String,
    /// How many items of a list can be acted on: 10, 12.5% (of the mean list length, rounded
    /// up), or a range of capacities 10..40
    #[arg(short, long, value_name = "K", allow_negative_numbers = true)]
    pub(crate) k: Option<Capacity>,
    /// Probability that a position is acted on: linear, log, step, geometric(0.9), or a table
    /// 1/0.8/0.5
    #[arg(long, value_name = "POLICY")]
    pub(crate) policy: Option<String>,
    /// Money to spend in each list instead of a number of items (needs --price)
    #[arg(
        long,
        value_name = "MONEY",
        conflicts_with = "k",
        requires = "price",
        allow_negative_numbers = true
    )]
    pub(crate) budget: Option<String>,
}

/// The k that is used, and reported to be used, when none is given.
const DEFAULT_K: Capacity = Capacity::Items(DEFAULT_ITEMS);

impl CostArgs {
    /// The goal: cost, k or budget, policy, and the metric that decides. Without --k and
    /// --budget the cutoff of the metric is the number of items, or else the default.
    pub(crate) fn goal(&self, metric: &str) -> anyhow::Result<Goal> {
        let metric: Spec = metric.parse()?;
        let reach = match &self.budget {
            Some(text) => Reach::Money(money(text)?),
            None => self.k.or(metric.cutoff).unwrap_or(DEFAULT_K).into(),
        };
        let policy = self.policy.as_deref().map(Policy::parse).transpose();
        let policy = policy.map_err(anyhow::Error::msg)?.unwrap_or_default();
        Ok(Goal { cost: CostModel::parse(&self.cost)?, reach, policy, metric })
    }

    /// A note when k was not given and matters.
    pub(crate) fn note_default_k(&self, asked: &[Spec], metrics: &[Metric]) {
        let filled =
            |(asked, metric): (&Spec, &Metric)| asked.cutoff.is_none() && metric.cutoff().is_some();
        if self.k.is_none() && asked.iter().zip(metrics).any(filled) {
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
