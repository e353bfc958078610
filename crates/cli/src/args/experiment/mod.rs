//! What the commands of experiments share: who takes part, folds, the run, the goal, outputs and the data.

mod orders;
mod watch;

use clap::Args;
use stakes::Error;
use stakes::data::Dataset;
use stakes::experiment::{CompareOptions, Contestant, Outcome, Setting, folds_svg, write_folds};
use stakes::io::check_targets;
use stakes::metric::{Scale, Spec};
use stakes::split::FoldPlan;
use stakes::stats::{IntervalOptions, TestOptions};
use stakes::text::Page;

use self::orders::OrderArgs;
pub(crate) use self::watch::Watch;
use super::words::WordArgs;
use super::{CostArgs, DataArgs, RayArgs, check_ending, note_config, specs, use_config};
use crate::Host;
use crate::terminal::interrupt;
use crate::terminal::output::{self, note, print_json, print_page, watched};

/// The arguments of an experiment.
#[derive(Args)]
pub(crate) struct ExperimentArgs {
    #[command(flatten)]
    orders: OrderArgs,

    /// Folds: 5, letor, random:10, column:NAME, time:every=1y
    ///
    /// 5: every list is tested once. letor: five parts rotate, three train, one validates, one tests. random:10,test=20%:
    /// ten random splits. column:NAME: the values of a column are tested in turn, or are train, valid and
    /// test; column:NAME,letor: they rotate. time:5: five as-of dates, each tested by what follows;
    /// time:every=1y,first=2018-01-01,gap=30d,horizon=6mo,window=3y; time:at=2019-01-01/2020-01-01. Default: 5, or
    /// time:5 with --time.
    #[arg(long, value_name = "PLAN")]
    folds: Option<FoldPlan>,
    /// Draw the folds and train nothing (--svg FILE: into it)
    #[arg(long, conflicts_with_all = ["csv", "latex", "statistics", "ray"])]
    show_folds: bool,

    #[command(flatten)]
    run: RunArgs,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    cost: CostArgs,

    /// Metrics; the first one decides (default: rcs)
    ///
    /// Learners are trained and tuned for the first. Several are separated by commas, also with other
    /// numbers of items: rcs@5,rcs@10. stakes metrics lists all.
    #[arg(short, long, value_name = "METRIC", help_heading = "Goal")]
    metric: Option<String>,

    #[command(flatten)]
    data: DataArgs,
}

#[derive(Args)]
struct RunArgs {
    /// Keep finished trainings in this directory and go on
    #[arg(long, value_name = "DIR")]
    run: Option<String>,
    /// Settings to try for each learner and fold
    ///
    /// The same number for all learners, within the training lists of the fold, by successive halving. By
    /// default all are trained with their defaults.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=10_000))]
    tune: Option<u32>,
    /// Seed of all random draws
    #[arg(long, value_name = "N", default_value_t = 0, hide_short_help = true)]
    seed: u64,
    /// Confidence of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, hide_short_help = true)]
    level: f64,
    /// Stop after this many trainings as if interrupted
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), hide_short_help = true)]
    stop_after: Option<u32>,
    #[command(flatten)]
    ray: RayArgs,
}

#[derive(Args)]
struct OutputArgs {
    /// As JSON (docs/compare.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    words: WordArgs,
    /// Show how long each contestant was trained
    #[arg(long, conflicts_with_all = ["json", "show_folds"], hide_short_help = true)]
    times: bool,
    /// Write the figures to this CSV file
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    csv: Option<String>,
    /// Write a LaTeX table to this file
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    latex: Option<String>,
    /// Draw the figures and their intervals to this SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,
}

/// An experiment that was asked for.
pub(crate) struct Asked<'a> {
    pub(crate) setting: &'a Setting<'a>,
    pub(crate) contestants: &'a [Contestant],
    pub(crate) options: CompareOptions,
}

/// Files that a command reads and writes beside those of every experiment.
#[derive(Default)]
pub(crate) struct Others {
    pub(crate) inputs: Vec<String>,
    pub(crate) outputs: Vec<String>,
}

/// The files of a result.
pub(crate) struct Files {
    pub(crate) csv: String,
    pub(crate) latex: String,
    pub(crate) svg: String,
}

impl ExperimentArgs {
    /// Reads everything and hands it to `run`. If only the folds are asked for, they are drawn instead.
    pub(crate) fn with_data(
        mut self,
        others: Others,
        host: &Host,
        run: impl FnOnce(&Self, Asked<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let metrics = self.metric.as_deref().map(specs).transpose()?.unwrap_or_default();
        let first = metrics.first().map(Spec::to_string);
        let config = self.data.load_config(true)?;
        let used = use_config(&config, &mut self.data, &mut self.cost, first.as_deref())?;
        note_config(&config, &used);
        let goal = self.cost.goal(first.as_deref())?;
        self.orders.check()?;
        let files: Vec<String> = self.orders.files().chain([self.data.data.clone()]).collect();
        let jobs = self.run.ray.jobs(host, &files)?;
        self.check_files(others)?;
        let data = self.read(goal.cost.columns())?;
        let contestants = self.orders.contestants(&data)?;
        let setting = Setting::new(&data, &goal, self.folds.clone(), self.run.seed)?;
        if self.show_folds {
            return self.draw_folds(&setting);
        }
        let metric = setting.goal.spec().build(Scale::of(&data))?;
        let (asked, built) = (std::slice::from_ref(&goal.metric), std::slice::from_ref(&metric));
        self.cost.note_default_k(asked, built, &data);
        let options = CompareOptions { jobs, ..self.options(metrics) };
        run(&self, Asked { setting: &setting, contestants: &contestants, options })
    }

    fn read(&mut self, outcomes: Vec<String>) -> anyhow::Result<Dataset> {
        if let Some(column) = self.folds.as_ref().and_then(FoldPlan::column) {
            // Names of parts may look like numbers.
            self.data.roles.categorical.push(column.to_owned());
        }
        let mut extras = outcomes.clone();
        extras.extend(self.orders.columns(&mut self.data.roles.drop));
        extras.sort();
        extras.dedup();
        watched(|observer| {
            observer.stage("reading");
            self.data.read(extras, outcomes)
        })
    }

    fn draw_folds(&self, setting: &Setting<'_>) -> anyhow::Result<()> {
        if let Some(path) = &self.output.svg {
            output::write_text(path, &folds_svg(setting))?;
        }
        if self.output.json {
            return print_json(&setting.record());
        }
        let mut page = output::page();
        write_folds(&mut page, setting);
        print_page(page)
    }

    fn options(&self, metrics: Vec<Spec>) -> CompareOptions {
        CompareOptions {
            metrics,
            trials: self.run.tune.unwrap_or(0) as usize,
            run: self.run.run.clone(),
            intervals: IntervalOptions {
                level: self.run.level,
                seed: self.run.seed,
                ..IntervalOptions::default()
            },
            test_options: TestOptions { seed: self.run.seed, ..TestOptions::default() },
            ..CompareOptions::default()
        }
    }

    /// Runs an experiment under a display of its progress; `None` if it was interrupted, which is said.
    pub(crate) fn watched<T>(
        &self,
        what: &'static str,
        experiment: impl FnOnce(&mut Watch) -> Result<Outcome<T>, Error>,
    ) -> anyhow::Result<Option<Box<T>>> {
        let (done, of) = match self.watch(what, experiment)? {
            Outcome::Finished(found) => return Ok(Some(found)),
            Outcome::Interrupted { done, of } => (done, of),
        };
        note(match &self.run.run {
            Some(run) => format!(
                "interrupted: {done} of {of} trainings are in {run}; the same command goes on from there"
            ),
            None => format!(
                "interrupted: {done} of {of} trainings were finished, and are lost; --run DIR keeps them"
            ),
        });
        Ok(None)
    }

    /// Does what may take long under a display of its progress.
    pub(crate) fn watch<T>(
        &self,
        what: &'static str,
        work: impl FnOnce(&mut Watch) -> Result<T, Error>,
    ) -> anyhow::Result<T> {
        let mut watch = Watch::new(what, self.run.stop_after);
        Ok(interrupt::during(|| work(&mut watch))?)
    }

    /// Writes the files that are asked for.
    pub(crate) fn write_files(&self, files: &Files) -> anyhow::Result<()> {
        let OutputArgs { csv, latex, svg, .. } = &self.output;
        for (path, text) in [(csv, &files.csv), (latex, &files.latex), (svg, &files.svg)] {
            if let Some(path) = path {
                output::write_text(path, text)?;
            }
        }
        Ok(())
    }

    /// Whether JSON is asked for.
    pub(crate) fn json(&self) -> bool {
        self.output.json
    }

    /// The page of the result.
    pub(crate) fn page(&self) -> Page {
        output::page_in(self.output.words.words(self.metric.is_some()))
    }

    /// Whether times are asked for.
    pub(crate) fn times(&self) -> bool {
        self.output.times
    }

    /// Refuses to write over what is read, and names of other kinds of files.
    fn check_files(&self, others: Others) -> anyhow::Result<()> {
        let OutputArgs { csv, latex, svg, .. } = &self.output;
        for (path, extension, what) in
            [(csv, ".csv", "figures"), (svg, ".svg", "pictures"), (latex, ".tex", "LaTeX tables")]
        {
            check_ending(path.as_deref(), extension, what)?;
        }
        let outputs = [csv, latex, svg].into_iter().flatten().chain(&others.outputs);
        let inputs = self.orders.files().chain([self.data.data.clone()]).chain(others.inputs);
        Ok(check_targets(outputs, inputs)?)
    }
}
