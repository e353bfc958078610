//! Values as ranks: how many of the model's thresholds lie below a value is all that a model
//! can know of it, and mostly fits into a byte.
//!
//! x <= cuts\[j\] exactly if the rank of x, the number of cuts below it, is at most j. A feature
//! with more than 255 thresholds has several columns of ranks, each over its share of the
//! cuts. Example: cuts 1, 3; the ranks of 0, 1, 2, 9 are 0, 0, 1, 2.
//!
//! A missing value has rank 0, which goes to the left everywhere. Nodes that send it to the
//! right read a second version of the column, in which it has the highest rank; where a block
//! of rows has no missing values, both are the same.

use super::search::{CUTS, GROUP, SearchTree, Vectors};
use super::sweep::ROWS;

/// Ranks of a block of rows, less 128: signed bytes are compared faster everywhere.
pub(super) type Column = Aligned<i8>;

/// One value for each row of a block, where vectors do not straddle lines of the cache.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Aligned<T>(pub(super) [T; ROWS]);

/// The rank `rank` as it stands in a column.
#[inline(always)]
pub(super) fn signed(rank: u8) -> i8 {
    (rank ^ 0x80) as i8
}

/// One feature's share of cuts.
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
    /// Notes a threshold, which is a number.
    pub(super) fn note(&mut self, feature: usize, threshold: f32) {
        if self.features.len() <= feature {
            self.features.resize_with(feature + 1, Default::default);
        }
        self.features[feature].0.push(threshold);
    }

    /// Makes the columns, once all thresholds are noted.
    pub(super) fn settle(&mut self) {
        for (feature, (cuts, first)) in self.features.iter_mut().enumerate() {
            cuts.sort_by(f32::total_cmp);
            // 0 and -0 stand side by side, and are the same cut.
            cuts.dedup();
            *first = self.shares.len();
            self.shares.extend(
                cuts.chunks(CUTS).map(|cuts| Share { feature, cuts: SearchTree::new(cuts) }),
            );
        }
    }

    /// How many columns there are; each has two versions.
    pub(super) fn len(&self) -> usize {
        self.shares.len()
    }

    /// Where a threshold is to be found: its column, and the rank up to which the test holds.
    pub(super) fn of(&self, feature: usize, threshold: f32) -> (usize, i8) {
        let (cuts, first) = &self.features[feature];
        let cut = cuts.partition_point(|&cut| cut < threshold);
        (first + cut / CUTS, signed((cut % CUTS) as u8))
    }

    /// Ranks a block of `n` rows. Version `missing goes left` of column c is at `columns[c]`;
    /// where the other one is, goes to `places[c]`.
    #[inline(always)]
    pub(super) fn rank<V: Vectors>(
        &self,
        vectors: V,
        rows: &[f32],
        width: usize,
        n: usize,
        columns: &mut [Column],
        places: &mut [u32],
    ) {
        let (left, right) = columns.split_at_mut(self.len());
        for (c, share) in self.shares.iter().enumerate() {
            let any_missing = share.rank(vectors, rows, width, &mut left[c]);
            places[c] = c as u32;
            if any_missing {
                places[c] = (self.len() + c) as u32;
                right[c] = left[c];
                for (i, rank) in right[c].0[..n].iter_mut().enumerate() {
                    if rows[i * width + share.feature].is_nan() {
                        *rank = signed(u8::MAX);
                    }
                }
            }
        }
    }
}

impl Share {
    /// Ranks of one column; whether a value is missing.
    #[inline(always)]
    fn rank<V: Vectors>(&self, vectors: V, rows: &[f32], width: usize, out: &mut Column) -> bool {
        assert!(self.feature < width, "the row is too short for the model");
        let mut any_missing = false;
        let groups = rows.chunks(GROUP * width);
        for (rows, out) in groups.zip(out.0.as_chunks_mut::<GROUP>().0) {
            let value = |i: usize| rows.get(i * width + self.feature).copied().unwrap_or(0.0);
            let values = std::array::from_fn(value);
            any_missing |= values.iter().fold(false, |any, v: &f32| any | v.is_nan());
            *out = self.cuts.ranks(vectors, &values);
        }
        any_missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_the_cuts_below() {
        for n in [0, 1, 2, 3, 7, 8, 127, 128, 254, 255, 256, 700] {
            let mut ranks = Ranks::default();
            (0..n).rev().for_each(|cut| ranks.note(1, cut as f32 * 2.0));
            ranks.settle();
            assert_eq!(ranks.len(), usize::div_ceil(n, CUTS));
            let values: Vec<f32> = (-1..n as i32 * 2 + 1).map(|v| v as f32).collect();
            for values in values.chunks(ROWS) {
                let rows: Vec<f32> = values.iter().flat_map(|&v| [0.5, v]).collect();
                let mut columns = vec![Aligned([0; ROWS]); 2 * ranks.len()];
                let mut places = vec![0; ranks.len()];
                ranks.rank(pulp::Scalar, &rows, 2, values.len(), &mut columns, &mut places);
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
