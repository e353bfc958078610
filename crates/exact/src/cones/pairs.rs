//! Which items stand above which, and what that leaves to be had.
//!
//! Only pairs of different worth matter: a lesser item above a greater one is a loss. The lesser items
//! that surely stand above an item are bits of a word. From these comes a bound on what any order is
//! worth that respects them, exact if all pairs are decided:
//!
//! Gains are layers: g_i = least + sum over the steps between neighbouring gains of those that g_i reaches.
//! In a layer the items are positives (those that reach it) and negatives, and with m_i negatives surely above
//! positive i, sorted so that m_1 <= m_2 <= ..., the j-th best positive has rank j + m_j at best: all positives
//! that stand above it have no more negatives above them than it has. The bound is the sum over layers of
//! step x sum over j of discount(j + m_j).
//!
//! Example: gains 1, 1, 1, 0, 0, 0, 0, 0 where five 0s are above two of the three: ranks 1, 7, 8.

use super::space::Space;
use crate::problem::Problem;

/// Scores nearer than this are equal: items spread by about 1, directions have length 1.
pub(crate) const TOLERANCE: f64 = 1e-9;

/// The pairs of a problem that matter.
pub(crate) struct Pairs {
    lists: Vec<ListPairs>,
    order: Vec<usize>,
    stride: usize,
    unmoved: f64,
}

struct ListPairs {
    /// Where its items begin in the order.
    start: usize,
    items: usize,
    /// The first item that is less worth than another one.
    base: usize,
    /// Words of bits to an item.
    words: usize,
    /// Where its words begin.
    offset: usize,
    /// Of each item that has lesser ones, the first of them.
    lesser: Vec<usize>,
    /// Sums of the discounts of the first 0, 1, 2, ... ranks.
    sums: Vec<f64>,
    layers: Vec<Layer>,
}

/// A step between two gains.
struct Layer {
    /// How many items reach it.
    reach: usize,
    step: f64,
}

/// A pair: list, the item of greater worth, the lesser one (by their places within the list's order).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) list: usize,
    pub(crate) greater: usize,
    pub(crate) lesser: usize,
}

impl Pairs {
    pub(crate) fn new(problem: &Problem) -> Self {
        let gains = &problem.sum().gains;
        let mut pairs = Pairs {
            lists: Vec::new(),
            order: Vec::new(),
            stride: 0,
            unmoved: problem.sum().unmoved,
        };
        for (list, discounts) in problem.sum().discounts.iter().enumerate() {
            let mut items: Vec<usize> = problem.list(list).collect();
            items.sort_by(|a, b| gains[*b].total_cmp(&gains[*a]).then(a.cmp(b)));
            let gain = |place: usize| gains[items[place]];
            let last = items.len() - 1;
            let lesser = |place: usize| (place..items.len()).find(|&p| gain(p) < gain(place));
            let lesser: Vec<usize> = (0..items.len()).map_while(lesser).collect();
            let ends = (0..last).filter(|&place| gain(place) > gain(place + 1));
            let layers: Vec<Layer> =
                ends.map(|p| Layer { reach: p + 1, step: gain(p) - gain(p + 1) }).collect();
            pairs.unmoved += gain(last) * discounts.iter().sum::<f64>();
            let start = pairs.order.len();
            pairs.order.extend_from_slice(&items);
            if discounts.is_empty() || layers.is_empty() {
                continue;
            }
            let mut sums = vec![0.0];
            for discount in discounts {
                sums.push(sums[sums.len() - 1] + discount);
            }
            let base = lesser[0];
            let words = (items.len() - base).div_ceil(64);
            let offset = pairs.stride;
            pairs.stride += lesser.len() * words;
            let items = items.len();
            pairs.lists.push(ListPairs { start, items, base, words, offset, lesser, sums, layers });
        }
        pairs
    }

    /// All items in the order that is meant here.
    pub(crate) fn order(&self) -> &[usize] {
        &self.order
    }

    /// Words of bits for all pairs.
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// Marks for scores in this order, which lesser items stand above or level (`above`), and which
    /// below or level (`below`).
    pub(crate) fn mark(&self, scores: &[f64], above: &mut Vec<u64>, below: &mut Vec<u64>) {
        for list in &self.lists {
            let scores = &scores[list.start..][..list.items];
            for (place, &first) in list.lesser.iter().enumerate() {
                let score = scores[place];
                for word in 0..list.words {
                    let from = list.base + word * 64;
                    let (mut over, mut under) = (0u64, 0u64);
                    for (bit, other) in scores[from..list.items.min(from + 64)].iter().enumerate() {
                        over |= u64::from(*other >= score - TOLERANCE) << bit;
                        under |= u64::from(*other <= score + TOLERANCE) << bit;
                    }
                    let mask = from_place(first, from);
                    above.push(over & mask);
                    below.push(under & mask);
                }
            }
        }
    }

    /// No order is worth more in which these lesser items stand above.
    pub(crate) fn bound(&self, above: &[u64], counts: &mut Vec<u32>) -> f64 {
        self.unmoved + self.lists.iter().map(|list| list.bound(above, counts)).sum::<f64>()
    }

    /// Calls for each pair that is neither among `above` nor among `below`.
    pub(crate) fn undecided(&self, above: &[u64], below: &[u64], mut with: impl FnMut(Pair, f64)) {
        for (number, list) in self.lists.iter().enumerate() {
            let ranks = list.sums.len() - 1;
            for (place, &first) in list.lesser.iter().enumerate() {
                let at = list.offset + place * list.words;
                let sure: u32 = above[at..][..list.words].iter().map(|w| w.count_ones()).sum();
                if sure as usize >= ranks {
                    continue;
                }
                // What the pair may decide: the discount that the next rank down loses, at the best rank.
                let worth = 1.0 / (3.0 + f64::from(sure));
                for word in 0..list.words {
                    let from = list.base + word * 64;
                    let past = (list.items - from).min(64);
                    let valid = from_place(first, from) & (u64::MAX >> (64 - past));
                    let mut rest = valid & !(above[at + word] | below[at + word]);
                    while rest != 0 {
                        let bit = rest.trailing_zeros() as usize;
                        rest &= rest - 1;
                        with(Pair { list: number, greater: place, lesser: from + bit }, worth);
                    }
                }
            }
        }
    }

    /// Where the bit of a pair is: word, and place within it.
    pub(crate) fn bit(&self, pair: Pair) -> (usize, u32) {
        let list = &self.lists[pair.list];
        let at = pair.lesser - list.base;
        (list.offset + pair.greater * list.words + at / 64, (at % 64) as u32)
    }

    /// The hyperplane where the items of a pair are level; on its positive side the lesser one is above.
    pub(crate) fn hyperplane(&self, pair: Pair, space: &Space) -> Vec<f64> {
        let start = self.lists[pair.list].start;
        let (lesser, greater) = (space.row(start + pair.lesser), space.row(start + pair.greater));
        lesser.iter().zip(greater).map(|(a, b)| a - b).collect()
    }
}

impl ListPairs {
    fn bound(&self, above: &[u64], counts: &mut Vec<u32>) -> f64 {
        let ranks = self.sums.len() - 1;
        let mut value = 0.0;
        for layer in &self.layers {
            counts.clear();
            counts.resize(ranks, 0);
            let reached = above[self.offset..].chunks_exact(self.words).take(layer.reach);
            for words in reached {
                let negatives = |(word, bits): (usize, &u64)| {
                    (bits & from_place(layer.reach, self.base + word * 64)).count_ones()
                };
                let sure: u32 = words.iter().enumerate().map(negatives).sum();
                if let Some(count) = counts.get_mut(sure as usize) {
                    *count += 1;
                }
            }
            let mut rank = 0;
            for (sure, &count) in counts.iter().enumerate() {
                let first = (rank + sure).min(ranks);
                let last = (first + count as usize).min(ranks);
                value += layer.step * (self.sums[last] - self.sums[first]);
                rank += count as usize;
            }
        }
        value
    }
}

/// The bits of places from `first` on in a word that begins at place `from`.
fn from_place(first: usize, from: usize) -> u64 {
    match first.saturating_sub(from) {
        0 => u64::MAX,
        skipped if skipped < 64 => u64::MAX << skipped,
        _ => 0,
    }
}
