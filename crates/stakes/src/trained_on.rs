//! How many lists a model has learnt from.

use serde::Serialize;

/// How many lists of some data a model was trained on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct TrainedOn {
    /// The number of lists in the data.
    pub of: usize,
    /// How many of them it was trained on.
    pub lists: usize,
    /// How many of those are scored by models that were not.
    pub out_of_fold: usize,
    /// The model was trained elsewhere, so which of the lists it has seen is not known.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub elsewhere: bool,
}

impl TrainedOn {
    /// Whether there are lists whose scores flatter the model.
    pub fn flatters(&self) -> bool {
        self.lists > self.out_of_fold
    }
}
