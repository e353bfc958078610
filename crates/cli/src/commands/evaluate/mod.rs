//! `stakes evaluate`: how much cost orders save, with intervals and paired tests.

mod calibration;
mod chart;
mod latex;
mod per_list;

use anyhow::bail;
use clap::Args;
use stakes::Note;
use stakes::audit::{MissingGroup, item_groups};
use stakes::config::Config;
use stakes::cost::{Capacity, Problem};
use stakes::data::Dataset;
use stakes::eval::picture::{curves_svg, reliability_svg};
use stakes::eval::study::{Scores, StudyOptions};
use stakes::evaluate::notes::nothing_to_save;
use stakes::evaluate::scores::{check, of_model};
use stakes::evaluate::{EvaluateOptions, ModelTrainedOn, evaluate_scores, metrics};
use stakes::goal::{Goal, Reach};
use stakes::io::check_targets;
use stakes::learn::params::Choice;
use stakes::learn::rankboost::PairCostRule;
use stakes::metric::{Scale, Spec};
use stakes::model::Model;
use stakes::model_file::ModelFile;
use stakes::preferences::compare_files;
use stakes::stats::{Correction, IntervalMethod, IntervalOptions, PairedTest, TestOptions};

use crate::args::words::WordArgs;
use crate::args::{
    CostArgs, DataArgs, ScoreArgs, SeenArgs, check_ending, name_and_path, note_config, specs,
    use_config,
};
use crate::terminal::hints;
use crate::terminal::output::{self, note, print, print_json, print_page, watched};

/// Measure rankings: figures, intervals, tests, cost curves
///
/// A score is a column of the data (--score), a file of numbers (--score-file), or a TREC run
/// (--run, with qrels as data). Reference orders are shown beside them: a random order, the ideal
/// order, and the best single feature of this data.
#[derive(Args)]
pub(crate) struct Evaluate {
    /// Only the figures: no intervals, no tests, no drawing
    #[arg(long, conflicts_with_all = ["baseline", "level", "resamples", "interval"])]
    brief: bool,
    /// As JSON (docs/evaluate-json.md)
    #[arg(long, conflicts_with = "latex")]
    json: bool,
    /// Draw the cumulative cost curves to this SVG file
    #[arg(long, value_name = "FILE")]
    curve: Option<String>,

    #[command(flatten)]
    scores: ScoreArgs,

    /// A trained model, as FILE or NAME=FILE, to score DATA with
    ///
    /// May be repeated. Without stakes.toml, columns and goal are those that the first one was trained with,
    /// unless flags say otherwise.
    #[arg(long, value_name = "FILE", conflicts_with = "run", help_heading = "Scores")]
    model: Vec<String>,

    #[command(flatten)]
    seen: SeenArgs,

    /// Compare the others with this one (default: the first)
    ///
    /// Or with a reference order: random, ideal, best-feature.
    #[arg(long, value_name = "SCORE", help_heading = "Scores", hide_short_help = true)]
    baseline: Option<String>,

    #[command(flatten)]
    cost: CostArgs,

    /// Metrics (stakes metrics lists all of them)
    ///
    /// Several are separated by commas. Cost metrics without @ take -k. Default:
    /// rcs,r,ndcg@K:gain=linear.
    #[arg(short, long, value_name = "METRICS", help_heading = "Goal")]
    metric: Vec<String>,

    #[command(flatten)]
    groups: GroupArgs,

    /// DATA and this file are preferences (columns list, better, worse): how do they agree?
    ///
    /// DATA holds the target, this file the prediction; neither need be complete. Kendall distance, gamma, Jaccard,
    /// precision, recall and F1 over the preferences of all lists together.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["score", "score_file", "run", "model", "metric", "by", "by_severity", "by_pair_cost", "latex", "curve"],
        help_heading = "Scores",
        hide_short_help = true
    )]
    preferences: Option<String>,

    #[command(flatten)]
    uncertainty: UncertaintyArgs,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    data: DataArgs,
}

#[derive(Args)]
#[command(next_help_heading = "Uncertainty")]
struct UncertaintyArgs {
    /// Paired tests: randomisation, t, wilcoxon
    #[arg(
        long,
        value_name = "TESTS",
        value_delimiter = ',',
        default_value = "randomisation,t,wilcoxon",
        hide_short_help = true
    )]
    test: Vec<PairedTest>,
    /// Correction for several comparisons: holm, bonferroni, benjamini-hochberg, none
    #[arg(long, value_name = "NAME", default_value = "holm", hide_short_help = true)]
    correction: Correction,
    /// Confidence of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, hide_short_help = true)]
    level: f64,
    /// How intervals are computed: t (for lists of unequal size), or by resampling lists: bca,
    /// percentile
    #[arg(long, value_name = "METHOD", default_value = "t", hide_short_help = true)]
    interval: IntervalMethod,
    /// Number of resamples of the lists, with --interval bca or percentile (default: 2000)
    #[arg(long, value_name = "N", hide_short_help = true)]
    resamples: Option<usize>,
    /// Leave the intervals out
    #[arg(long, conflicts_with_all = ["level", "resamples", "interval"], hide_short_help = true)]
    no_intervals: bool,
    /// Seed of all random draws: resamples and random orders
    #[arg(long, value_name = "N", default_value_t = 0, hide_short_help = true)]
    seed: u64,
}

#[derive(Args)]
#[command(next_help_heading = "Output")]
struct OutputArgs {
    /// As a LaTeX table
    #[arg(long, conflicts_with = "statistics", hide_short_help = true)]
    latex: bool,
    #[command(flatten)]
    words: WordArgs,
    /// Leave out the random, ideal and best-single-feature rows
    #[arg(long, hide_short_help = true)]
    no_references: bool,
    /// Write every list's values to this CSV file
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    per_list: Option<String>,
    /// Take scores as expected costs (stakes rank --to expected), compare them with the observed
    /// costs, and draw the calibration to this SVG file
    #[arg(long, value_name = "FILE", conflicts_with = "run", hide_short_help = true)]
    calibration: Option<String>,
    /// Do not draw the curves in the terminal
    #[arg(long, hide_short_help = true)]
    no_chart: bool,
}

#[derive(Args)]
#[command(next_help_heading = "Groups")]
struct GroupArgs {
    /// Also every metric by the groups of these columns
    ///
    /// Figures of the members of a group among themselves (lists restricted to them), with the difference and ratio to
    /// the rest, intervals and relabelling tests. Several columns are separated by commas: each of them, and all
    /// combinations with at least 10 items. stakes audit shows how an order treats groups.
    #[arg(
        long,
        value_name = "COLUMNS",
        value_delimiter = ',',
        conflicts_with_all = ["run", "latex"],
        hide_short_help = true
    )]
    by: Vec<String>,
    /// Also every metric by severity: fifths of the lists by what could be saved in them
    #[arg(long, conflicts_with_all = ["run", "latex"], hide_short_help = true)]
    by_severity: bool,
    /// Also the share of pairs in order by what it costs to get them wrong: product, mean, max, difference
    ///
    /// The cost of a pair follows from the weights of its two items (--weight), or from their costs: their product,
    /// mean, maximum or difference. Classes are thirds of all pairs, or the different costs if there are up to three.
    #[arg(
        long,
        value_name = "RULE",
        value_parser = pair_cost_rule,
        conflicts_with_all = ["run", "latex"],
        hide_short_help = true
    )]
    by_pair_cost: Option<PairCostRule>,
    /// With --by: items without a group: refuse, drop or own (a group of their own; default: refuse)
    #[arg(long, value_name = "WHAT", requires = "by", hide_short_help = true)]
    missing_group: Option<MissingGroup>,
}

/// A rule by its name.
fn pair_cost_rule(text: &str) -> Result<PairCostRule, String> {
    let names = PairCostRule::NAMES;
    let found = names.iter().zip(PairCostRule::VALUES).find(|(name, _)| **name == text);
    let hint = || format!("allowed are {}", names.join(", "));
    found.map(|(_, rule)| *rule).ok_or_else(hint)
}

impl GroupArgs {
    /// Columns of groups are read as categories, whatever else they are.
    fn read_as_groups(&self, data: &DataArgs) -> DataArgs {
        let mut data = data.clone();
        let roles = &mut data.roles;
        roles.group = roles.group.take().filter(|group| !self.by.contains(group));
        roles.drop.retain(|column| !self.by.contains(column));
        roles.categorical.extend(self.by.iter().cloned());
        data
    }
}

impl UncertaintyArgs {
    /// Whether tests, a correction or intervals are chosen: who does so wants to see them.
    fn is_asked_for(&self) -> bool {
        self.test != PairedTest::ALL
            || self.correction != Correction::default()
            || self.interval != IntervalOptions::default().method
    }

    /// Refuses options that would have no effect.
    fn check(&self) -> anyhow::Result<()> {
        if self.resamples.is_some() && !self.interval.resamples() {
            bail!("--resamples goes with --interval bca or percentile; t does not resample lists");
        }
        Ok(())
    }
}

impl Evaluate {
    pub(crate) fn run(mut self) -> anyhow::Result<()> {
        if let Some(predicted) = &self.preferences {
            let found = compare_files(&self.data.data, predicted)?;
            if self.json {
                return print_json(&found);
            }
            let mut page = output::page();
            found.write(&mut page);
            return print_page(page);
        }
        let models = self.model.iter().map(|text| {
            let (name, path) = name_and_path(text)?;
            let model = Model::load(&path)?;
            Ok((name, path, model))
        });
        let models = models.collect::<anyhow::Result<Vec<(String, String, Model)>>>()?;
        let mut config = match (self.data.load_config(!self.scores.has_runs())?, models.first()) {
            // The model knows which column is what.
            (config, Some((_, path, model))) if config == Config::default() => {
                let (data, file) = (&self.data.data, self.data.file_args.options());
                Config::of_model(model, path, data, &file)?.for_data(data, &file)?
            }
            (config, _) => config,
        };
        config.columns.group = config.columns.group.filter(|group| !self.groups.by.contains(group));
        config.columns.drop.retain(|column| !self.groups.by.contains(column));
        let metric = self.metric.first().map(String::as_str);
        let used = use_config(&config, &mut self.data, &mut self.cost, metric)?;
        note_config(&config, &used);
        let goal = self.cost.goal(None)?;
        self.note_other_reach(&models, &goal)?;
        let specs = self.metrics(&goal)?;
        for path in [&self.curve, &self.output.calibration] {
            check_ending(path.as_deref(), ".svg", "pictures")?;
        }
        self.uncertainty.check()?;
        let model_files = models.iter().map(|(_, path, _)| path.clone());
        let inputs = self.scores.files().chain(model_files).chain([self.data.data.clone()]);
        check_targets(self.files(), inputs)?;
        let as_groups = self.groups.read_as_groups(&self.data);
        let (data, mut scores) = self.scores.load(&as_groups, goal.cost.columns())?;
        let (of_models, trained_on) = self.of_models(&models, &data, &goal)?;
        scores.extend(of_models);
        check(&data, &scores)?;
        let problem = Problem::new(&data, &goal)?;
        self.cost.note_default_k(&specs, &metrics(&goal, &specs, Scale::of(&data))?, &data);
        if scores.is_empty() && self.output.calibration.is_some() {
            bail!("--calibration looks at scores; name one with --score, --score-file or --model");
        }
        if self.output.calibration.is_some()
            && goal.budget().is_some()
            && models.iter().any(|(_, _, model)| model.scores_costs)
        {
            bail!(
                "--calibration takes scores for expected costs, but where money is spent the model ranks by \
                 cost per price; give -k instead of a budget"
            );
        }
        if scores.is_empty() {
            note(
                "no score is named (--score, --score-file, --model): only reference orders are shown",
            );
        }
        for (asked, flag) in [
            (!self.groups.by.is_empty(), "--by"),
            (self.groups.by_severity, "--by-severity"),
            (self.groups.by_pair_cost.is_some(), "--by-pair-cost"),
        ] {
            if scores.is_empty() && asked {
                bail!("{flag} looks at scores; name one with --score, --score-file or --model");
            }
        }
        let missing = self.groups.missing_group.unwrap_or_default();
        let by = match self.groups.by.is_empty() {
            true => None,
            false => Some(item_groups(&data, &self.groups.by, missing)?),
        };
        let options = EvaluateOptions {
            metrics: specs,
            by,
            by_severity: self.groups.by_severity,
            by_pair_cost: self.groups.by_pair_cost,
            study: self.options(&scores),
            calibration: self.output.calibration.is_some(),
            k: self.cost.capacity(),
            ..EvaluateOptions::default()
        };
        let mut found = watched(|observer| {
            evaluate_scores(&problem, &goal, &scores, &options, Some(observer))
        })?;
        found.trained_on = trained_on;
        // Some metrics count lists without a cost, some options make others do so.
        let left_out = found.study.results.iter().any(|row| row.lists < data.n_lists());
        nothing_to_save(&problem).iter().filter(|_| left_out).for_each(hints::note);
        if let Some(path) = &self.output.per_list {
            output::write_text(path, &per_list::csv(&data, &found.study)?)?;
        }
        if let Some(path) = &self.curve {
            let title = format!("Cost reached: {}", found.cost_name);
            output::write_text(path, &curves_svg(&found.curves, found.mark, &title))?;
        }
        if let Some(path) = &self.output.calibration {
            let title = format!("Expected and observed cost: {}", found.cost_name);
            output::write_text(path, &reliability_svg(&found.calibration, &title))?;
        }
        if self.json {
            return print_json(&found);
        }
        if self.output.latex {
            return print(&latex::render(&found.study));
        }
        let statistics = self.output.words.statistics || self.uncertainty.is_asked_for();
        let words = WordArgs { statistics }.words(!self.metric.is_empty());
        let mut page = output::page_in(words);
        found.write(&mut page);
        if !found.calibration.is_empty() {
            calibration::write(&mut page, &found.calibration);
        }
        if !self.output.no_chart && !self.brief {
            page.gap();
            chart::write(&mut page, &found.curves, found.mark);
        }
        print_page(page)
    }

    /// The files that are written.
    fn files(&self) -> impl Iterator<Item = &String> {
        [&self.output.per_list, &self.curve, &self.output.calibration].into_iter().flatten()
    }

    /// Says where figures are for another reach than a model was trained for, and nobody typed it.
    fn note_other_reach(
        &self,
        models: &[(String, String, Model)],
        goal: &Goal,
    ) -> anyhow::Result<()> {
        let typed = self.cost.given(None)?.reach.is_some() || !self.metric.is_empty();
        let other = |(_, _, model): &&(String, String, Model)| {
            model.goal.reach != goal.reach && !matches!(goal.capacity(), Some(Capacity::Percent(_)))
        };
        if let Some((_, path, model)) = models.iter().find(other).filter(|_| !typed) {
            let words = |reach: Reach| match reach {
                Reach::Items(k) => (format!("{k} items"), format!("-k {k}")),
                Reach::Money(money) => (reach.to_string(), format!("--budget {money}")),
            };
            let ((here, _), (there, flag)) = (words(goal.reach), words(model.goal.reach));
            note(format!("figures are for {here}; {path} was trained for {there} ({flag})"));
        }
        Ok(())
    }

    /// The scores of the models, and which were trained on some of the lists.
    fn of_models(
        &self,
        models: &[(String, String, Model)],
        data: &Dataset,
        goal: &Goal,
    ) -> anyhow::Result<(Vec<Scores>, Vec<ModelTrainedOn>)> {
        // A column that is a score is not a feature, and a group is a category, but a model may read it.
        let again = !models.is_empty() && (self.scores.has_columns() || !self.groups.by.is_empty());
        if again && self.data.data == "-" {
            bail!(
                "--score and --by with --model read the data twice, which stdin cannot; give a file"
            );
        }
        let columns = || goal.cost.columns();
        let with_all = again.then(|| self.data.read(columns(), columns())).transpose()?;
        let (mut scores, mut trained_on) = (Vec::new(), Vec::new());
        for (name, _, model) in models {
            let data = with_all.as_ref().unwrap_or(data);
            let (score, seen) = of_model(name, model, data, goal.reach, self.seen.into())?;
            // A table in LaTeX has no room for it.
            if self.output.latex {
                Note::on_figures(name, data, seen).iter().for_each(hints::note);
            }
            scores.push(score);
            trained_on.extend(ModelTrainedOn::new(name, seen));
        }
        Ok((scores, trained_on))
    }

    /// The metrics that were asked for, or that of the goal, the cost saved and, for comparison, the
    /// usual NDCG.
    fn metrics(&self, goal: &Goal) -> anyhow::Result<Vec<Spec>> {
        if !self.metric.is_empty() {
            return specs(&self.metric.join(","));
        }
        let usual = specs(&match goal.capacity() {
            Some(Capacity::Range(..)) | None => "rcs,r,ndcg@10:gain=linear".to_owned(),
            Some(k) => format!("rcs,r,ndcg@{k}:gain=linear"),
        })?;
        let known = goal.spec();
        let others = usual.into_iter().filter(|spec| goal.complete(spec.clone()) != known);
        Ok([goal.metric.clone()].into_iter().chain(others).collect())
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
        let brief = self.brief;
        let first = || (scores.len() > 1 && !brief).then(|| scores[0].name.clone());
        StudyOptions {
            intervals: (!u.no_intervals && !brief).then_some(intervals),
            references: !self.output.no_references,
            baseline: self.baseline.clone().or_else(first),
            tests: if brief { Vec::new() } else { u.test.clone() },
            test_options: TestOptions { seed: u.seed, ..TestOptions::default() },
            correction: u.correction,
        }
    }
}
