//! The best thresholds of eight features at once, several lanes per instruction.
//!
//! `pulp`, the dispatcher of a well-maintained linear algebra library (faer), runs the scan with
//! the widest registers of the processor and is safe to call. Each lane is added, multiplied and
//! compared separately according to IEEE 754, so results do not depend on the width.

use pulp::{Simd, WithSimd};
use stakes_core::processor::arch;

use super::bins::LANES;
use super::lanes::Lanes;
use super::split::{BinTest, Block, Candidate, NodeState, Rules, heavier_is_left};

/// The best thresholds with missing values on the right and, if there are any, on the left.
pub(super) struct Scans {
    right: Scan,
    left: Option<Scan>,
}

/// S(left) + S(right) at the best bin of each feature; bin 0 if no threshold is allowed.
struct Scan {
    score: Lanes,
    bin: Lanes,
}

/// A walk over the bins of a block. (Not a closure: it would not always be inlined, and would then
/// run with narrow registers.)
struct Walk<'w> {
    node: &'w NodeState<'w>,
    block: &'w Block<'w>,
    missing_left: bool,
}

impl WithSimd for Walk<'_> {
    type Output = Scan;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Scan {
        let Walk { node, block, missing_left } = self;
        match block.counts {
            None => scan::<false>(node, block.cells, &[], missing_left),
            Some(counts) => scan::<true>(node, block.cells, counts, missing_left),
        }
    }
}

impl Scans {
    /// Walks over the bins of a block.
    pub(super) fn new(node: &NodeState<'_>, block: &Block<'_>) -> Self {
        let missing_seen = (0..LANES).any(|lane| block.has_rows(lane, 0));
        let walk = |missing_left| arch().dispatch(Walk { node, block, missing_left });
        Scans { right: walk(false), left: missing_seen.then(|| walk(true)) }
    }

    /// Returns the best split by one of the features of the mask `wanted`; the first among equals.
    pub(super) fn best(
        &self,
        node: &NodeState<'_>,
        block: &Block<'_>,
        wanted: u8,
    ) -> Option<Candidate> {
        let whole = node.whole_score();
        let mut best: Option<(f64, usize)> = None;
        for lane in (0..LANES).filter(|lane| wanted >> lane & 1 == 1) {
            let scan = self.better_side(lane).0;
            // In the end gains are compared as they are kept, so that it does not matter which features share a block.
            let gain = (scan.score.0[lane] - whole) * node.rules.gain_unit;
            if scan.bin.0[lane] > 0.0 && gain > best.map_or(0.0, |b| b.0) {
                best = Some((gain, lane));
            }
        }
        best.map(|(gain, lane)| self.candidate(node, block, lane, gain))
    }

    /// Returns the better of a feature's scans, and whether it sends missing values to the left.
    fn better_side(&self, lane: usize) -> (&Scan, bool) {
        match &self.left {
            Some(left) if left.score.0[lane] > self.right.score.0[lane] => (left, true),
            _ => (&self.right, false),
        }
    }

    fn candidate(
        &self,
        node: &NodeState<'_>,
        block: &Block<'_>,
        lane: usize,
        gain: f64,
    ) -> Candidate {
        let (scan, missing_left) = self.better_side(lane);
        let bin = scan.bin.0[lane] as usize;
        let missing = block.cells[lane];
        let values: i64 = (1..=bin).map(|bin| block.cells[bin * LANES + lane]).sum();
        let left = if missing_left { values + missing } else { values };
        let unseen = heavier_is_left(left, node.total);
        Candidate {
            gain,
            feature: block.members[lane].feature,
            test: BinTest::UpTo(bin as u8),
            missing_left: if block.has_rows(lane, 0) { missing_left } else { unseen },
            left,
            counted: block.counts.is_some(),
        }
    }
}

#[inline(always)]
fn scan<const COUNTING: bool>(
    node: &NodeState<'_>,
    cells: &[i64],
    counts: &[i64],
    missing_left: bool,
) -> Scan {
    let &Rules { l1, l2, min_hess, min_rows, .. } = node.rules;
    let [l1, l2, min_hess, min_rows] = [l1, l2, min_hess, min_rows as f64].map(Lanes::all);
    let (cells, _) = cells.as_chunks::<LANES>();
    let (counts, _) = counts.as_chunks::<LANES>();
    // Sums of integers below 2^53 are exact in f64.
    let (whole_g, whole_h) = Lanes::halves(&[node.total; LANES]);
    let (mut left_g, mut left_h) = match missing_left {
        true => Lanes::halves(&cells[0]),
        false => (Lanes::all(0.0), Lanes::all(0.0)),
    };
    let mut rows = Lanes::all(0.0);
    let mut all_rows = Lanes::all(0.0);
    if COUNTING {
        all_rows = counts.iter().fold(all_rows, |sum, count| sum + Lanes::halves(count).1);
        if missing_left {
            rows = Lanes::halves(&counts[0]).1;
        }
    }
    let mut best = Scan { score: Lanes::all(0.0), bin: Lanes::all(0.0) };
    for bin in 1..cells.len() {
        let (g, h) = Lanes::halves(&cells[bin]);
        left_g = left_g + g;
        left_h = left_h + h;
        let (right_g, right_h) = (whole_g - left_g, whole_h - left_h);
        let (dl, dr) = (left_h + l2, right_h + l2);
        // One division instead of two.
        let score = (left_g.squared_beyond(l1) * dr + right_g.squared_beyond(l1) * dl) / (dl * dr);
        let mut good = score.above(best.score).and(left_h.reaches(min_hess));
        good = good.and(right_h.reaches(min_hess));
        if COUNTING {
            rows = rows + Lanes::halves(&counts[bin]).1;
            good = good.and(rows.reaches(min_rows)).and((all_rows - rows).reaches(min_rows));
        }
        best.score = good.choose(score, best.score);
        best.bin = good.choose(Lanes::all(bin as f64), best.bin);
    }
    best
}
