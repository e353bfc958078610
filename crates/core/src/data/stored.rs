//! Features that are not in memory: they are read from where they are whenever they are needed, some rows at a time.
//!
//! Trees are trained on bins of one byte, for which all features are read two or three times; 32-bit numbers of all rows
//! need never stand in memory together. Only what goes through all rows once ([`FeatureMatrix::visit`]) works with such
//! data: training of boosted trees and forests, and scoring.

use std::fmt;
use std::sync::Arc;

use super::{DataError, Dataset, FeatureMatrix};

/// A row of a source that is no item of the data.
const NO_ITEM: u32 = u32::MAX;

/// Rows of features that are kept somewhere, such as in files.
pub trait FeatureSource: fmt::Debug + Send + Sync {
    /// The number of rows.
    fn rows(&self) -> usize;

    /// Reads all rows in order, and gives them to `see` as whole rows, one after the other, some at a time. Numbers are
    /// finite, or NaN where a value is missing.
    ///
    /// # Errors
    /// If they cannot be read, or are not what they were.
    fn read(&self, see: &mut dyn FnMut(&[f32])) -> Result<(), DataError>;
}

/// The rows of a source that are items of a data set.
#[derive(Debug, Clone)]
pub(super) struct StoredRows {
    pub(super) source: Arc<dyn FeatureSource>,
    /// The row of each item.
    pub(super) rows: Vec<u32>,
}

impl PartialEq for StoredRows {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.source, &other.source) && self.rows == other.rows
    }
}

impl StoredRows {
    pub(super) fn all(source: Arc<dyn FeatureSource>) -> Self {
        StoredRows { rows: (0..source.rows() as u32).collect(), source }
    }

    /// Those of some items.
    pub(super) fn of_items(&self, items: &[usize]) -> Self {
        let rows = items.iter().map(|&item| self.rows[item]).collect();
        StoredRows { source: self.source.clone(), rows }
    }

    pub(super) fn visit(
        &self,
        width: usize,
        see: &mut dyn FnMut(Piece<'_>),
    ) -> Result<(), DataError> {
        let mut items = vec![NO_ITEM; self.source.rows()];
        for (item, &row) in (0..).zip(&self.rows) {
            items[row as usize] = item;
        }
        let mut first = 0;
        self.source.read(&mut |values| {
            let rows = values.len() / width.max(1);
            let items = &items[first..first + rows];
            first += rows;
            if items.iter().any(|&item| item != NO_ITEM) {
                see(Piece { items: Some(items), values, width });
            }
        })
    }
}

/// Some items with their features.
#[derive(Debug, Clone, Copy)]
pub struct Piece<'p> {
    /// The item of each row; `None` if these are all items, in their order.
    items: Option<&'p [u32]>,
    values: &'p [f32],
    width: usize,
}

impl<'p> Piece<'p> {
    pub(super) fn all(values: &'p [f32], width: usize) -> Self {
        Piece { items: None, values, width }
    }

    /// The number of rows; some may be no items.
    pub fn rows(&self) -> usize {
        self.items.map_or_else(|| self.values.len() / self.width.max(1), <[u32]>::len)
    }

    /// The item at a row of this piece, if it is one.
    #[inline]
    pub fn item(&self, row: usize) -> Option<usize> {
        match self.items {
            None => Some(row),
            Some(items) => (items[row] != NO_ITEM).then_some(items[row] as usize),
        }
    }

    /// The features of a row.
    #[inline]
    pub fn row(&self, row: usize) -> &'p [f32] {
        &self.values[row * self.width..][..self.width]
    }

    /// The features of all rows.
    pub fn values(&self) -> &'p [f32] {
        self.values
    }

    /// The items with their features.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &'p [f32])> {
        (0..self.rows()).filter_map(|row| Some((self.item(row)?, self.row(row))))
    }
}

impl Dataset {
    /// The same data with all features in memory.
    ///
    /// # Errors
    /// If stored features cannot be read.
    pub fn loaded(mut self) -> Result<Dataset, DataError> {
        if self.features.is_stored() {
            let width = self.features.width;
            let mut values = vec![0.0; self.len() * width];
            self.features.visit(|piece| {
                for (item, row) in piece.iter() {
                    values[item * width..][..width].copy_from_slice(row);
                }
            })?;
            self.features = FeatureMatrix::new(values, width);
        }
        Ok(self)
    }
}
