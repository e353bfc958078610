//! `stakes train`: from data, roles and k to a model, and how good it is.

mod asked;
mod classes;
mod params;
mod sides;
mod summary;
mod task;
mod tune;

use std::slice;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use stakes::Task;
use stakes::data::Dataset;
use stakes::fit::{Division, Fit, Fitted, Interruption, checkpoint_file, tuning_file};
use stakes::goal::Goal;
use stakes::io::{Format, check_targets};
use stakes::judge::{CurrentPolicy, JudgeOptions};
use stakes::learn::{GivenCosts, Learner, learner};
use stakes::metric::Scale;
use stakes::model::Model;
use stakes::model_file::ModelFile;

use self::summary::Summary;
use crate::Host;
use crate::args::words::WordArgs;
use crate::args::{CostArgs, DataArgs, RayArgs, Size, VerdictArgs};
use crate::terminal::output::{note, watched, written};
use crate::terminal::progress::Watcher;
use crate::terminal::verbosity::is_quiet;
use crate::terminal::{hints, interrupt};

/// Train a model that ranks by cost; measure it on held-out lists
///
/// Name the columns (--list, --impact) and the number of items that can be acted on (-k);
/// everything else has a default. Several learners are cross-validated; those that do well on the
/// lists left out are blended, and compared with a plain regression, the best single feature and a
/// random order. A single learner (--learner) is cross-validated, too, if it boosts trees; others
/// hold out a part of the lists, as all do with --time. The lists left out also decide when to stop.
/// Ctrl-C stops after the current round and keeps the best model so far.
#[derive(Args)]
pub(crate) struct Train {
    /// Where to write the model: .json or .json.zst (compressed)
    #[arg(short, long, value_name = "FILE")]
    output: String,
    /// The summary as JSON (docs/train-json.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    words: WordArgs,

    #[command(flatten)]
    cost: CostArgs,

    /// Metric that decides (stakes metrics lists all of them)
    ///
    /// It stops the training in time and selects models. Without @ it takes -k. The default is rcs;
    /// for classes it is p@1, the share of rows that are right.
    #[arg(short, long, value_name = "METRIC", help_heading = "Goal")]
    metric: Option<String>,

    /// Learner (default: auto; stakes learners lists all)
    #[arg(long, value_name = "NAME", value_parser = learner, help_heading = "Training")]
    learner: Option<Box<dyn Learner>>,

    #[command(flatten)]
    verdict: VerdictArgs,

    #[command(flatten)]
    params: params::ParamArgs,

    #[command(flatten)]
    sides: sides::SideArgs,

    #[command(flatten)]
    task: task::TaskArgs,

    #[command(flatten)]
    tune: tune::TuneArgs,

    #[command(flatten)]
    run: RunArgs,

    #[command(flatten)]
    data: DataArgs,
}

#[derive(Args)]
#[command(next_help_heading = "Run")]
struct RunArgs {
    /// Seed of all random draws (default: 0)
    #[arg(long, value_name = "N", hide_short_help = true)]
    seed: Option<u64>,
    /// A model whose training is continued: its trees are the first rounds
    #[arg(long = "continue", value_name = "MODEL", hide_short_help = true)]
    first: Option<String>,
    /// Resume an interrupted run; give the same flags again
    #[arg(long, hide_short_help = true)]
    resume: bool,
    /// Seconds between checkpoints (OUTPUT.checkpoint, removed when the run is finished)
    #[arg(long, value_name = "SECONDS", default_value_t = 30, hide_short_help = true)]
    checkpoint_every: u64,
    /// Stop after this many rounds as if interrupted
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "ray", hide_short_help = true)]
    stop_after: Option<u32>,
    /// Do not train the plain regression to compare with
    #[arg(long, hide_short_help = true)]
    no_baseline: bool,
    /// Features of Parquet files that would take more memory than this are read piece by piece (default: 1G)
    ///
    /// The model is the same; memory is a byte per value instead of four, and reading takes longer. Boosted trees, forests and
    /// auto can be trained like this.
    #[arg(long, value_name = "SIZE", hide_short_help = true)]
    stream_above: Option<Size>,
    #[command(flatten)]
    ray: RayArgs,
}

impl Train {
    pub(crate) fn run(mut self, host: &Host) -> anyhow::Result<()> {
        // What can be refused is refused before anything is read, and long before the training.
        let task = self.task.task(&self.data, &self.cost)?;
        if task != Task::Rank {
            self.verdict.refuse_for_classes()?;
        }
        self.verdict.amounts()?;
        if let (Some(scores), Some(_)) = (self.verdict.file(), self.sides.file()) {
            bail!("--current {scores} has scores of the training data; with --valid name a column");
        }
        self.data.use_task(&task);
        let config = self.use_config(&task)?;
        let configured = self.configured(&config.train, &task)?;
        let trials = self.tune.trials(&*configured.learner)?;
        let goal = self.goal(&task)?;
        let mut fit = Fit::configured(configured)
            .task(task)?
            .read_costs()?
            .seed(self.seed())
            .output(&self.output)
            .checkpoint_interval(Duration::from_secs(self.run.checkpoint_every))
            .resume(self.run.resume)
            .jobs(self.run.ray.jobs(host, [&self.data.data])?);
        self.check_files(fit.given_costs())?;
        if let Some(trials) = trials {
            fit = fit.tune(trials);
        }
        fit = self.sides.apply(fit);
        let init_model = self.run.first.as_deref().map(Model::load).transpose()?;
        if let Some(model) = &init_model {
            fit = fit.continue_from(model);
        }
        let base = self.params.base_model()?;
        if let Some(base) = &base {
            fit = fit.rerank(base);
        }
        fit.check()?;
        let stream_above = self.stream_above(&fit)?;
        let data = self.read(&goal, stream_above)?;
        let current = self.verdict.of_data(&data)?;
        fit = fit.current(current.as_ref().and_then(|current| current.feature(&data)));
        let division = self.sides.divide(&fit, data, &goal, &self.data)?;
        self.note_default_k(&goal, &division)?;
        self.train(&fit, &division, current)
    }

    /// Refuses to write over what is read.
    fn check_files(&self, costs: Option<&GivenCosts>) -> anyhow::Result<()> {
        let outputs =
            [self.output.clone(), checkpoint_file(&self.output), tuning_file(&self.output)];
        let inputs = [
            Some(&self.data.data),
            self.sides.file(),
            self.run.first.as_ref(),
            self.params.base_file(),
            self.verdict.file(),
            costs.map(GivenCosts::file),
        ];
        Ok(check_targets(outputs, inputs.into_iter().flatten())?)
    }

    /// How much memory features may take before they stay in their files.
    fn stream_above(&self, fit: &Fit<'_>) -> anyhow::Result<Option<u64>> {
        let asked = self.run.stream_above.map(|Size(bytes)| bytes as u64);
        let format = self.data.file_args.format.or_else(|| Format::from_path(&self.data.data));
        if asked.is_some() && format != Some(Format::Parquet) {
            let data = &self.data.data;
            bail!(
                "--stream-above has no effect on {data}: only features of Parquet files can stay in them"
            );
        }
        Ok(fit.stream_above(asked)?)
    }

    fn read(&mut self, goal: &Goal, stream_above: Option<u64>) -> anyhow::Result<Dataset> {
        let outcomes = goal.cost.columns();
        let mut extras = self.verdict.dropped(&mut self.data.roles.drop)?;
        extras.extend(outcomes.iter().cloned());
        watched(|observer| {
            observer.stage("reading");
            self.data.read_streamed(extras, outcomes, stream_above)
        })
    }

    /// A note when k was not given and matters.
    fn note_default_k(&self, asked: &Goal, division: &Division<'_>) -> anyhow::Result<()> {
        let metric = division.goal.spec().build(Scale::of(&division.training))?;
        let asked = slice::from_ref(&asked.metric);
        self.cost.note_default_k(asked, slice::from_ref(&metric), &division.training);
        Ok(())
    }

    /// Trains and writes the model, and shows how good it is.
    fn train(
        &self,
        fit: &Fit<'_>,
        division: &Division<'_>,
        current: Option<CurrentPolicy>,
    ) -> anyhow::Result<()> {
        let (regression, seed) = (!self.run.no_baseline, self.seed());
        let amounts = self.verdict.amounts()?;
        let options = JudgeOptions { regression, seed, current, amounts };
        let judging = if self.is_shown() { fit.judging_work(division, &options) } else { 0.0 };
        let stop_after = self.run.stop_after.map(|n| n as usize);
        let mut watcher = Watcher::new(fit.learner().name(), judging, stop_after);
        let fitted = interrupt::during(|| fit.run(division, Some(&mut watcher)))?;
        if fitted.model.is_some() {
            written(&self.output);
        }
        self.note_interruption(&fitted);
        let Some(model) = fitted.model.as_ref().filter(|_| self.is_shown()) else { return Ok(()) };
        watcher.next("plain regression");
        let judged = interrupt::during(|| fitted.judge(division, &options, Some(&mut watcher)))?;
        drop(watcher);
        hints::notes(judged.notes());
        let summary = Summary { output: &self.output, model, fitted: &fitted, division, judged };
        match self.json {
            true => summary.print_json(),
            false => summary.show(self.words.words(self.metric.is_some())),
        }
    }

    /// Whether there is a summary.
    fn is_shown(&self) -> bool {
        self.json || !is_quiet()
    }

    fn note_interruption(&self, fitted: &Fitted) {
        if let Some(stopped) = &fitted.interruption {
            note(match &fitted.tuned {
                Some(_) => tune::interrupted(stopped, fitted.model.is_some(), &self.output),
                None => self.interrupted(stopped),
            });
        }
    }

    fn interrupted(&self, stopped: &Interruption) -> String {
        let Interruption { stage, round, best_round, can_resume, is_trained } = stopped;
        let output = &self.output;
        if *is_trained {
            return format!(
                "interrupted while cross-validating: the model in {output} is trained on all lists, \
                 but neither measured nor calibrated"
            );
        }
        let go_on = if *can_resume { "; continue with --resume" } else { "" };
        if *round == 0 && self.run.ray.is_given() {
            return format!("interrupted after {stage}, and no model is written{go_on}");
        }
        if *round == 0 {
            return format!("interrupted: the best weights so far are in {output}");
        }
        let stage = if stage == "score" { String::new() } else { format!(" of {stage}") };
        format!(
            "interrupted after round {round}{stage}: the best model so far (round {best_round}) is in \
             {output}{go_on}"
        )
    }
}
