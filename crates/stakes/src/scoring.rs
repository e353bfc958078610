//! Scores of a model that do not flatter it.
//!
//! On lists that a model was trained on, its own scores look better than they will be on others. Where
//! such lists were left out in turn during training ([`Validation::Folds`](crate::fit::Validation)), the
//! model keeps the scores of the models that did, and these take the place of its own.

use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_model::calibration::Totals;
use stakes_model::{Calibration, Fingerprint, MatchedColumns, Model, PreparedScorer};

pub use crate::trained_on::TrainedOn;
use crate::{Error, Task};

/// How lists that a model was trained on are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SeenLists {
    /// By models that were not trained on them, where the model keeps those scores.
    #[default]
    OutOfFold,
    /// By the model itself, as all others.
    Fitted,
}

/// The scores of all items, and how many of their lists the model was trained on.
#[derive(Debug, Clone, PartialEq)]
pub struct Scored {
    /// The scores.
    pub values: Vec<f64>,
    /// How many lists the model was trained on.
    pub trained_on: TrainedOn,
}

/// A model that is kept for many calls: its trees are laid out once, and so is what its calibration knows of items together.
/// All scores and expected costs are the same to the bit.
#[derive(Debug, Clone)]
pub struct PreparedModel {
    model: Model,
    scorer: PreparedScorer,
    totals: Option<Totals>,
}

impl PreparedModel {
    /// Prepares a model.
    pub fn new(model: Model) -> Self {
        let totals = model.calibration.as_ref().and_then(Calibration::totals);
        PreparedModel { scorer: model.scorer.prepare(), totals, model }
    }

    /// What its calibration knows of items together.
    pub(crate) fn totals(&self) -> Option<&Totals> {
        self.totals.as_ref()
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Scores data, as [`score`].
    pub fn score(&self, data: &Dataset, seen: SeenLists) -> Result<Scored, Error> {
        Ok(self.score_matched(data, &self.model.match_columns(data)?, seen))
    }

    /// Scores the data that `matched` was made for, as [`score`].
    pub fn score_matched(
        &self,
        data: &Dataset,
        matched: &MatchedColumns,
        seen: SeenLists,
    ) -> Scored {
        let values = self.model.score_prepared(&self.scorer, data, matched);
        out_of_fold(&self.model, data, matched, seen, values)
    }
}

/// Scores data.
pub fn score(model: &Model, data: &Dataset, seen: SeenLists) -> Result<Scored, Error> {
    Ok(score_matched(model, data, &model.match_columns(data)?, seen))
}

/// Scores the data that `matched` was made for.
pub(crate) fn score_matched(
    model: &Model,
    data: &Dataset,
    matched: &MatchedColumns,
    seen: SeenLists,
) -> Scored {
    out_of_fold(model, data, matched, seen, model.score_matched(data, matched))
}

/// Puts scores out of fold in place of the model's own, where they are known and wanted.
fn out_of_fold(
    model: &Model,
    data: &Dataset,
    matched: &MatchedColumns,
    seen: SeenLists,
    mut values: Vec<f64>,
) -> Scored {
    let elsewhere = !model.data.is_known();
    let mut trained_on = TrainedOn { of: data.n_lists(), elsewhere, ..TrainedOn::default() };
    for (list, known) in recognised(model, data, matched).into_iter().enumerate() {
        let Some(scores) = known else { continue };
        trained_on.lists += 1;
        if seen == SeenLists::OutOfFold && !scores.is_empty() {
            values[data.items(list)].copy_from_slice(&scores);
            trained_on.out_of_fold += 1;
        }
    }
    Scored { values, trained_on }
}

/// Values of all items in the order of their lines in the file.
pub fn in_file_order(data: &Dataset, values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..data.len()).collect();
    order.sort_by_key(|&item| data.line(item));
    order.into_iter().map(|item| values[item]).collect()
}

/// How many lists of the data a model was trained on, where it scores them itself.
pub fn trained_on(model: &Model, data: &Dataset) -> Result<TrainedOn, Error> {
    let lists = recognised(model, data, &model.match_columns(data)?).iter().flatten().count();
    let elsewhere = !model.data.is_known();
    Ok(TrainedOn { of: data.n_lists(), lists, out_of_fold: 0, elsewhere })
}

/// The lists that can judge a model: those that it was not trained on, and those of its training that models which
/// were not have scored.
pub fn judging_lists(model: &Model, data: &Dataset) -> Result<Vec<usize>, Error> {
    let known = recognised(model, data, &model.match_columns(data)?).into_iter().enumerate();
    let judges = |scores: &Option<Vec<f64>>| {
        scores
            .as_ref()
            .is_none_or(|scores| !scores.is_empty() && !scores.iter().any(|s| s.is_nan()))
    };
    Ok(known.filter(|(_, scores)| judges(scores)).map(|(list, _)| list).collect())
}

/// For each list whether the model was trained on it, and if so, its scores out of fold, as far as they are
/// known.
fn recognised(model: &Model, data: &Dataset, matched: &MatchedColumns) -> Vec<Option<Vec<f64>>> {
    // Rows of classes are told apart by nothing; a model of very many lists knows only what all of them look
    // like together.
    match Task::of(model) {
        Task::Rank if model.training_lists.is_empty() && is_training_data(model, data) => {
            vec![Some(Vec::new()); data.n_lists()]
        }
        Task::Rank => model.recognise_matched(data, matched),
        _ => vec![None; data.n_lists()],
    }
}

/// Whether these are the very data that the model was trained on.
fn is_training_data(model: &Model, data: &Dataset) -> bool {
    let Fingerprint { items, lists, .. } = model.data;
    let is_known =
        |problem: Problem<'_>| Fingerprint::of(&problem).is_ok_and(|own| own == model.data);
    (items, lists) == (data.len() as u64, data.n_lists() as u64)
        && Problem::new(data, &model.goal).is_ok_and(is_known)
}
