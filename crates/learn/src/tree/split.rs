//! The best split of a node by one block of features.
//!
//! gain = S(left) + S(right) - S(node), S(G, H) = max(|G| - l1, 0)^2 / (H + l2), over all
//! thresholds, with missing values on either side (Chen and Guestrin 2016, eq. 7, without the
//! factor 1/2). All sums are in quanta; only the final gain is scaled.
//!
//! Example: G = (-3, 3), H = (1, 1), no penalties: gain = 9 + 9 - 0.

use super::bins::{FeatureBins, LANES};
use super::category;
use super::constraint::Bounds;
use super::partition::RowPartition;
use super::quantise::unpack;
use super::scan::Scans;
use crate::params::Direction;
use stakes_model::tree::{CategorySet, Test};

/// Penalties and limits of a split, in quanta.
#[derive(Debug, Clone)]
pub(super) struct Rules {
    pub(super) l1: f64,
    pub(super) l2: f64,
    pub(super) category_l2: f64,
    /// At least 1: a side whose second derivatives are 0 has no Newton step.
    pub(super) min_hess: f64,
    pub(super) min_rows: i64,
    /// The factor from gains in quanta to gains.
    pub(super) gain_unit: f64,
    /// The factor from leaf values in quanta to leaf values.
    pub(super) value_unit: f64,
}

/// A possible split of a node.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    pub(super) gain: f64,
    pub(super) feature: usize,
    pub(super) test: BinTest,
    pub(super) missing_left: bool,
    /// The sums of the left side.
    pub(super) left: i64,
    /// Whether both sides are known to have enough rows.
    pub(super) counted: bool,
}

impl Candidate {
    /// Marks the rows that go to the left, by the bins of the feature, and returns their number.
    pub(super) fn mark(
        &self,
        partition: &mut RowPartition,
        rows: &[u32],
        bin: impl Fn(u32) -> u8 + Sync,
    ) -> usize {
        match self.test.window(self.missing_left) {
            Some((first, last)) => partition.mark(rows, |row| bin(row).wrapping_sub(first) <= last),
            None => partition.mark(rows, |row| self.test.goes_left(bin(row), self.missing_left)),
        }
    }
}

/// The bins that go to the left, apart from bin 0 (missing).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum BinTest {
    UpTo(u8),
    /// Category c has bin 1 + c.
    In(CategorySet),
}

impl BinTest {
    /// The bins that a test by these bins' own cuts or categories sends to the left.
    pub(super) fn of(test: &Test, bins: &FeatureBins) -> Self {
        match (test, bins) {
            (Test::In(set), _) => BinTest::In(*set),
            (Test::AtMost(threshold), FeatureBins::Cuts(cuts)) if *threshold < f32::MAX => {
                BinTest::UpTo(cuts.partition_point(|cut| cut <= threshold) as u8)
            }
            // All but missing values.
            (Test::AtMost(_), bins) => BinTest::UpTo((bins.len() - 1) as u8),
        }
    }

    /// Returns (first, last) for a threshold, so that one comparison suffices: a bin goes left if
    /// bin - first, wrapping, is at most last.
    pub(super) fn window(&self, missing_left: bool) -> Option<(u8, u8)> {
        match self {
            BinTest::UpTo(last) if missing_left => Some((0, *last)),
            BinTest::UpTo(last) => Some((1, last - 1)),
            BinTest::In(_) => None,
        }
    }

    #[inline]
    pub(super) fn goes_left(&self, bin: u8, missing_left: bool) -> bool {
        match self {
            _ if bin == 0 => missing_left,
            BinTest::UpTo(last) => bin <= *last,
            BinTest::In(set) => set.contains(bin - 1),
        }
    }
}

/// What the search needs to know of a node.
pub(super) struct NodeState<'n> {
    pub(super) total: i64,
    pub(super) bounds: Bounds,
    pub(super) rules: &'n Rules,
}

impl NodeState<'_> {
    /// S(node), without bounds.
    pub(super) fn whole_score(&self) -> f64 {
        let (g, h) = unpack(self.total);
        let beyond = (f64::from(g).abs() - self.rules.l1).max(0.0);
        beyond * beyond / (f64::from(h) + self.rules.l2)
    }
}

/// What the search needs to know of a feature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SearchFeature {
    pub(super) feature: usize,
    pub(super) bins: usize,
    pub(super) is_category: bool,
    pub(super) direction: Direction,
}

impl SearchFeature {
    pub(super) fn new(feature: usize, bins: &FeatureBins, direction: Direction) -> Self {
        let is_category = matches!(bins, FeatureBins::Categories(_));
        SearchFeature { feature, bins: bins.len(), is_category, direction }
    }

    /// Whether it is a number without a direction.
    pub(super) fn is_free_number(&self) -> bool {
        !self.is_category && self.direction == Direction::Any
    }
}

/// Up to eight features of a node.
pub(super) struct Block<'n> {
    /// The feature of each lane, ascending.
    pub(super) members: &'n [SearchFeature],
    pub(super) cells: &'n [i64],
    /// The number of rows by bin, in the low half of each cell.
    pub(super) counts: Option<&'n [i64]>,
    /// The lanes whose features may be used.
    pub(super) mask: u8,
}

impl Block<'_> {
    /// Whether rows of a bin are known: by their number if rows are counted, otherwise by their sums, which may be 0 in spite of
    /// rows.
    pub(super) fn has_rows(&self, lane: usize, bin: usize) -> bool {
        self.counts.unwrap_or(self.cells)[bin * LANES + lane] != 0
    }

    /// The lanes of numeric features without a direction, which can be searched together.
    fn unconstrained_numbers(&self) -> u8 {
        self.members
            .iter()
            .enumerate()
            .fold(0, |lanes, (lane, member)| lanes | u8::from(member.is_free_number()) << lane)
    }
}

/// Returns the best split by the features of a block, if any has a gain.
pub(super) fn best_in_block(node: &NodeState<'_>, block: &Block<'_>) -> Option<Candidate> {
    let mut alone = block.mask;
    let mut best = None;
    if node.bounds == Bounds::NONE {
        let together = block.mask & block.unconstrained_numbers();
        best = Scans::new(node, block).best(node, block, together);
        alone &= !together;
    }
    for lane in (0..block.members.len()).filter(|lane| alone >> lane & 1 == 1) {
        let found = match block.members[lane].is_category {
            true => category::best_split(node, block, lane),
            false => scan_alone(node, block, lane),
        };
        best = better(best, found);
    }
    best
}

/// Returns the candidate with the larger gain; among equals that of the first feature.
pub(super) fn better(a: Option<Candidate>, b: Option<Candidate>) -> Option<Candidate> {
    match (a, b) {
        (Some(a), Some(b)) => {
            let is_better = b.gain > a.gain || b.gain == a.gain && b.feature < a.feature;
            Some(if is_better { b } else { a })
        }
        (a, b) => a.or(b),
    }
}

/// Whether missing values go left where training saw none: they go with the larger side.
pub(super) fn heavier_is_left(left: i64, total: i64) -> bool {
    let (_, part) = unpack(left);
    let (_, all) = unpack(total);
    u64::from(part) * 2 >= u64::from(all)
}

/// Searches one numeric feature, with bounds on leaf values and a direction.
pub(super) fn scan_alone(
    node: &NodeState<'_>,
    block: &Block<'_>,
    lane: usize,
) -> Option<Candidate> {
    let SearchFeature { bins, feature, direction, .. } = block.members[lane];
    let cell = |cells: &[i64], bin: usize| cells[bin * LANES + lane];
    let (missing, missing_seen) = (cell(block.cells, 0), block.has_rows(lane, 0));
    let all_rows: i64 =
        block.counts.map_or(0, |counts| (0..bins).map(|bin| cell(counts, bin)).sum());
    let mut best: Option<Candidate> = None;
    for missing_left in [false, true] {
        if missing_left && !missing_seen {
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
            let enough = block.counts.is_none() || rows.min(all_rows - rows) >= node.rules.min_rows;
            let gain = gain_of(node, left, node.rules.l2, direction);
            let ahead = best.as_ref().map_or(0.0, |b| b.gain);
            if let Some(gain) = gain.filter(|&gain| enough && gain > ahead) {
                let unseen = heavier_is_left(left, node.total);
                best = Some(Candidate {
                    gain,
                    feature,
                    test: BinTest::UpTo(bin as u8),
                    missing_left: if missing_seen { missing_left } else { unseen },
                    left,
                    counted: block.counts.is_some(),
                });
            }
        }
    }
    best
}

/// Returns the gain of a division, or `None` if a side has too small a sum of second derivatives or
/// the direction is violated. Leaf values are clamped to the node's bounds.
pub(super) fn gain_of(
    node: &NodeState<'_>,
    left: i64,
    l2: f64,
    direction: Direction,
) -> Option<f64> {
    let rules = node.rules;
    let sides = [left, node.total - left].map(|sum| {
        let (g, h) = unpack(sum);
        (f64::from(g), f64::from(h))
    });
    if sides.iter().any(|(_, h)| *h < rules.min_hess) {
        return None;
    }
    let bounds = node.bounds.in_units_of(rules.value_unit);
    let value = |(g, h): (f64, f64)| bounds.clamp(-soft(g, rules.l1) / (h + l2));
    let values = sides.map(value);
    if !direction.allows(values[0], values[1]) {
        return None;
    }
    let score = |(g, h): (f64, f64), l2: f64, v: f64| {
        -(2.0 * g * v + (h + l2) * v * v + 2.0 * rules.l1 * v.abs())
    };
    let (g, h) = unpack(node.total);
    let whole = (f64::from(g), f64::from(h));
    let parts = score(sides[0], l2, values[0]) + score(sides[1], l2, values[1]);
    let value = bounds.clamp(-soft(whole.0, rules.l1) / (whole.1 + rules.l2));
    Some((parts - score(whole, rules.l2, value)) * rules.gain_unit)
}

/// Shrinks G towards 0 by l1 (soft thresholding).
pub(super) fn soft(g: f64, l1: f64) -> f64 {
    g.signum() * (g.abs() - l1).max(0.0)
}

#[cfg(test)]
mod tests;
