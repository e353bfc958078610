//! The best split of a node of few rows.
//!
//! A histogram has up to 256 bins of every feature to clear and to search, however few rows there
//! are. Here only the bins that occur are summed up and looked at, and only of the features that the
//! node may use. A bin without rows changes no sum, and of equal scores the first is taken either way:
//! the split is the same to the bit (the tests compare them).

use super::bins::{LANES, MAX_BINS};
use super::category;
use super::constraint::{Bounds, FeatureMask};
use super::grower::SearchGroup;
use super::matrix::BinnedMatrix;
use super::quantise::unpack;
use super::split::{
    BinTest, Block, Candidate, NodeState, Rules, SearchFeature, better, heavier_is_left, scan_alone,
};

/// The rows of a node and their words.
#[derive(Clone, Copy)]
pub(super) struct FewRows<'r> {
    pub(super) matrix: &'r BinnedMatrix,
    pub(super) rows: &'r [u32],
    pub(super) words: &'r [i64],
    /// Whether both sides of a split are to have the minimum number of rows.
    pub(super) counting: bool,
}

impl FewRows<'_> {
    /// Returns the best split by the features of the mask.
    pub(super) fn best(
        &self,
        blocks: &[Vec<SearchGroup>],
        node: &NodeState<'_>,
        mask: &FeatureMask,
    ) -> Option<Candidate> {
        let mut sums = Sums::new();
        let mut block_words = vec![0; self.rows.len()];
        let mut bins = vec![0; self.rows.len()];
        let mut best = None;
        for (block, groups) in blocks.iter().enumerate() {
            let read = |(word, &row): (&mut u64, &u32)| *word = self.matrix.row(row)[block];
            block_words.iter_mut().zip(self.rows).for_each(read);
            for SearchGroup { group, members } in groups {
                let wanted = mask.of(&group.features);
                for lane in (0..members.len()).filter(|lane| wanted >> lane & 1 == 1) {
                    group.read(lane, &block_words, &mut bins);
                    let feature = &members[lane];
                    if !feature.is_free_number() || node.bounds != Bounds::NONE {
                        best = better(best, self.best_alone(&bins, node, feature));
                        continue;
                    }
                    sums.add(&bins, self.words);
                    best = better(best, sums.best(node, feature, self.counting));
                    sums.clear();
                }
            }
        }
        best
    }

    /// Searches one feature by itself: a category, or a number with a direction or bounds.
    fn best_alone(
        &self,
        bins: &[u8],
        node: &NodeState<'_>,
        feature: &SearchFeature,
    ) -> Option<Candidate> {
        let sum = |words: &mut dyn Iterator<Item = i64>| -> Vec<i64> {
            let mut cells = vec![0; feature.bins * LANES];
            bins.iter().zip(words).for_each(|(&bin, word)| cells[usize::from(bin) * LANES] += word);
            cells
        };
        let cells = sum(&mut self.words.iter().copied());
        let counts = self.counting.then(|| sum(&mut std::iter::repeat(1)));
        let members = std::slice::from_ref(feature);
        let block = Block { members, cells: &cells, counts: counts.as_deref(), mask: 1 };
        match feature.is_category {
            true => category::best_split(node, &block, 0),
            false => scan_alone(node, &block, 0),
        }
    }
}

/// The sums of one feature by bin, and the bins that occur.
struct Sums {
    cells: [i64; MAX_BINS],
    rows: [u32; MAX_BINS],
    occurs: [u64; MAX_BINS / 64],
}

/// S(left) + S(right) at the best bin of a feature.
struct Threshold {
    score: f64,
    bin: usize,
    left: i64,
}

impl Sums {
    fn new() -> Self {
        Sums { cells: [0; MAX_BINS], rows: [0; MAX_BINS], occurs: [0; MAX_BINS / 64] }
    }

    fn add(&mut self, bins: &[u8], words: &[i64]) {
        for (&bin, word) in bins.iter().zip(words) {
            self.cells[usize::from(bin)] += word;
            self.rows[usize::from(bin)] += 1;
            self.occurs[usize::from(bin >> 6)] |= 1 << (bin & 63);
        }
    }

    /// Forgets all rows.
    fn clear(&mut self) {
        for part in 0..self.occurs.len() {
            let mut rest = std::mem::take(&mut self.occurs[part]);
            while rest != 0 {
                let bin = part * 64 + rest.trailing_zeros() as usize;
                (self.cells[bin], self.rows[bin]) = (0, 0);
                rest &= rest - 1;
            }
        }
    }

    /// The bins of values, not of missing ones, that occur, in ascending order.
    fn values(&self) -> impl Iterator<Item = usize> {
        self.occurs.iter().enumerate().flat_map(|(part, &occurs)| {
            let mut rest = if part == 0 { occurs & !1 } else { occurs };
            std::iter::from_fn(move || {
                let bin = (rest != 0).then(|| part * 64 + rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(bin)
            })
        })
    }

    /// Returns the best threshold, if it has a gain.
    fn best(
        &self,
        node: &NodeState<'_>,
        feature: &SearchFeature,
        counting: bool,
    ) -> Option<Candidate> {
        // As `Block::has_rows`.
        let missing_seen = if counting { self.rows[0] != 0 } else { self.cells[0] != 0 };
        let mut best = self.best_threshold(node, counting, false);
        let mut missing_left = false;
        if missing_seen {
            let left = self.best_threshold(node, counting, true);
            if left.as_ref().map_or(0.0, |t| t.score) > best.as_ref().map_or(0.0, |t| t.score) {
                (best, missing_left) = (left, true);
            }
        }
        let Threshold { score, bin, left } = best?;
        let gain = (score - node.whole_score()) * node.rules.gain_unit;
        let unseen = heavier_is_left(left, node.total);
        let candidate = Candidate {
            gain,
            feature: feature.feature,
            test: BinTest::UpTo(bin as u8),
            missing_left: if missing_seen { missing_left } else { unseen },
            left,
            counted: counting,
        };
        (gain > 0.0).then_some(candidate)
    }

    fn best_threshold(
        &self,
        node: &NodeState<'_>,
        counting: bool,
        missing_left: bool,
    ) -> Option<Threshold> {
        let &Rules { l1, l2, min_hess, min_rows, .. } = node.rules;
        let all_rows: i64 = match counting {
            true => self.values().chain([0]).map(|bin| i64::from(self.rows[bin])).sum(),
            false => 0,
        };
        let (mut left, mut rows) = match missing_left {
            true => (self.cells[0], i64::from(self.rows[0])),
            false => (0, 0),
        };
        let mut best: Option<Threshold> = None;
        // With missing values on the left, no value at all there is a threshold, too: the first.
        let alone = (missing_left && self.occurs[0] & 2 == 0).then_some(1);
        for bin in alone.into_iter().chain(self.values()) {
            left += self.cells[bin];
            rows += i64::from(self.rows[bin]);
            let ((left_g, left_h), (right_g, right_h)) = (halves(left), halves(node.total - left));
            if left_h < min_hess || right_h < min_hess {
                continue;
            }
            if counting && rows.min(all_rows - rows) < min_rows {
                continue;
            }
            let (dl, dr) = (left_h + l2, right_h + l2);
            let score =
                (squared_beyond(left_g, l1) * dr + squared_beyond(right_g, l1) * dl) / (dl * dr);
            if score > best.as_ref().map_or(0.0, |b| b.score) {
                best = Some(Threshold { score, bin, left });
            }
        }
        best
    }
}

/// The two sums in a cell.
fn halves(cell: i64) -> (f64, f64) {
    let (g, h) = unpack(cell);
    (f64::from(g), f64::from(h))
}

/// max(|x| - l1, 0)^2.
fn squared_beyond(x: f64, l1: f64) -> f64 {
    let beyond = x.abs() - l1;
    if beyond > 0.0 { beyond * beyond } else { 0.0 }
}

#[cfg(test)]
mod tests;
