//! Dividing the rows of a leaf.

use std::ops::Range;

use stakes_core::random::mix;

use super::super::matrix::BinsOf;
use super::super::partition::RowPartition;
use super::super::split::Candidate;
use super::{OpenLeaf, TreeContext};

/// Some consecutive rows of a tree, whose leaves are divided.
pub(super) struct Divider<'t> {
    pub(super) tree: &'t TreeContext<'t>,
    /// The place of the first row among those of the tree.
    pub(super) first: usize,
    pub(super) rows: &'t mut [u32],
    /// The quantised derivatives, in the order of `rows`.
    pub(super) words: &'t mut [i64],
    partition: RowPartition,
    /// The number of threads that share the work on a leaf.
    pub(super) threads: usize,
}

impl<'t> Divider<'t> {
    pub(super) fn new(
        tree: &'t TreeContext<'t>,
        first: usize,
        rows: &'t mut [u32],
        words: &'t mut [i64],
        threads: usize,
    ) -> Self {
        let partition = tree.partitions.take().unwrap_or_default();
        Divider { tree, first, rows, words, partition, threads }
    }
}

impl Drop for Divider<'_> {
    fn drop(&mut self) {
        self.tree.partitions.give(std::mem::take(&mut self.partition));
    }
}

impl Divider<'_> {
    /// Where the rows of a leaf are among these.
    pub(super) fn range(&self, open: &OpenLeaf) -> Range<usize> {
        open.rows.start - self.first..open.rows.end - self.first
    }

    /// Marks the rows of a leaf that its best split sends to the left, and returns their number.
    pub(super) fn mark(&mut self, open: &OpenLeaf, split: &Candidate) -> usize {
        let rows = &self.rows[self.range(open)];
        match self.tree.grower.matrix.bins_of(split.feature) {
            BinsOf::Column(bins) => split.mark(&mut self.partition, rows, |row| bins[row as usize]),
            BinsOf::Words(bins) => {
                split.mark(&mut self.partition, rows, |row| bins.get(row as usize))
            }
        }
    }

    /// Moves the marked rows of a leaf, so many, before the others; returns its two children.
    pub(super) fn part(
        &mut self,
        open: &OpenLeaf,
        split: &Candidate,
        left: usize,
    ) -> [OpenLeaf; 2] {
        let range = self.range(open);
        self.partition.apply(&mut self.rows[range.clone()], &mut self.words[range]);
        let middle = open.rows.start + left;
        let sums = [split.left, open.total - split.left];
        let values = sums.map(|sum| self.tree.value(sum, open.bounds));
        let direction = self.tree.grower.directions[split.feature];
        let (below, above) = open.bounds.divided(direction, values[0], values[1]);
        let mut path = open.path.clone();
        path.push(split.feature as u32);
        let child = |rows: Range<usize>, total, bounds, side: u64| OpenLeaf {
            leaf: open.leaf,
            count: rows.len(),
            rows,
            total,
            depth: open.depth + 1,
            bounds,
            path: path.clone(),
            key: mix(open.key.wrapping_add(side + 1)),
            parent: None,
            histogram: None,
            best: None,
            ahead: None,
            too_few: false,
            is_busy: false,
        };
        let Range { start, end } = open.rows;
        [child(start..middle, sums[0], below, 0), child(middle..end, sums[1], above, 1)]
    }
}
