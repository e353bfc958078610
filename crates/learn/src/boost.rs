//! Gradient boosting: one tree after another, each grown on the derivatives of the loss at
//! the scores so far (Friedman, 2001). It knows rows and derivatives; that rows belong to
//! lists is the loss's affair.

use stakes_core::random::{Stream, purpose};

use crate::fit::Ended;
use crate::loss::{GradHess, LeafRule};
use crate::objective::Objective;
use crate::prepared::Scores;
use crate::sampling::Sampling;
use crate::tree::{BinnedMatrix, GrownTree, Tree, TreeGrower};

/// What gives a stage its trees, one in each round.
pub(crate) trait NextTree {
    /// Takes note of trees from before the first round: those of a model that is gone on from,
    /// and of a run that was left. What follows is the same as if it had given them itself.
    fn resume(&mut self, _trees: &[Tree]) {}

    /// The tree of a round, added to the scores of all items; or why there is none.
    fn next(&mut self, round: u64, scores: &mut Scores) -> Result<Tree, Ended>;

    /// Further curves over the last so many rounds, with their names.
    fn also(&self, _rounds: usize) -> Vec<(String, Vec<f64>)> {
        Vec::new()
    }
}

/// How trees add up to a score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Shrink {
    /// Each tree counts this share, and the next one sees what is left.
    Rate(f64),
    /// Trees know nothing of each other, and their mean is taken (a forest).
    Mean,
}

/// Boosting of one sum of trees.
pub(crate) struct Boosting<'b> {
    pub(crate) grower: &'b TreeGrower<'b>,
    pub(crate) matrix: &'b BinnedMatrix,
    pub(crate) validation: Option<&'b BinnedMatrix>,
    pub(crate) objective: &'b Objective<'b>,
    pub(crate) sampling: Sampling,
    /// Whether another round may find what this one did not: rows or features are drawn.
    pub(crate) by_chance: bool,
    pub(crate) shrink: Shrink,
    /// How much scores are shaken before derivatives are taken.
    pub(crate) noise: f64,
    /// The longest step of a leaf, before it is shrunk.
    pub(crate) longest: f64,
    /// The rows that are learned from, ascending.
    pub(crate) active: &'b [u32],
    /// Where lists begin: they are drawn as a whole.
    pub(crate) offsets: &'b [usize],
    pub(crate) seed: u64,
    /// Those of the last round; a forest's are those at the start, whatever was grown since.
    pub(crate) derivatives: Vec<GradHess>,
}

/// A draw of the standard Gumbel distribution from one of the unit interval.
fn gumbel(unit: f64) -> f64 {
    -(-unit.max(f64::MIN_POSITIVE).ln()).ln()
}

impl Boosting<'_> {
    /// Makes a forest, whose derivatives are those where all scores are the same.
    pub(crate) fn begin_at(&mut self, start: f64) {
        let rows = self.matrix.rows();
        self.derivatives = vec![GradHess::default(); rows];
        self.objective.derivatives(&vec![start; rows], &mut self.derivatives);
    }

    /// Scores under the noise of a round.
    fn shaken(&self, scores: &[f64], round: u64) -> Vec<f64> {
        let stream = Stream::new(purpose(self.seed, b"noise   "), round);
        let shake =
            |(item, score): (usize, &f64)| score + self.noise * gumbel(stream.unit(item as u64));
        scores.iter().enumerate().map(shake).collect()
    }

    /// Grows the tree of a round and adds it to the scores it was grown by, or says that nothing
    /// is left to learn.
    fn round(&mut self, round: u64, scores: &mut [f64]) -> Result<GrownTree, Ended> {
        let mut derivatives = std::mem::take(&mut self.derivatives);
        if self.shrink != Shrink::Mean {
            derivatives.resize(scores.len(), GradHess::default());
            match self.noise > 0.0 {
                true => self.objective.derivatives(&self.shaken(scores, round), &mut derivatives),
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
