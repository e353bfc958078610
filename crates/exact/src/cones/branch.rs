//! Which pair to cut a cone at.
//!
//! Pairs that cut the cone well and decide much near the top are tried on what is known already: what the
//! rays of either side alone would make of the bound. New rays on the cut may undo some of that, so it is an
//! estimate; the pair with the greatest product of both falls is taken (strong branching, as in
//! mixed-integer programming).

use super::marks::Marks;
use super::pairs::{Pair, Pairs};

/// Rays that are looked at to see how well a pair cuts.
const SAMPLE: usize = 32;

/// Pairs that are tried. (Of UIS's top 50, after 8000 cuts: with 4 the gap is 3.6 %, with 16 2.5 %, with 64
/// 1.8 %, with 200 1.7 %.)
const TRIED: usize = 64;

/// Rays that a pair is tried with first, about, and how many pairs are tried with all of them.
const PART: usize = 48;
const AGAIN: usize = 12;

/// The pair to cut at; `None` if all that matter are decided.
pub(crate) fn choose(pairs: &Pairs, marks: &Marks, now: &Known, worth_having: f64) -> Option<Pair> {
    let mut candidates: Vec<(f64, Pair)> = Vec::new();
    let step = marks.len().div_ceil(SAMPLE);
    pairs.undecided(&now.above, &now.below, |pair, worth| {
        let (word, bit) = pairs.bit(pair);
        let (mut above, mut below) = (0, 0);
        for ray in (0..marks.len()).step_by(step) {
            above += 1 - (marks.below(ray)[word] >> bit & 1);
            below += 1 - (marks.above(ray)[word] >> bit & 1);
        }
        // One more than the sample shows: every pair here cuts somewhere.
        candidates.push(((1 + above.min(below)) as f64 * worth, pair));
    });
    // Equals in the order of pairs: the same cut on every run.
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0));
    candidates.truncate(TRIED);
    let mut scratch = Known::default();
    let mut score = |pair: Pair, step: usize| {
        let (word, bit) = pairs.bit(pair);
        let mut fall = |side: &[u64]| {
            let Known { above, counts, .. } = &mut scratch;
            let has_bit = |ray: &usize| side[ray * pairs.stride() + word] >> bit & 1 == 1;
            marks.above_all((0..marks.len()).filter(has_bit).step_by(step), above);
            (now.bound - pairs.bound(above, counts)).min(worth_having)
        };
        // A fall of nothing on one side must not make the other side's fall worth nothing.
        let floor = 1e-3 * worth_having;
        (fall(marks.all_above()) + floor) * (fall(marks.all_below()) + floor)
    };
    // First by a part of the rays, which make too much of it; the best of them by all.
    let part = marks.len().div_ceil(PART);
    if part > 1 {
        candidates.iter_mut().for_each(|(estimate, pair)| *estimate = score(*pair, part));
        candidates.sort_by(|a, b| b.0.total_cmp(&a.0));
        candidates.truncate(AGAIN);
    }
    candidates.iter_mut().for_each(|(estimate, pair)| *estimate = score(*pair, 1));
    let best = candidates.into_iter().reduce(|a, b| if b.0 > a.0 { b } else { a });
    best.map(|(_, pair)| pair)
}

/// What is known of a cone.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Lesser items that surely stand above.
    pub(crate) above: Vec<u64>,
    /// Lesser items that surely stand below.
    pub(crate) below: Vec<u64>,
    /// The bound that follows.
    pub(crate) bound: f64,
    /// Memory for bounds.
    pub(crate) counts: Vec<u32>,
}
