//! The steps of finding the best few, by operations on blocks of scores: a comparison of a block gives a bit per
//! score, and the ranks of a few scores are counted for a block at a time.

use std::arch::x86_64::{_CMP_EQ_OQ, _CMP_GT_OQ};

use super::vectors::{BLOCK, Candidates, Vectors};

/// The scores that a step handles together.
pub(super) type Block = [f64; BLOCK];

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
            _ if scores.len() < BLOCK => f64::NEG_INFINITY,
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
        add_where::<R, ROOM, _CMP_GT_OQ>(self, candidates, scores, threshold, usize::MAX);
        // These come last: positions are counted for some more than there are.
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
        add_where::<R, ROOM, _CMP_EQ_OQ>(self, candidates, scores, threshold, k);
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

/// Adds the items whose score compares so with a value, until there are enough.
#[inline(always)]
fn add_where<R: Registers, const ROOM: usize, const HOW: i32>(
    vectors: R,
    candidates: &mut Candidates<ROOM>,
    scores: &[f64],
    value: f64,
    enough: usize,
) {
    let value = vectors.splat(value);
    let (blocks, rest) = scores.as_chunks::<BLOCK>();
    for (at, block) in blocks.iter().enumerate() {
        let block = vectors.load(block);
        let bits = vectors.compare::<HOW>(block, value);
        vectors.add(candidates, block, at * BLOCK, bits);
        if candidates.count >= enough {
            return;
        }
    }
    if !rest.is_empty() {
        let (block, first, valid) = last_block(scores, rest);
        let block = vectors.load(&block);
        let bits = vectors.compare::<HOW>(block, value);
        vectors.add(candidates, block, first, bits & valid);
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

/// From place 63 - i on: 1 for each number above i, 0 for the others.
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
    for (i, to) in block.iter_mut().enumerate() {
        *to = rest.get(i).copied().unwrap_or(0.0);
    }
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
