//! The best few of a list without sorting the rest.
//!
//! Metrics with a cutoff look at k items of n. Comparisons that go either way cost a modern
//! processor far more than ones whose result is only counted, so for small k nothing is
//! sorted:
//!
//! 1. A bar that at least k values reach: deal the values into a few hands; the k-th largest
//!    of the hands' maxima is reached by k values, one in each of k hands.
//! 2. The values above the bar (about 1.5 k of them), collected without branches; where they
//!    are fewer than k, the first ones that equal the bar fill up.
//! 3. Their places, by counting for each how many come before it.
//!
//! Many large scores, or k itself large: a selection followed by a sort of the selected.

use crate::rank::best_first;

/// With more than this many candidates counting would cost more than sorting.
const CANDIDATES: usize = 64;

/// An item among the best, with its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Top {
    /// Its score.
    pub score: f64,
    /// Its place in the list.
    pub item: u32,
}

/// The `k` items of highest score, best first, earlier items first among equals, handed to
/// `with`. (A closure, so that small buffers can live on the stack.)
pub fn with_top<R>(scores: &[f64], k: usize, with: impl FnOnce(&[Top]) -> R) -> R {
    let k = k.min(scores.len());
    let mut best = [Top { score: 0.0, item: 0 }; CANDIDATES];
    let found = match k {
        0 => true,
        1..=11 => by_counting::<16>(scores, k, &mut best),
        12..=32 => by_counting::<48>(scores, k, &mut best),
        _ => false,
    };
    if found { with(&best[..k]) } else { with(&by_sorting(scores, k)) }
}

fn by_sorting(scores: &[f64], k: usize) -> Vec<Top> {
    // `+ 0.0` makes the two zeros one.
    let top = |item: u32| Top { score: scores[item as usize] + 0.0, item };
    best_first(scores, k).into_iter().map(top).collect()
}

/// Writes the k best to the front of `best`, unless there are too many candidates.
fn by_counting<const HANDS: usize>(scores: &[f64], k: usize, best: &mut [Top; CANDIDATES]) -> bool {
    debug_assert!(0 < k && k <= HANDS && k <= scores.len());
    let bar = bar::<HANDS>(scores, k);
    let mut items = [0u32; CANDIDATES];
    let mut above = 0;
    for (item, &score) in scores.iter().enumerate() {
        items[above % CANDIDATES] = item as u32;
        above += usize::from(score > bar);
    }
    if above > CANDIDATES {
        return false;
    }
    let mut values = [0.0; CANDIDATES];
    let candidates = values.iter_mut().zip(&items).take(above);
    candidates.for_each(|(value, &item)| *value = scores[item as usize]);
    for i in 0..above {
        let place = place_of(&values[..above], i);
        best[place] = Top { score: values[i], item: items[i] };
    }
    if above < k {
        let equal = scores.iter().enumerate().filter(|(_, score)| **score == bar);
        for (slot, (item, &score)) in best[above..k].iter_mut().zip(equal) {
            *slot = Top { score, item: item as u32 };
        }
    }
    true
}

/// A value that at least `k` of the scores reach.
fn bar<const HANDS: usize>(scores: &[f64], k: usize) -> f64 {
    let mut maxima = [f64::NEG_INFINITY; HANDS];
    let (rounds, rest) = scores.as_chunks::<HANDS>();
    for round in rounds {
        for (max, &score) in maxima.iter_mut().zip(round) {
            *max = if score > *max { score } else { *max };
        }
    }
    for (max, &score) in maxima.iter_mut().zip(rest) {
        *max = if score > *max { score } else { *max };
    }
    let places = (0..HANDS).map(|hand| (place_of(&maxima, hand), maxima[hand]));
    let kth = places.into_iter().find(|(place, _)| *place == k - 1);
    kth.map_or(f64::NEG_INFINITY, |(_, value)| value)
}

/// How many values come before the i-th in descending order, earlier ones first among equals.
fn place_of(values: &[f64], i: usize) -> usize {
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
    fn many_candidates_above_the_bar() {
        // All large values in the hands that come first, so that the bar is low.
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
