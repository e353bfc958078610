//! Sweeps over the pairs of a list: sums over pairs without enumerating them.
//!
//! Items come by ascending target level; each better item is combined with the sum over all
//! worse items before it. Here: the sums of pair costs by whether the scores agree, over Fenwick trees
//! (Fenwick 1994) on the scores.
//!
//! Example: levels 0, 1, 1 with scores 5, 7, 3 and pair cost 1: the first better item is
//! right (7 > 5), the second wrong (3 < 5).

/// An item with its factors of the pair cost, a dot product.
#[derive(Debug, Clone, Copy)]
pub struct Term<const K: usize> {
    /// Its index among the scores.
    pub item: u32,
    /// Its level: the item of the higher level is the better one of a pair.
    pub level: u32,
    /// Its factor as the better item of a pair.
    pub as_better: [f64; K],
    /// Its factor as the worse item of a pair.
    pub as_worse: [f64; K],
}

/// A sum over all pairs of different level.
pub(super) trait Sweep {
    /// Whether the factors of the dot product may be negative although the pair cost is not.
    const SUBTRACTS: bool;

    /// Adds all pairs among `terms`, which are sorted by level, lowest first.
    fn sweep<const K: usize>(&mut self, terms: &[Term<K>]);
}

/// Sums of pair costs.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairSums {
    /// Over pairs whose better item has the higher score.
    pub right: f64,
    /// Over pairs whose worse item has the higher score.
    pub wrong: f64,
    /// Over pairs of equal scores.
    pub tied: f64,
}

impl PairSums {
    /// Returns the sum over all pairs.
    pub fn all(&self) -> f64 {
        self.right + self.wrong + self.tied
    }
}

/// Returns the sums of pair costs, as_better(i) . as_worse(j), for the order that the scores
/// give. `terms` are the items of one list by ascending level. O(n log n).
pub fn pair_sums<const K: usize>(terms: &[Term<K>], scores: &[f64]) -> PairSums {
    sums_of(scores, |sweep| sweep.sweep(terms))
}

/// Up to this number of items, comparing all pairs is faster than building a tree.
const MAX_COMPARE_ALL: usize = 32;

/// Returns the sums for the order that the scores give, over the pairs that `visit` passes on.
pub(super) fn sums_of(scores: &[f64], visit: impl FnOnce(&mut OrderSweep<'_>)) -> PairSums {
    let mut sweep = OrderSweep { scores, sums: PairSums::default() };
    visit(&mut sweep);
    let PairSums { right, wrong, tied } = sweep.sums;
    PairSums { right: right.max(0.0), wrong: wrong.max(0.0), tied: tied.max(0.0) }
}

/// Sums of pair costs by whether the scores agree.
pub(super) struct OrderSweep<'s> {
    scores: &'s [f64],
    sums: PairSums,
}

impl Sweep for OrderSweep<'_> {
    // The rounding error is small beside the sum over all pairs, by which losses are divided.
    const SUBTRACTS: bool = true;

    fn sweep<const K: usize>(&mut self, terms: &[Term<K>]) {
        if terms.len() <= MAX_COMPARE_ALL { self.compare_all(terms) } else { self.climb(terms) }
    }
}

impl OrderSweep<'_> {
    fn score<const K: usize>(&self, term: &Term<K>) -> f64 {
        self.scores[term.item as usize] + 0.0
    }

    fn compare_all<const K: usize>(&mut self, terms: &[Term<K>]) {
        for (at, better) in terms.iter().enumerate() {
            for worse in terms[..at].iter().filter(|worse| worse.level < better.level) {
                let (high, low) = (self.score(better), self.score(worse));
                let sum = if high > low {
                    &mut self.sums.right
                } else if high < low {
                    &mut self.sums.wrong
                } else {
                    &mut self.sums.tied
                };
                *sum += dot(&better.as_better, &worse.as_worse);
            }
        }
    }

    fn climb<const K: usize>(&mut self, terms: &[Term<K>]) {
        let mut sorted: Vec<f64> = terms.iter().map(|t| self.score(t)).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.dedup();
        let n = sorted.len();
        let place = |t: &Term<K>| sorted.partition_point(|s| *s < self.score(t));
        let terms: Vec<_> = terms.iter().map(|t| (t, place(t))).collect();
        // Two trees rather than a total minus the other side: an empty sum must be exactly 0.
        let (mut below, mut above) = (Fenwick::<K>::new(n), Fenwick::<K>::new(n));
        let mut tied = vec![[0.0; K]; n];
        for level in terms.chunk_by(|(a, _), (b, _)| a.level == b.level) {
            for &(better, at) in level {
                self.sums.right += dot(&better.as_better, &below.before(at));
                self.sums.wrong += dot(&better.as_better, &above.before(n - 1 - at));
                self.sums.tied += dot(&better.as_better, &tied[at]);
            }
            for &(worse, at) in level {
                below.add(at, &worse.as_worse);
                above.add(n - 1 - at, &worse.as_worse);
                add_to(&mut tied[at], &worse.as_worse);
            }
        }
    }
}

fn dot<const K: usize>(a: &[f64; K], b: &[f64; K]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn add_to<const K: usize>(sum: &mut [f64; K], more: &[f64; K]) {
    sum.iter_mut().zip(more).for_each(|(s, m)| *s += m);
}

/// Prefix sums with updates (Fenwick 1994).
struct Fenwick<const K: usize>(Vec<[f64; K]>);

impl<const K: usize> Fenwick<K> {
    fn new(n: usize) -> Self {
        Fenwick(vec![[0.0; K]; n])
    }

    fn add(&mut self, mut at: usize, value: &[f64; K]) {
        while let Some(sum) = self.0.get_mut(at) {
            add_to(sum, value);
            at |= at + 1;
        }
    }

    /// Returns the sum of the values added at indices below `end`.
    fn before(&self, mut end: usize) -> [f64; K] {
        let mut sum = [0.0; K];
        while end > 0 {
            add_to(&mut sum, &self.0[end - 1]);
            end &= end - 1;
        }
        sum
    }
}
