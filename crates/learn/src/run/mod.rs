//! A training run: stages one after another, each a number of rounds that are measured, stopped in
//! time, recorded in checkpoints and resumed.
//!
//! There is one loop of rounds (`Run::rounds`). `RoundWork` says what a round makes: the next
//! tree of a sum (`trees.rs`) or another step of weights (`weights.rs`).

mod boost;
mod context;
mod measure;
mod objective;
mod progress;
mod sampling;
mod trees;
mod weights;

use stakes_core::goal::Goal;
use stakes_core::metric::{Direction, Scale};
use stakes_core::shards::Shards;
use stakes_model::{Bound, Checkpoint, Ended, StageState, StageSummary};

use crate::Lists;
use crate::error::FitError;
use crate::prepared::Prepared;
use crate::tree::TreeParams;

pub(crate) use boost::{NextTree, Shrink};
pub use context::{Awaited, FitContext, Fitted, Flow, Observer, Round};
pub(crate) use measure::{Finish, Measure, best, smooth};
pub(crate) use objective::Objective;
pub(crate) use progress::TrainingWork;
pub use progress::{PartOfRun, RunProgress};
pub(crate) use trees::{Stage, Sum};
pub(crate) use weights::{Iteration, Keep, Steps};

/// A run, as learners see it.
pub struct Run<'r, 'c> {
    pub(crate) prepared: &'r Prepared<'r>,
    /// How trees are grown, if they are.
    trees: Option<TreeParams>,
    /// What the checkpoint says of the run, its stages left open.
    pub(crate) header: Checkpoint,
    /// Stages of the run that is resumed.
    resumed: Vec<StageState>,
    done: Vec<StageState>,
    summaries: Vec<StageSummary>,
    /// See [`Model::bound`](stakes_model::Model::bound).
    pub(crate) bound: Option<Bound>,
    /// Whether the observer stopped the run.
    stopped: bool,
    /// How much there is to do.
    work: TrainingWork,
    /// See [`Learner::scores_costs`](crate::Learner::scores_costs).
    scores_costs: bool,
    pub(crate) cx: &'r mut FitContext<'c>,
}

/// What the rounds of a stage make.
trait RoundWork {
    /// Makes a round and adds it to the state, or says why there is none.
    fn make(&mut self, state: &mut StageState) -> Result<Result<(), Ended>, FitError>;

    /// The value of what is measured, after the rounds so far.
    fn value(&self, state: &StageState) -> Result<f64, FitError>;

    /// Called after each round with the best round so far, from 1.
    fn judged(&mut self, _state: &mut StageState, _best: usize) {}
}

/// How many rounds a stage makes, and how they are reported.
struct Rounds<'s> {
    stage: &'static str,
    /// The maximum number of rounds.
    limit: usize,
    /// Rounds without improvement on validation lists before the stage ends; 0: all rounds.
    patience: usize,
    /// What is measured, in words.
    measured: &'s str,
    direction: Direction,
    /// See [`smooth`].
    smoothing: usize,
}

/// What a finished run leaves beside the score.
pub(crate) struct RunRecord {
    pub(crate) summaries: Vec<StageSummary>,
    pub(crate) stages: Vec<StageState>,
    pub(crate) bound: Option<Bound>,
}

impl<'r, 'c> Run<'r, 'c> {
    pub(crate) fn new(
        prepared: &'r Prepared<'r>,
        trees: Option<TreeParams>,
        header: Checkpoint,
        (work, scores_costs): (TrainingWork, bool),
        cx: &'r mut FitContext<'c>,
    ) -> Self {
        let resumed = cx.resume.take().map(|checkpoint| checkpoint.stages).unwrap_or_default();
        Run {
            prepared,
            trees,
            header,
            resumed,
            done: Vec::new(),
            summaries: Vec::new(),
            bound: None,
            stopped: false,
            work,
            scores_costs,
            cx,
        }
    }

    /// The size of the training data, for metrics.
    pub(crate) fn scale(&self) -> Scale {
        Scale::among(self.prepared.training.data, self.shards())
    }

    /// The seed of all random draws.
    pub fn seed(&self) -> u64 {
        self.cx.seed
    }

    /// The goal.
    pub fn goal(&self) -> &Goal {
        &self.header.goal
    }

    /// The prices that scores of these lists are divided by before they are ranked, if they are.
    fn prices(&self, lists: &'r Lists) -> Option<&'r [f64]> {
        lists.price().filter(|_| self.scores_costs && self.goal().budget().is_some())
    }

    /// The unit that costs are counted in during training: their mean.
    pub fn unit(&self) -> f64 {
        self.prepared.unit
    }

    /// Whether impacts are grades: whole numbers so small that 2^y means something.
    pub(crate) fn has_grades(&self) -> bool {
        let impact = self.prepared.training.data.impact();
        let is_grade = |y: &f64| y.fract() == 0.0 && *y < 32.0;
        !self.shards().any(!impact.is_some_and(|y| y.iter().all(is_grade)))
    }

    /// The shards that the lists are dealt to.
    pub(crate) fn shards(&self) -> &'r Shards {
        self.prepared.training.lists.shards()
    }

    /// The summaries of the stages, all that was grown, and the bound.
    pub(crate) fn finish(self) -> RunRecord {
        RunRecord { summaries: self.summaries, stages: self.done, bound: self.bound }
    }

    /// Makes round after round until the stage ends.
    fn rounds(
        &mut self,
        rounds: &Rounds<'_>,
        work: &mut dyn RoundWork,
        state: &mut StageState,
    ) -> Result<(), FitError> {
        while state.ended.is_none() {
            // Stopping after the last round is not an interruption.
            let all = state.curve.len() >= rounds.limit;
            if all || self.stopped {
                state.ended = Some(if all { Ended::AllRounds } else { Ended::Interrupted });
                break;
            }
            if let Err(ended) = work.make(state)? {
                state.ended = Some(ended);
                break;
            }
            let value = work.value(state)?;
            state.curve.push(value);
            let smooth = smooth(&state.curve, rounds.smoothing);
            let best = best(&smooth, rounds.direction).unwrap_or((1, value));
            work.judged(state, best.0);
            let validated = self.prepared.is_validated() && rounds.patience > 0;
            if validated && state.curve.len() - best.0 >= rounds.patience {
                state.ended = Some(Ended::NoImprovement);
            }
            self.tell(rounds, state, value, best);
            if let Some(why) = self.shards().failure() {
                return Err(FitError::Shards(why));
            }
        }
        Ok(())
    }

    /// Keeps the summary of a stage that is over, and tells the observer.
    fn record(&mut self, summary: StageSummary) {
        self.cx.tell_stage_ended(&summary);
        self.summaries.push(summary);
    }

    /// Tells the observer of a round.
    fn tell(&mut self, rounds: &Rounds<'_>, state: &StageState, value: f64, best: (usize, f64)) {
        let checkpoint = || Checkpoint {
            stages: self.done.iter().chain([state]).cloned().collect(),
            ..self.header.clone()
        };
        let before: usize = self.done.iter().map(|stage| stage.curve.len()).sum();
        let left = match state.ended {
            None => rounds.limit.saturating_sub(state.curve.len()),
            Some(_) => 0,
        };
        let made = before + state.curve.len();
        let flow = self.cx.tell_round(&Round {
            stage: rounds.stage,
            done: state.curve.len(),
            of: rounds.limit,
            measure: rounds.measured,
            value,
            best,
            run: self.work.progress(self.cx.part, self.done.len(), made, left),
            checkpoint: &checkpoint,
        });
        self.stopped |= self.shards().any(flow == Flow::Stop);
    }
}
