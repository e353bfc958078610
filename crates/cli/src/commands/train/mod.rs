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
use stakes::config::{Config, DEFAULT_LEARNER, TrainConfig};
use stakes::cost::Problem;
use stakes::data::Dataset;
use stakes::fit::{Division, Fit, Fitted, Interruption, checkpoint_file, tuning_file};
use stakes::goal::Goal;
use stakes::io::check_targets;
use stakes::judge::JudgeOptions;
use stakes::learn::{Configured, GivenCosts, Learner, learner};
use stakes::metric::Scale;
use stakes::model::Model;
use stakes::model_file::ModelFile;

use self::summary::{Subject, Summary};
use crate::args::{CostArgs, DataArgs, note_config, specs, use_config};
use crate::terminal::output::{note, watched};
use crate::terminal::progress::Watcher;
use crate::terminal::verbosity::is_quiet;
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

    /// Learner (all of them: stakes learners; default: auto)
    #[arg(long, value_name = "NAME", value_parser = learner)]
    learner: Option<Box<dyn Learner>>,

    /// Where to write the model: a name that ends in .json, or .json.zst to compress it
    #[arg(short, long, value_name = "FILE")]
    output: String,

    #[command(flatten)]
    task: task::TaskArgs,

    #[command(flatten)]
    cost: CostArgs,

    /// Metric for early stopping and model selection (all metrics: stakes metrics). Without @ it
    /// takes --k. For classes p@1, the share of rows that are right
    #[arg(short, long, value_name = "METRIC", help_heading = "Cost and action")]
    metric: Option<String>,

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
    /// Seed of all random draws (default: 0)
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
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
    /// The summary as JSON (docs/train-json.md)
    #[arg(long)]
    json: bool,
}

impl Train {
    pub(crate) fn run(mut self) -> anyhow::Result<()> {
        // What can be refused is refused before anything is read, and long before the training.
        let class = self.task.class(&self.data, &self.cost)?.map(str::to_owned);
        let class = class.as_deref();
        let config = self.use_config(class.is_some())?;
        let configured = self.learner(&config.train, class.is_some())?;
        let costs = read_costs(&*configured.learner, class.is_some())?;
        self.check_files(costs.as_ref())?;
        let trials = self.tune.trials(&*configured.learner)?;
        let goal = self.goal(class.is_some())?;
        let mut fit = Fit::configured(configured)
            .seed(self.seed())
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
        let Some(fitted) = self.train(fit, &division, &goal)? else { return Ok(()) };
        let problem = Problem::new(&division.training, &goal)?;
        let validation = division.validation.as_ref().map(|data| Problem::new(data, &goal));
        let validation = validation.transpose()?;
        let options = JudgeOptions { regression: !self.run.no_baseline, seed: self.seed() };
        let mut watcher = Watcher::new(None, is_quiet());
        let verdict = interrupt::during(|| {
            fitted.judge(&problem, validation.as_ref(), options, &mut watcher)
        });
        watcher.finish();
        let verdict = verdict?;
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
        let Some(fitted) = self.train(&fit, &division, &goal)? else { return Ok(()) };
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

    /// Trains and writes the model. `None` if there is nothing to show.
    fn train(
        &self,
        fit: &Fit<'_>,
        division: &Division,
        goal: &Goal,
    ) -> anyhow::Result<Option<Fitted>> {
        let stop_after = self.run.stop_after.map(|n| n as usize);
        let mut watcher = Watcher::new(stop_after, is_quiet());
        let (training, validation) = (&division.training, division.validation.as_ref());
        let fitted = interrupt::during(|| fit.run(training, validation, goal, &mut watcher));
        watcher.finish();
        let fitted = fitted?;
        if let Some(stopped) = &fitted.interruption {
            note(match &fitted.tuned {
                Some(_) => tune::interrupted(stopped, fitted.model.is_some(), &self.output),
                None => self.interrupted(stopped),
            });
        }
        let is_shown = self.run.json || !is_quiet();
        Ok(Some(fitted).filter(|fitted| fitted.model.is_some() && is_shown))
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

    /// Fills in from stakes.toml what flags do not say, and says what.
    fn use_config(&mut self, of_classes: bool) -> anyhow::Result<Config> {
        let config = self.data.load_config(true)?;
        let config = if of_classes { config.for_classes() } else { config };
        let metric = self.metric.as_deref();
        let mut used = use_config(&config, &mut self.data, &mut self.cost, metric)?;
        used.extend(self.sides.use_config(&config.train));
        if self.run.seed.is_none() {
            self.run.seed = config.train.seed;
            used.extend(config.train.seed.map(|seed| format!("seed {seed}")));
        }
        let learner = config.train.learner.as_ref().filter(|_| self.learner.is_none());
        used.extend(learner.map(|name| format!("learner {name}")));
        if self.is_for(&config.train) {
            let pairs = config.train.parameters.iter();
            used.extend(pairs.map(|(key, value)| format!("{key} {value}")));
        }
        note_config(&config, &used);
        Ok(config)
    }

    /// Whether the parameters in stakes.toml are for the learner that is trained.
    fn is_for(&self, train: &TrainConfig) -> bool {
        let of_file = train.learner.as_deref().unwrap_or(DEFAULT_LEARNER);
        self.learner.as_ref().is_none_or(|learner| learner.name() == of_file)
    }

    /// The learner with its parameters: by flags, else by stakes.toml, else by the task.
    fn learner(&self, train: &TrainConfig, of_classes: bool) -> anyhow::Result<Configured> {
        let asked = match &self.learner {
            Some(learner) => learner.clone(),
            None => train.learner()?,
        };
        let learner = if of_classes { ClassTask::learner(&*asked)? } else { asked.clone() };
        let is_other = learner.name() != asked.name();
        let mut configured = self.params.settings(learner)?;
        if self.is_for(train) && !is_other {
            configured.set_defaults(train.pairs())?;
        }
        if of_classes {
            configured.set_defaults(ClassTask::DEFAULTS.iter().copied())?;
        }
        Ok(configured)
    }

    fn seed(&self) -> u64 {
        self.run.seed.unwrap_or(0)
    }

    /// The goal as it was asked for; for classes, that the right one comes first.
    fn goal(&self, of_classes: bool) -> anyhow::Result<Goal> {
        if let Some(text) = &self.metric {
            match specs(text)?.len() {
                1 => {}
                n => bail!(
                    "--metric names {n} metrics; give the one for early stopping and model selection"
                ),
            }
        }
        if !of_classes {
            return self.cost.goal(self.metric.as_deref());
        }
        let goal = self.cost.goal(Some(self.metric.as_deref().unwrap_or("p@1")))?;
        Ok(match goal.metric.cutoff {
            None => Goal { reach: 1.into(), ..goal },
            Some(_) => goal,
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
