//! `stakes train`: from data, roles and k to a model, and how good it is.

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
use stakes::classes::{ClassTask, read_costs};
use stakes::cost::Problem;
use stakes::data::Dataset;
use stakes::fit::{Division, Fit, Fitted, Interruption, checkpoint_file, tuning_file};
use stakes::goal::{DEFAULT_METRIC, Goal};
use stakes::io::check_targets;
use stakes::judge::JudgeOptions;
use stakes::learn::{GivenCosts, Learner, learner};
use stakes::metric::Scale;
use stakes::model::Model;
use stakes::model_file::ModelFile;

use self::summary::{Subject, Summary};
use crate::args::{CostArgs, DataArgs, specs};
use crate::terminal::output::{self, note, watched};
use crate::terminal::progress::Watcher;
use crate::terminal::{hints, interrupt};

/// Train a model that ranks by cost, and measure it on held-out lists
///
/// Name the columns (--list, --impact) and the number of items that can be acted on (--k);
/// everything else has a default. Several learners are cross-validated; those that do well on
/// held-out lists are blended and refitted on all lists, and compared with a plain regression,
/// the best single feature and a random order. A single learner (--learner) holds out a part of
/// the lists instead, which is also used for early stopping. Ctrl-C stops after the current round
/// and keeps the best model so far.
#[derive(Args)]
pub(crate) struct Train {
    #[command(flatten)]
    data: DataArgs,

    /// Learner (all of them: stakes learners)
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = learner)]
    learner: Box<dyn Learner>,

    /// Where to write the model: a name that ends in .json, or .json.zst to compress it
    #[arg(short, long, value_name = "FILE")]
    output: String,

    #[command(flatten)]
    task: task::TaskArgs,

    #[command(flatten)]
    cost: CostArgs,

    /// Metric for early stopping and model selection (all metrics: stakes metrics). Without @ it
    /// takes --k. For classes p@1, the share of rows that are right
    #[arg(
        short,
        long,
        value_name = "METRIC",
        default_value = DEFAULT_METRIC,
        help_heading = "Cost and action"
    )]
    metric: String,

    #[command(flatten)]
    sides: sides::SideArgs,

    #[command(flatten)]
    params: params::ParamArgs,

    #[command(flatten)]
    tune: tune::TuneArgs,

    #[command(flatten)]
    run: RunArgs,
}

#[derive(Args)]
#[command(next_help_heading = "Run")]
struct RunArgs {
    /// Seed of all random draws
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// A model whose training is continued: its trees are the first rounds
    #[arg(long = "continue", value_name = "MODEL")]
    first: Option<String>,
    /// Resume an interrupted run; give the same flags again
    #[arg(long)]
    resume: bool,
    /// Seconds between checkpoints (OUTPUT.checkpoint, removed when the run is finished)
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    checkpoint_every: u64,
    /// Stop after this many rounds as if interrupted
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    stop_after: Option<u32>,
    /// Do not train the plain regression to compare with
    #[arg(long)]
    no_baseline: bool,
    /// Print nothing but errors
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
    /// The summary as JSON (docs/train-json.md)
    #[arg(long)]
    json: bool,
}

impl Train {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if self.run.quiet {
            output::be_quiet();
        }
        // What can be refused is refused before anything is read, and long before the training.
        let class = self.task.class(&self.data, &self.cost)?;
        let (learner, defaults) = match class {
            None => (self.learner.clone(), &[][..]),
            Some(_) => (ClassTask::learner(&*self.learner)?, ClassTask::DEFAULTS),
        };
        let configured = self.params.settings(learner, defaults)?;
        let costs = read_costs(&*configured.learner, class.is_some())?;
        self.check_files(costs.as_ref())?;
        let trials = self.tune.trials(&*configured.learner)?;
        let goal = self.goal(class.is_some())?;
        let mut fit = Fit::configured(configured)
            .seed(self.run.seed)
            .output(&self.output)
            .checkpoint_interval(Duration::from_secs(self.run.checkpoint_every))
            .resume(self.run.resume);
        if let Some(trials) = trials {
            fit = fit.tune(trials);
        }
        fit.check()?;
        if let Some(part) = self.sides.hold_out() {
            fit = fit.hold_out(part);
        }
        let init_model = self.run.first.as_deref().map(Model::load).transpose()?;
        if let Some(model) = &init_model {
            fit = fit.continue_from(model);
        }
        let base = self.params.base_model()?;
        if let Some(base) = &base {
            fit = fit.rerank(base);
        }
        if let Some(costs) = &costs {
            fit = fit.costs(costs);
        }
        match class {
            None => self.rank(&fit, &goal),
            Some(class) => self.classes(fit, &goal, class, costs.as_ref()),
        }
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
            costs.map(GivenCosts::file),
        ];
        Ok(check_targets(outputs, inputs.into_iter().flatten())?)
    }

    /// Trains a model that ranks the items of lists.
    fn rank(&self, fit: &Fit<'_>, asked: &Goal) -> anyhow::Result<()> {
        let data = self.read(&self.data, asked)?;
        let goal = self.resolved(asked, &data)?;
        let division = self.sides.divide(fit, data, &goal, &self.data, Ok)?;
        let options = JudgeOptions { regression: !self.run.no_baseline, seed: self.run.seed };
        let (training, validation) = (&division.training, division.validation.as_ref());
        let judging = match self.run.quiet {
            true => 0.0,
            false => fit.judging_work(training, validation, options),
        };
        let mut watcher = self.watcher(fit, judging);
        let Some(fitted) = self.train(fit, &division, &goal, &mut watcher)? else { return Ok(()) };
        watcher.next("plain regression");
        let problem = Problem::new(training, &goal)?;
        let validation = validation.map(|data| Problem::new(data, &goal)).transpose()?;
        let verdict = interrupt::during(|| {
            fitted.judge(&problem, validation.as_ref(), options, &mut watcher)
        })?;
        drop(watcher);
        verdict.iter().for_each(|verdict| hints::notes(&verdict.notes));
        self.show(&fitted, &division, Subject::Lists(verdict.as_ref()))
    }

    /// Trains a model that distinguishes classes of rows.
    fn classes(
        &self,
        fit: Fit<'_>,
        goal: &Goal,
        class: &str,
        costs: Option<&GivenCosts>,
    ) -> anyhow::Result<()> {
        let args = task::with_class(self.data.clone(), class);
        let rows = self.read(&args, goal)?;
        let task = ClassTask::new(&rows, class)?;
        let fit = fit.columns(task.columns());
        let data = task.candidates(&rows)?;
        drop(rows);
        let goal = goal.clone().resolve(data.mean_list_length());
        let division =
            self.sides.divide(&fit, data, &goal, &args, |rows| task.candidates(&rows))?;
        let mut watcher = self.watcher(&fit, 0.0);
        let fitted = self.train(&fit, &division, &goal, &mut watcher)?;
        drop(watcher);
        let Some(fitted) = fitted else { return Ok(()) };
        let verdict = match (&fitted.model, &division.validation) {
            (Some(model), Some(validation)) => {
                Some(task.judge(model, &division.training, validation, costs)?)
            }
            _ => None,
        };
        self.show(&fitted, &division, Subject::Classes(&task.classes, verdict.as_ref()))
    }

    fn read(&self, args: &DataArgs, goal: &Goal) -> anyhow::Result<Dataset> {
        watched(|say| {
            say("reading");
            args.read(goal.cost.columns(), goal.cost.columns())
        })
    }

    /// Shows how it goes; work of this amount follows the training.
    fn watcher(&self, fit: &Fit<'_>, after: f64) -> Watcher {
        let stop_after = self.run.stop_after.map(|n| n as usize);
        Watcher::new(fit.learner().name(), after, stop_after)
    }

    /// Trains and writes the model. `None` if there is nothing to show.
    fn train(
        &self,
        fit: &Fit<'_>,
        division: &Division,
        goal: &Goal,
        watcher: &mut Watcher,
    ) -> anyhow::Result<Option<Fitted>> {
        let (training, validation) = (&division.training, division.validation.as_ref());
        let fitted = interrupt::during(|| fit.run(training, validation, goal, watcher))?;
        if let Some(stopped) = &fitted.interruption {
            note(match &fitted.tuned {
                Some(_) => tune::interrupted(stopped, fitted.model.is_some(), &self.output),
                None => self.interrupted(stopped),
            });
        }
        Ok(Some(fitted).filter(|fitted| fitted.model.is_some() && !self.run.quiet))
    }

    fn show(
        &self,
        fitted: &Fitted,
        division: &Division,
        subject: Subject<'_>,
    ) -> anyhow::Result<()> {
        let Some(model) = &fitted.model else { return Ok(()) };
        Summary { output: &self.output, model, fitted, division, subject }.show(self.run.json)
    }

    /// The goal as it was asked for; for classes, that the right one comes first.
    fn goal(&self, of_classes: bool) -> anyhow::Result<Goal> {
        match specs(&self.metric)?.len() {
            1 => {}
            n => bail!(
                "--metric names {n} metrics; give the one for early stopping and model selection"
            ),
        }
        let metric = match self.metric.as_str() {
            DEFAULT_METRIC if of_classes => "p@1",
            metric => metric,
        };
        let goal = self.cost.goal(metric)?;
        let k = self.cost.k.or(goal.metric.cutoff);
        Ok(match of_classes && k.is_none() {
            true => Goal { reach: 1.into(), ..goal },
            false => goal,
        })
    }

    /// The goal in numbers of items of these data.
    fn resolved(&self, asked: &Goal, data: &Dataset) -> anyhow::Result<Goal> {
        let goal = asked.clone().resolve(data.mean_list_length());
        let metric = goal.spec().build(Scale::of(data))?;
        self.cost.note_default_k(slice::from_ref(&asked.metric), slice::from_ref(&metric));
        Ok(goal)
    }

    fn interrupted(&self, stopped: &Interruption) -> String {
        let Interruption { stage, round, best_round, can_resume } = stopped;
        if *round == 0 {
            return format!("interrupted: the best weights so far are in {}", self.output);
        }
        let stage = if stage == "score" { String::new() } else { format!(" of {stage}") };
        let go_on = if *can_resume { "; continue with --resume" } else { "" };
        format!(
            "interrupted after round {round}{stage}: the best model so far (round {best_round}) is in \
             {}{go_on}",
            self.output
        )
    }
}
