//! Arguments that several commands share.

mod config;
mod exact;
mod experiment;
pub(crate) mod measures;
mod ray;
mod reach;
mod scores;
mod seen;
mod size;
mod verdict;
pub(crate) mod words;

pub(crate) use config::{note_config, use_config};
pub(crate) use exact::ExactArgs;
pub(crate) use experiment::{Asked, ExperimentArgs, Files, Others, Watch};
pub(crate) use ray::RayArgs;
pub(crate) use reach::ReachArgs;
pub(crate) use scores::{ScoreArgs, name_and_path};
pub(crate) use seen::SeenArgs;
pub(crate) use size::Size;
pub(crate) use verdict::VerdictArgs;

use std::time::Instant;

use anyhow::bail;
use clap::Args;
use clap::builder::Resettable;
use stakes::Task;
use stakes::config::{Config, GoalConfig};
use stakes::cost::{Capacity, Policy};
use stakes::data::Dataset;
use stakes::evaluate::notes::acts_on_all;
use stakes::goal::{DEFAULT_ITEMS, Goal, Reach};
use stakes::io::{DateOrder, Decimal, FileOptions, Format, MissingImpact, ReadOptions, Roles};
pub(crate) use stakes::learn::params::split_params;
use stakes::metric::{Metric, Spec, split_specs};

use crate::terminal::hints;
use crate::terminal::output::{counted, detail, note, shape};

/// The data file and the roles of its columns, by flags and by stakes.toml. It stands last in a
/// command, so that the columns are last in its help.
#[derive(Args, Clone)]
#[command(next_help_heading = Resettable::Reset)]
pub(crate) struct DataArgs {
    /// CSV, TSV, xlsx, Parquet, Arrow or LETOR (text also .gz); - is stdin
    pub(crate) data: String,

    /// Roles of columns, goal, parameters (default: stakes.toml)
    ///
    /// A file, or none. The default is stakes.toml beside DATA, if there is one; `stakes init` writes a
    /// first one. Flags win over it. Formats without columns (LETOR, TREC) ignore its section for
    /// columns.
    #[arg(long, value_name = "FILE")]
    config: Option<String>,

    #[command(flatten)]
    pub(crate) file_args: FileArgs,

    #[command(flatten)]
    pub(crate) roles: RoleArgs,

    /// What stakes.toml says about these data.
    #[arg(skip)]
    file: Config,
}

/// How a data file is read.
#[derive(Args, Clone)]
#[command(next_help_heading = Resettable::Reset)]
pub(crate) struct FileArgs {
    /// Format of DATA (default: from the extension): csv, tsv, xlsx, parquet, arrow, letor
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub(crate) format: Option<Format>,
    /// Sheet of a workbook, by name or number (default: the first that has data)
    #[arg(long, value_name = "SHEET", hide_short_help = true)]
    sheet: Option<String>,
    /// Decimals of numbers in text are after a comma or a point
    ///
    /// By default a column such as 1.234,56 is read as numbers where the whole column leaves no doubt.
    #[arg(long, value_name = "MARK", hide_short_help = true)]
    decimal: Option<Decimal>,
    /// Order of dates in text: dmy, mdy or ymd
    ///
    /// By default a column such as 7/1/2011 is read as dates where the whole column leaves no doubt.
    #[arg(long, value_name = "ORDER", hide_short_help = true)]
    dates: Option<DateOrder>,
}

impl FileArgs {
    pub(crate) fn options(&self) -> FileOptions {
        let FileArgs { format, sheet, decimal, dates } = self.clone();
        FileOptions { format, sheet, decimal, dates, limits: None }
    }
}

/// Column roles by flags.
#[derive(Args, Clone)]
#[command(next_help_heading = "Columns")]
pub(crate) struct RoleArgs {
    /// The list that an item belongs to: a storm, a query
    ///
    /// Items are compared only within their list; without lists all rows are one. --qid means the
    /// same.
    #[arg(long, value_name = "COLUMN", alias = "qid")]
    pub(crate) list: Option<String>,
    /// What was observed: an impact, a relevance label
    ///
    /// Numbers, at least 0. --label means the same.
    #[arg(long, value_name = "COLUMN", alias = "label")]
    pub(crate) impact: Option<String>,
    /// The item's id, unique within its list
    #[arg(long, value_name = "COLUMN")]
    pub(crate) id: Option<String>,
    /// When it was observed: numbers or ISO dates
    #[arg(long, value_name = "COLUMN")]
    pub(crate) time: Option<String>,
    /// What acting on the item takes from a budget
    #[arg(long, value_name = "COLUMN", hide_short_help = true)]
    pub(crate) price: Option<String>,
    /// Columns to leave out, separated by commas
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) drop: Vec<String>,
    /// The protected group of an item
    ///
    /// It is not a feature; stakes audit shows how an order treats it, stakes inspect its share of the
    /// cost. The list that an item belongs to, which other programs call its group, is --list.
    #[arg(long, value_name = "COLUMN", hide_short_help = true)]
    pub(crate) group: Option<String>,
    /// An importance weight, independent of the impact
    #[arg(long, value_name = "COLUMN", hide_short_help = true)]
    pub(crate) weight: Option<String>,
    /// Features to read as categories even where they look like numbers
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', hide_short_help = true)]
    pub(crate) categorical: Vec<String>,
    /// Features that must be numbers: text in them is an error
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', hide_short_help = true)]
    pub(crate) numeric: Vec<String>,
    /// Rows without an impact, or without a value in a column that the cost reads: refuse, drop
    /// or zero (default: refuse)
    #[arg(long, value_name = "WHAT", hide_short_help = true)]
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
        self.read_streamed(extras, outcomes, None)
    }

    /// The same; features of Parquet files that would take more bytes than this stay in the files.
    pub(crate) fn read_streamed(
        &self,
        extras: Vec<String>,
        outcomes: Vec<String>,
        stream_above: Option<u64>,
    ) -> anyhow::Result<Dataset> {
        let options = self.filled(Roles { extras, outcomes, ..self.roles.roles() })?;
        self.read_with(&ReadOptions { stream_above, ..options })
    }

    /// Reads the data to be copied: no number is rounded to 32 bits. Columns that the cost reads must
    /// hold numbers.
    pub(crate) fn read_exact(&self, cost: Vec<String>) -> anyhow::Result<Dataset> {
        self.read_with(&self.filled(Roles { extras: cost, ..self.roles.roles().exact() })?)
    }

    fn read_with(&self, options: &ReadOptions) -> anyhow::Result<Dataset> {
        let reading = Reading::of(&self.data);
        let data = stakes::io::read(&self.data, options)?;
        reading.done(&data);
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
                 --group keeps the column out of the features). The list that an item belongs to is \
                 --list COLUMN"
            ),
            None => Ok(()),
        }
    }

    /// Asks what is meant by --group where no column is a list: elsewhere it is the name for that.
    pub(crate) fn check_group(&self, all: &Roles) -> anyhow::Result<()> {
        match (&self.group, &all.list) {
            (Some(group), None) => bail!(
                "--group {group} may mean two things, as no list is named. The list that an item \
                 belongs to (a storm, a query) is --list {group}. The protected group of an item goes \
                 with --list COLUMN; if all rows are one list, name it in stakes.toml instead \
                 ([columns] group = '{group}')"
            ),
            _ => Ok(()),
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

/// A file that is being read.
pub(crate) struct Reading<'p> {
    path: &'p str,
    begun: Instant,
}

impl<'p> Reading<'p> {
    pub(crate) fn of(path: &'p str) -> Self {
        Reading { path, begun: Instant::now() }
    }

    /// Says how many rows were left out and, if details are wanted, what was read and how.
    pub(crate) fn done(self, data: &Dataset) {
        let (size, seconds) = (shape(data), self.begun.elapsed().as_secs_f64());
        let roles = data.columns().roles().map(|(role, column)| format!(", {role} {column}"));
        let roles: String = roles.collect();
        detail(format!("{}: {size}{roles}; read in {seconds:.2} s", self.path));
        read_notes(data.notes());
        if data.features().is_stored() {
            note(
                "the features stay in the files, and are read piece by piece: leave the files as they are",
            );
        }
        if data.dropped_rows() > 0 {
            let rows = counted(data.dropped_rows(), "row");
            note(format!("{rows} left out: the impact or an input of the cost is missing"));
        }
    }
}

/// Says how a file was read.
pub(crate) fn read_notes(notes: &[String]) {
    notes.iter().for_each(|text| note(hints::with_flags(text)));
}

/// The cost, and how many items can be acted on.
#[derive(Args, Clone)]
#[command(next_help_heading = "Goal")]
pub(crate) struct CostArgs {
    /// Items of a list that can be acted on: 10, 12.5%, 10..40
    ///
    /// A percentage is of the mean list length, rounded up; 10..40 is a range of capacities.
    #[arg(short, long, value_name = "K", allow_negative_numbers = true)]
    pub(crate) k: Option<Capacity>,
    /// What acting on an item saves (default: its impact)
    ///
    /// y (the impact), exp2 (2^y - 1), a column, or an expression over columns such as
    /// 'customers * hours * 12.5'.
    #[arg(long, value_name = "COST", allow_hyphen_values = true)]
    pub(crate) cost: Option<String>,
    /// Money to spend in each list instead of a number of items (needs --price)
    #[arg(
        long,
        value_name = "MONEY",
        conflicts_with = "k",
        allow_negative_numbers = true,
        hide_short_help = true
    )]
    pub(crate) budget: Option<String>,
    /// Probability that a position is acted on: linear, log, step, geometric(0.9), or a table
    /// 1/0.8/0.5
    #[arg(long, value_name = "POLICY", hide_short_help = true)]
    pub(crate) policy: Option<String>,

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
    pub(crate) fn note_default_k(&self, asked: &[Spec], metrics: &[Metric], data: &Dataset) {
        const DEFAULT: Capacity = Capacity::Items(DEFAULT_ITEMS);
        let filled = |(asked, metric): (&Spec, &Metric)| {
            asked.cutoff.is_none() && metric.cutoff() == Some(DEFAULT)
        };
        if self.capacity().is_none() && asked.iter().zip(metrics).any(filled) {
            match acts_on_all(data, DEFAULT_ITEMS) {
                Some(all) => hints::note(&all),
                None => note("k = 10; say how many items can be acted on with --k"),
            }
        }
    }
}

/// Refuses a file name that does not end as what is written into it does.
pub(crate) fn check_ending(path: Option<&str>, ending: &str, what: &str) -> anyhow::Result<()> {
    match path {
        Some(path) if path != "-" && !path.to_ascii_lowercase().ends_with(ending) => {
            bail!("{path}: {what} are written here; give the file a name that ends in {ending}")
        }
        _ => Ok(()),
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
