//! Facts: features that are the same whenever an item comes again.
//!
//! The same items come again in many lists (networks in storms, restaurants in months), and much of what is known of them does not
//! change: how long the lines of a network are, what kind a restaurant is. Such features have blocks of their own (`layout.rs`), in
//! which all rows of an item have the same words. Sums by bin are made in two steps there: by item, which is one addition
//! for a row instead of one for every feature, and then from one row of each item. Sums of integers are the same in any order, so
//! nothing changes by it.
//!
//! Example: of 100,000 rows of 1,200 items with 55 facts, 100,000 + 1,200 x 55 numbers are added instead of 100,000 x 55.

use std::collections::HashMap;

use stakes_core::data::Dataset;

use super::bins::{LANES, Values};
use super::matrix::BinnedMatrix;

/// How often items must come again, on average, to be summed up by item.
const MIN_TIMES: usize = 4;
/// Rows are summed up by item if there are so many times as many rows as items; of fewer rows, it takes longer.
const MIN_ROWS_PER_ITEM: usize = 2;

/// Items that come again.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Items {
    /// The number of the item of each row.
    of_row: Vec<u32>,
    /// The first row of each item.
    first_row: Vec<u32>,
}

impl Items {
    /// The items of these rows of a data set; `None` if they have no ids or do not come again often.
    fn of(data: &Dataset, rows: &[u32]) -> Option<Self> {
        // An item comes at most once in a list.
        let max_items = rows.len() / MIN_TIMES;
        if data.n_lists() < MIN_TIMES {
            return None;
        }
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let (mut of_row, mut first_row) = (Vec::with_capacity(rows.len()), Vec::new());
        for (place, &row) in (0..).zip(rows) {
            let number = *numbers.entry(data.item_id(row as usize)?).or_insert_with(|| {
                first_row.push(place);
                first_row.len() as u32 - 1
            });
            of_row.push(number);
            if first_row.len() > max_items {
                return None;
            }
        }
        Some(Items { of_row, first_row })
    }

    /// The items of these rows and which features are facts of them; `None` if these would not fill a block.
    pub(super) fn with_facts(
        data: &Dataset,
        values: Values<'_>,
        rows: &[u32],
    ) -> Option<(Self, Vec<bool>)> {
        let items = Items::of(data, rows)?;
        let facts = items.facts(values, rows);
        let are_enough = facts.iter().filter(|is_fact| **is_fact).count() >= LANES;
        are_enough.then_some((items, facts))
    }

    /// Which features of these rows of values are facts.
    fn facts(&self, values: Values<'_>, rows: &[u32]) -> Vec<bool> {
        let of_place = |place: u32| values.row(rows[place as usize]);
        let mut differs = vec![0; values.width];
        for (place, &item) in (0..).zip(&self.of_row) {
            let (own, first) = (of_place(place), of_place(self.first_row[item as usize]));
            // Bits: missing values are equal to each other.
            for ((differs, own), first) in differs.iter_mut().zip(own).zip(first) {
                *differs |= own.to_bits() ^ first.to_bits();
            }
        }
        differs.iter().map(|differs| *differs == 0).collect()
    }

    /// Whether all rows of an item have the same words in a matrix, from this block on.
    pub(super) fn agree_in(&self, matrix: &BinnedMatrix, first_block: usize) -> bool {
        let words = |row: u32| &matrix.row(row)[first_block..];
        let agrees = |(row, &item): (u32, &u32)| words(row) == words(self.first_row[item as usize]);
        self.of_row.len() == matrix.rows() && (0..).zip(&self.of_row).all(agrees)
    }

    /// One row of each item.
    pub(super) fn rows(&self) -> &[u32] {
        &self.first_row
    }

    /// How often each item is among these rows.
    pub(super) fn times(&self, rows: &[usize]) -> Vec<f64> {
        let mut times = vec![0.0; self.first_row.len()];
        rows.iter().for_each(|&row| times[self.of_row[row] as usize] += 1.0);
        times
    }

    /// Whether to sum up so many rows by item is faster than row by row.
    pub(super) fn are_few_for(&self, rows: usize) -> bool {
        rows >= MIN_ROWS_PER_ITEM * self.first_row.len()
    }

    /// A sum for each item, of no rows.
    pub(super) fn no_sums(&self) -> Vec<i64> {
        vec![0; self.first_row.len()]
    }

    /// Adds the words of rows to the sums of their items.
    pub(super) fn add(&self, rows: &[u32], words: &[i64], sums: &mut [i64]) {
        for (&row, word) in rows.iter().zip(words) {
            sums[self.of_row[row as usize] as usize] += word;
        }
    }
}

#[cfg(test)]
mod tests;
