//! The best few of a list without sorting the rest.
//!
//! Metrics with a cutoff need k items of n. Unpredictable branches cost a modern processor far
//! more than comparisons whose result is only counted, so for small k nothing is sorted:
//!
//! 1. A threshold that at least k values reach: distribute the values over a few groups; the
//!    k-th largest of the groups' maxima is reached by k values, one in each of k groups.
//! 2. The values above the threshold (about 1.5 k of them), collected without branches; if they
//!    are fewer than k, the first values equal to the threshold are added.
//! 3. Their positions, by counting for each how many come before it.
//!
//! With many large scores, or a large k: a selection followed by a sort of the selected.

use crate::rank::best_first;

/// The maximum number of candidates: with more, counting would cost more than sorting.
const MAX_CANDIDATES: usize = 64;

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
    let mut best = [Top { score: 0.0, item: 0 }; MAX_CANDIDATES];
    let found = match k {
        0 => true,
        1..=11 => by_counting::<16>(scores, k, &mut best),
        12..=32 => by_counting::<48>(scores, k, &mut best),
        _ => false,
    };
    if found { with(&best[..k]) } else { with(&by_sorting(scores, k)) }
}

fn by_sorting(scores: &[f64], k: usize) -> Vec<Top> {
    // `+ 0.0` turns -0 into +0.
    let top = |item: u32| Top { score: scores[item as usize] + 0.0, item };
    best_first(scores, k).into_iter().map(top).collect()
}

/// Writes the k best to the front of `best`, unless there are too many candidates.
fn by_counting<const GROUPS: usize>(
    scores: &[f64],
    k: usize,
    best: &mut [Top; MAX_CANDIDATES],
) -> bool {
    debug_assert!(0 < k && k <= GROUPS && k <= scores.len());
    let threshold = threshold::<GROUPS>(scores, k);
    let mut items = [0u32; MAX_CANDIDATES];
    let mut above = 0;
    for (item, &score) in scores.iter().enumerate() {
        items[above % MAX_CANDIDATES] = item as u32;
        above += usize::from(score > threshold);
    }
    if above > MAX_CANDIDATES {
        return false;
    }
    let mut values = [0.0; MAX_CANDIDATES];
    let candidates = values.iter_mut().zip(&items).take(above);
    candidates.for_each(|(value, &item)| *value = scores[item as usize]);
    for i in 0..above {
        let position = position_of(&values[..above], i);
        best[position] = Top { score: values[i], item: items[i] };
    }
    if above < k {
        let equal = scores.iter().enumerate().filter(|(_, score)| **score == threshold);
        for (slot, (item, &score)) in best[above..k].iter_mut().zip(equal) {
            *slot = Top { score, item: item as u32 };
        }
    }
    true
}

/// Returns a value that at least `k` of the scores reach.
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
    let positions = (0..GROUPS).map(|group| (position_of(&maxima, group), maxima[group]));
    let kth = positions.into_iter().find(|(position, _)| *position == k - 1);
    kth.map_or(f64::NEG_INFINITY, |(_, value)| value)
}

/// Returns how many values come before the i-th in descending order, earlier ones first among
/// equals.
fn position_of(values: &[f64], i: usize) -> usize {
    let value = values[i];
    let earlier: u64 = values[..i].iter().map(|&v| u64::from(v >= value)).sum();
    let later: u64 = values[i + 1..].iter().map(|&v| u64::from(v > value)).sum();
    (earlier + later) as usize
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

    #[test]
    fn zeros_of_both_signs_tie() {
        assert_eq!(top(&[0.0, -0.0, 0.0], 2), [0, 1]);
        assert_eq!(top(&[-0.0; 100], 40), (0..40).collect::<Vec<u32>>());
    }
}
