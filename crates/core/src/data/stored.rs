//! Features that are not in memory: they are read from where they are whenever they are needed, some rows at a time.
//!
//! Trees are trained on bins of one byte, for which all features are read two or three times; 32-bit numbers of all rows
//! need never stand in memory together. Only what goes through all rows once ([`FeatureMatrix::visit`]) works with such
//! data: training of boosted trees and forests, and scoring.

use std::fmt;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

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
    /// The hash of each row of the source, once it is known.
    hashes: Arc<OnceLock<Vec<u64>>>,
}

impl PartialEq for StoredRows {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.source, &other.source) && self.rows == other.rows
    }
}

impl StoredRows {
    pub(super) fn all(source: Arc<dyn FeatureSource>) -> Self {
        let rows = (0..source.rows() as u32).collect();
        StoredRows { rows, source, hashes: Arc::default() }
    }

    /// Those of some items.
    pub(super) fn of_items(&self, items: &[usize]) -> Self {
        let rows = items.iter().map(|&item| self.rows[item]).collect();
        StoredRows { rows, ..self.clone() }
    }

    /// The item at each row of the source.
    fn items(&self) -> Vec<u32> {
        let mut items = vec![NO_ITEM; self.source.rows()];
        for (item, &row) in (0..).zip(&self.rows) {
            items[row as usize] = item;
        }
        items
    }

    /// Goes through the rows of several in one reading; they must have the same source.
    fn visit(
        of: &[&StoredRows],
        width: usize,
        see: &mut dyn FnMut(usize, Piece<'_>),
    ) -> Result<(), DataError> {
        let Some(first) = of.first() else { return Ok(()) };
        let items: Vec<Vec<u32>> = of.iter().map(|stored| stored.items()).collect();
        let mut begin = 0;
        first.source.read(&mut |values| {
            let rows = begin..begin + values.len() / width.max(1);
            begin = rows.end;
            for (number, items) in items.iter().enumerate() {
                let items = &items[rows.clone()];
                if items.iter().any(|&item| item != NO_ITEM) {
                    see(number, Piece { items: Some(items), values, width });
                }
            }
        })
    }
}

impl FeatureMatrix {
    /// Goes through the features of all items: once, in an order that suits the storage. Values in memory are one
    /// piece, stored ones are read some rows at a time.
    ///
    /// # Errors
    /// If stored values cannot be read.
    pub fn visit(&self, mut see: impl FnMut(Piece<'_>)) -> Result<(), DataError> {
        FeatureMatrix::visit_all(&[self], |_, piece| see(piece))
    }

    /// The same for several data sets, whose numbers come with the pieces; parts of the same stored features are read
    /// together.
    ///
    /// # Errors
    /// If stored values cannot be read.
    pub fn visit_all(
        of: &[&FeatureMatrix],
        mut see: impl FnMut(usize, Piece<'_>),
    ) -> Result<(), DataError> {
        let stored: Vec<&StoredRows> = of.iter().filter_map(|one| one.stored.as_ref()).collect();
        let is_same = |other: &&StoredRows| Arc::ptr_eq(&other.source, &stored[0].source);
        if stored.len() == of.len() && stored.iter().all(is_same) {
            let width = of.first().map_or(0, |one| one.width);
            return StoredRows::visit(&stored, width, &mut see);
        }
        for (number, one) in of.iter().enumerate() {
            match &one.stored {
                Some(stored) => {
                    StoredRows::visit(&[stored], one.width, &mut |_, piece| see(number, piece))?;
                }
                None => see(number, Piece::all(one.values(), one.width)),
            }
        }
        Ok(())
    }

    /// The features of some items, one row after the other.
    ///
    /// # Errors
    /// If stored values cannot be read.
    pub fn rows(&self, items: &[u32]) -> Result<Vec<f32>, DataError> {
        if !self.is_stored() {
            return Ok(items.iter().flat_map(|&item| self.row(item as usize)).copied().collect());
        }
        let mut places: Vec<(u32, usize)> = items.iter().copied().zip(0..).collect();
        places.sort_unstable();
        let mut values = vec![0.0; items.len() * self.width];
        self.visit(|piece| {
            for (item, row) in piece.iter() {
                let first = places.partition_point(|place| (place.0 as usize) < item);
                let same = places[first..].iter().take_while(|place| place.0 as usize == item);
                for (_, place) in same {
                    values[place * self.width..][..self.width].copy_from_slice(row);
                }
            }
        })?;
        Ok(values)
    }

    /// A hash of the features of each item, by a function that must be the same whenever this is asked of the same data:
    /// stored features are read for it only once.
    ///
    /// # Errors
    /// If stored values cannot be read.
    pub fn hashes(&self, of_row: impl Fn(&[f32]) -> u64 + Sync) -> Result<Vec<u64>, DataError> {
        let of_rows = |values: &[f32]| -> Vec<u64> {
            values.par_chunks(self.width.max(1)).map(&of_row).collect()
        };
        let Some(stored) = &self.stored else { return Ok(of_rows(self.values())) };
        if stored.hashes.get().is_none() {
            let mut hashes = Vec::with_capacity(stored.source.rows());
            stored.source.read(&mut |values| hashes.extend(of_rows(values)))?;
            // Another thread may have been quicker, with the same result.
            drop(stored.hashes.set(hashes));
        }
        let hashes = stored.hashes.get().map_or(&[][..], Vec::as_slice);
        Ok(stored.rows.iter().map(|&row| hashes[row as usize]).collect())
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
