//! `stakes plan`: which items to act on, within what there is.

use anyhow::{Context, bail};
use clap::Args;
use stakes::Error;
use stakes::data::{Dataset, Purpose, read_for};
use stakes::evaluate::scores::{check_finite, column as column_scores};
use stakes::goal::Reach;
use stakes::io::{ReadOptions, check_targets};
use stakes::model::Model;
use stakes::model_file::ModelFile;
use stakes::plan::{PerGroup, PlanOptions, Planned, PlannedBy, plan, plan_by};

use crate::args::{DataArgs, Reading, SeenArgs, note_config};
use crate::terminal::hints;
use crate::terminal::output::{self, counted, note, print_json, print_page, watched};
use crate::terminal::ranking::write::{self, Target};
use crate::terminal::screen::lines;

const LIMITS: &str = "What there is, in each list";

/// Choose items within budgets and limits, so that most is saved
///
/// A ranking stops where the money ends; a plan takes what is worth most together: by expected saving per price,
/// filling what is left. It is exact, or says how much more any other plan could save. What acting on an item is
/// expected to save is a column (--expected-cost) or comes from a model (--model). Shown are the items, what one
/// more unit of each limit would be worth, the plan with less and with more, and with --current where it
/// differs from what is done today.
#[derive(Args)]
pub(crate) struct PlanCommand {
    /// A model (stakes train) that expects the savings
    ///
    /// It must be calibrated, as it is when lists were held out.
    #[arg(long, value_name = "MODEL", conflicts_with = "expected_cost")]
    model: Option<String>,
    #[command(flatten)]
    seen: SeenArgs,
    /// The expected saving of each item
    ///
    /// A column: what acting on the item is expected to save.
    #[arg(long, value_name = "COLUMN")]
    expected_cost: Option<String>,
    /// What is done today: by this column
    ///
    /// The highest first; -NAME: the lowest first.
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    current: Option<String>,

    /// Money to spend (needs --price)
    #[arg(long, value_name = "MONEY", allow_negative_numbers = true, help_heading = LIMITS)]
    budget: Option<f64>,
    /// Number of items
    #[arg(short, long, value_name = "K", help_heading = LIMITS)]
    k: Option<usize>,
    /// Another resource: crew_hours=40
    ///
    /// A column and how much of it there is.
    #[arg(long, value_name = "NAME=N", value_delimiter = ',', help_heading = LIMITS)]
    resource: Vec<String>,
    /// At most N of each: region=2, region=north:2
    #[arg(long, value_name = "NAME=N", value_delimiter = ',', help_heading = LIMITS)]
    at_most: Vec<PerGroup>,
    /// At least N of each
    #[arg(long, value_name = "NAME=N", value_delimiter = ',', help_heading = LIMITS)]
    at_least: Vec<PerGroup>,
    /// Take these in any case (or @FILE)
    ///
    /// Ids with commas between them, or a file with one in each line.
    #[arg(long, value_name = "IDS", value_delimiter = ',', help_heading = LIMITS)]
    must: Vec<String>,
    /// Do not take these (or @FILE)
    ///
    /// Already done, out of reach: ids with commas between them, or a file with one in each line.
    #[arg(long, value_name = "IDS", value_delimiter = ',', help_heading = LIMITS)]
    must_not: Vec<String>,

    /// Explain each item by up to N features (needs --model)
    ///
    /// What they add to its score, beside the mean of its list.
    #[arg(
        long,
        value_name = "N",
        requires = "model",
        value_parser = clap::value_parser!(u16).range(1..),
        hide_short_help = true
    )]
    explain: Option<u16>,
    /// A .csv, .xlsx or .json file (default: stdout)
    ///
    /// Also .parquet and .arrow.
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    output: String,
    /// As JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    data: DataArgs,
}

impl PlanCommand {
    pub(crate) fn run(mut self) -> anyhow::Result<()> {
        let target = self.target()?;
        let config = self.data.load_config(true)?;
        let used = self.data.use_config(&config)?;
        note_config(&config, &used);
        let files = self.must.iter().chain(&self.must_not).filter_map(|id| id.strip_prefix('@'));
        let inputs =
            files.map(str::to_owned).chain(self.model.clone()).chain([self.data.data.clone()]);
        check_targets([&self.output], inputs)?;
        let mut options = self.options()?;
        let planned = match (&self.model, &self.expected_cost) {
            (Some(path), _) => {
                let model = Model::load(path)?;
                let data = self.read_for(&model)?;
                options.current = self.current(&data)?;
                let reasons = self.explain.map_or(0, usize::from);
                let planned = watched(|observer| {
                    observer.stage("planning");
                    plan_by(&model, &data, options, reasons, self.seen.into())
                });
                let PlannedBy { planned, notes, as_in_training } = match planned {
                    Err(Error::NotCalibrated) => bail!("{}", output::not_calibrated(path)),
                    planned => planned?,
                };
                hints::notes(&notes);
                as_in_training.iter().for_each(|reach| note(format!("as in training: {reach}")));
                planned
            }
            (None, Some(column)) => {
                let column = column.clone();
                let data = watched(|observer| {
                    observer.stage("reading");
                    self.data.read(Vec::new(), Vec::new())
                })?;
                options.current = self.current(&data)?;
                let expected = data.numbers(&column)?;
                watched(|observer| {
                    observer.stage("planning");
                    plan(&data, &expected, &options)
                })?
            }
            (None, None) => bail!(
                "what is an item expected to save? Name a column (--expected-cost) or a model (--model)"
            ),
        };
        self.show(&planned, target)
    }

    /// The format of the plan.
    fn target(&self) -> anyhow::Result<Target> {
        let path = &self.output;
        if path == "-" {
            return Ok(if self.json { Target::Json } else { Target::Csv });
        }
        match Target::of(path, None) {
            Ok(target) if self.json && target != Target::Json => {
                bail!("{path}: --json is written to a file that ends in .json")
            }
            Ok(target @ (Target::Csv | Target::Json | Target::Table(_))) => Ok(target),
            _ => bail!("{path}: a plan is written as .csv, .json, .xlsx, .parquet or .arrow"),
        }
    }

    fn options(&self) -> anyhow::Result<PlanOptions> {
        let resource = |text: &String| {
            let parts = text.split_once('=');
            let parts = parts.and_then(|(name, amount)| Some((name, amount.trim().parse().ok()?)));
            let Some((name, amount)) = parts else {
                bail!(
                    "--resource has `{text}`; a resource is COLUMN=AMOUNT, such as crew_hours=40"
                );
            };
            Ok((name.trim().to_owned(), amount))
        };
        Ok(PlanOptions {
            k: self.k,
            budget: self.budget,
            resources: self.resource.iter().map(resource).collect::<anyhow::Result<_>>()?,
            at_most: self.at_most.clone(),
            at_least: self.at_least.clone(),
            must: ids(&self.must)?,
            must_not: ids(&self.must_not)?,
            current: None,
            forecast: None,
        })
    }

    /// Reads the data as a model needs them.
    fn read_for(&self, model: &Model) -> anyhow::Result<Dataset> {
        let file = self.data.file_args.options_for(&self.data.data)?;
        let options = ReadOptions { file, ..self.data.roles.roles().into() };
        let reading = Reading::of(&self.data.data);
        let is_priced = matches!(model.goal.reach, Reach::Money(_));
        let purpose = Purpose::Rank { prices: self.budget.is_some() || is_priced };
        let data = read_for(model, &self.data.data, &options, purpose)?;
        reading.done(&data);
        Ok(data)
    }

    /// The scores by which items are taken today.
    fn current(&self, data: &Dataset) -> anyhow::Result<Option<Vec<f64>>> {
        let Some(column) = &self.current else { return Ok(None) };
        let scores = column_scores(data, column)?;
        check_finite(data, &scores)?;
        Ok(Some(scores.values))
    }

    fn show(&self, planned: &Planned, target: Target) -> anyhow::Result<()> {
        const MIN_ITEMS: usize = 10;
        let is_json = target == Target::Json;
        if is_json && self.output == "-" {
            return print_json(planned);
        }
        if self.output == "-"
            && let Some(lines) = lines()
        {
            let mut page = output::page();
            planned.write(&mut page, (lines / 2).max(MIN_ITEMS));
            return print_page(page);
        }
        let text =
            if is_json { serde_json::to_string_pretty(planned)? + "\n" } else { planned.csv() };
        write::to(&self.output, &text, target)?;
        if self.output != "-" {
            let items = planned.lists.iter().map(|list| list.chosen.len()).sum();
            let lists = counted(planned.lists.len(), "list");
            note(format!("{} of {lists} written to {}", counted(items, "item"), self.output));
        }
        Ok(())
    }
}

/// Ids as they are typed, and those of files.
fn ids(typed: &[String]) -> anyhow::Result<Vec<String>> {
    let mut all = Vec::new();
    for text in typed {
        match text.strip_prefix('@') {
            None => all.push(text.clone()),
            Some(path) => {
                let bytes = stakes::io::read_bytes(path)?;
                let text = String::from_utf8(bytes).with_context(|| format!("{path}: not text"))?;
                let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
                all.extend(lines.map(str::to_owned));
            }
        }
    }
    Ok(all)
}
