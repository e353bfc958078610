//! Sums of derivatives by bin: one integer add per row and feature.
//!
//! Cells of a block stand bin by bin, the eight features of a bin side by side: the row's
//! bins come in one word, and the split search can walk eight features at once. A block's
//! 16 KiB of cells fit into the first-level cache; rows are taken about a thousand at a time
//! through all blocks, so that a row is brought from memory once.

use std::sync::{Mutex, PoisonError};

use super::bins::{BinnedMatrix, FeatureBins, LANES, MAX_BINS};

/// Cells of a block: `cells[bin * LANES + lane]`.
const BLOCK: usize = MAX_BINS * LANES;
/// Rows that are taken through all blocks together.
const CHUNK: usize = 1024;
/// Room for the words of a block. Not a power of two, or all blocks would compete for the same
/// few lines of the cache.
const STRIDE: usize = CHUNK + 8;

/// The cells of all blocks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Histogram(Vec<i64>);

/// Histograms that have done their work and wait for more: memory is asked for once per leaf,
/// not once per split.
#[derive(Debug)]
pub(super) struct Pool {
    block_bins: Vec<usize>,
    spare: Mutex<Vec<Histogram>>,
}

impl Pool {
    pub(super) fn new(features: &[FeatureBins]) -> Self {
        let widest = |block: &[FeatureBins]| block.iter().map(FeatureBins::len).max().unwrap_or(1);
        let block_bins = features.chunks(LANES).map(widest).collect();
        Pool { block_bins, spare: Mutex::default() }
    }

    /// How many bins each block needs.
    pub(super) fn block_bins(&self) -> &[usize] {
        &self.block_bins
    }

    /// One of no rows.
    pub(super) fn take(&self) -> Histogram {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match spare {
            Some(mut histogram) => {
                histogram.clear(&self.block_bins);
                histogram
            }
            None => Histogram::new(self.block_bins.len()),
        }
    }

    pub(super) fn give(&self, histogram: Histogram) {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(histogram);
    }
}

impl Histogram {
    fn new(blocks: usize) -> Self {
        Histogram(vec![0; blocks * BLOCK])
    }

    fn clear(&mut self, block_bins: &[usize]) {
        for (cells, bins) in self.0.as_chunks_mut::<BLOCK>().0.iter_mut().zip(block_bins) {
            cells[..bins * LANES].fill(0);
        }
    }

    /// Cells of a block, for so many bins.
    pub(super) fn block(&self, block: usize, bins: usize) -> &[i64] {
        &self.0[block * BLOCK..][..bins * LANES]
    }

    /// Adds the words of some rows.
    pub(super) fn add_rows(&mut self, matrix: &BinnedMatrix, rows: &[u32], words: &[i64]) {
        let blocks = matrix.blocks();
        let mut gathered = vec![0; blocks * STRIDE];
        for (rows, words) in rows.chunks(CHUNK).zip(words.chunks(CHUNK)) {
            touch(matrix, rows);
            for (at, &row) in rows.iter().enumerate() {
                for (block, &bins) in matrix.row(row).iter().enumerate() {
                    gathered[block * STRIDE + at] = bins;
                }
            }
            let cells = self.0.as_chunks_mut::<BLOCK>().0.iter_mut();
            for (cells, gathered) in cells.zip(gathered.chunks_exact(STRIDE)) {
                for (&bins, &word) in gathered.iter().zip(words) {
                    for lane in 0..LANES {
                        let bin = (bins >> (8 * lane)) as u8;
                        cells[usize::from(bin) * LANES + lane] += word;
                    }
                }
            }
        }
    }

    /// Adds the rows of another histogram.
    pub(super) fn add(&mut self, other: &Histogram, block_bins: &[usize]) {
        self.combine(other, block_bins, |cell, other| *cell += other);
    }

    /// What is left when some rows are taken away.
    pub(super) fn subtract(&mut self, other: &Histogram, block_bins: &[usize]) {
        self.combine(other, block_bins, |cell, other| *cell -= other);
    }

    fn combine(&mut self, other: &Histogram, block_bins: &[usize], change: impl Fn(&mut i64, i64)) {
        let own = self.0.as_chunks_mut::<BLOCK>().0.iter_mut();
        for ((own, other), bins) in own.zip(other.0.as_chunks::<BLOCK>().0).zip(block_bins) {
            let used = bins * LANES;
            own[..used].iter_mut().zip(&other[..used]).for_each(|(cell, o)| change(cell, *o));
        }
    }
}

/// Reads something of every cache line of some rows. Nothing waits for what is read, so
/// memory answers many rows at a time; the copy that follows finds them in the cache.
fn touch(matrix: &BinnedMatrix, rows: &[u32]) {
    const LINE: usize = 64 / size_of::<u64>();
    let mut seen = 0;
    for &row in rows {
        let words = matrix.row(row);
        words.iter().step_by(LINE).chain(words.last()).for_each(|word| seen ^= word);
    }
    std::hint::black_box(seen);
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
            let bins = [MAX_BINS; 2];
            let sum = |taken: &dyn Fn(u32) -> bool| {
                let rows: Vec<u32> = (0..table.len() as u32).filter(|r| taken(*r)).collect();
                let words: Vec<i64> = rows.iter().map(|&r| words[r as usize]).collect();
                let mut histogram = Histogram::new(2);
                histogram.add_rows(&matrix, &rows, &words);
                histogram
            };
            let is_left = |row: u32| table[row as usize].3;
            let (all, left, right) = (sum(&|_| true), sum(&is_left), sum(&|row| !is_left(row)));
            let mut rest = all.clone();
            rest.subtract(&left, &bins);
            prop_assert_eq!(&rest, &right);
            rest.add(&left, &bins);
            prop_assert_eq!(&rest, &all);
            let mut expected = vec![(0.0f64, 0.0f64); 2 * BLOCK];
            for (row, t) in table.iter().enumerate() {
                for feature in 0..2 * LANES {
                    let bin = usize::from(matrix.bin(row, feature));
                    let cell = &mut expected[feature / LANES * BLOCK + bin * LANES + feature % LANES];
                    *cell = (cell.0 + t.1 as f64, cell.1 + t.2 as f64);
                }
            }
            for (cell, expected) in all.0.iter().zip(expected) {
                let (g, h) = unpack(*cell);
                prop_assert_eq!((f64::from(g), f64::from(h)), expected);
            }
        }
    }
}
