//! The best few of a list without sorting the rest.
//!
//! Metrics with a cutoff need k items of n. Unpredictable branches cost a modern processor far
//! more than comparisons whose result is only counted, so for small k nothing is sorted:
//!
//! 1. A threshold that at least k values reach: distribute the values over a few groups; the
//!    k-th largest of the groups' maxima is reached by k values, one in each of k groups.
//! 2. The values above the threshold (about 1.5 k of them), collected without branches; if they
//!    are fewer than k, the first values equal to the threshold are added.
//! 3. Their positions, by counting for each how many are larger. Equal ones, which are rare among
//!    scores, are told apart by a second count.
//!
//! All of it is loops over arrays of known length, run with the widest vectors of the processor.
//! With many large scores, or a large k: a selection followed by a sort of the selected.

use pulp::{Simd, WithSimd};

use crate::processor::arch;
use crate::rank::best_first;

/// An item among the best, with its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Top {
    /// Its score.
    pub score: f64,
    /// Its index in the list.
    pub item: u32,
}

/// Calls `with` on the `k` items of highest score, best first, earlier items first among equals.
/// (A closure, so that small buffers can live on the stack.)
pub fn with_top<R>(scores: &[f64], k: usize, with: impl FnOnce(&[Top]) -> R) -> R {
    let k = k.min(scores.len());
    match k {
        0 => with(&[]),
        1..=11 => with_counted::<16, 32, R>(scores, k, with),
        12..=32 => with_counted::<48, 64, R>(scores, k, with),
        _ => with(&by_sorting(scores, k)),
    }
}

/// The sum of `term` over the `k` highest values, highest first: the values alone need no items, and of
/// equal ones, which are common among labels, none has to come first.
pub(super) fn sum_of_highest(values: &[f64], k: usize, term: impl Fn(usize, f64) -> f64) -> f64 {
    let k = k.min(values.len());
    let sum = |highest: &[f64]| highest.iter().enumerate().map(|(i, &v)| term(i, v)).sum();
    let mut highest = [f64::INFINITY; 32];
    match k {
        1..=11 if arch().dispatch(Highest::<16> { values, k, highest: &mut highest }) => {
            sum(&highest[..k])
        }
        _ => with_top(values, k, |top| top.iter().enumerate().map(|(i, t)| term(i, t.score)).sum()),
    }
}

fn by_sorting(scores: &[f64], k: usize) -> Vec<Top> {
    // `+ 0.0` turns -0 into +0.
    let top = |item: u32| Top { score: scores[item as usize] + 0.0, item };
    best_first(scores, k).into_iter().map(top).collect()
}

fn with_counted<const GROUPS: usize, const MAX: usize, R>(
    scores: &[f64],
    k: usize,
    with: impl FnOnce(&[Top]) -> R,
) -> R {
    let mut best = [Top { score: 0.0, item: 0 }; MAX];
    match arch().dispatch(Best::<GROUPS, MAX> { scores, k, best: &mut best }) {
        true => with(&best[..k]),
        false => with(&by_sorting(scores, k)),
    }
}

/// Writes the k best to the front of `best`, unless there are too many candidates: with more, counting
/// would cost more than sorting.
struct Best<'a, const GROUPS: usize, const MAX: usize> {
    scores: &'a [f64],
    k: usize,
    best: &'a mut [Top; MAX],
}

impl<const GROUPS: usize, const MAX: usize> WithSimd for Best<'_, GROUPS, MAX> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        let Best { scores, k, best } = self;
        debug_assert!(0 < k && k <= GROUPS && k <= scores.len());
        let threshold = threshold::<GROUPS>(scores, k);
        let Candidates { items, values, above } = Candidates::<MAX>::above(scores, threshold);
        if above > MAX {
            return false;
        }
        let mut positions = positions_of(&values, above);
        // Positions that differ are all numbers below `above`.
        if positions[..above].iter().sum::<u64>() != (above * above.saturating_sub(1) / 2) as u64 {
            for i in 0..above {
                positions[i] += values[..i].iter().map(|v| u64::from(*v == values[i])).sum::<u64>();
            }
        }
        for i in 0..above {
            best[positions[i] as usize % MAX] = Top { score: values[i], item: items[i] };
        }
        if above < k {
            let equal = scores.iter().enumerate().filter(|(_, score)| **score == threshold);
            for (slot, (item, &score)) in best[above..k].iter_mut().zip(equal) {
                *slot = Top { score, item: item as u32 };
            }
        }
        true
    }
}

/// Writes the k highest values to the front of `highest`, which is all infinite, unless there are too many
/// candidates.
struct Highest<'a, const GROUPS: usize> {
    values: &'a [f64],
    k: usize,
    highest: &'a mut [f64; 32],
}

impl<const GROUPS: usize> WithSimd for Highest<'_, GROUPS> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        let Highest { values, k, highest } = self;
        let threshold = threshold::<GROUPS>(values, k);
        let Candidates { values, above, .. } = Candidates::<32>::above(values, threshold);
        if above > values.len() {
            return false;
        }
        let positions = positions_of(&values, above);
        for i in 0..above {
            highest[positions[i] as usize % 32] = values[i];
        }
        // Equal ones have the position of the first; the others are as the one before them.
        for i in 1..k.min(above) {
            highest[i] = if highest[i] < highest[i - 1] { highest[i] } else { highest[i - 1] };
        }
        highest[above.min(k)..k].fill(threshold);
        true
    }
}

/// The values above the threshold, with their items; values beyond are below all others.
struct Candidates<const MAX: usize> {
    items: [u32; MAX],
    values: [f64; MAX],
    /// How many there are: only `MAX` of them are kept.
    above: usize,
}

impl<const MAX: usize> Candidates<MAX> {
    #[inline(always)]
    fn above(scores: &[f64], threshold: f64) -> Self {
        let (mut items, mut values) = ([0; MAX], [f64::NEG_INFINITY; MAX]);
        let mut above = 0;
        for (item, &score) in scores.iter().enumerate() {
            items[above % MAX] = item as u32;
            above += usize::from(score > threshold);
        }
        for (value, &item) in values.iter_mut().zip(&items).take(above) {
            *value = scores[item as usize];
        }
        Candidates { items, values, above }
    }
}

/// Returns a value that at least `k` of the scores reach.
#[inline(always)]
fn threshold<const GROUPS: usize>(scores: &[f64], k: usize) -> f64 {
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
    // The k-th largest is the largest that k of them reach.
    let mut reach = [0; GROUPS];
    for &other in &maxima {
        for (reach, &max) in reach.iter_mut().zip(&maxima) {
            *reach += u64::from(other >= max);
        }
    }
    let mut kth = f64::NEG_INFINITY;
    for (&max, &reach) in maxima.iter().zip(&reach) {
        let max = if reach >= k as u64 { max } else { f64::NEG_INFINITY };
        kth = if max > kth { max } else { kth };
    }
    kth
}

/// Returns how many of the first `n` values are larger, for each of them; no value beyond is.
#[inline(always)]
fn positions_of<const MAX: usize>(values: &[f64; MAX], n: usize) -> [u64; MAX] {
    let mut positions = [0; MAX];
    match (values.first_chunk::<16>(), positions.first_chunk_mut::<16>()) {
        // Mostly there are few.
        (Some(values), Some(positions)) if n <= 16 => count_larger(values, positions),
        _ => count_larger(values, &mut positions),
    }
    positions
}

#[inline(always)]
fn count_larger<const N: usize>(values: &[f64; N], positions: &mut [u64; N]) {
    for &other in values {
        for (position, &value) in positions.iter_mut().zip(values) {
            *position += u64::from(other > value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::Ranking;
    use proptest::prelude::*;

    fn head(scores: &[f64], k: usize) -> Vec<u32> {
        Ranking::from_scores(scores).order().iter().take(k).map(|i| i.0).collect()
    }

    fn top(scores: &[f64], k: usize) -> Vec<u32> {
        with_top(scores, k, |t| t.iter().map(|t| t.item).collect())
    }

    proptest! {
        #[test]
        fn the_top_is_the_head_of_the_full_order(
            scores in prop::collection::vec((-4i32..4).prop_map(f64::from), 0..200),
            k in 0usize..220,
        ) {
            prop_assert_eq!(top(&scores, k), head(&scores, k));
        }

        #[test]
        fn with_few_ties_too(
            scores in prop::collection::vec(-1e9..1e9f64, 0..300),
            k in 0usize..70,
        ) {
            prop_assert_eq!(top(&scores, k), head(&scores, k));
        }
    }

    #[test]
    fn many_candidates_above_the_threshold() {
        // All large values in the first groups, so that the threshold is low.
        let scores: Vec<f64> =
            (0..1600).map(|i| f64::from(16 - i % 16) * 1e3 + f64::from(i)).collect();
        for k in [1, 2, 10, 11, 12, 31] {
            assert_eq!(top(&scores, k), head(&scores, k), "{k}");
        }
    }

    proptest! {
        #[test]
        fn the_highest_values_are_those_of_the_top(
            values in prop::collection::vec((-3i32..4).prop_map(f64::from), 0..200),
            k in 0usize..40,
        ) {
            let highest = |i: usize, value: f64| value * (1.0 + i as f64).recip();
            let top = with_top(&values, k, |top| {
                top.iter().enumerate().map(|(i, t)| highest(i, t.score)).sum::<f64>()
            });
            prop_assert_eq!(sum_of_highest(&values, k, highest), top);
        }
    }

    #[test]
    fn zeros_of_both_signs_tie() {
        assert_eq!(top(&[0.0, -0.0, 0.0], 2), [0, 1]);
        assert_eq!(top(&[-0.0; 100], 40), (0..40).collect::<Vec<u32>>());
    }
}
