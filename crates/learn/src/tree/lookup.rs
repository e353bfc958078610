//! Finding the bins of many values of one feature at once.
//!
//! A number x lies in bin 1 + (number of cuts below x), which a binary search finds: of 2^k - 1
//! cuts, compare the middle one and continue with one half, k times. Each comparison of one value
//! depends on the one before, so a group of values takes every step together, and the processor
//! need not wait.
//!
//! Example: cuts 0.5 and 1.5 put 0, 1, 2 and NaN into bins 1, 2, 3 and 0.

use std::hint::select_unpredictable;

use super::bins::{FeatureBins, MAX_BINS, TILE, code_bins};

/// The number of values looked up together: their positions among the cuts stay in registers.
const GROUP: usize = 32;

/// The lookup table of one feature.
pub(super) enum BinTable {
    /// Numbers, by comparison.
    Cuts(CutTable),
    /// The bin of each category code.
    Codes(Vec<u8>),
}

/// Cuts, padded with infinity, which is below no number.
pub(super) struct CutTable {
    cuts: Box<[f32; MAX_BINS]>,
    /// The largest power of two that is not above the number of cuts; 0 if there are none.
    first_step: u32,
}

impl BinTable {
    pub(super) fn new(feature: &FeatureBins) -> Self {
        match feature {
            FeatureBins::Categories(_) => BinTable::Codes(code_bins(feature)),
            FeatureBins::Cuts(cuts) => {
                let mut table = Box::new([f32::INFINITY; MAX_BINS]);
                table[..cuts.len()].copy_from_slice(cuts);
                let first_step = cuts.len().checked_ilog2().map_or(0, |log| 1 << log);
                BinTable::Cuts(CutTable { cuts: table, first_step })
            }
        }
    }

    /// Writes the bins of a tile of values.
    pub(super) fn look_up(&self, values: &[f32; TILE], bins: &mut [u8; TILE]) {
        match self {
            BinTable::Cuts(table) => {
                stakes_core::processor::arch().dispatch(LookUp { table, values, bins })
            }
            BinTable::Codes(of_code) => {
                for (bin, &value) in bins.iter_mut().zip(values) {
                    let known = of_code.get(value as usize).filter(|_| !value.is_nan());
                    *bin = known.copied().unwrap_or(0);
                }
            }
        }
    }
}

/// A tile to be looked up with the widest registers of the processor. Not a closure: the compiler
/// may not inline a closure into the function that is compiled for those registers.
struct LookUp<'a> {
    table: &'a CutTable,
    values: &'a [f32; TILE],
    bins: &'a mut [u8; TILE],
}

impl pulp::WithSimd for LookUp<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        const { assert!(TILE.is_multiple_of(GROUP)) };
        let (values, _) = self.values.as_chunks::<GROUP>();
        let (bins, _) = self.bins.as_chunks_mut::<GROUP>();
        for (values, bins) in values.iter().zip(bins) {
            let below = self.table.cuts_below(values);
            for ((bin, below), value) in bins.iter_mut().zip(below).zip(values) {
                *bin = if value.is_nan() { 0 } else { below as u8 + 1 };
            }
        }
    }
}

impl CutTable {
    /// Returns the number of cuts below each value.
    #[inline(always)]
    fn cuts_below(&self, values: &[f32; GROUP]) -> [u32; GROUP] {
        let mut below = [0; GROUP];
        let mut step = self.first_step;
        while step > 0 {
            for (below, &value) in below.iter_mut().zip(values) {
                let next = *below + step;
                // The index is always below MAX_BINS; the remainder shows that to the compiler.
                let cut = self.cuts[(next - 1) as usize % MAX_BINS];
                // Without a branch: half of the predictions would be wrong.
                *below = select_unpredictable(cut < value, next, *below);
            }
            step /= 2;
        }
        below
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Any float: of all sizes, infinite, of both zeros and not a number.
    fn any_float() -> impl Strategy<Value = f32> {
        prop_oneof![
            4 => (-20i8..20).prop_map(|v| f32::from(v) / 4.0),
            4 => any::<f32>(),
            1 => prop::sample::select(vec![f32::INFINITY, f32::NEG_INFINITY, -0.0, f32::NAN]),
        ]
    }

    fn bins_of(feature: &FeatureBins, values: &[f32; TILE]) -> [u8; TILE] {
        let mut bins = [77; TILE];
        BinTable::new(feature).look_up(values, &mut bins);
        bins
    }

    proptest! {
        #[test]
        fn numbers_lie_behind_the_cuts_below_them(
            mut cuts in prop::collection::vec(any_float(), 0..MAX_BINS - 1),
            other in prop::collection::vec(any_float(), TILE),
        ) {
            cuts.retain(|c| *c < f32::INFINITY);
            cuts.sort_by(f32::total_cmp);
            cuts.dedup();
            // The cuts themselves are where a bin begins, so half of the values are cuts.
            let value = |at: usize| *cuts.get(at / 2).filter(|_| at.is_multiple_of(2)).unwrap_or(&other[at]);
            let values: [f32; TILE] = std::array::from_fn(value);
            let slow = values.map(|value| match value.is_nan() {
                true => 0,
                false => 1 + cuts.iter().filter(|cut| **cut < value).count() as u8,
            });
            prop_assert_eq!(bins_of(&FeatureBins::Cuts(cuts), &values), slow);
        }
    }

    #[test]
    fn any_number_of_cuts_is_searched_to_its_ends() {
        for count in 0..MAX_BINS - 1 {
            let cuts: Vec<f32> = (0..count).map(|cut| cut as f32 + 0.5).collect();
            let values = std::array::from_fn(|at| at as f32);
            let bins = bins_of(&FeatureBins::Cuts(cuts), &values);
            assert!((0..TILE).all(|at| usize::from(bins[at]) == 1 + at.min(count)), "{count}");
        }
    }

    #[test]
    fn categories_that_are_not_known_are_missing() {
        let feature = FeatureBins::Categories(vec![3, 0, 1]);
        let mut values = [f32::NAN; TILE];
        values[..6].copy_from_slice(&[0.0, 1.0, 2.0, 3.0, 4.0, 1e9]);
        let bins = bins_of(&feature, &values);
        assert_eq!(bins[..6], [2, 3, 0, 1, 0, 0]);
        assert!(bins[6..].iter().all(|bin| *bin == 0));
    }
}
