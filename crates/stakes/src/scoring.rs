//! Scores of a model that do not flatter it.
//!
//! On lists that a model was trained on, its own scores look better than they will be on others. Where
//! such lists were left out in turn during training ([`Validation::Folds`](crate::fit::Validation)), the
//! model keeps the scores of the models that did, and these take the place of its own.

use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_model::{Fingerprint, Model};

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

/// Scores data.
pub fn score(model: &Model, data: &Dataset, seen: SeenLists) -> Result<Scored, Error> {
    let mut values = model.score(data)?;
    let mut trained_on = TrainedOn { of: data.n_lists(), ..TrainedOn::default() };
    for (list, known) in recognised(model, data)?.into_iter().enumerate() {
        let Some(scores) = known else { continue };
        trained_on.lists += 1;
        if seen == SeenLists::OutOfFold && !scores.is_empty() {
            values[data.items(list)].copy_from_slice(&scores);
            trained_on.out_of_fold += 1;
        }
    }
    Ok(Scored { values, trained_on })
}

/// How many lists of the data a model was trained on, where it scores them itself.
pub fn trained_on(model: &Model, data: &Dataset) -> Result<TrainedOn, Error> {
    let lists = recognised(model, data)?.iter().flatten().count();
    Ok(TrainedOn { of: data.n_lists(), lists, out_of_fold: 0 })
}

/// For each list whether the model was trained on it, and if so, its scores out of fold, as far as they are
/// known.
fn recognised(model: &Model, data: &Dataset) -> Result<Vec<Option<Vec<f64>>>, Error> {
    // Rows of classes are told apart by nothing; a model of very many lists knows only what all of them look
    // like together.
    match Task::of(model) {
        Task::Rank if model.training_lists.is_empty() && is_training_data(model, data) => {
            Ok(vec![Some(Vec::new()); data.n_lists()])
        }
        Task::Rank => Ok(model.recognise(data)?),
        _ => Ok(vec![None; data.n_lists()]),
    }
}

/// Whether these are the very data that the model was trained on.
fn is_training_data(model: &Model, data: &Dataset) -> bool {
    let Fingerprint { items, lists, .. } = model.data;
    let is_known = |problem: Problem<'_>| Fingerprint::of(&problem) == model.data;
    (items, lists) == (data.len() as u64, data.n_lists() as u64)
        && Problem::new(data, &model.goal).is_ok_and(is_known)
}
