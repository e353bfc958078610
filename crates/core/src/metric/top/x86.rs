//! AVX2 and AVX-512: comparisons of a block of scores give a word with a bit per score, so that counting is
//! counting bits, and nothing is done score by score.

use std::arch::x86_64::{__m256d, __m256i, __m512d, __m512i, _CMP_EQ_OQ, _CMP_GT_OQ};

use pulp::cast;
use pulp::x86::{V3, V4};

use super::vectors::{BLOCK, Candidates, Vectors};

type Block = [f64; BLOCK];

/// What the steps are made of: operations on blocks that are held in registers.
pub(super) trait Registers: Copy {
    /// A block of scores.
    type Held: Copy;
    /// A block of whole numbers.
    type Whole: Copy;

    /// Whether there are registers for more than a block and its counts.
    const MANY: bool;

    fn load(self, block: &Block) -> Self::Held;

    fn store(self, block: Self::Held) -> Block;

    fn splat(self, value: f64) -> Self::Held;

    /// The larger of each pair.
    fn larger(self, a: Self::Held, b: Self::Held) -> Self::Held;

    /// Bit i is whether a comparison (`_CMP_GT_OQ` or another) holds for the i-th of both blocks.
    fn compare<const HOW: i32>(self, a: Self::Held, b: Self::Held) -> u16;

    /// Adds those of a block whose bit is set; the first one is this item.
    fn add<const ROOM: usize>(
        self,
        candidates: &mut Candidates<ROOM>,
        block: Self::Held,
        first: usize,
        bits: u16,
    );

    /// Whole numbers in the same order, the same for zeros of both signs.
    fn keys(self, block: Self::Held) -> Self::Whole;

    fn numbers(self, block: Self::Whole) -> [i64; BLOCK];

    /// One more for each that is below the key, or the key and the one added to it.
    fn count(
        self,
        counts: Self::Whole,
        key: i64,
        added: &[i64; BLOCK],
        keys: Self::Whole,
    ) -> Self::Whole;
}

impl<R: Registers> Vectors for R {
    /// Scores beyond the last whole block are left out; the threshold is then hardly lower.
    #[inline(always)]
    fn threshold<const GROUPS: usize>(self, scores: &[f64], k: usize) -> f64 {
        match GROUPS.div_ceil(BLOCK) {
            1 => threshold::<R, 1>(self, scores, k),
            _ => threshold::<R, 3>(self, scores, k),
        }
    }

    #[inline(always)]
    fn add_above<const ROOM: usize>(
        self,
        candidates: &mut Candidates<ROOM>,
        scores: &[f64],
        threshold: f64,
    ) {
        let threshold = self.splat(threshold);
        let (blocks, rest) = scores.as_chunks::<BLOCK>();
        for (at, block) in blocks.iter().enumerate() {
            let block = self.load(block);
            let bits = self.compare::<_CMP_GT_OQ>(block, threshold);
            self.add(candidates, block, at * BLOCK, bits);
        }
        if !rest.is_empty() {
            let (block, first, valid) = last_block(scores, rest);
            let block = self.load(&block);
            let bits = self.compare::<_CMP_GT_OQ>(block, threshold);
            self.add(candidates, block, first, bits & valid);
        }
        let end = candidates.end();
        candidates.scores[end..end + BLOCK].fill(f64::NEG_INFINITY);
    }

    #[inline(always)]
    fn add_equal<const ROOM: usize>(
        self,
        candidates: &mut Candidates<ROOM>,
        scores: &[f64],
        threshold: f64,
        k: usize,
    ) {
        let threshold = self.splat(threshold);
        let (blocks, rest) = scores.as_chunks::<BLOCK>();
        for (at, block) in blocks.iter().enumerate() {
            let block = self.load(block);
            let bits = self.compare::<_CMP_EQ_OQ>(block, threshold);
            self.add(candidates, block, at * BLOCK, bits);
            if candidates.count >= k {
                return;
            }
        }
        if !rest.is_empty() {
            let (block, first, valid) = last_block(scores, rest);
            let block = self.load(&block);
            let bits = self.compare::<_CMP_EQ_OQ>(block, threshold);
            self.add(candidates, block, first, bits & valid);
        }
    }

    #[inline(always)]
    fn positions<const ROOM: usize>(
        self,
        candidates: &Candidates<ROOM>,
        put: impl FnMut(usize, usize),
    ) {
        match candidates.count {
            0..=16 => positions::<R, ROOM, 1>(self, candidates, put),
            17..=32 => positions::<R, ROOM, 2>(self, candidates, put),
            _ => positions::<R, ROOM, 4>(self, candidates, put),
        }
    }
}

#[inline(always)]
fn threshold<R: Registers, const BLOCKS: usize>(vectors: R, scores: &[f64], k: usize) -> f64 {
    let mut maxima = [vectors.splat(f64::NEG_INFINITY); BLOCKS];
    let (rounds, rest) = scores.as_chunks::<BLOCK>().0.as_chunks::<BLOCKS>();
    for round in rounds {
        for (max, block) in maxima.iter_mut().zip(round) {
            *max = vectors.larger(vectors.load(block), *max);
        }
    }
    for (max, block) in maxima.iter_mut().zip(rest) {
        *max = vectors.larger(vectors.load(block), *max);
    }
    let mut sorted = [[0.0; BLOCK]; BLOCKS];
    let sorted = sorted.as_flattened_mut();
    let ranks = ranks(vectors, &maxima, BLOCKS * BLOCK);
    for (block, ranks) in maxima.iter().zip(ranks) {
        for (value, rank) in vectors.store(*block).into_iter().zip(ranks) {
            sorted[rank as usize % (BLOCKS * BLOCK)] = value;
        }
    }
    sorted[k - 1]
}

/// How many scores come before each of them in descending order, earlier ones first among equals; only the
/// first `n` are counted.
#[inline(always)]
fn ranks<R: Registers, const BLOCKS: usize>(
    vectors: R,
    scores: &[R::Held; BLOCKS],
    n: usize,
) -> [[i64; BLOCK]; BLOCKS] {
    let mut keys = [vectors.keys(vectors.splat(0.0)); BLOCKS];
    let mut numbers = [[0; BLOCK]; BLOCKS];
    for b in 0..BLOCKS {
        keys[b] = vectors.keys(scores[b]);
        numbers[b] = vectors.numbers(keys[b]);
    }
    let first = &numbers.as_flattened()[..n];
    if R::MANY {
        return count::<R, BLOCKS>(vectors, first, keys, 0);
    }
    let mut ranks = [[0; BLOCK]; BLOCKS];
    for b in 0..BLOCKS {
        [ranks[b]] = count::<R, 1>(vectors, first, [keys[b]], b * BLOCK);
    }
    ranks
}

/// How many of the first keys come before each of these, which begin at place `start`.
#[inline(always)]
fn count<R: Registers, const BLOCKS: usize>(
    vectors: R,
    first: &[i64],
    keys: [R::Whole; BLOCKS],
    start: usize,
) -> [[i64; BLOCK]; BLOCKS] {
    let mut counts = [vectors.keys(vectors.splat(0.0)); BLOCKS];
    for (i, &key) in first.iter().enumerate() {
        // Those after an item come after it even if they are equal: its key plus 1 is larger.
        let later = &LATER[63 - i + start..];
        for (b, (counts, &keys)) in counts.iter_mut().zip(&keys).enumerate() {
            let Some(added) = later[b * BLOCK..].first_chunk() else { continue };
            *counts = vectors.count(*counts, key, added, keys);
        }
    }
    let mut numbers = [[0; BLOCK]; BLOCKS];
    for (numbers, &counts) in numbers.iter_mut().zip(&counts) {
        *numbers = vectors.numbers(counts);
    }
    numbers
}

/// From place 63 - i on, 1 for each number above i.
static LATER: [i64; 128] = {
    let mut later = [0; 128];
    let mut at = 64;
    while at < 128 {
        later[at] = 1;
        at += 1;
    }
    later
};

/// The scores from the last whole block on as a block, with its first item, and a bit for each that counts. A
/// long list's block begins earlier, a short one's is filled up.
#[inline(always)]
fn last_block(scores: &[f64], rest: &[f64]) -> (Block, usize, u16) {
    if let Some(block) = scores.last_chunk() {
        return (*block, scores.len() - BLOCK, u16::MAX << (BLOCK - rest.len()));
    }
    let mut block = [0.0; BLOCK];
    block.iter_mut().zip(rest).for_each(|(to, &score)| *to = score);
    (block, 0, !(u16::MAX << rest.len()))
}

#[inline(always)]
fn positions<R: Registers, const ROOM: usize, const BLOCKS: usize>(
    vectors: R,
    candidates: &Candidates<ROOM>,
    mut put: impl FnMut(usize, usize),
) {
    let scores = candidates.scores.as_chunks::<BLOCK>().0;
    let mut blocks = [vectors.splat(f64::NEG_INFINITY); BLOCKS];
    for (held, block) in blocks.iter_mut().zip(scores) {
        *held = vectors.load(block);
    }
    // Rounded up, as nobody could predict when a loop over single ones ends; what fills up comes last.
    let n = candidates.count.next_multiple_of(8);
    let ranks = ranks(vectors, &blocks, n);
    for (i, &rank) in ranks.as_flattened()[..n].iter().enumerate() {
        put(i, rank as usize);
    }
}

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
