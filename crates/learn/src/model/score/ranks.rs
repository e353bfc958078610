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
pub(super) type Column = Aligned<i8>;

/// One value for each row of a block, where vectors do not straddle lines of the cache.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Aligned<T>(pub(super) [T; ROWS]);

/// Cuts of a column at most.
const CUTS: usize = 255;

/// The rank `rank` as it stands in a column.
#[inline(always)]
pub(super) fn signed(rank: u8) -> i8 {
    (rank ^ 0x80) as i8
}

/// Buckets of a share: see [`Share`].
const BUCKETS: usize = 1024;

/// One feature's share of cuts, and how ranks are found in it: the bits of a number, as a
/// whole number, fall into a bucket that says how many cuts lie in earlier ones; a binary
/// search among the few cuts of the bucket adds the rest.
#[derive(Debug, Clone)]
struct Share {
    feature: usize,
    /// Ascending, filled up with infinity, below which everything is.
    cuts: Box<[f32; 2 * (CUTS + 1)]>,
    /// By bucket: cuts in earlier ones.
    earlier: Box<[u8; BUCKETS]>,
    /// The key of the first cut.
    low: u32,
    /// From keys to buckets.
    shift: u32,
    /// Where a search begins: half the smallest power of two above the cuts of any bucket.
    half: u32,
}

/// Whole numbers in the order of the numbers; the same for 0 and -0.
#[inline(always)]
fn key(number: f32) -> u32 {
    let bits = (number + 0.0).to_bits();
    let sign = (bits as i32 >> 31) as u32;
    bits ^ (sign | 1 << 31)
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
            self.shares.extend(cuts.chunks(CUTS).map(|share| Share::new(feature, share)));
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
            let any_missing = share.rank(rows, width, &mut left[c].0[..n]);
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
    /// Of one to [`CUTS`] cuts, ascending.
    fn new(feature: usize, cuts: &[f32]) -> Self {
        let (low, high) = (key(cuts[0]), key(cuts[cuts.len() - 1]));
        let shift = (u32::BITS - (high - low).leading_zeros()).saturating_sub(BUCKETS.ilog2());
        let mut filled = Box::new([f32::INFINITY; 2 * (CUTS + 1)]);
        filled[..cuts.len()].copy_from_slice(cuts);
        let earlier = Box::new([0; BUCKETS]);
        let mut share = Share { feature, cuts: filled, earlier, low, shift, half: 0 };
        let mut inside = [0u8; BUCKETS];
        cuts.iter().for_each(|&cut| inside[share.bucket(cut)] += 1);
        let mut sum = 0;
        for (earlier, inside) in share.earlier.iter_mut().zip(inside) {
            *earlier = sum;
            sum += inside;
        }
        let most = inside.iter().max().map_or(0, |&most| u32::from(most));
        share.half = (most + 1).next_power_of_two() / 2;
        share
    }

    #[inline(always)]
    fn bucket(&self, number: f32) -> usize {
        let bucket = key(number).saturating_sub(self.low) >> (self.shift & 31);
        (bucket as usize).min(BUCKETS - 1)
    }

    /// Ranks of one column; whether a value is missing.
    #[inline(always)]
    fn rank(&self, rows: &[f32], width: usize, out: &mut [i8]) -> bool {
        let mut any_missing = false;
        let value = |i: usize| rows[i * width + self.feature];
        let (groups, rest) = out.as_chunks_mut::<GROUP>();
        for (group, out) in groups.iter_mut().enumerate() {
            let values: [f32; GROUP] = std::array::from_fn(|i| value(group * GROUP + i));
            any_missing |= values.iter().fold(false, |any, v| any | v.is_nan());
            *out = self.search(values);
        }
        let first = groups.len() * GROUP;
        for (i, out) in rest.iter_mut().enumerate() {
            let value = value(first + i);
            any_missing |= value.is_nan();
            [*out] = self.search([value]);
        }
        any_missing
    }

    /// Searches in step, without branches.
    #[inline(always)]
    fn search<const N: usize>(&self, values: [f32; N]) -> [i8; N] {
        // What is missing becomes less than every cut.
        let values = values.map(|value| value.max(f32::NEG_INFINITY));
        let mut ranks = values.map(|value| u32::from(self.earlier[self.bucket(value)]));
        let mut half = self.half;
        while half > 0 {
            for (rank, &value) in ranks.iter_mut().zip(&values) {
                // The mask changes nothing, but spares a check.
                let middle = (*rank + half - 1) as usize & (2 * CUTS + 1);
                *rank += if self.cuts[middle] < value { half } else { 0 };
            }
            half /= 2;
        }
        ranks.map(|rank| signed(rank as u8))
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
                let mut columns = vec![Aligned([0; ROWS]); 2 * ranks.len()];
                let mut places = vec![0; ranks.len()];
                ranks.rank(&rows, 2, values.len(), &mut columns, &mut places);
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
