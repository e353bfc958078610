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

/// Numbers of pairs that are tried: bounds of many layers take longer.
const TRIED: usize = 16;

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
    let mut best: Option<(f64, Pair)> = None;
    let mut scratch = Known::default();
    for (_, pair) in candidates {
        let (word, bit) = pairs.bit(pair);
        let fall = |side: &[u64], scratch: &mut Known| {
            let (above, rays) = (&mut scratch.above, 0..marks.len());
            let on_side = rays.filter(|ray| side[ray * pairs.stride() + word] >> bit & 1 == 1);
            marks.above_all(on_side, above);
            (now.bound - pairs.bound(above, &mut scratch.counts)).min(worth_having)
        };
        let falls = [fall(marks.all_above(), &mut scratch), fall(marks.all_below(), &mut scratch)];
        // A fall of nothing on one side must not make the other side's fall worth nothing.
        let floor = 1e-3 * worth_having;
        let score = falls.iter().map(|fall| fall + floor).product::<f64>();
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, pair));
        }
    }
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
