//! The best split of a node by one block of features.
//!
//! gain = S(left) + S(right) - S(node), S(G, H) = max(|G| - l1, 0)^2 / (H + l2), over all
//! thresholds, with missing values on either side (Chen and Guestrin, XGBoost, 2016, eq. 7,
//! without the factor 1/2). All is counted in quanta; only the final gain is scaled.
//!
//! Example: G = (-3, 3), H = (1, 1), no penalties: gain = 9 + 9 - 0.

use super::bins::{FeatureBins, LANES};
use super::category;
use super::constraint::{Bounds, Direction};
use super::quantise::unpack;
use super::tree::CategorySet;

/// What a split must respect, in quanta.
#[derive(Debug, Clone)]
pub(super) struct Rules {
    pub(super) l1: f64,
    pub(super) l2: f64,
    pub(super) category_l2: f64,
    /// At least 1: a side without second derivative has no value to say.
    pub(super) min_hess: f64,
    pub(super) min_rows: i64,
    /// Gains in quanta times this are gains.
    pub(super) gain_unit: f64,
    /// Leaf values in quanta times this are leaf values.
    pub(super) value_unit: f64,
}

/// A way to split a node.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    pub(super) gain: f64,
    pub(super) feature: usize,
    pub(super) test: BinTest,
    pub(super) missing_left: bool,
    /// The sums of the left side.
    pub(super) left: i64,
    /// Whether both sides are known to have rows enough.
    pub(super) counted: bool,
}

/// What sends a bin to the left; bin 0 is asked for separately.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum BinTest {
    UpTo(u8),
    /// Bin 1 + code.
    In(CategorySet),
}

impl BinTest {
    #[inline]
    pub(super) fn goes_left(&self, bin: u8, missing_left: bool) -> bool {
        match self {
            _ if bin == 0 => missing_left,
            BinTest::UpTo(last) => bin <= *last,
            BinTest::In(set) => set.contains(bin - 1),
        }
    }
}

/// A node, as the search sees it.
pub(super) struct Place<'n> {
    pub(super) total: i64,
    pub(super) bounds: Bounds,
    pub(super) rules: &'n Rules,
}

/// One block of features of a node.
pub(super) struct Block<'n> {
    /// Number of its first feature.
    pub(super) first: usize,
    pub(super) features: &'n [FeatureBins],
    /// By feature of the block.
    pub(super) directions: &'n [Direction],
    pub(super) cells: &'n [i64],
    /// Numbers of rows by bin, in the low half of the cells.
    pub(super) counts: Option<&'n [i64]>,
    /// Which of its features may be used.
    pub(super) mask: u8,
}

/// The best split by a block's features, if any improves.
pub(super) fn best_in_block(place: &Place<'_>, block: &Block<'_>) -> Option<Candidate> {
    let features = block.features.iter().zip(block.directions).enumerate();
    let together = match place.bounds == Bounds::NONE {
        true => Some(scan_together(place, block)),
        false => None,
    };
    features.filter(|(lane, _)| block.mask >> lane & 1 == 1).fold(None, |best, (lane, feature)| {
        let found = match (feature, &together) {
            ((FeatureBins::Categories(_), _), _) => category::best_split(place, block, lane),
            ((_, Direction::Any), Some(scans)) => scans.candidate(place, block, lane),
            _ => scan_alone(place, block, lane),
        };
        better(best, found)
    })
}

/// The one of larger gain; of equals the first.
pub(super) fn better(a: Option<Candidate>, b: Option<Candidate>) -> Option<Candidate> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.gain > a.gain { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// max(|G| - l1, 0)^2.
#[inline]
fn squared(g: f64, l1: f64) -> f64 {
    let beyond = (g.abs() - l1).max(0.0);
    beyond * beyond
}

/// S(node), in quanta.
fn whole(place: &Place<'_>) -> f64 {
    let (g, h) = unpack(place.total);
    squared(f64::from(g), place.rules.l1) / (f64::from(h) + place.rules.l2)
}

/// The best threshold of eight features at once, missing values right and left.
struct Scans {
    right: Scan,
    left: Option<Scan>,
}

/// S(left) + S(right) at the best bin of each feature; bin 0 where there is none.
#[derive(Clone, Copy)]
struct Scan {
    score: [f64; LANES],
    bin: [u64; LANES],
}

impl Scans {
    fn candidate(&self, place: &Place<'_>, block: &Block<'_>, lane: usize) -> Option<Candidate> {
        let (scan, missing_left) = match &self.left {
            Some(left) if left.score[lane] > self.right.score[lane] => (left, true),
            _ => (&self.right, false),
        };
        let gain = scan.score[lane] - whole(place);
        let bin = scan.bin[lane] as usize;
        if bin == 0 || gain <= 0.0 {
            return None;
        }
        let missing = block.cells[lane];
        let values: i64 = (1..=bin).map(|bin| block.cells[bin * LANES + lane]).sum();
        let left = if missing_left { values + missing } else { values };
        let unseen = heavier_is_left(left, place.total);
        Some(Candidate {
            gain: gain * place.rules.gain_unit,
            feature: block.first + lane,
            test: BinTest::UpTo(bin as u8),
            missing_left: if missing == 0 { unseen } else { missing_left },
            left,
            counted: block.counts.is_some(),
        })
    }
}

/// Where missing values go that training never saw: with most of the others.
pub(super) fn heavier_is_left(left: i64, total: i64) -> bool {
    let (_, part) = unpack(left);
    let (_, all) = unpack(total);
    u64::from(part) * 2 >= u64::from(all)
}

fn scan_together(place: &Place<'_>, block: &Block<'_>) -> Scans {
    let no_counts = [];
    let counts = block.counts.unwrap_or(&no_counts);
    let missing_seen = block.cells[..LANES].iter().any(|&cell| cell != 0);
    let scan = |missing_left| match block.counts {
        None => scan_all::<false>(place, block.cells, counts, missing_left),
        Some(_) => scan_all::<true>(place, block.cells, counts, missing_left),
    };
    Scans { right: scan(false), left: missing_seen.then(|| scan(true)) }
}

/// The walk over the bins. Written lane by lane without branches, so that the compiler can
/// take several lanes at once.
fn scan_all<const COUNTING: bool>(
    place: &Place<'_>,
    cells: &[i64],
    counts: &[i64],
    missing_left: bool,
) -> Scan {
    let Rules { l1, l2, min_hess, min_rows, .. } = *place.rules;
    let mut best = Scan { score: [0.0; LANES], bin: [0; LANES] };
    let (cells, _) = cells.as_chunks::<LANES>();
    let (counts, _) = counts.as_chunks::<LANES>();
    let mut sums = if missing_left { cells[0] } else { [0; LANES] };
    let mut rows = if missing_left && COUNTING { counts[0] } else { [0; LANES] };
    let all_rows: [i64; LANES] = std::array::from_fn(|lane| counts.iter().map(|c| c[lane]).sum());
    for bin in 1..cells.len() {
        for lane in 0..LANES {
            sums[lane] += cells[bin][lane];
            let (gl, hl) = halves(sums[lane]);
            let (gr, hr) = halves(place.total - sums[lane]);
            let (dl, dr) = (hl + l2, hr + l2);
            // One division instead of two.
            let score = (squared(gl, l1) * dr + squared(gr, l1) * dl) / (dl * dr);
            let mut good = (hl >= min_hess) & (hr >= min_hess) & (score > best.score[lane]);
            if COUNTING {
                rows[lane] += counts[bin][lane];
                good &= (rows[lane] >= min_rows) & (all_rows[lane] - rows[lane] >= min_rows);
            }
            best.score[lane] = if good { score } else { best.score[lane] };
            best.bin[lane] = if good { bin as u64 } else { best.bin[lane] };
        }
    }
    best
}

/// The two sums in a cell as they are, by way of bits that are a number plus 2^52: unlike a
/// conversion, that works on several cells at once.
#[inline]
fn halves(cell: i64) -> (f64, f64) {
    const TWO_52: f64 = (1u64 << 52) as f64;
    const TWO_31: f64 = (1u64 << 31) as f64;
    let lifted = |bits: u64| f64::from_bits(bits | TWO_52.to_bits());
    let (g, h) = (cell as u64 >> 32, cell as u64 & 0xffff_ffff);
    (lifted(g ^ 0x8000_0000) - (TWO_52 + TWO_31), lifted(h) - TWO_52)
}

/// One feature on its own: with bounds on leaf values, with a direction.
fn scan_alone(place: &Place<'_>, block: &Block<'_>, lane: usize) -> Option<Candidate> {
    let bins = block.features[lane].len();
    let cell = |cells: &[i64], bin: usize| cells[bin * LANES + lane];
    let missing = cell(block.cells, 0);
    let all_rows: i64 =
        block.counts.map_or(0, |counts| (0..bins).map(|bin| cell(counts, bin)).sum());
    let mut best: Option<Candidate> = None;
    for missing_left in [false, true] {
        if missing_left && missing == 0 {
            continue;
        }
        let mut left = if missing_left { missing } else { 0 };
        let mut rows = match block.counts {
            Some(counts) if missing_left => cell(counts, 0),
            _ => 0,
        };
        for bin in 1..bins {
            left += cell(block.cells, bin);
            rows += block.counts.map_or(0, |counts| cell(counts, bin));
            let enough =
                block.counts.is_none() || rows.min(all_rows - rows) >= place.rules.min_rows;
            let gain = gain_of(place, left, place.rules.l2, block.directions[lane]);
            let ahead = best.as_ref().map_or(0.0, |b| b.gain);
            if let Some(gain) = gain.filter(|&gain| enough && gain > ahead) {
                let unseen = heavier_is_left(left, place.total);
                best = Some(Candidate {
                    gain,
                    feature: block.first + lane,
                    test: BinTest::UpTo(bin as u8),
                    missing_left: if missing == 0 { unseen } else { missing_left },
                    left,
                    counted: block.counts.is_some(),
                });
            }
        }
    }
    best
}

/// The gain of a division, or `None` if a side is too light or the direction is wrong. Leaf
/// values are kept within the node's bounds.
pub(super) fn gain_of(place: &Place<'_>, left: i64, l2: f64, direction: Direction) -> Option<f64> {
    let rules = place.rules;
    let sides = [left, place.total - left].map(|sum| {
        let (g, h) = unpack(sum);
        (f64::from(g), f64::from(h))
    });
    if sides.iter().any(|(_, h)| *h < rules.min_hess) {
        return None;
    }
    let bounds = place.bounds.in_units_of(rules.value_unit);
    let value = |(g, h): (f64, f64)| bounds.clamp(-soft(g, rules.l1) / (h + l2));
    let values = sides.map(value);
    if !direction.allows(values[0], values[1]) {
        return None;
    }
    let score = |(g, h): (f64, f64), l2: f64, v: f64| {
        -(2.0 * g * v + (h + l2) * v * v + 2.0 * rules.l1 * v.abs())
    };
    let (g, h) = unpack(place.total);
    let node = (f64::from(g), f64::from(h));
    let parts = score(sides[0], l2, values[0]) + score(sides[1], l2, values[1]);
    let whole = bounds.clamp(-soft(node.0, rules.l1) / (node.1 + rules.l2));
    Some((parts - score(node, rules.l2, whole)) * rules.gain_unit)
}

/// G drawn towards 0 by l1.
pub(super) fn soft(g: f64, l1: f64) -> f64 {
    g.signum() * (g.abs() - l1).max(0.0)
}

#[cfg(test)]
mod tests;
