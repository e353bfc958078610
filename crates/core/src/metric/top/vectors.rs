//! The steps of finding the best few, for each vector width that a processor may support.
//!
//! Everything here is inlined into code that is compiled for the width. It compares and moves numbers, so the
//! width does not change a result.

use pulp::Scalar;

/// Numbers that a vector step handles together.
pub(super) const BLOCK: usize = 16;

/// Items and their scores, in the order of the list. At most `ROOM - BLOCK` are kept, and the room beyond lets
/// a whole block be written at the end.
pub(super) struct Candidates<const ROOM: usize> {
    pub(super) scores: [f64; ROOM],
    pub(super) items: [u32; ROOM],
    /// How many there are, of which those beyond the first `MAX` are lost.
    pub(super) count: usize,
}

impl<const ROOM: usize> Candidates<ROOM> {
    /// How many are kept.
    pub(super) const MAX: usize = ROOM - BLOCK;

    #[inline(always)]
    pub(super) fn new() -> Self {
        Candidates { scores: [0.0; ROOM], items: [0; ROOM], count: 0 }
    }

    /// Where the next one is written; those that are lost overwrite each other.
    #[inline(always)]
    pub(super) fn end(&self) -> usize {
        self.count.min(Self::MAX)
    }
}

/// A vector width.
pub(super) trait Vectors: Copy {
    /// The k-th largest of the maxima of so many groups: a value that at least `k` of the scores reach.
    fn threshold<const GROUPS: usize>(self, scores: &[f64], k: usize) -> f64;

    /// Adds the items whose score is above the threshold, to none.
    fn add_above<const ROOM: usize>(
        self,
        candidates: &mut Candidates<ROOM>,
        scores: &[f64],
        threshold: f64,
    );

    /// Adds the first items whose score is equal to the threshold, until there are at least `k` candidates.
    fn add_equal<const ROOM: usize>(
        self,
        candidates: &mut Candidates<ROOM>,
        scores: &[f64],
        threshold: f64,
        k: usize,
    );

    /// Calls `put` with each candidate's index and the number of those before it in descending order, earlier
    /// ones first among equals.
    fn positions<const ROOM: usize>(
        self,
        candidates: &Candidates<ROOM>,
        put: impl FnMut(usize, usize),
    );
}

/// For every processor.
impl Vectors for Scalar {
    #[inline(always)]
    fn threshold<const GROUPS: usize>(self, scores: &[f64], k: usize) -> f64 {
        let mut maxima = [f64::NEG_INFINITY; GROUPS];
        let (rounds, rest) = scores.as_chunks::<GROUPS>();
        for round in rounds {
            for (max, &score) in maxima.iter_mut().zip(round) {
                *max = if score > *max { score } else { *max };
            }
        }
        for (max, &score) in maxima.iter_mut().zip(rest) {
            *max = if score > *max { score } else { *max };
        }
        let positions = (0..GROUPS).map(|group| (position_of(&maxima, group), maxima[group]));
        let kth = positions.into_iter().find(|(position, _)| *position == k - 1);
        kth.map_or(f64::NEG_INFINITY, |(_, value)| value)
    }

    #[inline(always)]
    fn add_above<const ROOM: usize>(
        self,
        candidates: &mut Candidates<ROOM>,
        scores: &[f64],
        threshold: f64,
    ) {
        // Without branches, as nobody could predict them.
        for (item, &score) in scores.iter().enumerate() {
            candidates.items[candidates.end()] = item as u32;
            candidates.count += usize::from(score > threshold);
        }
        let kept = candidates.scores.iter_mut().zip(&candidates.items).take(candidates.count);
        kept.for_each(|(score, &item)| *score = scores[item as usize]);
    }

    #[inline(always)]
    fn add_equal<const ROOM: usize>(
        self,
        candidates: &mut Candidates<ROOM>,
        scores: &[f64],
        threshold: f64,
        k: usize,
    ) {
        let equal = scores.iter().enumerate().filter(|(_, score)| **score == threshold);
        for (item, &score) in equal.take(k - candidates.count) {
            candidates.scores[candidates.count] = score;
            candidates.items[candidates.count] = item as u32;
            candidates.count += 1;
        }
    }

    #[inline(always)]
    fn positions<const ROOM: usize>(
        self,
        candidates: &Candidates<ROOM>,
        mut put: impl FnMut(usize, usize),
    ) {
        let scores = &candidates.scores[..candidates.count];
        (0..scores.len()).for_each(|i| put(i, position_of(scores, i)));
    }
}

/// Returns how many values come before the i-th in descending order, earlier ones first among
/// equals.
fn position_of(values: &[f64], i: usize) -> usize {
    let value = values[i];
    let earlier: u64 = values[..i].iter().map(|&v| u64::from(v >= value)).sum();
    let later: u64 = values[i + 1..].iter().map(|&v| u64::from(v > value)).sum();
    (earlier + later) as usize
}
