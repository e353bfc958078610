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

use super::sweep::ROWS;

/// Ranks of a block of rows, less 128: signed bytes are compared faster everywhere.
pub(super) type Column = [i8; ROWS];

/// Cuts of a column at most.
const CUTS: usize = 255;

/// The rank `rank` as it stands in a column.
#[inline(always)]
pub(super) fn signed(rank: u8) -> i8 {
    (rank ^ 0x80) as i8
}

/// One feature's share of cuts.
#[derive(Debug, Clone)]
struct Share {
    feature: usize,
    /// Ascending, filled up with infinity, below which everything is.
    cuts: Box<[f32; CUTS + 1]>,
    /// Where the search begins: half the smallest power of two above the number of cuts.
    half: u8,
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
            self.shares.extend(cuts.chunks(CUTS).map(|share| {
                let mut filled = Box::new([f32::INFINITY; CUTS + 1]);
                filled[..share.len()].copy_from_slice(share);
                let half = ((share.len() + 1).next_power_of_two() / 2) as u8;
                Share { feature, cuts: filled, half }
            }));
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
    pub(super) fn rank(
        &self,
        rows: &[f32],
        width: usize,
        n: usize,
        columns: &mut [Column],
        places: &mut [u32],
    ) {
        let (left, right) = columns.split_at_mut(self.len());
        for (c, share) in self.shares.iter().enumerate() {
            let any_missing = share.rank(rows, width, &mut left[c][..n]);
            places[c] = c as u32;
            if any_missing {
                places[c] = (self.len() + c) as u32;
                right[c] = left[c];
                for (i, rank) in right[c][..n].iter_mut().enumerate() {
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
    fn rank(&self, rows: &[f32], width: usize, out: &mut [i8]) -> bool {
        let mut any_missing = false;
        let value = |i: usize| rows[i * width + self.feature];
        let (groups, rest) = out.as_chunks_mut::<GROUP>();
        for (group, out) in groups.iter_mut().enumerate() {
            let values: [f32; GROUP] = std::array::from_fn(|i| value(group * GROUP + i));
            any_missing |= values.iter().any(|v| v.is_nan());
            *out = self.search(values).map(signed);
        }
        let first = groups.len() * GROUP;
        for (i, out) in rest.iter_mut().enumerate() {
            let value = value(first + i);
            any_missing |= value.is_nan();
            [*out] = self.search([value]).map(signed);
        }
        any_missing
    }

    /// Binary searches in step, without branches.
    #[inline(always)]
    fn search<const N: usize>(&self, values: [f32; N]) -> [u8; N] {
        let mut ranks = [0u8; N];
        let mut half = self.half;
        while half > 0 {
            for (rank, &value) in ranks.iter_mut().zip(&values) {
                let middle = rank.wrapping_add(half - 1);
                *rank += u8::from(self.cuts[usize::from(middle)] < value) * half;
            }
            half /= 2;
        }
        ranks
    }
}

/// Values that are searched for in step.
const GROUP: usize = 16;

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
                let mut columns = vec![[0; ROWS]; 2 * ranks.len()];
                let mut places = vec![0; ranks.len()];
                ranks.rank(&rows, 2, values.len(), &mut columns, &mut places);
                for cut in (0..n).map(|cut| cut as f32 * 2.0) {
                    let (column, up_to) = ranks.of(1, cut);
                    for (i, &v) in values.iter().enumerate() {
                        assert_eq!(columns[column][i] <= up_to, v <= cut, "{v} {cut} of {n}");
                    }
                }
            }
        }
    }
}
