//! Which items of a list are re-ranked, and one score for both stages.
//!
//! Re-ranked items must be above all others of their list, whatever the scales of the two scores. Let
//! f be an upper bound of the others' base scores (the threshold, or the lowest base score of the
//! re-ranked items), s = |f| (1 if f is 0) and r the second score. Then
//!
//! score = f + s g(r), g(r) = 1 + r for r >= 0 and 1 / (1 - r) below,
//!
//! which increases with r and is above f. Where rounding would make two different r the same score, or
//! one of them equal to f, the next larger number is used, from the lowest r upwards. So within a list
//! the order of scores is that of (re-ranked or not, r or base score), and ties are the ties of r and
//! of the base score.
//!
//! Example: base scores 5, 4, 3, 1, of which the first two are above the threshold 3.5, and r = -1
//! and 2: the scores are 3.5 + 3.5 / 2, 3.5 + 3.5 x 3, 3 and 1.

use serde::{Deserialize, Serialize};

/// Which items of a list are re-ranked.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RerankScope {
    /// All items.
    All,
    /// The items whose base score is above this.
    Score(f64),
    /// This many items with the highest base scores, and those tied with the last of them.
    First(u64),
}

impl RerankScope {
    /// Whether each item of one list is re-ranked, given the base scores.
    pub fn select(self, scores: &[f64]) -> Vec<bool> {
        let at_least = |min: f64| scores.iter().map(|score| *score >= min).collect();
        match self {
            RerankScope::All => vec![true; scores.len()],
            RerankScope::Score(threshold) => {
                scores.iter().map(|score| *score > threshold).collect()
            }
            RerankScope::First(0) => vec![false; scores.len()],
            RerankScope::First(count) => {
                let mut falling = scores.to_vec();
                falling.sort_unstable_by(|a, b| b.total_cmp(a));
                at_least(falling.get(count as usize - 1).copied().unwrap_or(f64::NEG_INFINITY))
            }
        }
    }

    /// An upper bound of the base scores of all items that are not re-ranked.
    fn floor(self, scores: &[f64], selected: &[bool]) -> f64 {
        match self {
            RerankScope::Score(threshold) => threshold,
            RerankScope::All => 0.0,
            RerankScope::First(_) => {
                let reached = scores.iter().zip(selected).filter(|(_, selected)| **selected);
                reached.map(|(score, _)| *score).fold(f64::INFINITY, f64::min)
            }
        }
    }

    /// Replaces the scores of the re-ranked items of one list; `second` returns the second score of an
    /// item.
    pub(super) fn rerank(self, scores: &mut [f64], second: impl Fn(usize) -> f64) {
        let selected = self.select(scores);
        let floor = self.floor(scores, &selected);
        let mut reranked: Vec<(f64, usize)> =
            (0..scores.len()).filter(|i| selected[*i]).map(|i| (second(i), i)).collect();
        reranked.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let size = if floor == 0.0 { 1.0 } else { floor.abs() };
        // If all items are re-ranked, there are no others to be above.
        let mut last = if self == RerankScope::All { f64::NEG_INFINITY } else { floor };
        for tied in reranked.chunk_by(|a, b| a.0 == b.0) {
            let r = tied[0].0;
            let rise = if r >= 0.0 { 1.0 + r } else { 1.0 / (1.0 - r) };
            let score = match self {
                RerankScope::All => r,
                _ => floor + size * rise,
            };
            // Far below the largest number, so that larger ones are left for the next items.
            last = score.min(f64::MAX / 2.0).max(last.next_up()).min(f64::MAX);
            tied.iter().for_each(|(_, item)| scores[*item] = last);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reranked(scope: RerankScope, scores: &[f64], second: &[f64]) -> Vec<f64> {
        let mut scores = scores.to_vec();
        scope.rerank(&mut scores, |item| second[item]);
        scores
    }

    #[test]
    fn the_example_above() {
        let scores = [5.0, 4.0, 3.0, 1.0];
        let second = [-1.0, 2.0, 9.0, 9.0];
        let expected = [3.5 + 1.75, 3.5 + 10.5, 3.0, 1.0];
        assert_eq!(reranked(RerankScope::Score(3.5), &scores, &second), expected);
        let first = reranked(RerankScope::First(2), &scores, &second);
        assert_eq!(first, [4.0 + 2.0, 4.0 + 12.0, 3.0, 1.0]);
        assert_eq!(reranked(RerankScope::All, &scores, &second), second);
        // Items tied with the last one are selected as well.
        assert_eq!(RerankScope::First(2).select(&[3.0, 2.0, 2.0, 1.0]), [true, true, true, false]);
        assert_eq!(RerankScope::First(9).select(&[3.0, 2.0]), [true, true]);
    }

    #[test]
    fn orders_and_ties_survive_rounding() {
        // Second scores that differ by less than the threshold's last digit, or are far apart.
        let second =
            [1e-300, 2e-300, -1e300, -2e300, 0.0, -0.0, 7.0, 7.0, 1e300, f64::MAX, 1.0 + 1e-16];
        for threshold in [0.0, 1.0, -1.0, 1e12, -1e300, 1e-300] {
            let scores: Vec<f64> = second.iter().map(|_| f64::MAX).chain([threshold]).collect();
            let out =
                reranked(RerankScope::Score(threshold), &scores, &[&second[..], &[5.0]].concat());
            let (beneath, above) = (out[second.len()], &out[..second.len()]);
            assert_eq!(beneath, threshold);
            assert!(above.iter().all(|score| *score > threshold && score.is_finite()));
            for (a, r) in above.iter().zip(&second) {
                for (b, q) in above.iter().zip(&second) {
                    assert_eq!(a.partial_cmp(b), r.partial_cmp(q), "{r} {q} at {threshold}");
                }
            }
        }
    }
}
