//! Scores of a model that do not flatter it.
//!
//! On lists that a model was trained on, its own scores look better than they will be on others. Where
//! such lists were left out in turn during training ([`Validation::Folds`](crate::fit::Validation)), the
//! model keeps the scores of the models that did, and these take the place of its own.

use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_model::{Fingerprint, Model};

pub use crate::trained_on::TrainedOn;
use crate::{Error, Note, Task};

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

impl Scored {
    /// What should be said of these scores before anything else; `name` is the name of the model.
    pub fn note(&self, name: &str, data: &Dataset) -> Option<Note> {
        let (name, source) = (name.to_owned(), data.source().to_owned());
        let trained_on = self.trained_on;
        (trained_on.lists > 0).then_some(Note::TrainedOn { name, source, trained_on })
    }
}

/// Scores data.
pub fn score(model: &Model, data: &Dataset, seen: SeenLists) -> Result<Scored, Error> {
    let mut values = model.score(data)?;
    let mut trained_on = TrainedOn { of: data.n_lists(), ..TrainedOn::default() };
    if Task::of(model) != Task::Rank {
        return Ok(Scored { values, trained_on });
    }
    for (list, known) in model.recognise(data)?.into_iter().enumerate() {
        let Some(scores) = known else { continue };
        trained_on.lists += 1;
        if seen == SeenLists::OutOfFold && !scores.is_empty() {
            values[data.items(list)].copy_from_slice(&scores);
            trained_on.out_of_fold += 1;
        }
    }
    // A model of very many lists knows only what all of them look like.
    if model.training_lists.is_empty() && is_training_data(model, data) {
        trained_on.lists = data.n_lists();
    }
    Ok(Scored { values, trained_on })
}

/// Whether these are the very data that the model was trained on.
fn is_training_data(model: &Model, data: &Dataset) -> bool {
    let is_known = |problem: Problem<'_>| Fingerprint::of(&problem) == model.data;
    Problem::new(data, &model.goal).is_ok_and(is_known)
}
