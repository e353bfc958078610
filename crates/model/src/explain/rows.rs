//! Items as a model reads them: its features, in its order and codes, side by side in memory.

use rayon::prelude::*;
use stakes_core::data::Dataset;

use crate::{Matched, Model, ModelError, PreparedScorer, Within};

/// Rows that one thread scores at a time.
const PIECE: usize = 1024;

/// The features of items.
#[derive(Debug, Clone)]
pub struct Rows {
    values: Vec<f32>,
    width: usize,
    items: usize,
}

impl Rows {
    /// All items of a data set, found by name ([`Model::match_columns`]).
    pub fn new(model: &Model, data: &Dataset) -> Result<Self, ModelError> {
        Self::of_items(model, data, 0..data.len())
    }

    /// Some of them.
    pub fn of_items(
        model: &Model,
        data: &Dataset,
        items: impl IntoIterator<Item = usize>,
    ) -> Result<Self, ModelError> {
        Ok(Self::matched(&model.match_columns(data)?, model, data, items))
    }

    /// All items with their numbers as given, even if the model counts them within their list.
    pub fn as_given(model: &Model, data: &Dataset) -> Result<Self, ModelError> {
        let matched = Matched::new(&model.features, Within::None, data)?;
        Ok(Self::matched(&matched, model, data, 0..data.len()))
    }

    fn matched(
        matched: &Matched,
        model: &Model,
        data: &Dataset,
        items: impl IntoIterator<Item = usize>,
    ) -> Self {
        let mut rows = Rows { values: Vec::new(), width: model.features.len(), items: 0 };
        for item in items {
            rows.values.extend(matched.row(data, item));
            rows.items += 1;
        }
        rows
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.items
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One item.
    pub fn row(&self, item: usize) -> &[f32] {
        &self.values[item * self.width..][..self.width]
    }

    /// One feature of one item, to be changed.
    pub(super) fn value_mut(&mut self, item: usize, feature: usize) -> &mut f32 {
        &mut self.values[item * self.width + feature]
    }

    /// One feature of all items.
    pub(super) fn column(&self, feature: usize) -> Vec<f32> {
        (0..self.items).map(|item| self.values[item * self.width + feature]).collect()
    }

    /// The score of every item.
    pub(super) fn score(&self, scorer: &PreparedScorer, out: &mut [f64]) {
        out.par_chunks_mut(PIECE).enumerate().for_each(|(piece, out)| {
            scorer.score_rows(&self.values[piece * PIECE * self.width..], self.width, out);
        });
    }
}
