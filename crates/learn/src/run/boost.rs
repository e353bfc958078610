//! Gradient boosting: one tree after another, each grown on the derivatives of the loss at
//! the scores so far (Friedman 2001). It knows rows and derivatives; only the loss knows that rows
//! belong to lists.

use stakes_core::random::{Stream, purpose};

use super::objective::Objective;
use super::sampling::Sampling;
use crate::loss::{GradHess, LeafRule};
use crate::prepared::Scores;
use crate::tree::{BinnedMatrix, GrownTree, Tree, TreeGrower};
use stakes_model::Ended;

/// A source of trees, one in each round of a stage.
pub(crate) trait NextTree {
    /// Accounts for trees from before the first round: those of the model that training continues
    /// from, and of the run that is resumed. The next tree is as if it had grown them itself.
    fn resume(&mut self, _trees: &[Tree]) {}

    /// Grows the tree of a round and adds it to the scores of all items, or says why there is none.
    fn next(&mut self, round: u64, scores: &mut Scores) -> Result<Tree, Ended>;

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
    pub(crate) matrix: &'b BinnedMatrix,
    pub(crate) validation: Option<&'b BinnedMatrix>,
    pub(crate) objective: &'b Objective<'b>,
    pub(super) sampling: Sampling,
    /// Whether rows or features are drawn, so that another round may find a split where this one did not.
    pub(crate) by_chance: bool,
    pub(crate) shrink: Shrink,
    /// The scale of the noise that is added to scores before derivatives are taken.
    pub(crate) noise: f64,
    /// The maximum absolute value of a leaf, before it is shrunk.
    pub(crate) longest: f64,
    /// The training rows, ascending.
    pub(crate) active: &'b [u32],
    /// Where lists begin: they are drawn as a whole.
    pub(crate) offsets: &'b [usize],
    pub(crate) seed: u64,
    /// The derivatives of the last round; those of a forest are taken at the start and stay.
    pub(crate) derivatives: Vec<GradHess>,
}

/// A draw of the standard Gumbel distribution from one of the unit interval.
fn gumbel(unit: f64) -> f64 {
    -(-unit.max(f64::MIN_POSITIVE).ln()).ln()
}

impl Boosting<'_> {
    /// Prepares a forest: its derivatives are taken where all scores equal `start`.
    pub(crate) fn begin_at(&mut self, start: f64) {
        let rows = self.matrix.rows();
        self.derivatives = vec![GradHess::default(); rows];
        self.objective.derivatives(&vec![start; rows], &mut self.derivatives);
    }

    /// Scores with the noise of a round.
    fn perturbed(&self, scores: &[f64], round: u64) -> Vec<f64> {
        let stream = Stream::new(purpose(self.seed, b"noise   "), round);
        let perturb =
            |(item, score): (usize, &f64)| score + self.noise * gumbel(stream.unit(item as u64));
        scores.iter().enumerate().map(perturb).collect()
    }

    /// Grows the tree of a round and adds it to the training scores, or says that no split
    /// improves the loss.
    fn round(&mut self, round: u64, scores: &mut [f64]) -> Result<GrownTree, Ended> {
        let mut derivatives = std::mem::take(&mut self.derivatives);
        if self.shrink != Shrink::Mean {
            derivatives.resize(scores.len(), GradHess::default());
            match self.noise > 0.0 {
                true => {
                    self.objective.derivatives(&self.perturbed(scores, round), &mut derivatives)
                }
                false => self.objective.derivatives(scores, &mut derivatives),
            }
        }
        let rows = self.sampling.draw(self.active, self.offsets, self.seed, round);
        let mut grown = self.grower.grow(&derivatives, rows, self.seed, round);
        self.derivatives = derivatives;
        if !grown.has_split() && !self.by_chance {
            return Err(Ended::NothingLeft);
        }
        if let LeafRule::Quantile(alpha) = self.objective.leaf_rule() {
            grown.renew(|rows| self.objective.residual_quantile(rows, scores, alpha));
        }
        grown.bound(self.longest);
        if let Shrink::Rate(rate) = self.shrink {
            grown.scale(rate);
        }
        grown.add_to_own(scores, self.matrix);
        Ok(grown)
    }
}

impl NextTree for Boosting<'_> {
    fn next(&mut self, round: u64, scores: &mut Scores) -> Result<Tree, Ended> {
        let grown = self.round(round, &mut scores.training)?;
        if let Some(matrix) = self.validation {
            grown.add_to(&mut scores.validation, matrix);
        }
        Ok(grown.tree)
    }
}
