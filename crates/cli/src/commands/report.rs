//! `stakes report`: one page to decide from, for a browser.

use std::process::{Command, Stdio};

use anyhow::bail;
use clap::{Arg, Args};
use stakes::audit::{ItemGroups, MissingGroup, item_groups};
use stakes::data::{Dataset, Purpose, read_for, use_roles_of};
use stakes::io::{ReadOptions, check_targets};
use stakes::model::Model;
use stakes::model_file::ModelFile;
use stakes::plan::PlanOptions;
use stakes_report::{Document, ReportOptions, Subject, report};

use crate::args::{FileArgs, ReachArgs, Reading, RoleArgs, VerdictArgs, check_ending};
use crate::terminal::output::{note, print_report, watched, write_text};

/// Make one page to decide from: what is saved, which items, why
///
/// INPUTS are a model and the lists to act on, results of other commands (the JSON of compare, backtest, plan, audit
/// and train), or both. The page is one file for a browser that asks for nothing from elsewhere, so that it can be
/// mailed and printed. If outcomes are known, it begins with what the model would have reached; a slider moves how
/// much is done, and with it what is reached, its interval, and the items of each list with the reasons for each.
#[derive(Args)]
pub(crate) struct ReportCommand {
    /// A model, lists (CSV, xlsx, Parquet, ...), JSON of other commands
    #[arg(required = true, value_name = "INPUTS")]
    inputs: Vec<String>,

    /// The file to write
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: String,
    /// Open it in a browser
    #[arg(long)]
    open: bool,
    /// Past lists to judge by (default: those of the data)
    #[arg(long, value_name = "FILE")]
    past: Option<String>,
    #[command(flatten)]
    reach: ReachArgs,
    /// Plan within limits: budget=80,crew_hours=40 or k=10
    ///
    /// NAME=AMOUNT with commas between them: budget (of prices), k (a number of items), or a column of which there
    /// is so much. The slider moves the budget, or else the number of items.
    #[arg(long, value_name = "LIMITS", value_delimiter = ',')]
    plan: Vec<String>,
    /// The title of the page
    #[arg(long, value_name = "TEXT", hide_short_help = true)]
    title: Option<String>,
    /// All figures as JSON to stdout instead
    #[arg(long, hide_short_help = true)]
    json: bool,
    /// Seed of all random draws
    #[arg(long, value_name = "N", default_value_t = 0, hide_short_help = true)]
    seed: u64,

    #[command(flatten)]
    verdict: VerdictArgs,

    #[command(flatten)]
    file: FileArgs,

    #[command(flatten)]
    roles: RoleArgs,
}

/// What --group means here.
pub(crate) fn group_help(arg: Arg) -> Arg {
    arg.value_name("COLUMNS")
        .help("Groups of items: how the order treats them")
        .long_help("Groups of items: how the order treats them\n\nSeveral columns are separated by commas.")
        .hide_short_help(false)
}

/// What the inputs are.
#[derive(Default)]
struct Inputs {
    model: Option<(String, Model)>,
    data: Option<String>,
    documents: Vec<Document>,
}

impl ReportCommand {
    pub(crate) fn run(mut self) -> anyhow::Result<()> {
        check_ending(Some(&self.output), ".html", "pages for a browser")?;
        let read = self.inputs.iter().chain(self.past.iter()).chain(self.verdict.file());
        check_targets([&self.output], read)?;
        let groups = self.roles.group.take();
        let inputs = self.inputs()?;
        let page = watched(|observer| -> anyhow::Result<_> {
            let mut options = ReportOptions {
                title: self.title.clone(),
                reach: self.reach.asked()?,
                amounts: self.verdict.amounts()?,
                plan: self.plan()?,
                documents: inputs.documents.clone(),
                seed: self.seed,
                ..ReportOptions::default()
            };
            let (Some((name, model)), Some(path)) = (&inputs.model, &inputs.data) else {
                self.refuse_without_model(groups.as_deref())?;
                return Ok(report(None, &options, Some(observer))?);
            };
            observer.stage("reading");
            let data = self.read(model, path)?;
            let past = self.past.as_ref().map(|path| self.read(model, path)).transpose()?;
            options.current = self.verdict.of_data(past.as_ref().unwrap_or(&data))?;
            options.groups =
                groups.as_ref().map(|names| self.groups(model, path, names)).transpose()?;
            let subject = Subject { name, model, data: &data, past: past.as_ref() };
            Ok(report(Some(&subject), &options, Some(observer))?)
        })?;
        if self.json {
            return print_report(&page);
        }
        write_text(&self.output, &page.html()?)?;
        note(format!("{} written; open it in a browser", self.output));
        if self.open {
            open(&self.output)?;
        }
        Ok(())
    }

    /// Tells models, results and data apart.
    fn inputs(&self) -> anyhow::Result<Inputs> {
        let mut found = Inputs::default();
        for path in &self.inputs {
            let name = path.to_ascii_lowercase();
            let document = match name.ends_with(".json") {
                true => Some(Document::parse(path, &stakes::io::read_bytes(path)?)?),
                false => None,
            };
            match document {
                Some(document) if !document.is_model() => found.documents.push(document),
                None if !name.ends_with(".json.zst") => {
                    // Before anything else is said of it.
                    stakes::io::columns(path, &self.file.options_for(path)?)?;
                    if let Some(other) = found.data.replace(path.clone()) {
                        bail!(
                            "{other} and {path} are both data; a report is about one file (--past names another)"
                        );
                    }
                }
                _ => {
                    if let Some((other, _)) =
                        found.model.replace((path.clone(), Model::load(path)?))
                    {
                        bail!("{other} and {path} are both models; a report is about one of them");
                    }
                }
            }
        }
        match (&found.model, &found.data) {
            (Some((model, _)), None) => {
                bail!("{model}: name the lists to rank as well: stakes report {model} DATA")
            }
            (None, Some(data)) => {
                bail!("{data}: name the model that ranks it as well: stakes report MODEL {data}")
            }
            _ => Ok(found),
        }
    }

    /// Refuses what needs a model and lists.
    fn refuse_without_model(&self, groups: Option<&str>) -> anyhow::Result<()> {
        let given = [
            self.reach.flag(),
            (!self.plan.is_empty()).then_some("--plan"),
            self.past.as_ref().map(|_| "--past"),
            groups.map(|_| "--group"),
        ];
        match given.into_iter().flatten().next() {
            Some(flag) => {
                bail!("{flag} goes with a model and lists; these are results of other commands")
            }
            None => Ok(()),
        }
    }

    fn plan(&self) -> anyhow::Result<Option<PlanOptions>> {
        if self.plan.is_empty() {
            return Ok(None);
        }
        let mut options = PlanOptions::default();
        for limit in &self.plan {
            let parts = limit.split_once('=').map(|(name, amount)| (name.trim(), amount.trim()));
            let amount = parts.and_then(|(_, amount)| amount.parse::<f64>().ok());
            let (Some((name, text)), Some(amount)) = (parts, amount) else {
                bail!(
                    "--plan has `{limit}`; a limit is NAME=AMOUNT, such as budget=80 or crew_hours=40"
                );
            };
            match name {
                "budget" => options.budget = Some(amount),
                "k" => match text.parse() {
                    Ok(k) => options.k = Some(k),
                    Err(_) => bail!("--plan has `{limit}`; k is a number of items"),
                },
                column => options.resources.push((column.to_owned(), amount)),
            }
        }
        Ok(Some(options))
    }

    fn options(&self, path: &str) -> anyhow::Result<ReadOptions> {
        Ok(ReadOptions { file: self.file.options_for(path)?, ..self.roles.roles().into() })
    }

    fn read(&self, model: &Model, path: &str) -> anyhow::Result<Dataset> {
        if path == "-" {
            bail!("a report reads its data more than once, which stdin cannot; give a file");
        }
        let reading = Reading::of(path);
        let data = read_for(model, path, &self.options(path)?, Purpose::Report)?;
        reading.done(&data);
        Ok(data)
    }

    /// The groups of the items: categories, even where a model reads them as numbers.
    fn groups(&self, model: &Model, path: &str, names: &str) -> anyhow::Result<ItemGroups> {
        let names: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).collect();
        let mut options = self.options(path)?;
        let there = stakes::io::columns(path, &options.file)?;
        use_roles_of(model, &there, &mut options.roles, Purpose::Report);
        // A model leaves out the column that was its group in training.
        options.roles.drop.retain(|column| !names.contains(column));
        options.roles.categorical.extend(names.iter().cloned());
        let data = stakes::io::read(path, &options)?;
        Ok(item_groups(&data, &names, MissingGroup::Own)?)
    }
}

/// Opens a file with the program that the desktop has for it.
fn open(path: &str) -> anyhow::Result<()> {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let program = if cfg!(windows) { "explorer" } else { program };
    let begun = Command::new(program).arg(path).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if begun.is_err() {
        note(format!("--open: there is no {program} here; open {path} by hand"));
    }
    Ok(())
}
