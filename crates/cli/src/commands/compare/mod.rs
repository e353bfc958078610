//! `stakes compare`: which learner saves most on these data, and how sure is that?

mod orders;
mod watch;

use anyhow::bail;
use clap::Args;
use stakes::data::Dataset;
use stakes::experiment::{CompareOptions, Contestant, Outcome, Setting, compare};
use stakes::experiment::{folds_svg, write_folds};
use stakes::io::check_targets;
use stakes::metric::{Scale, Spec};
use stakes::split::FoldPlan;
use stakes::stats::{IntervalOptions, TestOptions};

use self::orders::OrderArgs;
use self::watch::Watch;
use crate::args::{CostArgs, DataArgs, note_config, specs, use_config};
use crate::terminal::output::{self, note, print_json, print_page, watched};
use crate::terminal::{hints, interrupt};

/// Compare learners over folds of the lists: which saves most?
///
/// Every learner is trained in every fold on its training lists alone and judged by its test lists. Beside them
/// stand the present order (--current), the best single feature of the training lists, plain regressions
/// (ridge, two-part, tweedie-mart), a random order and the ideal one. Figures have intervals, differences
/// are tested over lists, and the verdict is in the unit of the cost. With --run, finished trainings are
/// kept: the same command goes on after an interruption, and learners may be added.
#[derive(Args)]
pub(crate) struct Compare {
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
    #[arg(long, conflicts_with_all = ["csv", "latex"])]
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
}

#[derive(Args)]
struct OutputArgs {
    /// As JSON (docs/compare.md)
    #[arg(long)]
    json: bool,
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

impl Compare {
    pub(crate) fn run(mut self) -> anyhow::Result<()> {
        let metrics = self.metric.as_deref().map(specs).transpose()?.unwrap_or_default();
        let first = metrics.first().map(Spec::to_string);
        let config = self.data.load_config(true)?;
        let used = use_config(&config, &mut self.data, &mut self.cost, first.as_deref())?;
        note_config(&config, &used);
        let goal = self.cost.goal(first.as_deref())?;
        self.orders.check()?;
        self.check_files()?;
        let data = self.read(goal.cost.columns())?;
        let contestants = self.orders.contestants(&data)?;
        let setting = Setting::new(&data, &goal, self.folds.clone(), self.run.seed)?;
        if self.show_folds {
            return self.draw_folds(&setting);
        }
        let metric = setting.goal.spec().build(Scale::of(&data))?;
        self.cost.note_default_k(std::slice::from_ref(&goal.metric), std::slice::from_ref(&metric));
        self.compare(&setting, &contestants, metrics)
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

    fn compare(
        &self,
        setting: &Setting<'_>,
        contestants: &[Contestant],
        metrics: Vec<Spec>,
    ) -> anyhow::Result<()> {
        let options = CompareOptions {
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
        };
        let mut watch = Watch::new(self.run.stop_after);
        let outcome =
            interrupt::during(|| compare(setting, contestants, &options, Some(&mut watch)))?;
        drop(watch);
        let compared = match outcome {
            Outcome::Finished(compared) => compared,
            Outcome::Interrupted { done, of } => {
                note(match &self.run.run {
                    Some(run) => format!(
                        "interrupted: {done} of {of} trainings are in {run}; the same command goes on \
                         from there"
                    ),
                    None => format!(
                        "interrupted: {done} of {of} trainings were finished, and are lost; --run DIR \
                         keeps them"
                    ),
                });
                return Ok(());
            }
        };
        hints::notes(&compared.notes);
        let files = [
            (&self.output.csv, compared.csv()),
            (&self.output.latex, compared.latex()),
            (&self.output.svg, compared.svg()),
        ];
        for (path, text) in files {
            if let Some(path) = path {
                output::write_text(path, &text)?;
            }
        }
        if self.output.json {
            return print_json(&compared);
        }
        let mut page = output::page();
        compared.write(&mut page);
        if self.output.times {
            compared.write_times(&mut page);
        }
        print_page(page)
    }

    /// Refuses to write over what is read, and names of other kinds of files.
    fn check_files(&self) -> anyhow::Result<()> {
        let OutputArgs { csv, latex, svg, .. } = &self.output;
        for (path, extension, what) in
            [(csv, ".csv", "figures"), (svg, ".svg", "pictures"), (latex, ".tex", "LaTeX tables")]
        {
            if let Some(path) = path
                && path != "-"
                && !path.to_ascii_lowercase().ends_with(extension)
            {
                bail!(
                    "{path}: {what} are written here; give the file a name that ends in {extension}"
                );
            }
        }
        let outputs = [csv, latex, svg].into_iter().flatten();
        Ok(check_targets(outputs, self.orders.files().chain([self.data.data.clone()]))?)
    }
}
