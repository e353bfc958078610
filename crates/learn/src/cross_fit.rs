//! Cross-fitting: one model per fold, trained in step.
//!
//! In each round of a stage every fold grows a tree of its own, on the lists that it keeps and at
//! the scores of its own trees. The score of the model is the mean over the folds. So every list
//! is trained with, and yet every item has an honest score: that of the one fold which leaves its
//! list out. These scores, over all lists instead of a few that are set aside, decide when to stop,
//! judge the model and calibrate it. The mean varies less than a single model does (Breiman 1996).
//!
//! Trees are kept round by round, and within a round in the order of the folds. Example: with five
//! folds, tree 12 (from 0) is the tree of round 2 and fold 2.

use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::split::Folds;
use stakes_model::tree::scale_leaves;
use stakes_model::{Model, ModelError, Scorer};

use crate::Lists;

/// Which fold leaves an item out, by item in canonical order.
pub(crate) struct FoldItems {
    folds: usize,
    of_item: Vec<u32>,
}

impl FoldItems {
    pub(crate) fn new(folds: &Folds, lists: &Lists, data: &Dataset) -> Self {
        let fold = |&row: &u32| folds.of_list(data.list_of(row as usize)) as u32;
        FoldItems { folds: folds.len(), of_item: lists.rows().iter().map(fold).collect() }
    }

    /// The number of folds.
    pub(crate) fn len(&self) -> usize {
        self.folds
    }

    /// Whether a fold is trained with an item.
    pub(crate) fn keeps(&self, fold: usize, item: usize) -> bool {
        self.of_item[item] != fold as u32
    }

    /// The items among these that a fold is trained with.
    pub(crate) fn kept(&self, fold: usize, among: &[u32]) -> Vec<u32> {
        among.iter().copied().filter(|&item| self.keeps(fold, item as usize)).collect()
    }

    /// The scores out of fold, from those of all items by every fold, fold after fold.
    pub(crate) fn out_of_fold(&self, scores: &[f64]) -> Vec<f64> {
        let n = self.of_item.len();
        let score = |(item, &fold): (usize, &u32)| scores[fold as usize * n + item];
        self.of_item.iter().enumerate().map(score).collect()
    }
}

/// For each item, by its row in the data, its score out of fold by a cross-fitted model.
pub(crate) fn out_of_fold_scores(
    model: &Model,
    problem: &Problem<'_>,
    folds: &Folds,
) -> Result<Vec<f64>, ModelError> {
    let mut scores = vec![0.0; problem.data().len()];
    for fold in 0..folds.len() {
        let others = problem.data().take_lists(&folds.sides(fold).1);
        let own = Model { scorer: of_fold(&model.scorer, fold, folds.len()), ..model.clone() };
        folds.put(problem, fold, &own.score(&others)?, &mut scores);
    }
    Ok(scores)
}

/// The score of one fold's trees.
pub(crate) fn of_fold(scorer: &Scorer, fold: usize, folds: usize) -> Scorer {
    let mut own = scorer.clone();
    for factor in &mut own.factors {
        factor.trees = factor.trees.iter().skip(fold).step_by(folds).cloned().collect();
        scale_leaves(&mut factor.trees, folds as f64);
    }
    own
}
