//! The bins of many rows.

use std::ops::Range;
use std::sync::Arc;

use prefetch_index::prefetch_index;

use super::facts::Items;
use super::layout::{Digit, Layout};

/// The bins of many rows, stored twice: row by row for histograms, one word per block of eight
/// bytes (`layout.rs`), and column by column for partitioning rows by one feature. Both uses then
/// read memory sequentially. Where memory is short the columns are left out.
#[derive(Debug, Clone)]
pub struct BinnedMatrix {
    words: Vec<u64>,
    /// The index of the first row in `words`, at a cache line.
    start: usize,
    /// The distance of consecutive rows in `words`.
    stride: usize,
    /// The bins of every feature, feature by feature; empty if they are left out.
    columns: Vec<u8>,
    /// Where each feature is in a row.
    places: Vec<Place>,
    blocks: usize,
    rows: usize,
    /// The items of the rows and the first block of facts, if there are such blocks.
    facts: Option<(Arc<Items>, usize)>,
}

/// Where a feature is in the words of a row.
#[derive(Debug, Clone, Copy)]
struct Place {
    block: usize,
    /// The lowest bit of its byte.
    bit: u32,
    digit: Digit,
}

/// The bins of one feature.
#[derive(Clone, Copy)]
pub(crate) enum BinsOf<'m> {
    /// One after the other.
    Column(&'m [u8]),
    /// Within the words of each row.
    Words(BinsInWords<'m>),
}

/// The bins of a feature within the words of rows.
#[derive(Clone, Copy)]
pub(crate) struct BinsInWords<'m> {
    /// From the word of the first row on.
    words: &'m [u64],
    row_words: usize,
    bit: u32,
    stride: u32,
    bins: u32,
}

impl BinsInWords<'_> {
    #[inline]
    pub(crate) fn get(&self, row: usize) -> u8 {
        let byte = (self.words[row * self.row_words] >> self.bit) as u8;
        // Most features have a byte of their own.
        match self.stride {
            1 if self.bins > 128 => byte,
            stride => (u32::from(byte) / stride % self.bins) as u8,
        }
    }
}

/// The number of words in a cache line.
const LINE: usize = 64 / size_of::<u64>();

impl BinnedMatrix {
    pub(super) fn new(rows: usize, layout: &Layout, has_columns: bool) -> Self {
        let (blocks, places) = (layout.blocks().len(), places(layout));
        // Rows that begin at a cache line load faster. Where that would make them much longer,
        // they are stored without padding.
        let whole = blocks.next_multiple_of(LINE);
        let stride = if (whole - blocks) * 7 <= blocks { whole } else { blocks.max(1) };
        let words = vec![0; rows * stride + LINE];
        let start = words.as_ptr().align_offset(64).min(LINE);
        let columns = if has_columns { vec![0; rows * places.len()] } else { Vec::new() };
        BinnedMatrix { words, start, stride, columns, places, blocks, rows, facts: None }
    }

    #[cfg(test)]
    pub(super) fn of_words(words: Vec<u64>, blocks: usize) -> Self {
        let rows = words.len() / blocks;
        let (columns, places) = (Vec::new(), Vec::new());
        BinnedMatrix { words, start: 0, stride: blocks, columns, places, blocks, rows, facts: None }
    }

    /// From this block on, rows may be summed up by item, if those of an item are the same there.
    pub(super) fn sum_by_item(&mut self, items: &Arc<Items>, first_block: usize) {
        self.facts = items.agree_in(self, first_block).then(|| (items.clone(), first_block));
    }

    /// The items of the rows and the first block of facts, if there are such blocks.
    pub(super) fn facts(&self) -> Option<(&Items, usize)> {
        self.facts.as_ref().map(|(items, first)| (&**items, *first))
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> usize {
        self.blocks
    }

    /// The words of a row.
    #[inline]
    pub(super) fn row(&self, row: u32) -> &[u64] {
        &self.words[self.start + row as usize * self.stride..][..self.blocks]
    }

    /// Tells the cache to load the line of a row that has this block, without waiting for it.
    ///
    /// By `prefetch-index`, a few lines around the processor's instruction, since calling that is `unsafe`. Reading the
    /// line instead, in a loop of its own before the rows are copied, makes summing up rows take up to 30 % longer.
    #[inline]
    pub(super) fn prefetch(&self, row: u32, block: usize) {
        prefetch_index(&self.words, self.start + row as usize * self.stride + block);
    }

    /// Takes over a row of another matrix of the same bins.
    pub(super) fn copy_row(&mut self, row: usize, from: &[u64]) {
        self.words[self.start + row * self.stride..][..self.blocks].copy_from_slice(from);
    }

    /// The words from the first row on, the distance of rows in them, and the columns.
    pub(super) fn parts_mut(&mut self) -> (&mut [u64], usize, &mut [u8]) {
        (&mut self.words[self.start..], self.stride, &mut self.columns)
    }

    /// Returns blocks of this range that together touch every cache line of it, whatever the row.
    pub(super) fn lines(&self, blocks: Range<usize>) -> impl Iterator<Item = usize> {
        let is_aligned = self.stride.is_multiple_of(LINE) && blocks.start.is_multiple_of(LINE);
        let last = (!is_aligned).then_some(blocks.end - 1);
        blocks.step_by(LINE).chain(last)
    }

    /// The bin of a row for a feature.
    #[inline]
    pub fn bin(&self, row: usize, feature: usize) -> u8 {
        match self.bins_of(feature) {
            BinsOf::Column(bins) => bins[row],
            BinsOf::Words(bins) => bins.get(row),
        }
    }

    /// The bins of all rows for a feature.
    #[inline]
    pub(crate) fn bins_of(&self, feature: usize) -> BinsOf<'_> {
        if !self.columns.is_empty() {
            return BinsOf::Column(&self.columns[feature * self.rows..][..self.rows]);
        }
        let Place { block, bit, digit } = self.places[feature];
        BinsOf::Words(BinsInWords {
            // There may be no rows.
            words: self.words.get(self.start + block..).unwrap_or_default(),
            row_words: self.stride,
            bit,
            stride: digit.stride as u32,
            bins: digit.bins as u32,
        })
    }

    /// The bins of all rows for a feature.
    ///
    /// # Panics
    /// If columns are left out.
    pub(crate) fn column(&self, feature: usize) -> &[u8] {
        &self.columns[feature * self.rows..][..self.rows]
    }
}

/// Where each feature is in the words of a row.
fn places(layout: &Layout) -> Vec<Place> {
    let in_block = |(block, columns): (usize, &'_ [Vec<Digit>])| -> Vec<Place> {
        let in_column = |(lane, column): (usize, &Vec<Digit>)| -> Vec<Place> {
            column.iter().map(|&digit| Place { block, bit: 8 * lane as u32, digit }).collect()
        };
        columns.iter().enumerate().flat_map(in_column).collect()
    };
    let mut places: Vec<Place> = layout.blocks().enumerate().flat_map(in_block).collect();
    places.sort_by_key(|place| place.digit.feature);
    places
}
