//! Sums of the rows of a leaf by bin, and the search of a leaf.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

use super::super::bins::{LANES, MAX_BINS};
use super::super::constraint::FeatureMask;
use super::super::facts::Items;
use super::super::grower::{SearchGroup, TreeGrower};
use super::super::histogram::{self, Cells, Histogram};
use super::super::split::{Block, Candidate, NodeState, best_in_block, better};
use super::OpenLeaf;
use super::divider::Divider;

/// The work (rows x blocks) below which one thread is faster than several.
const MIN_SHARED_WORK: usize = 4096;
/// The work from which there are more tasks than threads, so that a slow thread does fewer of them.
const MIN_SPREAD_WORK: usize = 16 * MIN_SHARED_WORK;
/// The number of rows from which threads divide the rows instead of the blocks: all threads then
/// have the same amount of work, which outweighs the cost of a histogram per thread.
const MIN_SHARDED_ROWS: usize = 1 << 15;
/// The number of rows that are added to a block in the time in which a bin of it is subtracted and searched in both
/// children.
const ROWS_PER_BIN: usize = 4;
/// The number of rows that a thread takes at a time where threads divide the rows.
const PIECE: usize = 1 << 13;

impl Divider<'_> {
    pub(super) fn sums_of(&self, open: &OpenLeaf) -> Sums<'_> {
        self.sums(open, &self.words[self.range(open)])
    }

    /// Prepares the sums over the rows of a leaf, which have these words.
    pub(super) fn sums<'s>(&'s self, open: &OpenLeaf, words: &'s [i64]) -> Sums<'s> {
        let (rows, grower) = (&self.rows[self.range(open)], self.tree.grower);
        if self.threads > 1 && rows.len() >= MIN_SHARDED_ROWS {
            // Threads take one piece after the other, so that a slow one takes fewer.
            let next = AtomicUsize::new(0);
            let threads = (0..self.threads).into_par_iter().with_max_len(1);
            let shards = threads.map(|_| sum_of_pieces(grower, rows, words, &next)).collect();
            return Sums { grower, rows, words, by_item: None, shards };
        }
        let by_item = grower.facts(rows.len()).map(|(items, _)| {
            let mut sums = items.no_sums();
            items.add(rows, words, &mut sums);
            sums
        });
        Sums { grower, rows, words, by_item, shards: Vec::new() }
    }

    /// The blocks of each parallel task to search a leaf of so many rows, so that tasks take equally long.
    pub(super) fn groups_of(&self, rows: usize) -> Vec<Range<usize>> {
        self.groups(rows, |_| 0)
    }

    /// The same where these rows are summed up, too.
    pub(super) fn groups_to_sum(&self, sums: &Sums<'_>) -> Vec<Range<usize>> {
        self.groups(sums.rows.len(), |block| sums.additions(block))
    }

    fn groups(&self, rows: usize, additions: impl Fn(usize) -> usize) -> Vec<Range<usize>> {
        let bins = self.tree.grower.pool.block_bins();
        let parts = match rows.saturating_mul(bins.len()) {
            _ if self.threads == 1 => 1,
            ..MIN_SHARED_WORK => 1,
            MIN_SHARED_WORK..MIN_SPREAD_WORK => self.threads,
            _ => 2 * self.threads,
        };
        let work = bins.iter().enumerate().map(|(at, bins)| additions(at) + ROWS_PER_BIN * bins);
        even_ranges(&work.collect::<Vec<_>>(), parts)
    }
}

/// Sums up one piece of the rows after the other, as long as there are pieces that no other thread has taken. Integer sums do
/// not depend on how the rows are divided.
fn sum_of_pieces(
    grower: &TreeGrower<'_>,
    rows: &[u32],
    words: &[i64],
    next: &AtomicUsize,
) -> Histogram {
    let matrix = grower.matrix;
    let mut histogram = grower.pool.take();
    histogram.clear(grower.pool.block_bins());
    let facts = grower.facts(rows.len());
    let others = facts.map_or(matrix.blocks(), |(_, first)| first);
    let (others, of_facts) = histogram.blocks_mut().split_at_mut(others);
    let mut by_item = facts.map(|(items, _)| items.no_sums());
    loop {
        let start = next.fetch_add(PIECE, Relaxed).min(rows.len());
        let piece = start..(start + PIECE).min(rows.len());
        if piece.is_empty() {
            break;
        }
        let (rows, words) = (&rows[piece.clone()], &words[piece]);
        histogram::add_rows(others, 0, matrix, rows, words);
        if let (Some((items, _)), Some(sums)) = (facts, &mut by_item) {
            items.add(rows, words, sums);
        }
    }
    if let (Some((items, first)), Some(sums)) = (facts, by_item) {
        histogram::add_rows(of_facts, first, matrix, items.rows(), &sums);
    }
    histogram
}

/// Divides places into up to so many consecutive ranges that have about the same work.
fn even_ranges(work: &[usize], parts: usize) -> Vec<Range<usize>> {
    let total: usize = work.iter().sum();
    let mut ranges = Vec::with_capacity(parts);
    let (mut start, mut done) = (0, 0);
    for (place, own) in work.iter().enumerate() {
        done += own;
        // Where the middle of a place's work is decides the part that it belongs to.
        let next = work.get(place + 1).map(|next| (2 * done + next) * parts / (2 * total).max(1));
        if next.is_none_or(|part| part.min(parts - 1) > ranges.len()) {
            ranges.push(start..place + 1);
            start = place + 1;
        }
    }
    ranges
}

/// Rows whose words are to be summed up by bin.
pub(super) struct Sums<'s> {
    grower: &'s TreeGrower<'s>,
    rows: &'s [u32],
    words: &'s [i64],
    /// The sums by item, for blocks of facts, if that is faster.
    by_item: Option<Vec<i64>>,
    /// The sums of parts of the rows, where threads have divided them.
    shards: Vec<Histogram>,
}

impl Sums<'_> {
    /// Fills consecutive blocks, of which the first has this number.
    pub(super) fn fill(&self, blocks: &mut [Cells], first: usize) {
        let bins = &self.grower.pool.block_bins()[first..];
        histogram::clear(blocks, bins);
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
        let matrix = self.grower.matrix;
        let Some((by_item, items, first_of_facts)) = self.by_item() else {
            return histogram::add_rows(blocks, first, matrix, self.rows, self.words);
        };
        let others = first_of_facts.saturating_sub(first).min(blocks.len());
        let (blocks, of_facts) = blocks.split_at_mut(others);
        histogram::add_rows(blocks, first, matrix, self.rows, self.words);
        histogram::add_rows(of_facts, first + others, matrix, items.rows(), by_item);
    }

    /// The sums by item, the items, and the first block of facts.
    fn by_item(&self) -> Option<(&[i64], &Items, usize)> {
        let (items, first) = self.grower.matrix.facts()?;
        Some((self.by_item.as_deref()?, items, first))
    }

    /// The number of words that are added to the cells of a block.
    fn additions(&self, block: usize) -> usize {
        match self.by_item() {
            _ if !self.shards.is_empty() => 0,
            Some((by_item, _, first_of_facts)) if block >= first_of_facts => by_item.len(),
            _ => self.rows.len(),
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ranges_are_even() {
        assert_eq!(even_ranges(&[1; 11], 2), [0..5, 5..11]);
        assert_eq!(even_ranges(&[10, 10, 10, 10, 1, 1, 1, 1], 2), [0..2, 2..8]);
        assert_eq!(even_ranges(&[5], 4).len(), 1);
        assert_eq!(even_ranges(&[0, 0], 2).last(), Some(&(0..2)));
    }

    proptest! {
        #[test]
        fn ranges_cover_all(work in prop::collection::vec(0usize..50, 1..40), parts in 1usize..9) {
            let ranges = even_ranges(&work, parts);
            prop_assert!(ranges.len() <= parts);
            let places: Vec<usize> = ranges.iter().cloned().flatten().collect();
            prop_assert_eq!(places, (0..work.len()).collect::<Vec<_>>());
            // No range has more than its share and half of what its first and last places have.
            let total: usize = work.iter().sum();
            let share = |range: &Range<usize>| work[range.clone()].iter().sum::<usize>();
            let most = work.iter().max().unwrap_or(&0);
            prop_assert!(ranges.iter().all(|range| share(range) <= total / parts + most + 1));
        }
    }
}
