//! Cross-fitting: one model per fold, trained in step.
//!
//! In each round of a stage every fold grows a tree of its own, on the lists that it keeps and at
//! the scores of its own trees. The score of the model is the mean over the folds. So every list
//! is trained with, and yet every item has an honest score: that of the one fold which leaves its
//! list out. These scores, over all lists instead of a few that are set aside, decide when to stop,
//! judge the model and calibrate it. The mean varies less than a single model does (Breiman 1996).
//!
//! Folds that look forward (see [`Folds`]) judge each period by models of earlier ones. Their first model,
//! which is trained with all lists, is then the model, instead of the mean.
//!
//! Trees are kept round by round, and within a round in the order of the folds. Example: with five
//! folds, tree 12 (from 0) is the tree of round 2 and fold 2.

use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::split::Folds;
use stakes_model::tree::scale_leaves;
use stakes_model::{Model, ModelError, Scorer};

use crate::Lists;

/// The folds of items in canonical order.
pub(crate) struct FoldItems<'f> {
    folds: &'f Folds,
    /// For each item its list in the data.
    list_of: Vec<u32>,
    /// The lists that are judged; `None` if all are.
    judged: Option<JudgedLists>,
}

/// The lists that folds judge: all but those of the first period.
pub(crate) struct JudgedLists {
    pub(crate) lists: Lists,
    pub(crate) unit_lists: Lists,
    /// The numbers of their items among all.
    items: Vec<usize>,
}

impl<'f> FoldItems<'f> {
    /// The folds of lists, which are also given with costs in units.
    pub(crate) fn new(folds: &'f Folds, data: &Dataset, lists: &Lists, unit_lists: &Lists) -> Self {
        let list_of: Vec<u32> =
            lists.rows().iter().map(|&row| data.list_of(row as usize) as u32).collect();
        let is_judged =
            |list: usize| folds.of_list(list_of[lists.items(list).start] as usize).is_some();
        let judged = folds.look_forward().then(|| {
            let (lists, items) = lists.take(is_judged);
            JudgedLists { lists, unit_lists: unit_lists.take(is_judged).0, items }
        });
        FoldItems { folds, judged, list_of }
    }

    /// The number of folds.
    pub(crate) fn len(&self) -> usize {
        self.folds.len()
    }

    /// The folds of lists.
    pub(crate) fn folds(&self) -> &'f Folds {
        self.folds
    }

    /// The lists that are judged, if not all are.
    pub(crate) fn judged(&self) -> Option<&JudgedLists> {
        self.judged.as_ref()
    }

    /// Whether a fold is trained with an item.
    pub(crate) fn keeps(&self, fold: usize, item: usize) -> bool {
        self.folds.keeps(fold, self.list_of[item] as usize)
    }

    /// The items among these that a fold is trained with.
    pub(crate) fn kept(&self, fold: usize, among: &[u32]) -> Vec<u32> {
        among.iter().copied().filter(|&item| self.keeps(fold, item as usize)).collect()
    }

    /// The scores out of fold, from those of all items by every fold, fold after fold. Items that no fold
    /// judges have those of the first.
    pub(crate) fn out_of_fold(&self, scores: &[f64]) -> Vec<f64> {
        let n = self.list_of.len();
        let fold = |list: u32| self.folds.of_list(list as usize).unwrap_or(0);
        let score = |(item, &list): (usize, &u32)| scores[fold(list) * n + item];
        self.list_of.iter().enumerate().map(score).collect()
    }
}

impl JudgedLists {
    /// The values of their items, from those of all.
    pub(crate) fn of(&self, all: &[f64]) -> Vec<f64> {
        self.items.iter().map(|&item| all[item]).collect()
    }
}

/// For each item, by its row in the data, its score out of fold by a cross-fitted model that still has the
/// trees of all folds; NaN if no fold judges it.
pub(crate) fn out_of_fold_scores(
    model: &Model,
    problem: &Problem<'_>,
    folds: &Folds,
) -> Result<Vec<f64>, ModelError> {
    let mut scores = vec![f64::NAN; problem.data().len()];
    for fold in folds.judging() {
        let judged = folds.sides(fold).1;
        // A shard may have none of them.
        if judged.is_empty() {
            continue;
        }
        let others = problem.data().take_lists(&judged);
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
