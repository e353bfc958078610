//! Sums of derivatives by bin: one integer add per row and column.
//!
//! The cells of a block are stored bin by bin, the eight columns of a bin next to each other: the
//! bytes of a row are one word, and the split search can process eight features at once. The
//! 16 KiB of cells of a block fit into the first-level cache; about a thousand rows at a time pass
//! through all blocks, so that a row is read from memory once.

use std::cell::RefCell;
use std::ops::Range;

use rayon::prelude::*;

use super::bins::{LANES, MAX_BINS};
use super::matrix::BinnedMatrix;
use super::spare::Spare;

/// The cells of a block: `cells[bin * LANES + lane]`.
pub(super) type Cells = [i64; MAX_BINS * LANES];

/// The number of rows that pass through all blocks together.
const CHUNK: usize = 1024;
/// The distance between the words of two blocks. Not a power of two, or all blocks would compete
/// for the same few cache lines.
const STRIDE: usize = CHUNK + 8;
/// How many rows ahead of the one that is copied the cache is told to load: about what memory takes to answer.
const AHEAD: usize = 32;

/// The cells of all blocks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Histogram(Vec<i64>);

/// Histograms for reuse: memory is allocated once per leaf, not once per split.
#[derive(Debug)]
pub(super) struct Pool {
    block_bins: Vec<usize>,
    spare: Spare<Histogram>,
}

impl Pool {
    pub(super) fn new(block_bins: Vec<usize>) -> Self {
        Pool { block_bins, spare: Spare::default() }
    }

    /// The number of bins of each block.
    pub(super) fn block_bins(&self) -> &[usize] {
        &self.block_bins
    }

    /// The number of cells of a histogram that are used.
    pub(super) fn cells(&self) -> usize {
        self.block_bins.iter().sum::<usize>() * LANES
    }

    /// Returns a histogram with arbitrary contents.
    pub(super) fn take(&self) -> Histogram {
        self.spare.take().unwrap_or_else(|| Histogram::new(self.block_bins.len()))
    }

    pub(super) fn give(&self, histogram: Histogram) {
        self.spare.give(histogram);
    }
}

impl Histogram {
    fn new(blocks: usize) -> Self {
        Histogram(vec![0; blocks * MAX_BINS * LANES])
    }

    pub(super) fn block(&self, block: usize) -> &Cells {
        &self.blocks()[block]
    }

    pub(super) fn blocks(&self) -> &[Cells] {
        self.0.as_chunks().0
    }

    pub(super) fn blocks_mut(&mut self) -> &mut [Cells] {
        self.0.as_chunks_mut().0
    }

    /// The cells that are used where blocks have these numbers of bins, block by block.
    pub(super) fn used(&self, bins: &[usize]) -> impl Iterator<Item = &[i64]> {
        self.blocks().iter().zip(bins).map(|(cells, bins)| &cells[..bins * LANES])
    }

    /// Sets the cells that are used, in the same order.
    pub(super) fn set_used(&mut self, bins: &[usize], mut cells: &[i64]) {
        for (block, bins) in self.0.as_chunks_mut::<{ MAX_BINS * LANES }>().0.iter_mut().zip(bins) {
            let (own, rest) = cells.split_at(bins * LANES);
            block[..own.len()].copy_from_slice(own);
            cells = rest;
        }
    }

    /// Sets the cells to 0 where blocks have these numbers of bins.
    pub(super) fn clear(&mut self, bins: &[usize]) {
        clear(self.blocks_mut(), bins);
    }

    /// Subtracts another histogram, whose blocks have these numbers of bins.
    pub(super) fn subtract(&mut self, other: &Histogram, bins: &[usize]) {
        let blocks = self.0.as_chunks_mut().0.iter_mut().zip(other.blocks());
        blocks.zip(bins).for_each(|((own, other), bins)| subtract(own, other, *bins));
    }

    /// These consecutive groups of blocks for parallel work, each with the number of its first block.
    pub(super) fn groups<'h>(
        &'h mut self,
        groups: &[Range<usize>],
    ) -> impl IndexedParallelIterator<Item = (usize, &'h mut [Cells])> + use<'h> {
        let mut rest = self.blocks_mut();
        let mut parts = Vec::with_capacity(groups.len());
        for group in groups {
            let (own, later) = rest.split_at_mut(group.len());
            parts.push((group.start, own));
            rest = later;
        }
        parts.into_par_iter().with_max_len(1)
    }
}

thread_local! {
    /// The bins of a chunk of rows, block by block.
    static GATHERED: RefCell<Vec<[u8; LANES]>> = RefCell::default();
}

/// Adds the words of these rows to consecutive blocks, of which the first has this number.
pub(super) fn add_rows(
    blocks: &mut [Cells],
    first: usize,
    matrix: &BinnedMatrix,
    rows: &[u32],
    words: &[i64],
) {
    let width = blocks.len();
    if width == 0 {
        return;
    }
    let lines: Vec<usize> = matrix.lines(first..first + width).collect();
    GATHERED.with_borrow_mut(|gathered| {
        gathered.resize(gathered.len().max(width * STRIDE), [0; LANES]);
        for (chunk, words) in words.chunks(CHUNK).enumerate() {
            let rows = &rows[chunk * CHUNK..];
            for (at, &row) in rows[..words.len()].iter().enumerate() {
                if let Some(&later) = rows.get(at + AHEAD) {
                    lines.iter().for_each(|&block| matrix.prefetch(later, block));
                }
                for (block, bins) in matrix.row(row)[first..][..width].iter().enumerate() {
                    gathered[block * STRIDE + at] = bins.to_le_bytes();
                }
            }
            for (cells, gathered) in blocks.iter_mut().zip(gathered.chunks_exact(STRIDE)) {
                // Bytes are loaded one by one, which takes fewer instructions than shifting a word eight times.
                for (bins, &word) in gathered.iter().zip(words) {
                    for (lane, &bin) in bins.iter().enumerate() {
                        cells[usize::from(bin) * LANES + lane] += word;
                    }
                }
            }
        }
    });
}

/// Sets the cells of blocks with these numbers of bins to 0.
pub(super) fn clear(blocks: &mut [Cells], bins: &[usize]) {
    blocks.iter_mut().zip(bins).for_each(|(cells, bins)| cells[..bins * LANES].fill(0));
}

/// Adds the cells of another histogram to a block with this number of bins.
pub(super) fn add(cells: &mut Cells, other: &Cells, bins: usize) {
    let used = bins * LANES;
    cells[..used].iter_mut().zip(&other[..used]).for_each(|(cell, other)| *cell += other);
}

/// Subtracts the cells of another histogram from a block with this number of bins.
pub(super) fn subtract(cells: &mut Cells, other: &Cells, bins: usize) {
    let used = bins * LANES;
    cells[..used].iter_mut().zip(&other[..used]).for_each(|(cell, other)| *cell -= other);
}

#[cfg(test)]
mod tests {
    use super::super::quantise::unpack;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against sums in f64, bin by bin; the larger child by subtraction; halves added.
        #[test]
        fn cells_are_the_sums_of_their_rows(
            table in prop::collection::vec(
                (any::<[u64; 2]>(), -1000i64..1000, 0i64..1000, any::<bool>()), 1..400
            )
        ) {
            let matrix = BinnedMatrix::of_words(table.iter().flat_map(|t| t.0).collect(), 2);
            let words: Vec<i64> = table.iter().map(|t| (t.1 << 32) + t.2).collect();
            let sum = |taken: &dyn Fn(u32) -> bool| {
                let rows: Vec<u32> = (0..table.len() as u32).filter(|r| taken(*r)).collect();
                let words: Vec<i64> = rows.iter().map(|&r| words[r as usize]).collect();
                let mut cells = [[0; MAX_BINS * LANES]; 2];
                // Both blocks together, or each on its own.
                match rows.len() % 2 {
                    0 => add_rows(&mut cells, 0, &matrix, &rows, &words),
                    _ => (0..2).for_each(|b| add_rows(&mut cells[b..=b], b, &matrix, &rows, &words)),
                }
                cells
            };
            let is_left = |row: u32| table[row as usize].3;
            let (all, left, right) = (sum(&|_| true), sum(&is_left), sum(&|row| !is_left(row)));
            let mut rest = all;
            (0..2).for_each(|b| subtract(&mut rest[b], &left[b], MAX_BINS));
            prop_assert!(rest == right);
            (0..2).for_each(|b| add(&mut rest[b], &left[b], MAX_BINS));
            prop_assert!(rest == all);
            let mut expected = vec![(0.0f64, 0.0f64); 2 * MAX_BINS * LANES];
            for t in &table {
                for feature in 0..2 * LANES {
                    let bin = usize::from(t.0[feature / LANES].to_le_bytes()[feature % LANES]);
                    let cell = &mut expected[(feature / LANES * MAX_BINS + bin) * LANES + feature % LANES];
                    *cell = (cell.0 + t.1 as f64, cell.1 + t.2 as f64);
                }
            }
            for (cell, expected) in all.as_flattened().iter().zip(expected) {
                let (g, h) = unpack(*cell);
                prop_assert_eq!((f64::from(g), f64::from(h)), expected);
            }
        }
    }
}
