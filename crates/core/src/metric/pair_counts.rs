//! Counts of pairs, the basis of Kendall's tau, AUC, C-index, gamma and the set measures.
//!
//! Each of the n(n-1)/2 pairs is in order, inverted, tied in the score only, tied in the target
//! only, or tied in both. They are counted in O(n log n) after Knight 1966: sort by target,
//! then count the inversions that a merge sort by score removes.
//!
//! Example: target E>B>C>A>D, predicted A>B>E>C>D has 6 pairs in order and 4 inverted
//! (A before B, E and C; B before E).

/// An item and the number of its target level, 0 = lowest.
#[derive(Debug, Clone, Copy)]
pub(super) struct LevelItem {
    pub(super) item: u32,
    pub(super) level: u32,
}

/// The items by ascending target, computed once per list.
#[derive(Debug, Clone)]
pub(super) struct Levels {
    items: Vec<LevelItem>,
    sizes: Vec<u32>,
}

impl Levels {
    pub(super) fn new(target: &[f64]) -> Self {
        // `+ 0.0` turns -0 into +0.
        let value = |item: u32| target[item as usize] + 0.0;
        let mut sorted: Vec<u32> = (0..target.len() as u32).collect();
        sorted.sort_unstable_by(|&a, &b| value(a).total_cmp(&value(b)).then(a.cmp(&b)));
        let mut items = Vec::with_capacity(sorted.len());
        let mut sizes: Vec<u32> = Vec::new();
        for (at, &item) in sorted.iter().enumerate() {
            match sizes.last_mut() {
                Some(size) if value(item) == value(sorted[at - 1]) => *size += 1,
                _ => sizes.push(1),
            }
            items.push(LevelItem { item, level: sizes.len() as u32 - 1 });
        }
        Levels { items, sizes }
    }

    /// The items, lowest target first.
    pub(super) fn items(&self) -> &[LevelItem] {
        &self.items
    }

    /// The number of items of each level, lowest first.
    pub(super) fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// Whether no two items differ in target, so that there is no pair to get right or wrong.
    pub(super) fn has_no_pair(&self) -> bool {
        self.sizes.len() < 2
    }
}

/// The numbers of pairs of a list by how target and scores order them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairCounts {
    /// Strict in target and score, and in the same direction.
    pub concordant: u64,
    /// Strict in both, in opposite directions.
    pub discordant: u64,
    /// Strict in the target, tied in the score.
    pub tied_score: u64,
    /// Strict in the score, tied in the target.
    pub tied_target: u64,
    /// Tied in both.
    pub tied_both: u64,
}

impl PairCounts {
    /// Counts the pairs of a list with these targets and scores.
    pub fn of(target: &[f64], scores: &[f64]) -> Self {
        PairCounts::new(&Levels::new(target), scores)
    }

    pub(super) fn new(levels: &Levels, scores: &[f64]) -> Self {
        let mut sorted: Vec<f64> =
            levels.items.iter().map(|p| scores[p.item as usize] + 0.0).collect();
        let (mut same_target, mut tied_both, mut start) = (0, 0, 0);
        for &size in &levels.sizes {
            let level = &mut sorted[start..start + size as usize];
            level.sort_unstable_by(f64::total_cmp);
            same_target += pairs_of(level.len());
            tied_both += pairs_within_runs(level);
            start += level.len();
        }
        let discordant = sort_counting_inversions(&mut sorted);
        let tied_score = pairs_within_runs(&sorted) - tied_both;
        let tied_target = same_target - tied_both;
        let others = discordant + tied_score + tied_target + tied_both;
        let concordant = pairs_of(sorted.len()) - others;
        PairCounts { concordant, discordant, tied_score, tied_target, tied_both }
    }

    /// The number of all pairs.
    pub fn all(&self) -> u64 {
        self.strict_target() + self.tied_target + self.tied_both
    }

    /// The number of pairs that the target orders.
    pub fn strict_target(&self) -> u64 {
        self.concordant + self.discordant + self.tied_score
    }

    /// The number of pairs that the scores order.
    pub fn strict_score(&self) -> u64 {
        self.concordant + self.discordant + self.tied_target
    }
}

fn pairs_of(n: usize) -> u64 {
    let n = n as u64;
    n * n.saturating_sub(1) / 2
}

fn pairs_within_runs(sorted: &[f64]) -> u64 {
    sorted.chunk_by(|a, b| a == b).map(|run| pairs_of(run.len())).sum()
}

/// Sorts ascending and returns the number of inverted pairs before.
fn sort_counting_inversions(values: &mut Vec<f64>) -> u64 {
    let n = values.len();
    let mut merged = vec![0.0; n];
    let mut inversions = 0;
    let mut width = 1;
    while width < n {
        for start in (0..n).step_by(2 * width) {
            let (middle, end) = ((start + width).min(n), (start + 2 * width).min(n));
            let (mut left, mut right) = (start, middle);
            for slot in &mut merged[start..end] {
                if right == end || (left < middle && values[left] <= values[right]) {
                    *slot = values[left];
                    left += 1;
                } else {
                    *slot = values[right];
                    right += 1;
                    inversions += (middle - left) as u64;
                }
            }
        }
        std::mem::swap(values, &mut merged);
        width *= 2;
    }
    inversions
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cmp::Ordering::Equal;

    fn by_hand(target: &[f64], scores: &[f64]) -> PairCounts {
        let mut counts = PairCounts {
            concordant: 0,
            discordant: 0,
            tied_score: 0,
            tied_target: 0,
            tied_both: 0,
        };
        for i in 0..target.len() {
            for j in 0..i {
                let t = target[i].partial_cmp(&target[j]);
                let s = scores[i].partial_cmp(&scores[j]);
                *match (t, s) {
                    (Some(Equal), Some(Equal)) => &mut counts.tied_both,
                    (Some(Equal), _) => &mut counts.tied_target,
                    (_, Some(Equal)) => &mut counts.tied_score,
                    _ if t == s => &mut counts.concordant,
                    _ => &mut counts.discordant,
                } += 1;
            }
        }
        counts
    }

    #[test]
    fn the_example_of_the_slides() {
        // Items A..E; higher is better.
        let target = [2.0, 4.0, 3.0, 1.0, 5.0];
        let scores = [5.0, 4.0, 2.0, 1.0, 3.0];
        let counts = PairCounts::new(&Levels::new(&target), &scores);
        assert_eq!((counts.concordant, counts.discordant), (6, 4));
    }

    proptest! {
        #[test]
        fn counts_are_those_of_the_double_loop(
            pairs in prop::collection::vec((-3i32..4, -3i32..4), 0..80),
        ) {
            // Halved, so that zeros of both signs occur.
            let value = |x: i32| if x == -1 { -0.0 } else { f64::from(x / 2) };
            let target: Vec<f64> = pairs.iter().map(|p| value(p.0)).collect();
            let scores: Vec<f64> = pairs.iter().map(|p| value(p.1)).collect();
            let counts = PairCounts::new(&Levels::new(&target), &scores);
            prop_assert_eq!(counts, by_hand(&target, &scores));
            prop_assert_eq!(counts.all(), pairs_of(pairs.len()));
        }
    }
}
