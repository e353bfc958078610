//! A training run: stages of boosting one after another, watched, stopped in time, and taken
//! up where they were left.

use stakes_core::metric::{PreparedLists, Scale};
use stakes_core::random::purpose;

use crate::boost::{Boosting, NextTree, Shrink};
use crate::fit::{Checkpoint, Ended, FitContext, FitError, Flow, Round, StageState};
use crate::loss::Loss;
use crate::measure::{Finish, Measure, best};
use crate::objective::Objective;
use crate::prepared::{Prepared, Scores};
use crate::sampling::Sampling;
use crate::tree::{Grower, Tree, TreeParams};
use stakes_core::goal::Goal;
use stakes_model::tree::scale_leaves;
use stakes_model::{Bound, Factor, Link, StageSummary};

/// A run, as learners see it.
pub(crate) struct Run<'r, 'c> {
    pub(crate) prepared: &'r Prepared<'r>,
    /// How trees are grown, if they are, and on which rows.
    trees: Option<TreeParams>,
    sampling: Sampling,
    /// What the checkpoint says of the run, its stages left open.
    pub(crate) header: Checkpoint,
    /// Stages of the run that is taken up.
    pub(crate) resumed: Vec<StageState>,
    pub(crate) done: Vec<StageState>,
    pub(crate) summaries: Vec<StageSummary>,
    /// See [`stakes_model::Model::bound`].
    pub(crate) bound: Option<Bound>,
    /// Whether the watcher has had enough.
    pub(crate) stopped: bool,
    pub(crate) cx: &'r mut FitContext<'c>,
}

/// One sum of trees that is boosted by a loss.
pub(crate) struct Stage<'s> {
    pub(crate) name: &'static str,
    pub(crate) loss: &'s dyn Loss,
    pub(crate) link: Link,
    pub(crate) shrink: Shrink,
    pub(crate) rounds: usize,
    /// Rounds without improvement before it ends; 0 for all rounds.
    pub(crate) patience: usize,
    /// The items that are learned from; all if `None`.
    pub(crate) active: Option<Vec<u32>>,
    pub(crate) watched: Watched,
    /// What the score is multiplied with beside this factor.
    pub(crate) others: Option<&'s Scores>,
    pub(crate) unit: f64,
    /// What raw scores begin with beside the loss's own start: the logarithm of the other
    /// factors, where the loss must see the whole score.
    pub(crate) offset: Option<&'s Scores>,
    /// How much scores are shaken before derivatives are taken.
    pub(crate) noise: f64,
    /// The longest step of a leaf, before it is shrunk.
    pub(crate) longest: f64,
    /// A last factor of the score that follows from what the stage says of the training items.
    pub(crate) smearing: Option<&'s Smearing<'s>>,
}

/// One sum of trees, whatever gives the trees.
pub(crate) struct Sum<'s> {
    pub(crate) name: &'static str,
    pub(crate) link: Link,
    /// Where it begins, unless a model is gone on from.
    pub(crate) start: f64,
    pub(crate) rounds: usize,
    /// See [`Stage::patience`].
    pub(crate) patience: usize,
    /// Whether the mean of the trees is taken instead of their sum.
    pub(crate) mean: bool,
    pub(crate) unit: f64,
    /// See [`Stage::others`].
    pub(crate) others: Option<&'s Scores>,
    /// See [`Stage::offset`].
    pub(crate) offset: Option<&'s Scores>,
    /// See [`Stage::smearing`].
    pub(crate) smearing: Option<&'s Smearing<'s>>,
}

impl<'s> Sum<'s> {
    /// A score that is the sum of trees from 0 on, and has no unit.
    pub(crate) fn of_trees(rounds: usize, patience: usize) -> Self {
        Sum {
            name: "score",
            link: Link::Identity,
            start: 0.0,
            rounds,
            patience,
            mean: false,
            unit: 1.0,
            others: None,
            offset: None,
            smearing: None,
        }
    }
}

/// From start + sum of trees, for every training item, to a factor.
pub(crate) type Smearing<'s> = dyn Fn(&[f64]) -> f64 + 's;

/// What tells when a stage should end.
pub(crate) enum Watched {
    /// The metric of the goal.
    Goal,
    /// The stage's own loss, by this name.
    Loss(&'static str),
}

/// What a stage gives.
pub(crate) struct Staged {
    pub(crate) factor: Factor,
    /// start + sum of the trees that are kept.
    pub(crate) raw: Scores,
}

/// A stage on its way.
struct Going<'s> {
    sum: &'s Sum<'s>,
    next: &'s mut dyn NextTree,
    measure: Measure<'s>,
    /// What is measured, in words.
    measured: String,
    start: f64,
    raw: Scores,
}

impl<'r, 'c> Run<'r, 'c> {
    pub(crate) fn new(
        prepared: &'r Prepared<'r>,
        trees: Option<TreeParams>,
        sampling: Sampling,
        header: Checkpoint,
        cx: &'r mut FitContext<'c>,
    ) -> Self {
        let resumed = cx.resume.take().map(|checkpoint| checkpoint.stages).unwrap_or_default();
        Run {
            prepared,
            trees,
            sampling,
            header,
            resumed,
            done: Vec::new(),
            summaries: Vec::new(),
            bound: None,
            stopped: false,
            cx,
        }
    }

    /// The size of the data that is learned from, for metrics.
    pub(crate) fn scale(&self) -> Scale {
        Scale::of(self.prepared.training.data)
    }

    /// The seed of everything that is drawn.
    pub(crate) fn seed(&self) -> u64 {
        self.cx.seed
    }

    /// What is learnt for.
    pub(crate) fn goal(&self) -> &Goal {
        &self.header.goal
    }

    /// Whether impacts are grades: whole numbers so small that 2^y means something.
    pub(crate) fn has_grades(&self) -> bool {
        let impact = self.prepared.training.data.impact();
        impact.is_some_and(|y| y.iter().all(|y| y.fract() == 0.0 && *y < 32.0))
    }

    /// How the stages went, all that was grown, and what theory says of it.
    pub(crate) fn finish(self) -> (Vec<StageSummary>, Vec<StageState>, Option<Bound>) {
        (self.summaries, self.done, self.bound)
    }

    /// How many trees the model has that is gone on from, in this stage.
    pub(crate) fn trees_before(&self) -> usize {
        let factor = self.cx.first.and_then(|model| model.scorer.factors.get(self.done.len()));
        factor.map_or(0, |factor| factor.trees.len())
    }

    /// Whether a model is gone on from.
    pub(crate) fn goes_on(&self) -> bool {
        self.cx.first.is_some()
    }

    /// Boosts by a loss until it is enough.
    pub(crate) fn stage(&mut self, stage: &Stage<'_>) -> Result<Staged, FitError> {
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
            unit: stage.unit,
            others: stage.others,
            offset: stage.offset,
            smearing: stage.smearing,
        };
        let number = self.done.len();
        let objective = Objective::new(stage.loss, &training.unit_lists);
        let trees = self.trees.clone().expect("a learner that grows trees has their parameters");
        let by_chance =
            self.sampling.is_random() || trees.features < 1.0 || trees.features_per_split < 1.0;
        let grower = Grower::new(&training.matrix, &prepared.binning, trees);
        let everything: Vec<u32> = (0..training.lists.n_items() as u32).collect();
        let mut boosting = Boosting {
            grower: &grower,
            matrix: &training.matrix,
            validation: prepared.validation.as_ref().map(|part| &part.matrix),
            objective: &objective,
            sampling: self.sampling,
            by_chance,
            shrink: stage.shrink,
            noise: stage.noise,
            longest: stage.longest,
            active: stage.active.as_deref().unwrap_or(&everything),
            offsets: training.lists.offsets(),
            seed: purpose(purpose(self.cx.seed, b"boosting"), &(number as u64).to_le_bytes()),
            derivatives: Vec::new(),
        };
        let (start, state) = self.begin(&sum)?;
        if sum.mean {
            boosting.begin_at(start);
        }
        match stage.watched {
            Watched::Goal => self.grow_for_goal(&sum, start, state, &mut boosting),
            Watched::Loss(name) => {
                let objective = Objective::new(stage.loss, &prepared.measured().unit_lists);
                let measure = Measure::Loss { name, objective: &objective };
                self.grow(&sum, start, state, &mut boosting, measure)
            }
        }
    }

    /// Takes one tree after another until it is enough.
    pub(crate) fn sum(
        &mut self,
        sum: &Sum<'_>,
        next: &mut dyn NextTree,
    ) -> Result<Staged, FitError> {
        let (start, state) = self.begin(sum)?;
        self.grow_for_goal(sum, start, state, next)
    }

    fn grow_for_goal(
        &mut self,
        sum: &Sum<'_>,
        start: f64,
        state: StageState,
        next: &mut dyn NextTree,
    ) -> Result<Staged, FitError> {
        let measured = self.prepared.measured();
        let metric = self.goal().spec().build(Scale::of(measured.data))?;
        let lists = measured.lists.views();
        let measure = Measure::Metric(PreparedLists::new(&metric, &lists)?);
        self.grow(sum, start, state, next, measure)
    }

    fn grow(
        &mut self,
        sum: &Sum<'_>,
        start: f64,
        mut state: StageState,
        next: &mut dyn NextTree,
        measure: Measure<'_>,
    ) -> Result<Staged, FitError> {
        self.cx.watch.stage(sum.name);
        let prepared = self.prepared;
        if !state.trees.is_empty() {
            next.resume(&state.trees);
        }
        let mut going = Going {
            sum,
            next,
            measured: measure.name(prepared.validation.is_some()),
            measure,
            start,
            raw: going_on(prepared, &state.trees, start, sum.offset),
        };
        self.go(&mut going, &mut state)?;
        self.end(going, state)
    }

    /// The score that a stage begins with, and what was done of it before.
    fn begin(&self, sum: &Sum<'_>) -> Result<(f64, StageState), FitError> {
        let number = self.done.len();
        let first = match self.cx.first {
            Some(model) => Some(model.scorer.factors.get(number).ok_or_else(|| {
                let name = sum.name;
                FitError::Data(format!("the model to go on from has no part `{name}`; train anew"))
            })?),
            None => None,
        };
        let start = first.map_or(sum.start, |factor| factor.start);
        let mut trees = first.map(|factor| factor.trees.clone()).unwrap_or_default();
        if sum.mean {
            // A model holds each tree's share of the mean; while a forest grows they are whole.
            let whole = trees.len() as f64;
            scale_leaves(&mut trees, whole);
        }
        let Some(resumed) = self.resumed.get(number) else {
            return Ok((start, StageState { trees, ..StageState::default() }));
        };
        // Its start and its unit are those of the model it went on from.
        if resumed.trees[..resumed.trees.len() - resumed.curve.len()] != trees {
            return Err(FitError::OtherRun(
                "the model that it goes on from (--continue) was another one, or is given only \
                 one time of the two"
                    .into(),
            ));
        }
        Ok((start, resumed.clone()))
    }

    /// Round after round.
    fn go(&mut self, going: &mut Going<'_>, state: &mut StageState) -> Result<(), FitError> {
        while state.ended.is_none() {
            // Whoever stops after the last round has interrupted nothing.
            let all = state.curve.len() >= going.sum.rounds;
            if all || self.stopped {
                state.ended = Some(if all { Ended::AllRounds } else { Ended::Interrupted });
                break;
            }
            let round = state.trees.len() as u64;
            match going.next.next(round, &mut going.raw) {
                Err(ended) => state.ended = Some(ended),
                Ok(tree) => {
                    state.trees.push(tree);
                    let value = going.value(state.trees.len())?;
                    state.curve.push(value);
                    self.tell(going, state, value);
                }
            }
        }
        Ok(())
    }

    /// Ends the stage if validation has seen enough, and tells the watcher.
    fn tell(&mut self, going: &Going<'_>, state: &mut StageState, value: f64) {
        let best = best(&state.curve, going.measure.direction()).unwrap_or((1, value));
        let patience = going.sum.patience;
        let validated = self.prepared.validation.is_some() && patience > 0;
        if validated && state.curve.len() - best.0 >= patience {
            state.ended = Some(Ended::NoImprovement);
        }
        let checkpoint = || Checkpoint {
            stages: self.done.iter().chain([&*state]).cloned().collect(),
            ..self.header.clone()
        };
        let flow = self.cx.watch.round(&Round {
            stage: going.sum.name,
            done: state.curve.len(),
            of: going.sum.rounds,
            measure: &going.measured,
            value,
            best,
            checkpoint: &checkpoint,
        });
        self.stopped |= flow == Flow::Stop;
    }

    /// Keeps the trees up to the best round.
    fn end(&mut self, mut going: Going<'_>, state: StageState) -> Result<Staged, FitError> {
        // Rounds and curve go together; what is more was there before the first round.
        let before = state.trees.len() - state.curve.len();
        let kept =
            before + self.rounds_to_keep(&mut going, &state.trees[..before], &state.curve)?;
        let Going { sum, next, measured, start, mut raw, .. } = going;
        let trees = state.trees[..kept].to_vec();
        if kept < state.trees.len() {
            raw = going_on(self.prepared, &trees, start, sum.offset);
        }
        self.summaries.push(StageSummary {
            name: sum.name.to_owned(),
            measure: measured,
            curve: state.curve.clone(),
            kept: kept - before,
            ended: state.ended.unwrap_or(Ended::AllRounds),
            extra_curves: next.also(state.curve.len()),
        });
        self.done.push(state);
        let factor = Factor::new(sum.name, sum.link, start, trees);
        Ok(Staged { factor, raw })
    }

    /// All rounds, or those up to the best on validation; none if the trees that were there
    /// before are better alone.
    fn rounds_to_keep(
        &self,
        going: &mut Going<'_>,
        before: &[Tree],
        curve: &[f64],
    ) -> Result<usize, FitError> {
        let direction = going.measure.direction();
        let (round, value) = match best(curve, direction) {
            // The mean of trees does not overfit by taking more of them.
            Some(best) if self.prepared.validation.is_some() && !going.sum.mean => best,
            _ => return Ok(curve.len()),
        };
        if before.is_empty() && going.sum.offset.is_none() {
            return Ok(round);
        }
        let alone = going_on(self.prepared, before, going.start, going.sum.offset);
        let rounds = std::mem::replace(&mut going.raw, alone);
        let alone = going.value(before.len())?;
        going.raw = rounds;
        // Of equals the first.
        Ok(best(&[alone, value], direction).map_or(round, |(at, _)| (at - 1) * round))
    }
}

/// start + sum of trees + offset, for all items.
fn going_on(
    prepared: &Prepared<'_>,
    trees: &[Tree],
    start: f64,
    offset: Option<&Scores>,
) -> Scores {
    let mut scores = prepared.scores_after(trees, start);
    if let Some(offset) = offset {
        scores.add(offset);
    }
    scores
}

impl Going<'_> {
    /// What is measured, after so many trees.
    fn value(&self, trees: usize) -> Result<f64, FitError> {
        let raw = self.raw.measured();
        let finish = Finish {
            link: self.sum.link,
            unit: self.sum.unit,
            others: self.sum.others.map(Scores::measured),
            smearing: self.sum.smearing.map_or(1.0, |of| of(&self.raw.training)),
        };
        if !self.sum.mean {
            return self.measure.value(raw, &finish);
        }
        let mean = |sum: &f64| self.start + (sum - self.start) / trees as f64;
        self.measure.value(&raw.iter().map(mean).collect::<Vec<_>>(), &finish)
    }
}
