//! Sums of derivatives by bin: one integer add per row and feature.
//!
//! Cells of a block stand bin by bin, the eight features of a bin side by side: the row's
//! bins come in one word, and the split search can walk eight features at once.

use super::bins::{FeatureBins, LANES, MAX_BINS};

/// Cells of one block: `cells[bin * LANES + lane]`.
pub(super) type Cells = Vec<i64>;

/// The number of bins that some feature of each block needs.
pub(super) fn block_bins(features: &[FeatureBins]) -> Vec<usize> {
    let widest = |block: &[FeatureBins]| block.iter().map(FeatureBins::len).max().unwrap_or(1);
    features.chunks(LANES).map(widest).collect()
}

/// Adds up the words of some rows in one block of features.
pub(super) fn sum_words(bins: usize, block: &[u64], rows: &[u32], words: &[i64]) -> Cells {
    // A fixed size, so that no bin of one byte can lie outside.
    let mut cells = [0i64; MAX_BINS * LANES];
    for (&row, &word) in rows.iter().zip(words) {
        let row_bins = block[row as usize];
        for lane in 0..LANES {
            let bin = (row_bins >> (8 * lane)) as u8;
            cells[usize::from(bin) * LANES + lane] += word;
        }
    }
    cells[..bins * LANES].to_vec()
}

/// What is left of the parent when one child is taken away.
pub(super) fn subtract(parent: &mut Cells, child: &Cells) {
    parent.iter_mut().zip(child).for_each(|(cell, taken)| *cell -= taken);
}

#[cfg(test)]
mod tests {
    use super::super::quantise::unpack;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against sums in f64, bin by bin, and the larger child by subtraction.
        #[test]
        fn cells_are_the_sums_of_their_rows(
            table in prop::collection::vec((any::<u64>(), -1000i64..1000, 0i64..1000, any::<bool>()), 1..200)
        ) {
            let block: Vec<u64> = table.iter().map(|t| t.0).collect();
            let words: Vec<i64> = table.iter().map(|t| (t.1 << 32) + t.2).collect();
            let all: Vec<u32> = (0..table.len() as u32).collect();
            let left: Vec<u32> = all.iter().copied().filter(|&r| table[r as usize].3).collect();
            let right: Vec<u32> = all.iter().copied().filter(|&r| !table[r as usize].3).collect();
            let pick = |rows: &[u32]| -> Vec<i64> { rows.iter().map(|&r| words[r as usize]).collect() };
            let sum = |rows: &[u32]| sum_words(MAX_BINS, &block, rows, &pick(rows));
            let mut rest = sum(&all);
            subtract(&mut rest, &sum(&left));
            prop_assert_eq!(&rest, &sum(&right));
            for lane in 0..LANES {
                for bin in 0..MAX_BINS {
                    let mut expected = (0.0f64, 0.0f64);
                    for &row in &right {
                        let t = &table[row as usize];
                        if (t.0 >> (8 * lane)) as u8 as usize == bin {
                            expected.0 += t.1 as f64;
                            expected.1 += t.2 as f64;
                        }
                    }
                    let (g, h) = unpack(rest[bin * LANES + lane]);
                    prop_assert_eq!((f64::from(g), f64::from(h)), expected);
                }
            }
        }
    }
}
