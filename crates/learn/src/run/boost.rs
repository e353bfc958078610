//! Gradient boosting: one tree after another, each grown on the derivatives of the loss at
//! the scores so far (Friedman 2001). It knows rows and derivatives; only the loss knows that rows
//! belong to lists.

use std::collections::VecDeque;

use rayon::prelude::*;
use stakes_core::random::{Stream, purpose};

use super::objective::Objective;
use super::sampling::Sampling;
use crate::loss::{GradHess, LeafRule};
use crate::prepared::{Prepared, Scores};
use crate::tree::{BinnedMatrix, GrownTree, Tree, TreeGrower};
use stakes_model::Ended;

/// A source of trees, one in each round of a stage.
pub(crate) trait NextTree {
    /// Accounts for trees from before the first round: those of the model that training continues
    /// from, and of the run that is resumed. The next tree is as if it had grown them itself.
    fn resume(&mut self, _trees: &[Tree]) {}

    /// Grows the tree of a round (with folds, one for each), adds it to the scores of all items and
    /// returns it, or says why there is none.
    fn next(&mut self, round: u64, scores: &mut Scores) -> Result<Vec<Tree>, Ended>;

    /// Further curves over the last rounds, with their names.
    fn also(&self, _rounds: usize) -> Vec<(String, Vec<f64>)> {
        Vec::new()
    }
}

/// How trees add up to a score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Shrink {
    /// This share of each tree is added, and the next one is fitted to the rest.
    Rate(f64),
    /// Trees are independent, and their mean is taken (a forest).
    Mean,
}

/// Boosting of one sum of trees.
pub(crate) struct Boosting<'b> {
    pub(crate) grower: &'b TreeGrower<'b>,
    pub(crate) prepared: &'b Prepared<'b>,
    pub(crate) objective: &'b Objective<'b>,
    pub(super) sampling: Sampling,
    /// Whether rows or features are drawn, so that another round may find a split where this one did not.
    pub(crate) by_chance: bool,
    pub(crate) shrink: Shrink,
    /// The scale of the noise that is added to scores before derivatives are taken.
    pub(crate) noise: f64,
    /// The maximum absolute value of a leaf, before it is shrunk.
    pub(crate) longest: f64,
    /// One model, or one per fold.
    pub(super) tracks: Vec<Track>,
    /// The maximum number of rounds.
    pub(super) rounds: usize,
    /// The trees of the next rounds of a forest that are grown already: they do not depend on each other.
    pub(super) ahead: VecDeque<Vec<GrownTree>>,
}

/// A tree that is grown holds its rows: at most so many in all are held by trees that wait for their turn.
const MAX_ROWS_AHEAD: usize = 1 << 22;

/// What a model of its own has in boosting.
pub(super) struct Track {
    /// The training rows, ascending.
    active: Vec<u32>,
    /// The fold, if there are folds.
    fold: Option<usize>,
    seed: u64,
    /// The derivatives of the last round; those of a forest are taken at the start and stay.
    derivatives: Vec<GradHess>,
}

impl Track {
    /// One for all of these rows, or one for each fold with those that it keeps.
    pub(super) fn all(prepared: &Prepared<'_>, active: Vec<u32>, seed: u64) -> Vec<Track> {
        let track = |fold, active, seed| Track { active, fold, seed, derivatives: Vec::new() };
        let Some(folds) = &prepared.folds else { return vec![track(None, active, seed)] };
        let of_fold = |fold: usize| {
            let seed = purpose(purpose(seed, b"fold    "), &(fold as u64).to_le_bytes());
            track(Some(fold), folds.kept(fold, &active), seed)
        };
        (0..folds.len()).map(of_fold).collect()
    }
}

/// A draw of the standard Gumbel distribution from one of the unit interval.
fn gumbel(unit: f64) -> f64 {
    -(-unit.max(f64::MIN_POSITIVE).ln()).ln()
}

impl Boosting<'_> {
    /// Prepares a forest: its derivatives are taken where all scores equal `start`.
    pub(crate) fn begin_at(&mut self, start: f64) {
        let rows = self.matrix().rows();
        let mut derivatives = vec![GradHess::default(); rows];
        self.objective.derivatives(&vec![start; rows], &mut derivatives);
        self.tracks.iter_mut().for_each(|track| track.derivatives.clone_from(&derivatives));
    }

    fn matrix(&self) -> &BinnedMatrix {
        &self.prepared.training.matrix
    }

    /// Scores with the noise of a round.
    fn perturbed(&self, scores: &[f64], seed: u64, round: u64) -> Vec<f64> {
        let stream = Stream::new(purpose(seed, b"noise   "), round);
        let numbers = self.prepared.training.lists.item_numbers();
        let number = |item: usize| numbers.map_or(item as u64, |numbers| numbers[item].into());
        let perturb =
            |(item, score): (usize, &f64)| score + self.noise * gumbel(stream.unit(number(item)));
        scores.iter().enumerate().map(perturb).collect()
    }

    /// Takes the derivatives of one model at its scores before a round.
    fn derive(&self, track: &mut Track, round: u64, scores: &[f64]) {
        let Track { fold, seed, derivatives, .. } = track;
        derivatives.resize(scores.len(), GradHess::default());
        let perturbed = (self.noise > 0.0).then(|| self.perturbed(scores, *seed, round));
        let scores = perturbed.as_deref().unwrap_or(scores);
        let is_kept = |list| self.prepared.is_kept(*fold, list);
        self.objective.derivatives_where(is_kept, scores, derivatives);
    }

    /// Grows the tree of a round of one model on its derivatives.
    fn grow(&self, track: &Track, round: u64, scores: &[f64]) -> GrownTree {
        let Track { active, seed, derivatives, .. } = track;
        let rows = self.sampling.draw(active, &self.prepared.training.lists, *seed, round);
        let mut grown = self.grower.grow(derivatives, rows, *seed, round);
        if let LeafRule::Quantile(alpha) = self.objective.leaf_rule() {
            grown.renew(|rows| self.objective.residual_quantile(rows, scores, alpha));
        }
        grown.bound(self.longest);
        if let Shrink::Rate(rate) = self.shrink {
            grown.scale(rate);
        }
        grown
    }
}

impl Boosting<'_> {
    /// Grows the tree of a round for each model, on derivatives at its scores.
    fn boost(&mut self, round: u64, scores: &[f64]) -> Vec<GrownTree> {
        let rows = self.matrix().rows();
        let mut tracks = std::mem::take(&mut self.tracks);
        let grow = |track: &mut Track, scores: &[f64]| {
            self.derive(track, round, scores);
            self.grow(track, round, scores)
        };
        let grown = match self.prepared.training.lists.shards().are_one() {
            true => {
                let models = tracks.par_iter_mut().zip(scores.par_chunks(rows));
                models.map(|(track, scores)| grow(track, scores)).collect()
            }
            // Shards must exchange in the same order, also those without rows.
            false => {
                let models = tracks.iter_mut().enumerate();
                models.map(|(at, track)| grow(track, &scores[at * rows..][..rows])).collect()
            }
        };
        self.tracks = tracks;
        grown
    }

    /// The trees of a round of a forest, for each model.
    fn of_forest(&mut self, round: u64, scores: &[f64]) -> Vec<GrownTree> {
        if self.ahead.is_empty() {
            self.grow_ahead(round, scores);
        }
        self.ahead.pop_front().unwrap_or_default()
    }

    /// Grows the trees of a forest from a round on: one for each thread at a time, where the rows are all here.
    fn grow_ahead(&mut self, round: u64, scores: &[f64]) {
        let (models, rows) = (self.tracks.len(), self.matrix().rows());
        let is_alone = self.prepared.training.lists.shards().are_one();
        let fit = MAX_ROWS_AHEAD / (models * rows).max(1);
        let left = self.rounds.saturating_sub(round as usize);
        let rounds = match is_alone {
            true => rayon::current_num_threads().div_ceil(models).min(fit).min(left).max(1),
            false => 1,
        };
        let grow = |at: usize| {
            let (round, model) = (round + (at / models) as u64, at % models);
            self.grow(&self.tracks[model], round, &scores[model * rows..][..rows])
        };
        let mut grown: Vec<GrownTree> = match is_alone {
            true => (0..rounds * models).into_par_iter().with_max_len(1).map(grow).collect(),
            false => (0..models).map(grow).collect(),
        };
        while !grown.is_empty() {
            let later = grown.split_off(models.min(grown.len()));
            self.ahead.push_back(std::mem::replace(&mut grown, later));
        }
    }
}

impl NextTree for Boosting<'_> {
    fn next(&mut self, round: u64, scores: &mut Scores) -> Result<Vec<Tree>, Ended> {
        let rows = self.matrix().rows();
        let grown = match self.shrink {
            Shrink::Rate(_) => self.boost(round, &scores.training),
            Shrink::Mean => self.of_forest(round, &scores.training),
        };
        if !self.by_chance && !grown.iter().any(GrownTree::has_split) {
            return Err(Ended::NothingLeft);
        }
        let models = grown.par_iter().zip(scores.training.par_chunks_mut(rows.max(1)));
        models.for_each(|(own, scores)| own.add_to_own(scores, self.matrix()));
        if let Some(validation) = &self.prepared.validation {
            grown.iter().for_each(|own| own.add_to(&mut scores.validation, &validation.matrix));
        }
        self.prepared.gather(scores);
        Ok(grown.into_iter().map(|own| own.tree).collect())
    }
}
