//! Arguments that several commands share.

use anyhow::bail;
use clap::Args;
use stakes::cost::{Capacity, CostModel};
use stakes::data::Dataset;
use stakes::io::{Format, MissingImpact, ReadOptions, Roles};
use stakes::metric::{Metric, Scale, Spec, split_specs};

/// Which file, and what its columns stand for.
#[derive(Args, Clone)]
pub(crate) struct DataArgs {
    /// The data: CSV, TSV, Parquet, Arrow IPC or LETOR/SVMlight (text also as .gz); - is stdin
    pub(crate) data: String,

    /// Format, if the name does not tell: csv, tsv, parquet, arrow, letor
    #[arg(long, value_name = "NAME")]
    pub(crate) format: Option<Format>,

    #[command(flatten)]
    pub(crate) roles: RoleArgs,
}

/// Column roles by flags.
#[derive(Args, Clone)]
#[command(next_help_heading = "Columns")]
pub(crate) struct RoleArgs {
    /// Column that says which list an item belongs to (without it: one list)
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
    /// Column with an importance that is independent of the impact
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
    /// Features whose values are names even where they look like numbers
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) categorical: Vec<String>,
    /// Features that must be numbers: text in them is an error
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) numeric: Vec<String>,
    /// Rows without an impact, or without a value in a column that the cost reads: refuse,
    /// drop or zero
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

    /// Whether the data are LETOR, which names its columns itself and means 0 by a feature
    /// that is not there. `there` are the columns, as far as they are known.
    pub(crate) fn is_letor(&self, there: &[String]) -> bool {
        match self.format.or_else(|| Format::from_path(&self.data)) {
            Some(format) => format == Format::Letor,
            None => there.starts_with(&["label", "qid", "docid"].map(str::to_owned)),
        }
    }

    fn read_as(
        &self,
        extras: Vec<String>,
        outcomes: Vec<String>,
        exact: bool,
    ) -> anyhow::Result<Dataset> {
        let r = self.roles.clone();
        let roles = Roles {
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
            extras,
            outcomes,
            exact,
            missing_impact: r.missing_impact,
        };
        let data = stakes::io::read(&self.data, &ReadOptions { roles, format: self.format })?;
        if data.dropped_rows() > 0 {
            let rows = crate::output::counted(data.dropped_rows(), "row");
            let why = "the impact or an input of the cost is missing";
            crate::output::note(format!("{rows} left out: {why}"));
        }
        Ok(data)
    }
}

/// What acting saves, and how many items can be acted on.
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
    /// Chance that a position is acted on: linear, log, step, geometric(0.9), or a table
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

/// The k that is used, and said to be used, when none is given.
const DEFAULT_K: Capacity = Capacity::Items(10);

impl CostArgs {
    /// The cost model.
    pub(crate) fn model(&self) -> anyhow::Result<CostModel> {
        Ok(CostModel::parse(&self.cost)?)
    }

    /// k, or the default.
    pub(crate) fn capacity(&self) -> Capacity {
        self.k.unwrap_or(DEFAULT_K)
    }

    /// k as a number of positions, to mark in pictures: --k, or that of the first metric
    /// that has one.
    pub(crate) fn k_for_pictures(&self, metrics: &[Metric], data: &Dataset) -> usize {
        let of_metrics = || metrics.iter().find_map(|m| m.cutoff());
        match self.k.or_else(of_metrics).unwrap_or(DEFAULT_K).resolve(data.mean_list_length()) {
            Capacity::Items(k) | Capacity::Range(_, k) => k,
            Capacity::All | Capacity::Percent(_) => 10,
        }
    }

    /// Refuses metrics that cannot be read, before any data is.
    pub(crate) fn check_metrics(&self, text: &str) -> anyhow::Result<()> {
        split_specs(text).iter().try_for_each(|text| Ok(text.parse::<Spec>().map(drop)?))
    }

    /// The metrics of a comma-separated text, with k, policy and budget filled in.
    pub(crate) fn metrics(&self, text: &str, scale: Scale) -> anyhow::Result<Vec<Metric>> {
        let metrics = split_specs(text)
            .iter()
            .map(|text| Ok(self.complete(text.parse::<Spec>()?).build(scale)?))
            .collect::<anyhow::Result<Vec<_>>>()?;
        for (i, metric) in metrics.iter().enumerate() {
            if metrics[..i].iter().any(|m| m.name() == metric.name()) {
                bail!("metric {} is asked for twice; name each once", metric.name());
            }
        }
        Ok(metrics)
    }

    fn complete(&self, spec: Spec) -> Spec {
        let spec = match &self.policy {
            Some(policy) => spec.or_option("policy", policy),
            None => spec,
        };
        match &self.budget {
            Some(money) if spec.option("budget").is_some() && spec.cutoff.is_none() => {
                spec.or_option("budget", money)
            }
            _ if spec.option("budget").is_some_and(|b| b != "none") => spec,
            _ => spec.or_cutoff(self.capacity()),
        }
    }

    /// A remark when k was not given and matters.
    pub(crate) fn remark_default_k(&self, asked: &str, metrics: &[Metric]) {
        let had_k = |text: &String| text.parse::<Spec>().is_ok_and(|spec| spec.cutoff.is_some());
        let filled = |(text, metric): (&String, &Metric)| !had_k(text) && metric.cutoff().is_some();
        if self.k.is_none() && split_specs(asked).iter().zip(metrics).any(filled) {
            crate::output::note("k = 10; say how many items can be acted on with --k");
        }
    }
}
