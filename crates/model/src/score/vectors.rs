//! What is done for many rows by one instruction, for each vector width that a processor may support.
//!
//! Everything here is inlined into code that is compiled for the width. It compares and moves numbers, so the
//! width does not change a result.

use pulp::Scalar;

use super::ranks::{Aligned, Column};
use super::search::{Nodes, search};
use super::sweep::{ROWS, Step};

/// The side of a square of numbers that is transposed at a time.
pub(super) const SIDE: usize = 8;

/// Some rows of some features, or the other way round.
pub(super) type Square = [[f32; SIDE]; SIDE];

/// A vector width.
pub(super) trait Vectors: Copy {
    /// The outcomes of all levels of a search ([`super::search`]) for each value.
    fn search<const LEVELS: u32>(
        self,
        nodes: &Nodes,
        values: &[f32; ROWS],
        outcomes: &mut [u32; ROWS],
    );

    /// Exchanges rows and columns.
    fn transpose(self, square: &Square) -> Square;

    /// The leaf that each row of a block reaches by the steps ([`super::sweep`]) of each of two trees, given
    /// with the ranks that they compare.
    fn sweep<'c>(
        self,
        steps: [impl Iterator<Item = (&'c Step, &'c Column)>; 2],
        leaves: &mut [Aligned<u8>; 2],
    );
}

/// For every processor.
impl Vectors for Scalar {
    #[inline(always)]
    fn search<const LEVELS: u32>(
        self,
        nodes: &Nodes,
        values: &[f32; ROWS],
        outcomes: &mut [u32; ROWS],
    ) {
        search::<LEVELS>(nodes, values, outcomes);
    }

    #[inline(always)]
    fn transpose(self, square: &Square) -> Square {
        std::array::from_fn(|column| std::array::from_fn(|row| square[row][column]))
    }

    #[inline(always)]
    fn sweep<'c>(
        self,
        steps: [impl Iterator<Item = (&'c Step, &'c Column)>; 2],
        leaves: &mut [Aligned<u8>; 2],
    ) {
        for (at, steps) in leaves.iter_mut().zip(steps) {
            at.0.fill(0);
            for (step, column) in steps {
                for (at, &rank) in at.0.iter_mut().zip(&column.0) {
                    let goes = (*at == step.from) & (rank > step.up_to);
                    *at = at.wrapping_add(step.way & u8::from(goes).wrapping_neg());
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__m256, __m256i, __m512i, _CMP_LT_OQ};

    use pulp::x86::{V3, V4};
    use pulp::{Simd, cast};

    use super::super::search::{Lookup, search_by_lookup};
    use super::*;

    /// AVX2: 8 numbers or 32 bytes.
    impl Vectors for V3 {
        #[inline(always)]
        fn search<const LEVELS: u32>(
            self,
            nodes: &Nodes,
            values: &[f32; ROWS],
            outcomes: &mut [u32; ROWS],
        ) {
            search_by_lookup::<Self, LEVELS>(self, nodes, values, outcomes);
        }

        /// Pairs, then fours, then halves of eight.
        #[inline(always)]
        fn transpose(self, square: &Square) -> Square {
            let avx = self.avx;
            let [a, b, c, d, e, f, g, h] = cast::<Square, [__m256; SIDE]>(*square);
            let (upper, lower) = (fours(self, a, b, c, d), fours(self, e, f, g, h));
            let mut columns = [a; SIDE];
            for i in 0..4 {
                columns[i] = avx._mm256_permute2f128_ps::<0x20>(upper[i], lower[i]);
                columns[i + 4] = avx._mm256_permute2f128_ps::<0x31>(upper[i], lower[i]);
            }
            cast(columns)
        }

        /// One after the other: there are registers for one.
        #[inline(always)]
        fn sweep<'c>(
            self,
            steps: [impl Iterator<Item = (&'c Step, &'c Column)>; 2],
            leaves: &mut [Aligned<u8>; 2],
        ) {
            let [first, second] = steps;
            leaves[0] = sweep_one(self, first);
            leaves[1] = sweep_one(self, second);
        }
    }

    #[inline(always)]
    fn sweep_one<'c>(simd: V3, steps: impl Iterator<Item = (&'c Step, &'c Column)>) -> Aligned<u8> {
        let (avx, avx2) = (simd.avx, simd.avx2);
        let mut at = [avx._mm256_setzero_si256(); 8];
        for (step, column) in steps {
            let up_to = avx._mm256_set1_epi8(step.up_to);
            let from = avx._mm256_set1_epi8(step.from as i8);
            let to = avx._mm256_set1_epi8(step.to as i8);
            for (at, &ranks) in at.iter_mut().zip(column.0.as_chunks::<32>().0) {
                let right = avx2._mm256_cmpgt_epi8(cast::<[i8; 32], __m256i>(ranks), up_to);
                let here = avx2._mm256_cmpeq_epi8(*at, from);
                *at = avx2._mm256_blendv_epi8(*at, to, avx2._mm256_and_si256(right, here));
            }
        }
        Aligned(cast(at))
    }

    /// Both halves of four rows, as columns of four. (A closure would not always be inlined.)
    #[inline(always)]
    fn fours(simd: V3, a: __m256, b: __m256, c: __m256, d: __m256) -> [__m256; 4] {
        let avx = simd.avx;
        let (low, high) = (avx._mm256_unpacklo_ps(a, b), avx._mm256_unpackhi_ps(a, b));
        let (next_low, next_high) = (avx._mm256_unpacklo_ps(c, d), avx._mm256_unpackhi_ps(c, d));
        [
            avx._mm256_shuffle_ps::<0x44>(low, next_low),
            avx._mm256_shuffle_ps::<0xee>(low, next_low),
            avx._mm256_shuffle_ps::<0x44>(high, next_high),
            avx._mm256_shuffle_ps::<0xee>(high, next_high),
        ]
    }

    impl Lookup for V3 {
        #[inline(always)]
        fn look_up(self, table: Self::f32s, places: Self::u32s) -> Self::f32s {
            cast(self.avx2._mm256_permutevar8x32_ps(cast(table), cast(places)))
        }

        #[inline(always)]
        fn look_up_in_two(self, tables: [Self::f32s; 2], places: Self::u32s) -> Self::f32s {
            let bit = self.splat_u32s(8);
            let upper = self.equal_u32s(self.and_u32s(places, bit), bit);
            self.select_f32s(
                upper,
                self.look_up(tables[1], places),
                self.look_up(tables[0], places),
            )
        }

        #[inline(always)]
        fn outcome(
            self,
            cuts: Self::f32s,
            values: Self::f32s,
            at: Self::u32s,
            bit: u32,
        ) -> Self::u32s {
            let right = self.avx._mm256_cmp_ps::<_CMP_LT_OQ>(cast(cuts), cast(values));
            self.or_u32s(at, self.and_u32s(cast(right), self.splat_u32s(bit)))
        }
    }

    /// AVX-512: 16 numbers or 64 bytes.
    impl Vectors for V4 {
        #[inline(always)]
        fn search<const LEVELS: u32>(
            self,
            nodes: &Nodes,
            values: &[f32; ROWS],
            outcomes: &mut [u32; ROWS],
        ) {
            search_by_lookup::<Self, LEVELS>(self, nodes, values, outcomes);
        }

        #[inline(always)]
        fn transpose(self, square: &Square) -> Square {
            (*self).transpose(square)
        }

        /// In step: a comparison waits for the step before, and meanwhile the other tree is compared.
        #[inline(always)]
        fn sweep<'c>(
            self,
            steps: [impl Iterator<Item = (&'c Step, &'c Column)>; 2],
            leaves: &mut [Aligned<u8>; 2],
        ) {
            let mut at = [[self.avx512f._mm512_setzero_si512(); 4]; 2];
            let [mut first, mut second] = steps;
            loop {
                match (first.next(), second.next()) {
                    (Some(a), Some(b)) => {
                        apply(self, &mut at[0], a);
                        apply(self, &mut at[1], b);
                    }
                    (Some(a), None) => apply(self, &mut at[0], a),
                    (None, Some(b)) => apply(self, &mut at[1], b),
                    (None, None) => break,
                }
            }
            *leaves = [Aligned(cast(at[0])), Aligned(cast(at[1]))];
        }
    }

    #[inline(always)]
    fn apply(simd: V4, at: &mut [__m512i; 4], (step, column): (&Step, &Column)) {
        let (wide, bytes) = (simd.avx512f, simd.avx512bw);
        let up_to = wide._mm512_set1_epi8(step.up_to);
        let from = wide._mm512_set1_epi8(step.from as i8);
        let way = wide._mm512_set1_epi8(step.way as i8);
        for (at, &ranks) in at.iter_mut().zip(column.0.as_chunks::<64>().0) {
            let right = bytes._mm512_cmpgt_epi8_mask(cast::<[i8; 64], __m512i>(ranks), up_to);
            let goes = bytes._mm512_mask_cmpeq_epi8_mask(right, *at, from);
            *at = bytes._mm512_mask_add_epi8(*at, goes, *at, way);
        }
    }

    impl Lookup for V4 {
        #[inline(always)]
        fn look_up(self, table: Self::f32s, places: Self::u32s) -> Self::f32s {
            cast(self.avx512f._mm512_permutexvar_ps(cast(places), cast(table)))
        }

        #[inline(always)]
        fn look_up_in_two(self, tables: [Self::f32s; 2], places: Self::u32s) -> Self::f32s {
            let [lower, upper] = tables;
            cast(self.avx512f._mm512_permutex2var_ps(cast(lower), cast(places), cast(upper)))
        }

        #[inline(always)]
        fn outcome(
            self,
            cuts: Self::f32s,
            values: Self::f32s,
            at: Self::u32s,
            bit: u32,
        ) -> Self::u32s {
            let wide = self.avx512f;
            let right = wide._mm512_cmp_ps_mask::<_CMP_LT_OQ>(cast(cuts), cast(values));
            let bit = wide._mm512_set1_epi32(bit as i32);
            cast(wide._mm512_mask_add_epi32(cast(at), right, cast(at), bit))
        }
    }
}
