//! What a training run needs beside a learner and a problem, and how it is observed and stopped.

use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::goal::Goal;
use stakes_core::jobs::Jobs;
use stakes_core::metric::{Metric, Scale, SpecError};
use stakes_core::shards::Shards;
use stakes_core::split::Folds;
use stakes_model::{Checkpoint, Model, StageState, StageSummary, UnfinishedTuning};

use super::progress::{PartOfRun, RunProgress};
use crate::current_feature::CurrentFeature;
use crate::given_costs::GivenCosts;

/// What a training run needs beside a learner and a problem. The default is a plain run: all lists,
/// seed 0, from the start, without an observer.
#[derive(Default)]
pub struct FitContext<'a> {
    /// Lists that are not trained with: they decide when to stop. Without them the learning
    /// curve is that of the training lists and all rounds are made.
    pub validation: Option<&'a Problem<'a>>,
    /// Trains one model per fold in step, each without the lists of its fold, for learners that
    /// can ([`Learner::cross_fits`](crate::Learner::cross_fits)): the lists that a model has not
    /// seen decide when to stop, and the mean of all is the score. Instead of `validation`.
    pub folds: Option<&'a Folds>,
    /// Measures rounds instead of the metric of the goal: for metrics that have no name.
    pub metric: Option<&'a Metric>,
    /// Seed of all random draws.
    pub seed: u64,
    /// The shards that the lists are dealt to, if the problem has only some of them: all shards train at the same
    /// time, and get the same model. Learners of boosted trees and forests can ([`Learner::takes_shards`](crate::Learner::takes_shards)).
    pub shards: Shards,
    /// Where trainings that do not depend on each other are made: members of a blend, trials of a tuning, folds of learners
    /// whose folds are not trained in step.
    pub jobs: Jobs,
    /// An interrupted run to resume.
    pub resume: Option<Checkpoint>,
    /// A model whose trees are the first rounds: training continues from it.
    pub init_model: Option<&'a Model>,
    /// A trained model to re-rank, for the learner `exact-rerank`.
    pub base: Option<&'a Model>,
    /// Costs of pairs or of classes, for learners that use them.
    pub costs: Option<&'a GivenCosts>,
    /// The feature that is acted by today, if it is one: a blend is not to be worse than it.
    pub current: Option<CurrentFeature>,
    /// The part of a longer run that this training is.
    pub part: PartOfRun,
    /// Follows the training, and may stop it.
    pub observer: Option<&'a mut dyn Observer>,
}

/// Follows a training, for instance to show its progress, and may stop it.
pub trait Observer: Send {
    /// A stage begins: `reading features`, `chance`, ...
    fn stage(&mut self, _what: &str) {}

    /// A stage of rounds is over; `what` as when it began, which within a longer run names the part.
    fn stage_ended(&mut self, _what: &str, _summary: &StageSummary) {}

    /// A round is done.
    fn round(&mut self, _round: &Round<'_>) -> Flow {
        Flow::Continue
    }

    /// The progress of the exact search for the best weights.
    fn exact(&mut self, _progress: &stakes_exact::Progress) -> Flow {
        Flow::Continue
    }

    /// Tuning begins, or has another result.
    fn tried(&mut self, _so_far: &UnfinishedTuning) {}

    /// Some trainings are made elsewhere: another one is done, or none yet.
    fn awaited(&mut self, _awaited: &Awaited<'_>) -> Flow {
        Flow::Continue
    }
}

/// Trainings that are made elsewhere.
pub struct Awaited<'a> {
    /// How many of them are done.
    pub done: usize,
    /// How many there are.
    pub of: usize,
    /// Makes a checkpoint of those that are done, if that is how they are taken up again.
    pub checkpoint: Option<&'a dyn Fn() -> Checkpoint>,
}

/// Whether to continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Make another round.
    Continue,
    /// Stop, and keep the best so far.
    Stop,
}

/// The state after a round.
pub struct Round<'r> {
    /// Which stage: `score`, `chance`, `size`.
    pub stage: &'r str,
    /// Rounds done, from 1.
    pub done: usize,
    /// The maximum number of rounds.
    pub of: usize,
    /// What is measured: a metric or a loss, and on which data.
    pub measure: &'r str,
    /// Its value now.
    pub value: f64,
    /// The best round, and its value.
    pub best: (usize, f64),
    /// How much of the whole run is done.
    pub run: RunProgress,
    /// Makes a checkpoint: everything that resuming from here needs.
    pub checkpoint: &'r dyn Fn() -> Checkpoint,
}

/// The result of training.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// The model.
    pub model: Model,
    /// All stages as they were trained, for checkpoints.
    pub stages: Vec<StageState>,
    /// For each item, by its row in the data, the score of a model that was not trained with its
    /// list; only with folds, and from learners that cross-validate by themselves
    /// ([`crate::auto`]).
    pub out_of_fold: Option<Vec<f64>>,
}

impl FitContext<'_> {
    /// The metric that success is measured by, for data like these.
    pub(crate) fn metric_for(&self, goal: &Goal, data: &Dataset) -> Result<Metric, SpecError> {
        self.metric.map_or_else(
            || goal.spec().build(Scale::among(data, &self.shards)),
            |metric| Ok(metric.clone()),
        )
    }

    /// The observer, for a training within this one.
    pub(crate) fn observer(&mut self) -> Option<&mut (dyn Observer + '_)> {
        match &mut self.observer {
            Some(observer) => Some(&mut **observer),
            None => None,
        }
    }

    /// Tells the observer that something begins.
    pub(crate) fn tell_stage(&mut self, what: &str) {
        if let Some(observer) = &mut self.observer {
            observer.stage(what);
        }
    }

    /// Tells the observer that a stage is over.
    pub(crate) fn tell_stage_ended(&mut self, summary: &StageSummary) {
        if let Some(observer) = &mut self.observer {
            observer.stage_ended(&summary.name, summary);
        }
    }

    /// Tells the observer of a round. `Continue` if there is none.
    pub(crate) fn tell_round(&mut self, round: &Round<'_>) -> Flow {
        self.observer.as_mut().map_or(Flow::Continue, |observer| observer.round(round))
    }

    /// Tells the observer of the progress of the exact search.
    pub(crate) fn tell_exact(&mut self, progress: &stakes_exact::Progress) -> Flow {
        self.observer.as_mut().map_or(Flow::Continue, |observer| observer.exact(progress))
    }

    /// Tells the observer of trainings elsewhere. `Continue` if there is none.
    pub(crate) fn tell_awaited(&mut self, awaited: &Awaited<'_>) -> Flow {
        self.observer.as_mut().map_or(Flow::Continue, |observer| observer.awaited(awaited))
    }

    /// Tells the observer of a result of tuning.
    pub(crate) fn tell_tried(&mut self, so_far: &UnfinishedTuning) {
        if let Some(observer) = &mut self.observer {
            observer.tried(so_far);
        }
    }
}
