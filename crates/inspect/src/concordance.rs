//! Concordance: how often the order of a score agrees with the order of the cost, over pairs within lists.
//!
//! C = (concordant + undecided / 2) / pairs, over pairs of different cost; a pair of equal scores is
//! undecided. Pairs are counted over all lists together, in O(n log n) per list ([`PairCounts`]).
//!
//! By hand: scores 1, 2, 2 with costs 0, 5, 3: the pairs (0, 5) and (0, 3) are in order,
//! (5, 3) is undecided, so C = 2.5 / 3.

use serde::Serialize;
use stakes_core::metric::PairCounts;

/// The agreement of an order with the cost, over the pairs of all lists.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Concordance {
    /// The share of pairs in the right order, undecided ones counted half: 1 is perfect, 0.5 is random.
    pub value: f64,
    /// The number of pairs of items of one list that differ in cost.
    pub pairs: u64,
    /// The number of these pairs with equal scores.
    pub undecided: u64,
    /// The number of standard deviations from 0.5 under random orders.
    pub z: f64,
}

/// Counts over lists.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pairs: u64,
    undecided: u64,
    discordant: u64,
    variance: f64,
}

impl Counts {
    /// Adds a list.
    pub(super) fn add(&mut self, scores: &[f64], costs: &[f64]) {
        let counts = PairCounts::of(costs, scores);
        self.pairs += counts.strict_target();
        self.undecided += counts.tied_score;
        self.discordant += counts.discordant;
        self.variance += variance(costs.len() as f64, Ties::of(scores), Ties::of(costs));
    }

    /// The sum of both.
    pub(super) fn plus(self, other: Self) -> Self {
        Counts {
            pairs: self.pairs + other.pairs,
            undecided: self.undecided + other.undecided,
            discordant: self.discordant + other.discordant,
            variance: self.variance + other.variance,
        }
    }

    /// The concordance; `None` if no two items of a list differ in cost.
    pub(super) fn finish(self) -> Option<Concordance> {
        let concordant = self.pairs.checked_sub(self.discordant + self.undecided)?;
        if self.pairs == 0 {
            return None;
        }
        let excess = concordant as f64 - self.discordant as f64;
        Some(Concordance {
            value: 0.5 + 0.5 * excess / self.pairs as f64,
            pairs: self.pairs,
            undecided: self.undecided,
            z: if self.variance > 0.0 { excess / self.variance.sqrt() } else { 0.0 },
        })
    }
}

impl Concordance {
    /// The share of pairs in the right order, of the pairs with different scores.
    pub fn decided(&self) -> Option<f64> {
        let decided = self.pairs.checked_sub(self.undecided).filter(|&d| d > 0)? as f64;
        Some(0.5 + (self.value - 0.5) * self.pairs as f64 / decided)
    }
}

/// The sums over blocks of t tied items of t(t-1)/2, t(t-1)(t-2) and t(t-1)(2t+5).
#[derive(Debug, Clone, Copy, Default)]
struct Ties {
    pairs: f64,
    triples: f64,
    spread: f64,
}

impl Ties {
    fn of(values: &[f64]) -> Self {
        // `+ 0.0` makes 0 and -0 equal.
        let mut sorted: Vec<f64> = values.iter().map(|v| v + 0.0).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let mut ties = Ties::default();
        for same in sorted.chunk_by(|a, b| a == b) {
            let t = same.len() as f64;
            ties.pairs += t * (t - 1.0) / 2.0;
            ties.triples += t * (t - 1.0) * (t - 2.0);
            ties.spread += t * (t - 1.0) * (2.0 * t + 5.0);
        }
        ties
    }
}

/// The variance of concordant - discordant under random orders (Kendall 1970, eq. 4.4: both
/// variables tied).
fn variance(n: f64, a: Ties, b: Ties) -> f64 {
    if n < 2.0 {
        return 0.0;
    }
    let pairs = n * (n - 1.0);
    let triples = if n > 2.0 { a.triples * b.triples / (9.0 * pairs * (n - 2.0)) } else { 0.0 };
    let tied = 4.0 * a.pairs * b.pairs / (2.0 * pairs);
    ((pairs * (2.0 * n + 5.0) - a.spread - b.spread) / 18.0 + triples + tied).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(lists: &[(&[f64], &[f64])]) -> Option<Concordance> {
        let mut counts = Counts::default();
        lists.iter().for_each(|(scores, costs)| counts.add(scores, costs));
        counts.finish()
    }

    #[test]
    fn the_example_by_hand() {
        let c = of(&[(&[1.0, 2.0, 2.0], &[0.0, 5.0, 3.0])]).unwrap_or_default();
        assert!((c.value - 2.5 / 3.0).abs() < 1e-15);
        assert_eq!((c.pairs, c.undecided), (3, 1));
        assert!((c.decided().unwrap_or_default() - 1.0).abs() < 1e-12);
        assert_eq!(of(&[(&[1.0, 2.0], &[3.0, 3.0])]), None);
    }

    proptest! {
        #[test]
        fn pairs_are_counted_as_one_by_one(
            items in prop::collection::vec((0i8..6, 0i8..6), 0..40),
        ) {
            let (x, y): (Vec<f64>, Vec<f64>) =
                items.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
            let (mut pairs, mut sum) = (0u64, 0.0);
            for (i, a) in items.iter().enumerate() {
                for b in &items[..i] {
                    if a.1 != b.1 {
                        pairs += 1;
                        sum += if a.0 == b.0 { 0.5 } else { f64::from(u8::from((a.0 > b.0) == (a.1 > b.1))) };
                    }
                }
            }
            match of(&[(&x, &y)]) {
                None => prop_assert_eq!(pairs, 0),
                Some(c) => {
                    prop_assert_eq!(c.pairs, pairs);
                    prop_assert!((c.value - sum / pairs as f64).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn the_variance_is_that_over_all_orders() {
        // Costs 0, 0, 1, 2 against the score 1, 2, 2, 3 in all 24 orders.
        let costs = [0.0, 0.0, 1.0, 2.0];
        let mut sum_of_squares = 0.0;
        let mut variance = 0.0;
        for code in 0..24 {
            let mut pool = vec![1.0, 2.0, 2.0, 3.0];
            let scores = [code % 4, code / 4 % 3, code / 12, 0].map(|at| pool.remove(at));
            let mut counts = Counts::default();
            counts.add(&scores, &costs);
            let c = counts.finish().unwrap_or_default();
            let excess = 2.0 * (c.value - 0.5) * c.pairs as f64;
            sum_of_squares += excess * excess / 24.0;
            variance = counts.variance;
        }
        assert!((sum_of_squares - variance).abs() < 1e-12, "{sum_of_squares} {variance}");
    }
}
