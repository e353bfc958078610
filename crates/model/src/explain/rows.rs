//! The features of items in the model's order and codes, in one matrix.

use rayon::prelude::*;
use stakes_core::data::Dataset;

use crate::{ListScaling, MatchedColumns, Model, ModelError, PreparedScorer};

/// The number of rows that one thread scores at a time.
const CHUNK_ROWS: usize = 1024;

/// The features of items in the model's order and codes.
#[derive(Debug, Clone)]
pub struct Rows {
    values: Vec<f32>,
    width: usize,
    items: usize,
}

impl Rows {
    /// All items of a data set; columns are found by name ([`Model::match_columns`]).
    pub fn new(model: &Model, data: &Dataset) -> Result<Self, ModelError> {
        Self::of_items(model, data, 0..data.len())
    }

    /// Some items of a data set.
    pub fn of_items(
        model: &Model,
        data: &Dataset,
        items: impl IntoIterator<Item = usize>,
    ) -> Result<Self, ModelError> {
        Ok(Self::matched(&model.match_columns(data)?, model, data, items))
    }

    /// All items with their original numbers, even if the model scales them within lists.
    pub fn unscaled(model: &Model, data: &Dataset) -> Result<Self, ModelError> {
        let matched = MatchedColumns::new(&model.features, ListScaling::None, data)?;
        Ok(Self::matched(&matched, model, data, 0..data.len()))
    }

    fn matched(
        matched: &MatchedColumns,
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

    /// The number of items.
    pub fn len(&self) -> usize {
        self.items
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The features of one item.
    pub fn row(&self, item: usize) -> &[f32] {
        &self.values[item * self.width..][..self.width]
    }

    /// One feature of one item, for changing it.
    pub(super) fn value_mut(&mut self, item: usize, feature: usize) -> &mut f32 {
        &mut self.values[item * self.width + feature]
    }

    /// One feature of all items.
    pub(super) fn column(&self, feature: usize) -> Vec<f32> {
        (0..self.items).map(|item| self.values[item * self.width + feature]).collect()
    }

    /// The score of every item.
    pub(super) fn score(&self, scorer: &PreparedScorer, out: &mut [f64]) {
        out.par_chunks_mut(CHUNK_ROWS).enumerate().for_each(|(chunk, out)| {
            scorer.score_rows(&self.values[chunk * CHUNK_ROWS * self.width..], self.width, out);
        });
    }
}
