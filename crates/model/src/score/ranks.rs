//! Values as ranks: a tree depends on a value only through the number of thresholds below it, which
//! mostly fits into a byte.
//!
//! x <= cuts\[j\] exactly if the rank of x, the number of cuts below it, is at most j. A feature with
//! more than 255 thresholds has several columns of ranks, each for a part of its cuts. Example: with
//! cuts 1 and 3 the ranks of 0, 1, 2, 9 are 0, 0, 1, 2.
//!
//! A missing value has rank 0, which goes to the left everywhere. Nodes that send it to the right read
//! a second version of the column, in which it has the highest rank; in blocks without missing values
//! both are the same.

use super::search::{MAX_CUTS, SearchTree};
use super::sweep::ROWS;
use super::vectors::{SIDE, Vectors};

/// The ranks of a block of rows, less 128: signed bytes are compared faster on all processors.
pub(super) type Column = Aligned<i8>;

/// One value for each row of a block, aligned so that vectors do not cross cache lines.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Aligned<T>(pub(super) [T; ROWS]);

/// A rank as it is stored in a column.
#[inline(always)]
pub(super) fn signed(rank: u8) -> i8 {
    (rank ^ 0x80) as i8
}

/// Up to 255 cuts of one feature.
#[derive(Debug, Clone)]
struct Share {
    feature: usize,
    cuts: SearchTree,
}

/// The columns of ranks of a model.
#[derive(Debug, Clone, Default)]
pub(super) struct Ranks {
    shares: Vec<Share>,
    /// By feature: its cuts and its first column.
    features: Vec<(Vec<f32>, usize)>,
}

impl Ranks {
    /// Adds a threshold, which is not NaN.
    pub(super) fn add_threshold(&mut self, feature: usize, threshold: f32) {
        if self.features.len() <= feature {
            self.features.resize_with(feature + 1, Default::default);
        }
        self.features[feature].0.push(threshold);
    }

    /// Makes the columns after all thresholds were added.
    pub(super) fn finish(&mut self) {
        for (feature, (cuts, first)) in self.features.iter_mut().enumerate() {
            cuts.sort_by(f32::total_cmp);
            // 0 and -0 are neighbours, and the same cut.
            cuts.dedup();
            *first = self.shares.len();
            self.shares.extend(
                cuts.chunks(MAX_CUTS).map(|cuts| Share { feature, cuts: SearchTree::new(cuts) }),
            );
        }
    }

    /// The number of columns; each has two versions.
    pub(super) fn len(&self) -> usize {
        self.shares.len()
    }

    /// The column of a threshold, and the highest rank that passes the test.
    pub(super) fn of(&self, feature: usize, threshold: f32) -> (usize, i8) {
        let (cuts, first) = &self.features[feature];
        let cut = cuts.partition_point(|&cut| cut < threshold);
        (first + cut / MAX_CUTS, signed((cut % MAX_CUTS) as u8))
    }

    /// Ranks a block of up to [`ROWS`] rows. The version of column c in which missing values go left is
    /// `columns[c]`; `places[c]` becomes the index of the other version.
    #[inline(always)]
    pub(super) fn rank<V: Vectors>(
        &self,
        vectors: V,
        rows: &[f32],
        width: usize,
        columns: &mut [Column],
        places: &mut [u32],
    ) {
        let (left, right) = columns.split_at_mut(self.len());
        // Rows are looked at in their order first: so they come to the cache ahead of being used, and mostly
        // nothing is missing.
        let any_missing = is_any_missing(rows);
        let mut values = [Aligned([0.0; ROWS]); SIDE];
        let mut c = 0;
        for shares in self.shares.chunk_by(|a, b| a.feature / SIDE == b.feature / SIDE) {
            let first = shares[0].feature / SIDE * SIDE;
            load(vectors, rows, width, first, &mut values);
            for share in shares {
                assert!(share.feature < width, "the row is too short for the model");
                let values = &values[share.feature - first].0;
                share.cuts.ranks(vectors, values, &mut left[c].0);
                places[c] = c as u32;
                if any_missing && is_any_missing(values) {
                    places[c] = (self.len() + c) as u32;
                    let ranks = left[c].0.iter().zip(values);
                    for (to, (&rank, value)) in right[c].0.iter_mut().zip(ranks) {
                        *to = if value.is_nan() { signed(u8::MAX) } else { rank };
                    }
                }
                c += 1;
            }
        }
    }
}

/// Whether a value is missing; without an early exit, so that it is a loop of vectors.
#[inline(always)]
fn is_any_missing(values: &[f32]) -> bool {
    let mut missing = 0;
    values.iter().for_each(|value| missing |= u32::from(value.is_nan()));
    missing != 0
}

/// Loads [`SIDE`] features from the `first` on, as columns; rows and features that are not there are 0.
#[inline(always)]
fn load<V: Vectors>(
    vectors: V,
    rows: &[f32],
    width: usize,
    first: usize,
    columns: &mut [Aligned<f32>; SIDE],
) {
    let features = SIDE.min(width.saturating_sub(first));
    for at in (0..ROWS).step_by(SIDE) {
        let mut square = [[0.0; SIDE]; SIDE];
        for (i, to) in square.iter_mut().enumerate() {
            let Some(row) = rows.get((at + i) * width + first..) else { break };
            match row.first_chunk() {
                Some(row) if features == SIDE => *to = *row,
                _ => to[..features].iter_mut().zip(row).for_each(|(to, &value)| *to = value),
            }
        }
        let square = vectors.transpose(&square);
        for (column, values) in columns.iter_mut().zip(&square) {
            column.0[at..at + SIDE].copy_from_slice(values);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_the_cuts_below() {
        for n in [0, 1, 2, 3, 7, 8, 127, 128, 254, 255, 256, 700] {
            let mut ranks = Ranks::default();
            (0..n).rev().for_each(|cut| ranks.add_threshold(1, cut as f32 * 2.0));
            ranks.finish();
            assert_eq!(ranks.len(), usize::div_ceil(n, MAX_CUTS));
            let values: Vec<f32> = (-1..n as i32 * 2 + 1).map(|v| v as f32).collect();
            for values in values.chunks(ROWS) {
                let rows: Vec<f32> = values.iter().flat_map(|&v| [0.5, v]).collect();
                let mut columns = vec![Aligned([0; ROWS]); 2 * ranks.len()];
                let mut places = vec![0; ranks.len()];
                ranks.rank(pulp::Scalar, &rows, 2, &mut columns, &mut places);
                for cut in (0..n).map(|cut| cut as f32 * 2.0) {
                    let (column, up_to) = ranks.of(1, cut);
                    for (i, &v) in values.iter().enumerate() {
                        assert_eq!(columns[column].0[i] <= up_to, v <= cut, "{v} {cut} of {n}");
                    }
                }
            }
        }
    }
}
