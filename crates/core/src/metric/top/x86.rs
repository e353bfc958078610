//! Operations on blocks of scores by AVX2 and AVX-512. (Loops instead of `map`, which is not always inlined.)

use std::arch::x86_64::{__m256d, __m256i, __m512d, __m512i};

use pulp::cast;
use pulp::x86::{V3, V4};

use super::blocks::{Block, Registers};
use super::vectors::{BLOCK, Candidates};

/// AVX-512: a block is two registers, and packing is an instruction.
impl Registers for V4 {
    type Held = [__m512d; 2];
    type Whole = [__m512i; 2];

    const MANY: bool = true;

    #[inline(always)]
    fn load(self, block: &Block) -> Self::Held {
        cast(*block)
    }

    #[inline(always)]
    fn store(self, block: Self::Held) -> Block {
        cast(block)
    }

    #[inline(always)]
    fn splat(self, value: f64) -> Self::Held {
        [self.avx512f._mm512_set1_pd(value); 2]
    }

    #[inline(always)]
    fn larger(self, a: Self::Held, b: Self::Held) -> Self::Held {
        [self.avx512f._mm512_max_pd(a[0], b[0]), self.avx512f._mm512_max_pd(a[1], b[1])]
    }

    #[inline(always)]
    fn compare<const HOW: i32>(self, a: Self::Held, b: Self::Held) -> u16 {
        let low = self.avx512f._mm512_cmp_pd_mask::<HOW>(a[0], b[0]);
        let high = self.avx512f._mm512_cmp_pd_mask::<HOW>(a[1], b[1]);
        u16::from(low) | u16::from(high) << 8
    }

    #[inline(always)]
    fn add<const ROOM: usize>(
        self,
        candidates: &mut Candidates<ROOM>,
        block: Self::Held,
        first: usize,
        bits: u16,
    ) {
        let wide = self.avx512f;
        let end = candidates.end();
        let low = wide._mm512_maskz_compress_pd(bits as u8, block[0]);
        let high = wide._mm512_maskz_compress_pd((bits >> 8) as u8, block[1]);
        let lanes = cast([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15i32]);
        let items = wide._mm512_add_epi32(lanes, wide._mm512_set1_epi32(first as i32));
        let items = wide._mm512_maskz_compress_epi32(bits, items);
        let middle = end + (bits as u8).count_ones() as usize;
        candidates.scores[end..end + 8].copy_from_slice(&cast::<_, [f64; 8]>(low));
        candidates.scores[middle..middle + 8].copy_from_slice(&cast::<_, [f64; 8]>(high));
        candidates.items[end..end + BLOCK].copy_from_slice(&cast::<_, [u32; BLOCK]>(items));
        candidates.count += bits.count_ones() as usize;
    }

    #[inline(always)]
    fn keys(self, block: Self::Held) -> Self::Whole {
        let wide = self.avx512f;
        let mut keys = [wide._mm512_setzero_si512(); 2];
        for (key, half) in keys.iter_mut().zip(block) {
            // -0 + 0 is +0. Of negative numbers all other bits are turned round.
            let bits = cast(wide._mm512_add_pd(half, wide._mm512_setzero_pd()));
            let signs = wide._mm512_srai_epi64::<63>(bits);
            *key = wide._mm512_xor_si512(bits, wide._mm512_srli_epi64::<1>(signs));
        }
        keys
    }

    #[inline(always)]
    fn numbers(self, block: Self::Whole) -> [i64; BLOCK] {
        cast(block)
    }

    #[inline(always)]
    fn count(
        self,
        counts: Self::Whole,
        key: i64,
        added: &[i64; BLOCK],
        keys: Self::Whole,
    ) -> Self::Whole {
        let wide = self.avx512f;
        let (key, one) = (wide._mm512_set1_epi64(key), wide._mm512_set1_epi64(1));
        let added: Self::Whole = cast(*added);
        let mut more = counts;
        for i in 0..2 {
            let below = wide._mm512_cmpgt_epi64_mask(wide._mm512_add_epi64(key, added[i]), keys[i]);
            more[i] = wide._mm512_mask_add_epi64(counts[i], below, counts[i], one);
        }
        more
    }
}

/// AVX2: a block is four registers, and what packs each of them is looked up by its bits.
impl Registers for V3 {
    type Held = [__m256d; 4];
    type Whole = [__m256i; 4];

    const MANY: bool = false;

    #[inline(always)]
    fn load(self, block: &Block) -> Self::Held {
        cast(*block)
    }

    #[inline(always)]
    fn store(self, block: Self::Held) -> Block {
        cast(block)
    }

    #[inline(always)]
    fn splat(self, value: f64) -> Self::Held {
        [self.avx._mm256_set1_pd(value); 4]
    }

    #[inline(always)]
    fn larger(self, a: Self::Held, b: Self::Held) -> Self::Held {
        let mut larger = a;
        for i in 0..4 {
            larger[i] = self.avx._mm256_max_pd(a[i], b[i]);
        }
        larger
    }

    #[inline(always)]
    fn compare<const HOW: i32>(self, a: Self::Held, b: Self::Held) -> u16 {
        let mut bits = 0;
        for i in 0..4 {
            let holds = self.avx._mm256_cmp_pd::<HOW>(a[i], b[i]);
            bits |= (self.avx._mm256_movemask_pd(holds) as u16) << (4 * i);
        }
        bits
    }

    #[inline(always)]
    fn add<const ROOM: usize>(
        self,
        candidates: &mut Candidates<ROOM>,
        block: Self::Held,
        first: usize,
        bits: u16,
    ) {
        let mut end = candidates.end();
        for (i, four) in block.into_iter().enumerate() {
            let bits = usize::from(bits >> (4 * i) & 15);
            let halves = cast::<[u32; 8], _>(HALVES[bits]);
            let packed = self.avx2._mm256_permutevar8x32_epi32(cast(four), halves);
            let item = (first + 4 * i) as u32;
            candidates.scores[end..end + 4].copy_from_slice(&cast::<_, [f64; 4]>(packed));
            let [a, b, c, d] = LANES[bits];
            let items = [item + a, item + b, item + c, item + d];
            candidates.items[end..end + 4].copy_from_slice(&items);
            end += bits.count_ones() as usize;
        }
        candidates.count += bits.count_ones() as usize;
    }

    #[inline(always)]
    fn keys(self, block: Self::Held) -> Self::Whole {
        let (avx, avx2) = (self.avx, self.avx2);
        let zero = avx._mm256_setzero_si256();
        let mut keys = [zero; 4];
        for (key, four) in keys.iter_mut().zip(block) {
            let bits = cast(avx._mm256_add_pd(four, avx._mm256_setzero_pd()));
            let signs = avx2._mm256_cmpgt_epi64(zero, bits);
            *key = avx2._mm256_xor_si256(bits, avx2._mm256_srli_epi64::<1>(signs));
        }
        keys
    }

    #[inline(always)]
    fn numbers(self, block: Self::Whole) -> [i64; BLOCK] {
        cast(block)
    }

    #[inline(always)]
    fn count(
        self,
        counts: Self::Whole,
        key: i64,
        added: &[i64; BLOCK],
        keys: Self::Whole,
    ) -> Self::Whole {
        let key = self.avx._mm256_set1_epi64x(key);
        let added: Self::Whole = cast(*added);
        let mut more = counts;
        for i in 0..4 {
            let key = self.avx2._mm256_add_epi64(key, added[i]);
            // A comparison that holds gives -1.
            let below = self.avx2._mm256_cmpgt_epi64(key, keys[i]);
            more[i] = self.avx2._mm256_sub_epi64(counts[i], below);
        }
        more
    }
}

/// Which of four lanes come first, by the bits of those that are kept.
static LANES: [[u32; 4]; 16] = {
    let mut table = [[0; 4]; 16];
    let mut bits = 0;
    while bits < 16 {
        let (mut lane, mut to) = (0, 0);
        while lane < 4 {
            if bits >> lane & 1 == 1 {
                table[bits][to] = lane;
                to += 1;
            }
            lane += 1;
        }
        bits += 1;
    }
    table
};

/// The same for halves of lanes.
static HALVES: [[u32; 8]; 16] = {
    let mut table = [[0; 8]; 16];
    let mut at = 0;
    while at < 16 * 8 {
        table[at / 8][at % 8] = 2 * LANES[at / 8][at % 8 / 2] + (at % 2) as u32;
        at += 1;
    }
    table
};
