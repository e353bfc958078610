//! Columns of values: the features of data, or scores.

use stakes_core::data::{DataError, Dataset};

use crate::MatchedColumns;

/// The number of items whose values are looked at, column by column, before the next ones.
const CHUNK: usize = 1 << 14;

/// An item with its features.
pub(super) type Item<'v> = (usize, &'v [f32]);

/// Columns of values of the items of a data set.
pub(super) trait Values: Sync {
    /// Gives all items once, some at a time and in any order, with their features.
    fn visit(&self, see: &mut dyn FnMut(&[Item<'_>])) -> Result<(), DataError>;

    /// The value of an item with these features; NaN if it is missing.
    fn value(&self, column: usize, item: usize, features: &[f32]) -> f64;
}

/// Features as a model reads them, but before they are scaled within lists.
pub(super) struct Features<'d>(pub(super) &'d Dataset, pub(super) MatchedColumns);

impl Values for Features<'_> {
    fn visit(&self, see: &mut dyn FnMut(&[Item<'_>])) -> Result<(), DataError> {
        self.0.features().visit(|piece| {
            let mut items = piece.iter();
            loop {
                let chunk: Vec<Item<'_>> = items.by_ref().take(CHUNK).collect();
                if chunk.is_empty() {
                    break;
                }
                see(&chunk);
            }
        })
    }

    fn value(&self, column: usize, _: usize, features: &[f32]) -> f64 {
        self.1.value(features, column)
    }
}

/// A score of each item.
pub(super) struct OneScore<'s>(pub(super) &'s [f64]);

impl Values for OneScore<'_> {
    fn visit(&self, see: &mut dyn FnMut(&[Item<'_>])) -> Result<(), DataError> {
        for first in (0..self.0.len()).step_by(CHUNK) {
            let items = first..self.0.len().min(first + CHUNK);
            see(&items.map(|item| (item, &[][..])).collect::<Vec<Item<'_>>>());
        }
        Ok(())
    }

    fn value(&self, _: usize, item: usize, _: &[f32]) -> f64 {
        self.0[item]
    }
}
