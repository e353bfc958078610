//! Pair costs: the cost of a wrong pair, and the sums of pair costs over the pairs that an
//! order gets right, wrong or tied.
//!
//! A pair (i should be above j) costs 1, c_i c_j, (c_i + c_j)/2, max(c_i, c_j) or
//! |c_i - c_j|, c being the items' importance (Salomon 2020, section 3.2).
//!
//! Pairs are never enumerated. A pair cost that is a short dot product as_better(i) . as_worse(j)
//! takes one sweep up the target levels over a Fenwick tree of scores, O(n log n). Maximum and
//! difference have that form when importance increases with the target, as it does when it is
//! the target. Otherwise they have it across two halves of the items, the more and the less
//! important: with x between the halves, |c_i - c_j| = |c_i - x| + |c_j - x|. Repeated halving
//! visits every pair once, O(n log^2 n), and never subtracts sums.
//!
//! Example: importances 4, 2, 1 in the order 2, 4, 1: the pair (4, 2) is wrong, (4, 1) and
//! (2, 1) are right. Wrong / all is 1/3 uniform, 8/14 product, 3/7 mean, 4/10 maximum and
//! 2/6 difference.

use std::ops::Range;

use super::pair_counts::{Levels, PairCounts};
use super::pair_sweep::{PairSums, Sweep, Term, sums_of};
use super::{Allowed, OptionInfo, Options};

/// How the importances of two items make the cost of their pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PairCost {
    Uniform,
    Product,
    Mean,
    Max,
    Difference,
}

pub(super) const PAIR: OptionInfo = OptionInfo {
    key: "pair",
    default: "uniform",
    allowed: Allowed::OneOf(&["uniform", "product", "mean", "max", "difference"]),
    help: "cost of a pair from its items' weights (costs if there are none): uniform (1), \
           product, mean, max, difference",
};

impl PairCost {
    /// Reads the option.
    pub(super) fn read(options: &Options<'_>) -> Self {
        match options.get(PAIR.key) {
            "product" => PairCost::Product,
            "mean" => PairCost::Mean,
            "max" => PairCost::Max,
            "difference" => PairCost::Difference,
            _ => PairCost::Uniform,
        }
    }
}

/// The ordered pairs of a list, with their costs.
#[derive(Debug, Clone)]
pub(super) struct CostedPairs {
    pub(super) levels: Levels,
    importance: Vec<f64>,
    kind: PairCost,
    /// What the pair costs were divided by.
    unit: f64,
}

impl CostedPairs {
    /// Importances are divided by the largest, which changes no share and keeps products from
    /// overflowing.
    pub(super) fn new(levels: Levels, importance: &[f64], kind: PairCost) -> Self {
        let largest = largest(importance);
        let unit = match kind {
            PairCost::Uniform => 1.0,
            PairCost::Product => largest * largest,
            PairCost::Mean | PairCost::Max | PairCost::Difference => largest,
        };
        CostedPairs { levels, importance: scaled(importance), kind, unit }
    }

    /// Returns the cost of all pairs, not divided by anything.
    pub(super) fn total(&self) -> f64 {
        let constant = vec![0.0; self.importance.len()];
        self.unit * self.sums(&constant).all()
    }

    /// Returns the sums for the order that the scores give.
    pub(super) fn sums(&self, scores: &[f64]) -> PairSums {
        if self.kind == PairCost::Uniform {
            let counts = PairCounts::new(&self.levels, scores);
            return PairSums {
                right: counts.concordant as f64,
                wrong: counts.discordant as f64,
                tied: counts.tied_score as f64,
            };
        }
        sums_of(scores, |sweep| self.visit(sweep))
    }

    /// Passes all pairs to a sweep.
    pub(super) fn visit<S: Sweep>(&self, sweep: &mut S) {
        match self.kind {
            PairCost::Uniform => sweep.sweep(&self.terms(|_| ([1.0], [1.0]))),
            PairCost::Product => sweep.sweep(&self.terms(|c| ([c], [c]))),
            PairCost::Mean => sweep.sweep(&self.terms(|c| ([0.5 * c, 0.5], [1.0, c]))),
            PairCost::Max if self.rises_with_target() => {
                sweep.sweep(&self.terms(|c| ([c], [1.0])));
            }
            PairCost::Difference if S::SUBTRACTS && self.rises_with_target() => {
                // A common shift changes no difference, but it costs digits.
                let smallest = self.importance.iter().copied().fold(f64::INFINITY, f64::min);
                sweep.sweep(&self.terms(|c| ([c - smallest, -1.0], [1.0, c - smallest])));
            }
            PairCost::Max | PairCost::Difference => self.visit_halves(sweep),
        }
    }

    fn terms<const K: usize>(&self, sides: impl Fn(f64) -> ([f64; K], [f64; K])) -> Vec<Term<K>> {
        let items = self.levels.items().iter();
        items
            .map(|i| {
                let (as_better, as_worse) = sides(self.importance[i.item as usize]);
                Term { item: i.item, level: i.level, as_better, as_worse }
            })
            .collect()
    }

    /// Whether in every pair the better item is at least as important.
    fn rises_with_target(&self) -> bool {
        let (mut level, mut before, mut within) = (0, 0.0, 0.0_f64);
        self.levels.items().iter().all(|i| {
            let c = self.importance[i.item as usize];
            if i.level != level {
                (level, before) = (i.level, within);
            }
            within = within.max(c);
            c >= before
        })
    }

    fn visit_halves(&self, sweep: &mut impl Sweep) {
        let importance = |item: u32| self.importance[item as usize];
        let mut items = self.levels.items().to_vec();
        items.sort_unstable_by(|a, b| {
            importance(a.item).total_cmp(&importance(b.item)).then(a.item.cmp(&b.item))
        });
        let mut todo = Vec::from([Range { start: 0, end: items.len() }]);
        let mut terms = Vec::new();
        while let Some(range) = todo.pop() {
            if range.len() < 2 {
                continue;
            }
            let middle = range.start + range.len() / 2;
            let between = importance(items[middle].item);
            terms.clear();
            terms.extend(range.clone().map(|at| {
                let c = importance(items[at].item);
                // The pair cost is the sum of the two items' parts.
                let part = match self.kind {
                    PairCost::Difference => (c - between).abs(),
                    _ if at < middle => 0.0,
                    _ => c,
                };
                // Only pairs across the halves have a product other than 0.
                let (as_better, as_worse) = if at < middle {
                    ([part, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, part])
                } else {
                    ([0.0, 0.0, part, 1.0], [1.0, part, 0.0, 0.0])
                };
                Term { item: items[at].item, level: items[at].level, as_better, as_worse }
            }));
            terms.sort_unstable_by_key(|t| (t.level, t.item));
            sweep.sweep(&terms);
            todo.extend([range.start..middle, middle..range.end]);
        }
    }
}

/// Returns the values divided by the largest.
pub(super) fn scaled(importance: &[f64]) -> Vec<f64> {
    let divisor = largest(importance);
    importance.iter().map(|c| c / divisor).collect()
}

/// Returns the largest value; 1 if all are 0.
fn largest(importance: &[f64]) -> f64 {
    let largest = importance.iter().copied().fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KINDS: [PairCost; 5] =
        [PairCost::Uniform, PairCost::Product, PairCost::Mean, PairCost::Max, PairCost::Difference];

    fn cost(kind: PairCost, a: f64, b: f64) -> f64 {
        match kind {
            PairCost::Uniform => 1.0,
            PairCost::Product => a * b,
            PairCost::Mean => (a + b) / 2.0,
            PairCost::Max => a.max(b),
            PairCost::Difference => (a - b).abs(),
        }
    }

    fn by_hand(target: &[f64], scores: &[f64], c: &[f64], kind: PairCost) -> PairSums {
        let mut sums = PairSums::default();
        for i in 0..target.len() {
            for j in (0..target.len()).filter(|&j| target[i] > target[j]) {
                let cost = cost(kind, c[i], c[j]);
                match scores[i].total_cmp(&scores[j]) {
                    std::cmp::Ordering::Greater => sums.right += cost,
                    std::cmp::Ordering::Less => sums.wrong += cost,
                    std::cmp::Ordering::Equal => sums.tied += cost,
                }
            }
        }
        sums
    }

    #[test]
    fn the_example_at_the_head() {
        let costs = [4.0, 2.0, 1.0];
        let shares = KINDS.map(|kind| {
            let pairs = CostedPairs::new(Levels::new(&costs), &costs, kind);
            let sums = pairs.sums(&[2.0, 3.0, 1.0]);
            sums.wrong / sums.all()
        });
        let expected = [1.0 / 3.0, 8.0 / 14.0, 3.0 / 7.0, 4.0 / 10.0, 2.0 / 6.0];
        assert!(shares.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{shares:?}");
    }

    proptest! {
        #[test]
        fn sums_are_those_of_the_double_loop(
            rows in prop::collection::vec((0i32..6, -5i32..6, 0i32..9), 1..150),
            own in any::<bool>(),
        ) {
            let column = |f: fn(&(i32, i32, i32)) -> i32| -> Vec<f64> {
                rows.iter().map(|r| f64::from(f(r))).collect()
            };
            let (target, scores) = (column(|r| r.0), column(|r| r.1));
            let c = if own { target.clone() } else { column(|r| r.2) };
            for kind in KINDS {
                let pairs = CostedPairs::new(Levels::new(&target), &c, kind);
                let (fast, slow) = (pairs.sums(&scores), by_hand(&target, &scores, &scaled(&c), kind));
                for (a, b) in [
                    (fast.right, slow.right),
                    (fast.wrong, slow.wrong),
                    (fast.tied, slow.tied),
                ] {
                    prop_assert!((a - b).abs() <= 1e-12 * (1.0 + slow.all()), "{:?} {:?} {:?}", kind, fast, slow);
                }
                // A perfect order costs exactly nothing.
                prop_assert_eq!(pairs.sums(&target).wrong, 0.0);
            }
        }
    }
}
