//! `stakes audit`: how an order treats groups.

mod chart;
mod framework;
mod others;
mod per_list;

use anyhow::bail;
use clap::{Arg, Args};
use stakes::Note;
use stakes::audit::{
    AuditOptions, Measure, MissingGroup, WithIndividuals, audit_individuals, audit_scores,
    item_groups, write_individuals,
};
use stakes::config::Config;
use stakes::cost::Capacity;
use stakes::data::Dataset;
use stakes::eval::study::Scores;
use stakes::evaluate::scores::check;
use stakes::goal::Goal;
use stakes::io::check_targets;
use stakes::model::Model;
use stakes::model_file::ModelFile;
use stakes::rank::expected_costs;
use stakes::scoring::{self, Scored, SeenLists};

pub(crate) use self::framework::data_unless_framework;
use self::framework::{OF_DATA, SizeArgs};
use self::others::OtherArgs;
use crate::args::{
    CostArgs, DataArgs, ScoreArgs, check_ending, name_and_path, note_config, use_config,
};
use crate::terminal::hints;
use crate::terminal::output::{self, note, print_json, print_page};

/// Assess how an order treats groups (also: stakes fair)
///
/// Every value of the group column is compared with all other items of its lists (or --protected alone), by
/// measures of placement (no outcomes needed), treatment (with --impact) and cost, with intervals and tests.
/// The audit says which measures differ from what chance would give, and what they cannot see; it never says
/// that an order is fair.
#[derive(Args)]
pub(crate) struct Audit {
    /// Compare only this group: VALUE, or COLUMN=VALUE
    #[arg(long, value_name = "VALUE")]
    protected: Option<String>,
    /// Also compare with this group: VALUE, or COLUMN=VALUE
    ///
    /// Differences and ratios are those to the rest; with it also those to this group.
    #[arg(long, value_name = "VALUE", hide_short_help = true)]
    reference: Option<String>,
    /// Measures, separated by commas (default: all)
    ///
    /// --framework lists those of the order. Measures with a cut-off take -k, or have their own:
    /// four-fifths@20.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    measure: Vec<String>,
    /// Show what each measure can see, without data
    ///
    /// With --measure in detail: its value in every ranking. The cut-off of measures that need one is -k
    /// (default: 20).
    #[arg(long, conflicts_with_all = OF_DATA)]
    framework: bool,
    /// As JSON (docs/audit-json.md)
    #[arg(long)]
    json: bool,
    /// Draw where groups stand to this SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,
    /// Write the audit to this HTML file
    #[arg(long, value_name = "FILE")]
    html: Option<String>,
    /// Write every list's values to this CSV file
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    per_list: Option<String>,

    #[command(flatten)]
    scores: ScoreArgs,

    /// FILE or NAME=FILE of a model to score DATA with
    ///
    /// Without stakes.toml, columns and goal are those that it was trained with, unless flags say otherwise.
    #[arg(long, value_name = "FILE", conflicts_with = "run", help_heading = "Scores")]
    model: Option<String>,
    /// Take the score as expected cost: adds `calibration`
    ///
    /// Expected costs of --model are known if it is calibrated.
    #[arg(long, help_heading = "Scores", hide_short_help = true)]
    expected: bool,

    #[command(flatten)]
    cost: CostArgs,

    #[command(flatten)]
    uncertainty: UncertaintyArgs,

    #[command(flatten)]
    others: OtherArgs,

    #[command(flatten)]
    sizes: SizeArgs,

    /// Items without a group: refuse, drop or own (a group of their own)
    #[arg(
        long,
        value_name = "WHAT",
        default_value = "refuse",
        help_heading = "Columns",
        hide_short_help = true
    )]
    missing_group: MissingGroup,

    #[command(flatten)]
    data: DataArgs,
}

#[derive(Args)]
#[command(next_help_heading = "Uncertainty")]
struct UncertaintyArgs {
    /// Confidence of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, hide_short_help = true)]
    level: f64,
    /// Resamples of lists, or of the group in a single list; 0: no intervals
    #[arg(long, value_name = "N", default_value_t = 1000, hide_short_help = true)]
    resamples: usize,
    /// Relabellings of the tests; 0: no tests (large data have fewer)
    #[arg(long, value_name = "N", default_value_t = 2000, hide_short_help = true)]
    draws: usize,
    /// Seed of all random draws
    #[arg(long, value_name = "N", default_value_t = 0, hide_short_help = true)]
    seed: u64,
}

/// What --group means here.
pub(crate) fn group_help(arg: Arg) -> Arg {
    let long = "The groups of items\n\nSeveral columns are separated by commas: each of them is audited, and all \
                combinations with at least 10 items.";
    arg.value_name("COLUMNS")
        .help("The groups of items; several columns: also combined")
        .long_help(long)
        .hide_short_help(false)
}

impl Audit {
    pub(crate) fn run(mut self) -> anyhow::Result<()> {
        if self.framework {
            return self.show_framework();
        }
        check_ending(self.svg.as_deref(), ".svg", "pictures")?;
        check_ending(self.html.as_deref(), ".html", "pages for a browser")?;
        let model = self.model.as_deref().map(|text| {
            let (name, path) = name_and_path(text)?;
            let model = Model::load(&path)?;
            anyhow::Ok((name, path, model))
        });
        let model = model.transpose()?;
        let groups = self.use_files(model.as_ref())?;
        if !self.others.classes.is_empty() {
            return self.show_classes(&groups);
        }
        if !self.others.envy.is_empty() {
            return self.show_envy(&groups);
        }
        let goal = self.cost.goal(None)?;
        let inputs = self.scores.files().chain(model.iter().map(|(_, path, _)| path.clone()));
        check_targets(self.files(), inputs.chain([self.data.data.clone()]))?;
        let (data, score, expected) = self.load(&groups, model.as_ref(), &goal)?;
        let k = self.k(&goal, &data)?;
        let options = AuditOptions {
            measures: self.measures(k)?,
            k,
            policy: goal.policy.clone(),
            protected: self.protected.clone(),
            reference: self.reference.clone(),
            resamples: self.uncertainty.resamples,
            draws: self.uncertainty.draws,
            level: self.uncertainty.level,
            seed: self.uncertainty.seed,
            per_list: self.per_list.is_some(),
            ..AuditOptions::default()
        };
        let groups = item_groups(&data, &groups, self.missing_group)?;
        let found = audit_scores(&data, &goal, &score, expected.as_deref(), &groups, &options)?;
        if let Some(path) = &self.per_list {
            output::write_text(path, &per_list::csv(&found)?)?;
        }
        if let Some(path) = &self.svg {
            output::write_text(path, &found.positions_svg())?;
        }
        if let Some(path) = &self.html {
            output::write_text(path, &found.html())?;
        }
        let individuals = match self.others.individuals {
            true => Some(audit_individuals(&data, &score)?),
            false => None,
        };
        if self.json {
            return match individuals {
                Some(individuals) => print_json(&WithIndividuals { report: found, individuals }),
                None => print_json(&found),
            };
        }
        let mut page = output::page();
        found.write(&mut page);
        chart::write(&mut page, &found);
        individuals.iter().for_each(|individuals| write_individuals(&mut page, individuals));
        print_page(page)
    }

    /// Reads the configuration and returns the group columns.
    fn use_files(
        &mut self,
        model: Option<&(String, String, Model)>,
    ) -> anyhow::Result<Vec<String>> {
        let asked = self.data.roles.group.take();
        let mut config = match (self.data.load_config(!self.scores.has_runs())?, model) {
            (config, Some((_, path, model))) if config == Config::default() => {
                let (data, file) = (&self.data.data, self.data.file_args.options());
                Config::of_model(model, path, data, &file)?.for_data(data, &file)?
            }
            (config, _) => config,
        };
        let of_file = config.columns.group.take();
        let from_file = asked.is_none();
        let Some(columns) = asked.or(of_file) else {
            bail!("name the column of the groups: --group COLUMN");
        };
        let split = columns.split(',').map(str::trim).filter(|name| !name.is_empty());
        let groups: Vec<String> = split.map(str::to_owned).collect();
        config.columns.drop.retain(|column| !groups.contains(column));
        let mut used = use_config(&config, &mut self.data, &mut self.cost, None)?;
        used.extend(from_file.then(|| format!("group {columns}")));
        note_config(&config, &used);
        Ok(groups)
    }

    /// The data, the score, and expected costs if they are asked for or known.
    fn load(
        &self,
        groups: &[String],
        model: Option<&(String, String, Model)>,
        goal: &Goal,
    ) -> anyhow::Result<(Dataset, Scores, Option<Vec<f64>>)> {
        // Groups are categories, even where they look like numbers.
        let mut with_groups = self.data.clone();
        with_groups.roles.categorical.extend(groups.iter().cloned());
        let (data, mut scores) = self.scores.load(&with_groups, goal.cost.columns())?;
        let mut expected = None;
        if let Some((name, _, model)) = model {
            let for_model = self.read_for_model(goal)?;
            let Scored { values, trained_on } =
                scoring::score(model, &for_model, SeenLists::default())?;
            Note::on_figures(name, &data, trained_on).iter().for_each(hints::note);
            expected = expected_costs(model, &values);
            let values = model.priorities(values, &for_model, goal.reach);
            scores.push(Scores { name: name.clone(), values });
        }
        check(&data, &scores)?;
        let Ok([score]) = <[Scores; 1]>::try_from(scores) else {
            bail!("an audit looks at one order; name one with --score, --score-file or --model");
        };
        match (self.expected, model.is_some()) {
            (true, true) => bail!(
                "--expected goes with --score and --score-file; models know their expected costs"
            ),
            (true, false) => expected = Some(score.values.clone()),
            _ => {}
        }
        Ok((data, score, expected))
    }

    /// The data as the model reads them: a group may be one of its features, and not a category there.
    fn read_for_model(&self, goal: &Goal) -> anyhow::Result<Dataset> {
        if self.data.data == "-" {
            bail!("--model reads the data twice, which stdin cannot; give a file");
        }
        let columns = || goal.cost.columns();
        self.data.read(columns(), columns())
    }

    /// The cut-off.
    fn k(&self, goal: &Goal, data: &Dataset) -> anyhow::Result<usize> {
        let Some(capacity) = goal.capacity() else {
            bail!("an audit looks at the first k items of a list, not at a budget; give -k");
        };
        let k = match capacity.resolve(data.mean_list_length()) {
            Capacity::Items(k) => k,
            other => {
                bail!("k is {other}; an audit needs a number of items (10) or a percentage (20%)")
            }
        };
        if self.cost.capacity().is_none() && self.needs_k() {
            note(format!("k = {k}; say how many items can be acted on with --k"));
        }
        Ok(k)
    }

    /// Whether a measure has a cut-off and no number of its own.
    fn needs_k(&self) -> bool {
        let without = |name: &String| Measure::parse(name, None).is_err();
        self.measure.is_empty() || self.measure.iter().any(without)
    }

    fn measures(&self, k: usize) -> anyhow::Result<Vec<Measure>> {
        Ok(self
            .measure
            .iter()
            .map(|name| Measure::parse(name, Some(k)))
            .collect::<Result<_, _>>()?)
    }

    /// The files that are written.
    fn files(&self) -> impl Iterator<Item = &String> {
        [&self.per_list, &self.svg, &self.html].into_iter().flatten()
    }
}
