//! `stakes train`: from data, roles and k to a model, and an honest word on how good it is.

mod checkpoint;
mod classes;
mod costs;
pub(crate) mod interrupt;
mod judge;
pub(crate) mod params;
mod remarks;
mod sides;
mod summary;
mod task;
mod tune;
mod watch;

use std::slice;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use stakes::cost::Problem;
use stakes::data::Dataset;
use stakes::eval::study::Scores;
use stakes::goal::{DEFAULT_METRIC, Goal};
use stakes::learn::auto::{self, Auto};
use stakes::learn::multiclass::{Classes, ROLE};
use stakes::learn::tune::{Tuned, train as tune_settings};
use stakes::learn::{
    Configured, Ended, FitContext, Fitted, Kind, Learner, Model, Observer, learner, train,
};
use stakes::metric::Scale;
use stakes::model::{Roles, roles_of};

use self::checkpoint::CheckpointFile;
use self::judge::{Case, Verdict};
use self::summary::Summary;
use self::watch::Stopped;
pub(crate) use self::watch::Watcher;
use crate::args::{CostArgs, DataArgs, specs};
use crate::output::{self, note, watched};

/// Learn to rank by cost, and say how good it is on lists that were not learnt from
///
/// Say which columns are which (--list, --impact) and how many items can be acted on (--k);
/// everything else has a default. Several learners are tried fold by fold, and what the lists left
/// out speak for is blended, learnt anew from all lists, and judged beside a plain regression,
/// the best single feature and a random order. A single learner (--learner) holds out a part of
/// the lists instead, which also tells when to stop. Ctrl-C stops after the current round and
/// keeps the best so far.
#[derive(Args)]
pub(crate) struct Train {
    #[command(flatten)]
    data: DataArgs,

    /// What to learn with (all of them: stakes learners)
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = learner)]
    learner: Box<dyn Learner>,

    /// Where to write the model: a name that ends in .json, or .json.zst to pack it
    #[arg(short, long, value_name = "FILE")]
    output: String,

    #[command(flatten)]
    task: task::TaskArgs,

    #[command(flatten)]
    cost: CostArgs,

    /// What tells when to stop (all metrics: stakes metrics). Without @ it takes --k. Classes are
    /// judged by p@1, the share of rows that are right
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
#[command(next_help_heading = "The run")]
struct RunArgs {
    /// Seed of all random draws
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// A model to go on from: its trees are the first rounds
    #[arg(long = "continue", value_name = "MODEL")]
    first: Option<String>,
    /// Take up an interrupted run; give the same flags again
    #[arg(long)]
    resume: bool,
    /// Seconds between checkpoints (OUTPUT.checkpoint, there while the run is not finished)
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    checkpoint_every: u64,
    /// Stop after this many rounds as if interrupted
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    stop_after: Option<u32>,
    /// Do not learn the plain regression to compare with
    #[arg(long)]
    no_baseline: bool,
    /// Say nothing but errors
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
        // What can be refused is refused before anything is read, and long before it is learnt.
        let class = self.task.class(&self.data, &self.cost)?;
        let learner = self.task.learner(&*self.learner)?;
        let configured = self.params.settings(learner, self.task.usual())?;
        let learner = &*configured.learner;
        let given = costs::given(learner, class.is_some())?;
        let asked = self.goal(class.is_some())?;
        let cost = &asked.cost;
        self.check_output()?;
        let mut tuning = self.tune.begin(learner, &self.output, self.run.resume)?;
        // Tuning keeps what it knows in a file of its own.
        let checkpoint = tuning.is_none().then(|| self.checkpoint_file());
        let taken_up = checkpoint.as_ref().filter(|_| self.run.resume);
        let resume = taken_up.map(CheckpointFile::read).transpose()?;
        let first = self.run.first.as_deref().map(crate::model::read).transpose()?;
        let base = self.params.base_model()?;

        let args = match class {
            Some(class) => task::with_class(self.data.clone(), class),
            None => self.data.clone(),
        };
        let data = watched(|say| {
            say("reading");
            args.read(cost.columns(), cost.columns())
        })?;
        match &first {
            Some(first) => crate::rank::remark(first, &data)?,
            None => remarks::features(&data),
        }
        let classes = class.map(|class| Classes::of(&data, class)).transpose()?;
        // Candidates have made-up lists; a model of classes keeps the roles of the rows.
        let columns = classes.as_ref().map(|classes| {
            let class = (ROLE.to_owned(), classes.column.clone());
            roles_of(&data).into_iter().chain([class]).collect::<Roles>()
        });
        let data = match &classes {
            Some(classes) => classes.candidates(&data, true)?,
            None => data,
        };
        let goal = self.resolved(&asked, &data, classes.is_some())?;
        let blends = learner.kind() == Kind::Blend;
        let how = (blends, classes.as_ref());
        let sides = self.sides.divide(data, &args, cost, self.run.seed, how)?;
        let problem = Problem::new(&sides.train, &goal)?;
        let valid = sides.valid.as_ref().map(|data| Problem::new(data, &goal)).transpose()?;

        let stop_after = self.run.stop_after.map(|n| n as usize);
        let mut watcher = Watcher::new(checkpoint, stop_after, self.run.quiet);
        let begun = Instant::now();
        let mut writing;
        let observer: &mut dyn Observer = match &tuning {
            Some(tuning) => {
                writing = tune::Writing::new(&mut watcher, tuning);
                &mut writing
            }
            None => &mut watcher,
        };
        let mut cx = FitContext {
            validation: valid.as_ref(),
            seed: self.run.seed,
            resume,
            init_model: first.as_ref(),
            base: base.as_ref(),
            costs: given.as_ref(),
            observer: Some(observer),
            ..FitContext::default()
        };
        if blends {
            announce(&self.plan(&configured, &problem)?);
        }
        let learnt = interrupt::during(|| match &mut tuning {
            Some(tuning) => {
                let (trials, known) = (tuning.trials, tuning.known.take());
                tune_settings(&configured, &problem, &mut cx, trials, known).map(Learnt::from)
            }
            None => train(learner, &problem, &mut cx).map(Learnt::from),
        });
        watcher.finish();
        let Learnt { mut model, out_of_fold, tuned, interrupted } = learnt?;
        if let (Some(columns), Some(model)) = (columns, &mut model) {
            model.columns = columns;
        }
        let (seconds, searched) = (begun.elapsed().as_secs_f64(), watcher.searched());
        if let Some(model) = &model {
            stakes::io::write_bytes(&self.output, model.to_json().as_bytes())?;
        }
        match (&watcher.stopped, interrupted, &tuning) {
            (_, true, Some(tuning)) => {
                note(tuning.interrupted(&watcher, model.is_some(), &self.output));
            }
            (Some(stopped), true, None) => note(self.interrupted(stopped)),
            (_, _, Some(tuning)) => tuning.forget(),
            _ => watcher.forget_checkpoint(),
        }
        let Some(model) = model.filter(|_| !self.run.quiet) else { return Ok(()) };

        if let (Some(classes), Some(valid)) = (&classes, &sides.valid) {
            let told = classes::judge(&model, classes, &sides.train, valid, given.as_ref())?;
            let tuned = tuned.as_ref();
            let classes = Some((classes, Some(&told)));
            let (model, sides) = (&model, &sides);
            return Summary {
                args: &self,
                model,
                tuned,
                sides,
                seconds,
                searched,
                interrupted,
                classes,
            }
            .show(None, self.run.json);
        }
        let baseline = !self.run.no_baseline && !interrupted && learner.name() != "mart";
        // Other lists, if there are some; else each list by models that did not learn from it.
        let judged = match (&valid, out_of_fold) {
            (Some(valid), _) => Some((valid, model.score(valid.data())?)),
            (None, scores) => scores.map(|scores| (&problem, scores)),
        };
        let verdict = judged.map(|(by, scores)| {
            let (name, seed) = (judge::name(&model), self.run.seed);
            let beside = base_alone(&model, by)?;
            let case = Case { learnt: &problem, by, name, scores, beside, seed, baseline };
            watched(|say| judge::judge(case, say))
        });
        let verdict: Option<Verdict> = verdict.transpose()?;
        let (model, tuned, sides) = (&model, tuned.as_ref(), &sides);
        let classes = classes.as_ref().map(|classes| (classes, None));
        Summary { args: &self, model, tuned, sides, seconds, searched, interrupted, classes }
            .show(verdict.as_ref(), self.run.json)
    }

    /// What a blend with these parameters will do.
    fn plan(&self, given: &Configured, problem: &Problem<'_>) -> anyhow::Result<auto::Plan> {
        let mut auto = Auto::default();
        for (key, value) in given.learner.texts() {
            auto.set(&key, &value)?;
        }
        Ok(auto::Plan::new(&auto, problem))
    }

    fn checkpoint_file(&self) -> CheckpointFile {
        CheckpointFile::of(&self.output, Duration::from_secs(self.run.checkpoint_every))
    }

    /// Hours of learning are not to end in a name that cannot be written.
    fn check_output(&self) -> anyhow::Result<()> {
        crate::model::check_name(&self.output)?;
        stakes::io::check_target(&self.output)?;
        Ok(())
    }

    /// What is asked for. Of classes, that the right one comes first.
    fn goal(&self, of_classes: bool) -> anyhow::Result<Goal> {
        match specs(&self.metric)?.len() {
            1 => {}
            n => bail!("--metric names {n} metrics; give the one that tells when to stop"),
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

    /// The goal in numbers of items of these data, with a metric that can be had.
    fn resolved(&self, asked: &Goal, data: &Dataset, of_classes: bool) -> anyhow::Result<Goal> {
        let goal = asked.clone().resolve(data.mean_list_length());
        let metric = goal.spec().build(Scale::of(data))?;
        if !of_classes {
            let (asked, metrics) = (slice::from_ref(&asked.metric), slice::from_ref(&metric));
            self.cost.note_default_k(asked, metrics);
        }
        Ok(goal)
    }

    fn interrupted(&self, stopped: &Stopped) -> String {
        let Stopped { stage, round, best, can_resume } = stopped;
        if *round == 0 {
            return format!("interrupted: the best weights so far are in {}", self.output);
        }
        let stage = if stage == "score" { String::new() } else { format!(" of {stage}") };
        let go_on = if *can_resume { "; go on with --resume" } else { "" };
        format!(
            "interrupted after round {round}{stage}: the best so far (round {best}) is in \
             {}{go_on}",
            self.output
        )
    }
}

/// What learning came to, in whichever way.
struct Learnt {
    /// Missing only where an interrupted tuning has found nothing better than before.
    model: Option<Model>,
    out_of_fold: Option<Vec<f64>>,
    tuned: Option<Tuned>,
    interrupted: bool,
}

impl From<Fitted> for Learnt {
    fn from(fitted: Fitted) -> Self {
        let Fitted { model, out_of_fold, .. } = fitted;
        let interrupted = model.stages.iter().any(|stage| stage.ended == Ended::Interrupted);
        Learnt { model: Some(model), out_of_fold, tuned: None, interrupted }
    }
}

impl From<Tuned> for Learnt {
    fn from(mut tuned: Tuned) -> Self {
        let (model, interrupted) = (tuned.model.take(), tuned.interrupted);
        Learnt { model, out_of_fold: None, tuned: Some(tuned), interrupted }
    }
}

/// The base of a model that re-ranks: whether the second stage is worth anything shows beside it.
fn base_alone(model: &Model, by: &Problem<'_>) -> anyhow::Result<Vec<Scores>> {
    let Some(rerank) = &model.rerank else { return Ok(Vec::new()) };
    let values = model.first_stage().score(by.data())?;
    Ok(vec![Scores { name: format!("the base alone ({})", rerank.base), values }])
}

/// What a blend is going to do, and how long that takes.
fn announce(plan: &auto::Plan) {
    let (members, folds, seeds) = plan.shape();
    let threads = stakes::learn::threads();
    // The second thread is worth less than the first: small trees have little to share.
    let seconds = plan.seconds() / (1.0 + 0.5 * (threads - 1) as f64);
    let time = match seconds {
        ..2.0 => "a moment".to_owned(),
        2.0..90.0 => format!("about {seconds:.0} s"),
        _ => format!("about {:.0} min", seconds / 60.0),
    };
    let again = if seeds == 1 { "once".to_owned() } else { format!("{seeds} times") };
    note(format!(
        "{members} learners on {folds} folds of the lists, then what counts {again} on all: \
         {time} (--effort low, medium or high)"
    ));
}
