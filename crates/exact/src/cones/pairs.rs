//! Pairs of items with different gains, and the bound on the value that follows from the decided ones.
//!
//! A pair has a greater and a lesser item, by their gains; a lesser item above a greater one is a loss. For each
//! item, bits of words mark the lesser items that are certainly above it. They imply an upper bound on the value of
//! any order that agrees with them, which is exact if all pairs are decided:
//!
//! Gains are sums of layers: g_i = smallest gain + the sum of the steps between successive gains up to g_i.
//! In a layer the items that reach it are positives and all others negatives. With m_i negatives certainly above
//! positive i, sorted so that m_1 <= m_2 <= ..., the j-th best positive has at best the rank j + m_j, since all
//! positives above it have no more negatives above them than it has. The bound is the sum over layers of
//! step x sum over j of discount(j + m_j).
//!
//! Example: gains 1, 1, 1, 0, 0, 0, 0, 0, where five 0s are above two of the three 1s: ranks 1, 7, 8.

use super::space::Space;
use crate::problem::Problem;

/// Scores closer than this are equal: items have a spread of about 1, directions have length 1.
pub(crate) const TOLERANCE: f64 = 1e-9;

/// The pairs of items with different gains in all lists.
pub(crate) struct Pairs {
    lists: Vec<ListPairs>,
    order: Vec<usize>,
    stride: usize,
    constant: f64,
}

struct ListPairs {
    /// The position of its first item in the order.
    start: usize,
    items: usize,
    /// The first item with a smaller gain than another one.
    base: usize,
    /// The number of words per item.
    words: usize,
    /// The position of its first word.
    offset: usize,
    /// For each item that has lesser ones, the first of them.
    lesser: Vec<usize>,
    /// Sums of the discounts of the first 0, 1, 2, ... ranks.
    sums: Vec<f64>,
    layers: Vec<Layer>,
}

/// A step between two successive gains.
struct Layer {
    /// The number of items that reach it.
    reach: usize,
    step: f64,
}

/// A pair of items of a list, given by their positions in the order of the list.
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
            constant: problem.sum().constant,
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
            pairs.constant += gain(last) * discounts.iter().sum::<f64>();
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

    /// The items, list after list, each list by descending gain. Scores are given in this order.
    pub(crate) fn order(&self) -> &[usize] {
        &self.order
    }

    /// The number of words for all pairs.
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// Appends the marks of lesser items that are above or level by these scores.
    pub(crate) fn mark_above(&self, scores: &[f64], marks: &mut Vec<u64>) {
        self.mark(scores, marks, |lesser, greater| lesser >= greater - TOLERANCE);
    }

    /// Appends the marks of lesser items that are below or level by these scores.
    pub(crate) fn mark_below(&self, scores: &[f64], marks: &mut Vec<u64>) {
        self.mark(scores, marks, |lesser, greater| lesser <= greater + TOLERANCE);
    }

    #[inline(always)] // So that each of the two tests is compiled into its own loop.
    fn mark(&self, scores: &[f64], marks: &mut Vec<u64>, test: impl Fn(f64, f64) -> bool) {
        for list in &self.lists {
            let scores = &scores[list.start..][..list.items];
            for (place, &first) in list.lesser.iter().enumerate() {
                for word in 0..list.words {
                    let from = list.base + word * 64;
                    let others = &scores[from..list.items.min(from + 64)];
                    marks.push(
                        bits(others, |other| test(other, scores[place])) & from_place(first, from),
                    );
                }
            }
        }
    }

    /// The upper bound on the value of any order in which these lesser items are above.
    pub(crate) fn bound(&self, above: &[u64], counts: &mut Vec<u32>) -> f64 {
        self.constant + self.lists.iter().map(|list| list.bound(above, counts)).sum::<f64>()
    }

    /// Calls `with` for each pair marked neither in `above` nor in `below`, with an estimate of its importance.
    pub(crate) fn undecided(&self, above: &[u64], below: &[u64], mut with: impl FnMut(Pair, f64)) {
        for (number, list) in self.lists.iter().enumerate() {
            let ranks = list.sums.len() - 1;
            for (place, &first) in list.lesser.iter().enumerate() {
                let at = list.offset + place * list.words;
                let certain: u32 = above[at..][..list.words].iter().map(|w| w.count_ones()).sum();
                if certain as usize >= ranks {
                    continue;
                }
                // The higher the best possible rank of the greater item, the more a pair matters.
                let importance = 1.0 / (3.0 + f64::from(certain));
                for word in 0..list.words {
                    let from = list.base + word * 64;
                    let past = (list.items - from).min(64);
                    let valid = from_place(first, from) & (u64::MAX >> (64 - past));
                    let mut rest = valid & !(above[at + word] | below[at + word]);
                    while rest != 0 {
                        let bit = rest.trailing_zeros() as usize;
                        rest &= rest - 1;
                        with(Pair { list: number, greater: place, lesser: from + bit }, importance);
                    }
                }
            }
        }
    }

    /// The position of a pair's bit: the word, and the bit within it.
    pub(crate) fn bit(&self, pair: Pair) -> (usize, u32) {
        let list = &self.lists[pair.list];
        let at = pair.lesser - list.base;
        (list.offset + pair.greater * list.words + at / 64, (at % 64) as u32)
    }

    /// The normal of the hyperplane where the items of a pair are level; on its positive side the lesser one is above.
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
                let certain: u32 = words.iter().enumerate().map(negatives).sum();
                if let Some(count) = counts.get_mut(certain as usize) {
                    *count += 1;
                }
            }
            let mut rank = 0;
            for (certain, &count) in counts.iter().enumerate() {
                let first = (rank + certain).min(ranks);
                let last = (first + count as usize).min(ranks);
                value += layer.step * (self.sums[last] - self.sums[first]);
                rank += count as usize;
            }
        }
        value
    }
}

/// The results of a test of up to 64 numbers, as bits.
#[inline(always)]
fn bits(numbers: &[f64], test: impl Fn(f64) -> bool) -> u64 {
    let mut word = 0;
    let (eights, rest) = numbers.as_chunks::<8>();
    for (byte, eight) in eights.iter().enumerate() {
        // Eight results as eight bytes; the multiplication gathers the lowest bit of each byte in the top byte.
        let tests = u64::from_le_bytes(eight.map(|number| u8::from(test(number))));
        word |= (tests.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * byte);
    }
    for (bit, number) in rest.iter().enumerate() {
        word |= u64::from(test(*number)) << (8 * eights.len() + bit);
    }
    word
}

/// The mask of positions from `first` on in a word that starts at position `from`.
fn from_place(first: usize, from: usize) -> u64 {
    match first.saturating_sub(from) {
        0 => u64::MAX,
        skipped if skipped < 64 => u64::MAX << skipped,
        _ => 0,
    }
}
