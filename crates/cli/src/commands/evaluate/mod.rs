//! `stakes evaluate`: how much cost orders save, with intervals and paired tests.

mod calibration;
mod chart;
mod latex;
mod per_list;

use anyhow::bail;
use clap::Args;
use stakes::cost::{Capacity, Problem};
use stakes::eval::picture::{curves_svg, reliability_svg};
use stakes::eval::study::{Scores, StudyOptions};
use stakes::evaluate::{EvaluateOptions, evaluate_scores, metrics};
use stakes::goal::{DEFAULT_METRIC, Goal};
use stakes::io::check_targets;
use stakes::metric::Scale;
use stakes::stats::{Correction, IntervalMethod, IntervalOptions, PairedTest, TestOptions};

use crate::args::{CostArgs, DataArgs, ScoreArgs, specs};
use crate::terminal::output::{self, note, print, print_json, print_page, watched};

/// Measure rankings: figures with intervals, reference orders, paired tests, cost curves
///
/// A score is a column of the data (--score), a file of numbers (--score-file), or a TREC run
/// (--run, with qrels as data). Reference orders are shown beside them: a random order, the ideal
/// order, and the best single feature of this data.
#[derive(Args)]
pub(crate) struct Evaluate {
    #[command(flatten)]
    data: DataArgs,

    #[command(flatten)]
    scores: ScoreArgs,

    /// Metrics, separated by commas (all of them: stakes metrics). Cost metrics without @ take --k.
    /// Default: rcs,r,ndcg@K:gain=linear
    #[arg(short, long, value_name = "METRICS")]
    metric: Vec<String>,

    #[command(flatten)]
    cost: CostArgs,

    #[command(flatten)]
    uncertainty: UncertaintyArgs,

    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Args)]
#[command(next_help_heading = "Uncertainty")]
struct UncertaintyArgs {
    /// Compare the scores with this one (or with random, ideal, best-feature); default: the
    /// first score, if there are several
    #[arg(long, value_name = "SCORE")]
    baseline: Option<String>,
    /// Paired tests: randomisation, t, wilcoxon
    #[arg(
        long,
        value_name = "TESTS",
        value_delimiter = ',',
        default_value = "randomisation,t,wilcoxon"
    )]
    test: Vec<PairedTest>,
    /// Correction for several comparisons: holm, bonferroni, benjamini-hochberg, none
    #[arg(long, value_name = "NAME", default_value = "holm")]
    correction: Correction,
    /// Confidence of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95)]
    level: f64,
    /// How intervals are computed: t (for lists of unequal size), or by resampling lists: bca,
    /// percentile
    #[arg(long, value_name = "METHOD", default_value = "t")]
    interval: IntervalMethod,
    /// Number of resamples of the lists, with --interval bca or percentile (default: 2000)
    #[arg(long, value_name = "N")]
    resamples: Option<usize>,
    /// Leave the intervals out
    #[arg(long, conflicts_with_all = ["level", "resamples", "interval"])]
    no_intervals: bool,
    /// Seed of resamples and random orders
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

#[derive(Args)]
#[command(next_help_heading = "Output")]
struct OutputArgs {
    /// Leave out the random, ideal and best-single-feature rows
    #[arg(long)]
    no_references: bool,
    /// As JSON (docs/evaluate-json.md)
    #[arg(long, conflicts_with = "latex")]
    json: bool,
    /// As a LaTeX table
    #[arg(long)]
    latex: bool,
    /// Write every list's values to this CSV file
    #[arg(long, value_name = "FILE")]
    per_list: Option<String>,
    /// Draw the cumulative cost curves to this SVG file
    #[arg(long, value_name = "FILE")]
    curve: Option<String>,
    /// Take scores as expected costs (stakes rank --to expected), compare them with the observed
    /// costs, and draw the calibration to this SVG file
    #[arg(long, value_name = "FILE", conflicts_with = "run")]
    calibration: Option<String>,
    /// Do not draw the curves in the terminal
    #[arg(long)]
    no_chart: bool,
    /// Only the figures: no intervals, no tests, no drawing
    #[arg(long, conflicts_with_all = ["baseline", "level", "resamples", "percentile"])]
    brief: bool,
}

impl OutputArgs {
    /// The files that are written.
    fn files(&self) -> impl Iterator<Item = &String> {
        [&self.per_list, &self.curve, &self.calibration].into_iter().flatten()
    }

    /// Refuses names of other kinds of pictures.
    fn check_names(&self) -> anyhow::Result<()> {
        for path in [&self.curve, &self.calibration].into_iter().flatten() {
            if path != "-" && !path.to_ascii_lowercase().ends_with(".svg") {
                bail!("{path}: curves are drawn as SVG; give the file a name that ends in .svg");
            }
        }
        Ok(())
    }
}

impl UncertaintyArgs {
    /// Refuses options that would have no effect.
    fn check(&self) -> anyhow::Result<()> {
        if self.resamples.is_some() && !self.interval.resamples() {
            bail!("--resamples goes with --interval bca or percentile; t does not resample lists");
        }
        Ok(())
    }
}

impl Evaluate {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let goal = self.cost.goal(DEFAULT_METRIC)?;
        let specs = specs(&self.metrics(&goal))?;
        self.output.check_names()?;
        self.uncertainty.check()?;
        let inputs = self.scores.files().chain([self.data.data.clone()]);
        check_targets(self.output.files(), inputs)?;
        let (data, scores) = self.scores.load(&self.data, goal.cost.columns())?;
        let problem = Problem::new(&data, &goal)?;
        self.cost.note_default_k(&specs, &metrics(&goal, &specs, Scale::of(&data))?);
        if scores.is_empty() && self.output.calibration.is_some() {
            bail!("--calibration looks at scores; name one with --score or --score-file");
        }
        if scores.is_empty() {
            note("no score is named (--score): only reference orders are shown");
        }
        let options = EvaluateOptions {
            metrics: specs,
            study: self.options(&scores),
            calibration: self.output.calibration.is_some(),
            k: self.cost.k,
        };
        let found = watched(|tell| evaluate_scores(&problem, &goal, &scores, &options, tell))?;
        if let Some(path) = &self.output.per_list {
            stakes::io::write_text(path, &per_list::csv(&data, &found.study)?)?;
        }
        if let Some(path) = &self.output.curve {
            let title = format!("Cost reached: {}", found.cost_name);
            stakes::io::write_text(path, &curves_svg(&found.curves, found.mark, &title))?;
        }
        if let Some(path) = &self.output.calibration {
            let title = format!("Expected and observed cost: {}", found.cost_name);
            stakes::io::write_text(path, &reliability_svg(&found.calibration, &title))?;
        }
        if self.output.json {
            return print_json(&found);
        }
        if self.output.latex {
            return print(&latex::render(&found.study));
        }
        let mut page = output::page();
        found.write(&mut page);
        if !found.calibration.is_empty() {
            calibration::write(&mut page, &found.calibration);
        }
        if !self.output.no_chart && !self.output.brief {
            page.gap();
            chart::write(&mut page, &found.curves, found.mark);
        }
        print_page(page)
    }

    /// The metrics that were asked for, or the cost saved and, for comparison, the usual NDCG.
    fn metrics(&self, goal: &Goal) -> String {
        if !self.metric.is_empty() {
            return self.metric.join(",");
        }
        match goal.capacity() {
            Some(Capacity::Range(..)) | None => "rcs,r,ndcg@10:gain=linear".into(),
            Some(k) => format!("rcs,r,ndcg@{k}:gain=linear"),
        }
    }

    fn options(&self, scores: &[Scores]) -> StudyOptions {
        let u = &self.uncertainty;
        let usual = IntervalOptions::default();
        let intervals = IntervalOptions {
            method: u.interval,
            level: u.level,
            resamples: u.resamples.unwrap_or(usual.resamples),
            seed: u.seed,
        };
        let brief = self.output.brief;
        let first = || (scores.len() > 1 && !brief).then(|| scores[0].name.clone());
        StudyOptions {
            intervals: (!u.no_intervals && !brief).then_some(intervals),
            references: !self.output.no_references,
            baseline: u.baseline.clone().or_else(first),
            tests: u.test.clone(),
            test_options: TestOptions { seed: u.seed, ..TestOptions::default() },
            correction: u.correction,
        }
    }
}
