//! Sums of the rows of a leaf by bin, and the search of a leaf.

use rayon::prelude::*;

use super::super::bins::{LANES, MAX_BINS};
use super::super::constraint::FeatureMask;
use super::super::grower::{SearchGroup, TreeGrower};
use super::super::histogram::{self, Cells, Histogram};
use super::super::split::{Block, Candidate, NodeState, best_in_block, better};
use super::OpenLeaf;
use super::divider::Divider;

/// The work (rows x blocks) below which one thread is faster than several.
const MIN_SHARED_WORK: usize = 4096;
/// The number of rows from which threads divide the rows instead of the blocks: all threads then
/// have the same amount of work, which outweighs the cost of a histogram per thread.
const MIN_SHARDED_ROWS: usize = 1 << 15;

impl Divider<'_> {
    pub(super) fn sums_of(&self, open: &OpenLeaf) -> Sums<'_> {
        self.sums(open, &self.words[self.range(open)])
    }

    /// Prepares the sums over the rows of a leaf, which have these words.
    pub(super) fn sums<'s>(&'s self, open: &OpenLeaf, words: &'s [i64]) -> Sums<'s> {
        let (rows, grower) = (&self.rows[self.range(open)], self.tree.grower);
        let threads = self.threads;
        let mut shards = Vec::new();
        if threads > 1 && rows.len() >= MIN_SHARDED_ROWS {
            // Integer sums do not depend on how the rows are divided.
            let shard = rows.len().div_ceil(threads);
            let parts = rows.par_chunks(shard).zip(words.par_chunks(shard));
            let sum = |(rows, words)| {
                let mut histogram = grower.pool.take();
                let all = histogram.groups(grower.matrix.blocks());
                all.for_each(|(first, cells)| {
                    Sums { grower, rows, words, shards: Vec::new() }.fill(cells, first);
                });
                histogram
            };
            shards = parts.map(sum).collect();
        }
        Sums { grower, rows, words, shards }
    }

    /// The number of blocks per parallel task.
    pub(super) fn group_size(&self, rows: usize) -> usize {
        let blocks = self.tree.grower.matrix.blocks();
        match rows.saturating_mul(blocks) < MIN_SHARED_WORK {
            true => blocks,
            false => blocks.div_ceil(self.threads),
        }
    }
}

/// Rows whose words are to be summed up by bin.
pub(super) struct Sums<'s> {
    grower: &'s TreeGrower<'s>,
    rows: &'s [u32],
    words: &'s [i64],
    /// The sums of parts of the rows, where threads have divided them.
    shards: Vec<Histogram>,
}

impl Sums<'_> {
    /// Fills consecutive blocks, of which the first has this number.
    pub(super) fn fill(&self, blocks: &mut [Cells], first: usize) {
        let bins = &self.grower.pool.block_bins()[first..];
        for (cells, bins) in blocks.iter_mut().zip(bins) {
            cells[..bins * LANES].fill(0);
        }
        if self.shards.is_empty() {
            return self.add_to(blocks, first);
        }
        for (block, (cells, bins)) in blocks.iter_mut().zip(bins).enumerate() {
            for shard in &self.shards {
                histogram::add(cells, shard.block(first + block), *bins);
            }
        }
    }
}

impl Sums<'_> {
    /// Adds all rows to consecutive blocks, of which the first has this number.
    pub(super) fn add_to(&self, blocks: &mut [Cells], first: usize) {
        histogram::add_rows(blocks, first, self.grower.matrix, self.rows, self.words);
    }
}

impl Drop for Sums<'_> {
    fn drop(&mut self) {
        self.shards.drain(..).for_each(|shard| self.grower.pool.give(shard));
    }
}

/// The search for the best split of a node.
pub(in super::super) struct NodeSearch<'s> {
    pub(in super::super) grower: &'s TreeGrower<'s>,
    pub(in super::super) node: NodeState<'s>,
    pub(in super::super) mask: FeatureMask,
}

impl NodeSearch<'_> {
    /// Returns the best split by the features of consecutive blocks, of which the first has this
    /// number.
    pub(in super::super) fn best(
        &self,
        first: usize,
        blocks: &[Cells],
        counts: Option<&[Cells]>,
    ) -> Option<Candidate> {
        let mut buffers = [[0; MAX_BINS * LANES]; 2];
        let [buffer, count_buffer] = &mut buffers;
        let mut best = None;
        for (at, cells) in blocks.iter().enumerate() {
            for SearchGroup { group, members } in &self.grower.blocks[first + at] {
                let mask = self.mask.of(&group.features);
                if mask == 0 {
                    continue;
                }
                let cells = group.cells(cells, buffer);
                let counts = counts.map(|counts| group.cells(&counts[at], count_buffer));
                let block = Block { members, cells, counts, mask };
                best = better(best, best_in_block(&self.node, &block));
            }
        }
        best
    }
}
