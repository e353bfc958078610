//! Sweeps over the pairs of a list: what can be added up pair by pair without listing pairs.
//!
//! Items come by ascending target level; each better item meets the sum of all worse items
//! before it. Here: the sums of pair costs by whether the scores agree, over Fenwick trees
//! (Fenwick 1994, "A New Data Structure for Cumulative Frequency Tables") on the scores.
//!
//! Example: levels 0, 1, 1 with scores 5, 7, 3 and pair cost 1: the first better item is
//! right (7 > 5), the second wrong (3 < 5).

/// An item with its sides of the dot product that is the pair cost.
#[derive(Debug, Clone, Copy)]
pub struct Term<const K: usize> {
    /// Its place among the scores.
    pub item: u32,
    /// Its level: in a pair the item of the higher one is the better.
    pub level: u32,
    /// Its side as the better item of a pair.
    pub coef: [f64; K],
    /// Its side as the worse item of a pair.
    pub put: [f64; K],
}

/// Something that adds up over all pairs of different level.
pub(super) trait Sweep {
    /// Whether sides of the dot product may be negative, the pair cost not being so.
    const SUBTRACTS: bool;

    /// Takes all pairs among `terms`, which are sorted by level, lowest first.
    fn sweep<const K: usize>(&mut self, terms: &[Term<K>]);
}

/// Sums of pair costs.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairSums {
    /// Of pairs whose better item has the higher score.
    pub right: f64,
    /// Of pairs whose worse item has it.
    pub wrong: f64,
    /// Of pairs of equal scores.
    pub tied: f64,
}

impl PairSums {
    /// Of all pairs.
    pub fn all(&self) -> f64 {
        self.right + self.wrong + self.tied
    }
}

/// The sums of pair costs, coef(better) . put(worse), for the order that scores give. `terms`
/// are the items of one list by ascending level. O(n log n).
pub fn pair_sums<const K: usize>(terms: &[Term<K>], scores: &[f64]) -> PairSums {
    sums_of(scores, |sweep| sweep.sweep(terms))
}

/// Up to here comparing all pairs is quicker than growing a tree.
const FEW: usize = 32;

/// The sums for the order that the scores give, over the pairs that `visit` hands out.
pub(super) fn sums_of(scores: &[f64], visit: impl FnOnce(&mut OrderSweep<'_>)) -> PairSums {
    let mut sweep = OrderSweep { scores, sums: PairSums::default() };
    visit(&mut sweep);
    let PairSums { right, wrong, tied } = sweep.sums;
    PairSums { right: right.max(0.0), wrong: wrong.max(0.0), tied: tied.max(0.0) }
}

/// Adds pair costs up by whether the scores agree.
pub(super) struct OrderSweep<'s> {
    scores: &'s [f64],
    sums: PairSums,
}

impl Sweep for OrderSweep<'_> {
    // What subtraction loses is small beside the sum over all pairs, the unit of the losses.
    const SUBTRACTS: bool = true;

    fn sweep<const K: usize>(&mut self, terms: &[Term<K>]) {
        if terms.len() <= FEW { self.compare_all(terms) } else { self.climb(terms) }
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
                *sum += dot(&better.coef, &worse.put);
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
        // Two trees rather than a total less the other side: what is empty must sum to 0.
        let (mut below, mut above) = (Fenwick::<K>::new(n), Fenwick::<K>::new(n));
        let mut tied = vec![[0.0; K]; n];
        for level in terms.chunk_by(|(a, _), (b, _)| a.level == b.level) {
            for &(better, at) in level {
                self.sums.right += dot(&better.coef, &below.before(at));
                self.sums.wrong += dot(&better.coef, &above.before(n - 1 - at));
                self.sums.tied += dot(&better.coef, &tied[at]);
            }
            for &(worse, at) in level {
                below.add(at, &worse.put);
                above.add(n - 1 - at, &worse.put);
                add_to(&mut tied[at], &worse.put);
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

/// Prefix sums that can be added to (Fenwick 1994).
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

    /// The sum of what was added at places below `end`.
    fn before(&self, mut end: usize) -> [f64; K] {
        let mut sum = [0.0; K];
        while end > 0 {
            add_to(&mut sum, &self.0[end - 1]);
            end &= end - 1;
        }
        sum
    }
}
