//! Rounds that add trees: a stage is one sum of trees, boosted by a loss or given by another source.

use std::collections::VecDeque;

use stakes_core::display::counted;
use stakes_core::metric::PreparedLists;
use stakes_core::random::purpose;
use stakes_model::tree::scale_leaves;
use stakes_model::{Ended, Factor, Link, Model, StageState, StageSummary};

use super::boost::{Boosting, NextTree, Shrink, Track};
use super::measure::{Finish, Measure, best, smooth};
use super::objective::Objective;
use super::sampling::Sampling;
use super::{RoundWork, Rounds, Run};
use crate::error::FitError;
use crate::loss::Loss;
use crate::prepared::{Prepared, Scores};
use crate::tree::{Tree, TreeGrower};

/// One sum of trees that is boosted by a loss.
pub(crate) struct Stage<'s> {
    pub(crate) name: &'static str,
    pub(crate) loss: &'s dyn Loss,
    pub(crate) link: Link,
    pub(crate) shrink: Shrink,
    pub(crate) rounds: usize,
    /// Rounds without improvement before it ends; 0 for all rounds.
    pub(crate) patience: usize,
    /// The training items; all if `None`.
    pub(crate) active: Option<Vec<u32>>,
    /// The product of the other factors of the score.
    pub(crate) others: Option<&'s Scores>,
    pub(crate) unit: f64,
    /// Added to the raw scores beside the loss's own start: the logarithm of the other factors,
    /// where the loss must see the whole score.
    pub(crate) offset: Option<&'s Scores>,
    /// Whether the offset takes prices into account: the sum then ranks without a division by them.
    pub(crate) priced: bool,
    /// The scale of the noise that is added to scores before derivatives are taken.
    pub(crate) noise: f64,
    /// The maximum absolute value of a leaf, before it is shrunk.
    pub(crate) longest: f64,
    /// Computes a last factor of the score from raw scores of the training items.
    pub(crate) smearing: Option<&'s Smearing<'s>>,
    /// Whether all rounds are kept, because the goal's metric does not see all that the loss is for.
    pub(crate) all_rounds: bool,
}

/// One sum of trees, whatever their source.
pub(crate) struct Sum<'s> {
    pub(crate) name: &'static str,
    pub(crate) link: Link,
    /// The constant it starts from, unless training continues from a model.
    pub(crate) start: f64,
    pub(crate) rounds: usize,
    /// See [`Stage::patience`].
    pub(crate) patience: usize,
    /// Whether the mean of the trees is taken instead of their sum.
    pub(crate) mean: bool,
    /// See [`Stage::all_rounds`].
    pub(crate) all_rounds: bool,
    pub(crate) unit: f64,
    /// See [`Stage::others`].
    pub(crate) others: Option<&'s Scores>,
    /// See [`Stage::offset`].
    pub(crate) offset: Option<&'s Scores>,
    /// See [`Stage::priced`].
    pub(crate) priced: bool,
    /// See [`Stage::smearing`].
    pub(crate) smearing: Option<&'s Smearing<'s>>,
}

impl<'s> Sum<'s> {
    /// A score without a unit that is a sum of trees.
    pub(crate) fn of_trees(rounds: usize, patience: usize) -> Self {
        Sum {
            name: StageSummary::SCORE,
            link: Link::Identity,
            start: 0.0,
            rounds,
            patience,
            mean: false,
            all_rounds: false,
            unit: 1.0,
            others: None,
            offset: None,
            priced: false,
            smearing: None,
        }
    }
}

impl Sum<'_> {
    /// Whether rounds after the best one are left out.
    fn may_be_cut(&self) -> bool {
        !self.mean && !self.all_rounds
    }
}

/// Refuses to add to the trees of an imported model where their sum has another meaning than the learner's.
fn check_meaning(model: &Model, factor: &Factor, sum: &Sum<'_>) -> Result<(), FitError> {
    let words = |link: Link| match link {
        Link::Identity => "the sum of its trees",
        Link::Exp => "exp of the sum of its trees",
        Link::Logistic => "a probability",
    };
    if model.data.is_known() || (factor.link == sum.link && !sum.mean) {
        return Ok(());
    }
    let own = if sum.mean { "the mean of its trees" } else { words(sum.link) };
    Err(FitError::Data(format!(
        "the score of the imported model is {}, and what is to be trained first is {own}: choose a learner whose score \
         is {}{}",
        words(factor.link),
        words(factor.link),
        match factor.link {
            Link::Identity => ", such as lambdamart",
            Link::Exp => ", such as tweedie",
            Link::Logistic => "; there is none that ranks",
        }
    )))
}

/// From start + sum of trees, for every training item, to a factor.
pub(crate) type Smearing<'s> = dyn Fn(&[f64]) -> f64 + 's;

/// The result of a stage.
pub(crate) struct StageResult {
    pub(crate) factor: Factor,
    /// start + sum of the trees that are kept.
    pub(crate) raw: Scores,
}

/// A sum of trees during its stage.
struct TreeRounds<'s> {
    prepared: &'s Prepared<'s>,
    sum: &'s Sum<'s>,
    next: &'s mut dyn NextTree,
    measure: Measure<'s>,
    /// See [`Finish::price`].
    price: Option<&'s [f64]>,
    start: f64,
    raw: Scores,
    /// The best round of those that were made here, from 1, and the scores after it.
    best: Option<(usize, Scores)>,
}

impl RoundWork for TreeRounds<'_> {
    fn make(&mut self, state: &mut StageState) -> Result<Result<(), Ended>, FitError> {
        let round = (state.trees.len() / self.prepared.models()) as u64;
        Ok(self.next.next(round, &mut self.raw).map(|trees| state.trees.extend(trees)))
    }

    fn value(&self, state: &StageState) -> Result<f64, FitError> {
        self.value_after(state.trees.len())
    }

    fn judged(&mut self, state: &mut StageState, best: usize) {
        // Otherwise all rounds are kept.
        let may_be_cut = self.prepared.is_validated() && self.sum.may_be_cut();
        if may_be_cut && best == state.curve.len() {
            self.best = Some((best, self.raw.clone()));
        }
    }
}

impl Run<'_, '_> {
    /// The number of trees that the model which training continues from has in this stage.
    pub(crate) fn trees_before(&self) -> usize {
        let model = self.cx.init_model;
        let factor = model.and_then(|model| model.scorer.factors.get(self.done.len()));
        factor.map_or(0, |factor| factor.trees.len())
    }

    /// Whether training continues from a model.
    pub(crate) fn continues(&self) -> bool {
        self.cx.init_model.is_some()
    }

    /// Boosts by a loss until the stage ends.
    pub(crate) fn stage(&mut self, stage: &Stage<'_>) -> Result<StageResult, FitError> {
        let prepared = self.prepared;
        let training = &prepared.training;
        stage.loss.check(&training.unit_lists).map_err(FitError::Data)?;
        let sum = Sum {
            name: stage.name,
            link: stage.link,
            start: stage.loss.start(&training.unit_lists),
            rounds: stage.rounds,
            patience: stage.patience,
            mean: stage.shrink == Shrink::Mean,
            all_rounds: stage.all_rounds,
            unit: stage.unit,
            others: stage.others,
            offset: stage.offset,
            priced: stage.priced,
            smearing: stage.smearing,
        };
        let number = self.done.len();
        let objective = Objective::new(stage.loss, &training.unit_lists);
        let Some(trees) = self.trees.clone() else {
            let learner = &self.header.learner;
            let what = format!("{learner} grows trees, but Learner::trees does not say how");
            return Err(FitError::Data(what));
        };
        let sampling = Sampling { rows: trees.trees.rows, lists: trees.trees.lists };
        let by_chance = sampling.is_random()
            || trees.trees.features < 1.0
            || trees.trees.features_per_split < 1.0;
        let grower =
            TreeGrower::new(&training.matrix, &prepared.binning, trees).among(&training.lists);
        let everything = || (0..training.lists.n_items() as u32).collect();
        let active = stage.active.clone().unwrap_or_else(everything);
        let seed = purpose(purpose(self.cx.seed, b"boosting"), &(number as u64).to_le_bytes());
        let mut boosting = Boosting {
            grower: &grower,
            prepared,
            objective: &objective,
            sampling,
            by_chance,
            shrink: stage.shrink,
            noise: stage.noise,
            longest: stage.longest,
            tracks: Track::all(prepared, active, seed),
            rounds: stage.rounds,
            ahead: VecDeque::new(),
        };
        let (start, state) = self.begin(&sum)?;
        if sum.mean {
            boosting.begin_at(start);
        }
        match stage.loss.stops_by_itself().filter(|_| !sum.mean && self.cx.metric.is_none()) {
            None => self.grow_for_goal(&sum, start, state, &mut boosting),
            Some(name) => {
                let objective = Objective::new(stage.loss, prepared.measured_unit_lists());
                let measure = Measure::Loss { name, objective: &objective };
                self.grow(&sum, start, state, &mut boosting, measure)
            }
        }
    }

    /// Adds trees from another source until the stage ends.
    pub(crate) fn sum(
        &mut self,
        sum: &Sum<'_>,
        next: &mut dyn NextTree,
    ) -> Result<StageResult, FitError> {
        let (start, state) = self.begin(sum)?;
        self.grow_for_goal(sum, start, state, next)
    }

    fn grow_for_goal(
        &mut self,
        sum: &Sum<'_>,
        start: f64,
        state: StageState,
        next: &mut dyn NextTree,
    ) -> Result<StageResult, FitError> {
        let metric = self.cx.metric_for(self.goal(), self.prepared.measured().data)?;
        let lists = self.prepared.measured_lists();
        let prepared = PreparedLists::new(&metric, &lists.views())?.among(lists.shards())?;
        let measure = Measure::Metric(prepared);
        self.grow(sum, start, state, next, measure)
    }

    fn grow(
        &mut self,
        sum: &Sum<'_>,
        start: f64,
        mut state: StageState,
        next: &mut dyn NextTree,
        measure: Measure<'_>,
    ) -> Result<StageResult, FitError> {
        self.cx.tell_stage(sum.name);
        let prepared = self.prepared;
        if !state.trees.is_empty() {
            next.resume(&state.trees);
        }
        let measured = measure.name(prepared);
        let direction = measure.direction();
        let raw = prepared.scores_after(&state.trees, start, sum.offset);
        let price = if sum.priced { None } else { self.prices(prepared.measured_lists()) };
        let mut work = TreeRounds { prepared, sum, next, measure, price, start, raw, best: None };
        let rounds = Rounds {
            stage: sum.name,
            limit: sum.rounds,
            patience: if sum.all_rounds { 0 } else { sum.patience },
            measured: &measured,
            direction,
            smoothing: work.measure.smoothing(),
        };
        self.rounds(&rounds, &mut work, &mut state)?;
        self.end(work, measured, state)
    }

    /// The score that a stage starts from, and its state if it was begun before.
    fn begin(&self, sum: &Sum<'_>) -> Result<(f64, StageState), FitError> {
        let number = self.done.len();
        let first = match self.cx.init_model {
            Some(model) => Some(model.scorer.factors.get(number).ok_or_else(|| {
                let name = sum.name;
                FitError::Data(format!(
                    "the model to continue from has no part `{name}`; train from the start"
                ))
            })?),
            None => None,
        };
        if let (Some(model), Some(factor)) = (self.cx.init_model, first) {
            check_meaning(model, factor, sum)?;
        }
        let start = first.map_or(sum.start, |factor| factor.start);
        let mut trees = first.map(|factor| factor.trees.clone()).unwrap_or_default();
        if sum.mean {
            // A model holds each tree divided by their number; while a forest grows they are whole.
            let whole = trees.len() as f64;
            scale_leaves(&mut trees, whole);
        }
        let Some(resumed) = self.resumed.get(number) else {
            return Ok((start, StageState { trees, ..StageState::default() }));
        };
        let StageState { trees: all, curve, weights, .. } = resumed;
        let grown = self.prepared.models() * curve.len();
        if weights.is_some() || all.len() < grown {
            return Err(FitError::DamagedCheckpoint(format!(
                "part {number} has {} and {} for a sum of trees",
                counted(all.len(), "tree"),
                counted(curve.len(), "round"),
            )));
        }
        // Its start and its unit are those of the model it continued from.
        if all[..all.len() - grown] != trees {
            return Err(FitError::OtherRun(
                "it continued from another model than is given now, or one of the two does not continue \
                 from a model"
                    .into(),
            ));
        }
        Ok((start, resumed.clone()))
    }

    /// Keeps the trees up to the best round.
    fn end(
        &mut self,
        mut work: TreeRounds<'_>,
        measured: String,
        state: StageState,
    ) -> Result<StageResult, FitError> {
        // There is one value of the curve per round; further trees were there before the first.
        let models = self.prepared.models();
        let before = state.trees.len() - models * state.curve.len();
        let kept = self.rounds_to_keep(&mut work, &state.trees[..before], &state.curve)?;
        let TreeRounds { sum, next, start, raw, best, .. } = work;
        let mut trees = state.trees[..before + models * kept].to_vec();
        let raw = match best {
            _ if trees.len() == state.trees.len() => raw,
            Some((round, then)) if round == kept => then,
            _ => self.prepared.scores_after(&trees, start, sum.offset),
        };
        if !sum.mean {
            scale_leaves(&mut trees, 1.0 / models as f64);
        }
        self.record(StageSummary {
            name: sum.name.to_owned(),
            measure: measured,
            curve: state.curve.clone(),
            kept,
            ended: state.ended.unwrap_or(Ended::AllRounds),
            extra_curves: next.also(state.curve.len()),
        });
        self.done.push(state);
        let factor = Factor::new(sum.name, sum.link, start, trees);
        Ok(StageResult { factor, raw })
    }

    /// All rounds, or those up to the best on validation lists; none if the trees from before are
    /// better alone.
    fn rounds_to_keep(
        &self,
        work: &mut TreeRounds<'_>,
        before: &[Tree],
        curve: &[f64],
    ) -> Result<usize, FitError> {
        let direction = work.measure.direction();
        let curve = smooth(curve, work.measure.smoothing());
        let (round, value) = match best(&curve, direction) {
            // The mean of trees does not overfit by taking more of them.
            Some(best) if self.prepared.is_validated() && work.sum.may_be_cut() => best,
            _ => return Ok(curve.len()),
        };
        if before.is_empty() && work.sum.offset.is_none() {
            return Ok(round);
        }
        let alone = self.prepared.scores_after(before, work.start, work.sum.offset);
        let rounds = std::mem::replace(&mut work.raw, alone);
        let alone = work.value_after(before.len())?;
        work.raw = rounds;
        // The first of equal ones.
        Ok(best(&[alone, value], direction).map_or(round, |(at, _)| (at - 1) * round))
    }
}

impl TreeRounds<'_> {
    /// The measured value after this many trees.
    fn value_after(&self, trees: usize) -> Result<f64, FitError> {
        let raw = self.prepared.measured_of(&self.raw);
        let others = self.sum.others.map(|others| self.prepared.measured_of(others));
        let finish = Finish {
            link: self.sum.link,
            unit: self.sum.unit,
            others: others.as_deref(),
            smearing: self.sum.smearing.map_or(1.0, |of| of(self.prepared.of_training(&self.raw))),
            price: self.price,
        };
        if !self.sum.mean {
            return self.measure.value(&raw, &finish);
        }
        let of_model = (trees / self.prepared.models()) as f64;
        let mean = |sum: &f64| self.start + (sum - self.start) / of_model;
        self.measure.value(&raw.iter().map(mean).collect::<Vec<_>>(), &finish)
    }
}
