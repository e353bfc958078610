//! Growing one tree, best leaf first.
//!
//! The leaf whose best split has the largest gain is split next, until the maximum number of
//! leaves is reached or no split has a gain. The histogram of the smaller child is summed up; that
//! of the larger child is the parent's minus the smaller child's. Integer histograms make this
//! exact: subtraction does not accumulate errors, and the result does not depend on threads.
//!
//! **Row counts** are not in the histograms (a word holds two sums, and a third would cost a second
//! add per row and feature). A split is first searched without them; when its leaf is to be split,
//! the rows of both sides are counted, and only if a side has too few is the leaf searched again,
//! with row counts by bin. As the first gain can only be too high, the leaves are still split in
//! the right order. (Where all second derivatives are equal, their sum gives the number of rows,
//! and the first search already respects the minimum.)

use std::ops::Range;

use rayon::prelude::*;
use stakes_core::random::Stream;

use super::bins::{LANES, MAX_BINS};
use super::constraint::{Bounds, FeatureMask};
use super::few_rows::FewRows;
use super::grower::{SearchGroup, TreeGrower};
use super::histogram::{self, Cells, Histogram};
use super::partition::RowPartition;
use super::quantise::unpack;
use super::split::{BinTest, Block, Candidate, NodeState, Rules, best_in_block, better, soft};
use stakes_model::tree::{Child, Node, Test};

/// Nodes with at most this many rows do not keep their histogram: summing up both children is as
/// fast as subtracting, and thousands of histograms would fill the memory.
const MAX_DROPPED_ROWS: usize = 512;
/// The number of cells of a histogram that are cleared and searched in the time that one row takes
/// for one feature where there are few rows.
const CELLS_PER_VALUE: usize = 4;
/// The work (rows x blocks) below which one thread is faster than several.
const MIN_SHARED_WORK: usize = 4096;
/// The number of rows from which threads divide the rows instead of the blocks: all threads then
/// have the same amount of work, which outweighs the cost of a histogram per thread.
const MIN_SHARDED_ROWS: usize = 1 << 15;

/// A leaf that may still be split.
struct OpenLeaf {
    leaf: usize,
    rows: Range<usize>,
    total: i64,
    depth: usize,
    bounds: Bounds,
    /// The features of the splits above.
    path: Vec<u32>,
    /// The parent node, and whether this is its left child.
    parent: Option<(usize, bool)>,
    histogram: Option<Histogram>,
    best: Option<Candidate>,
}

/// One tree under construction.
pub(super) struct TreeBuilder<'g, 'm> {
    pub(super) grower: &'g TreeGrower<'m>,
    pub(super) rules: Rules,
    pub(super) rows: Vec<u32>,
    /// The quantised derivatives, in the order of `rows`.
    pub(super) words: Vec<i64>,
    pub(super) mask: FeatureMask,
    pub(super) node_draws: u64,
    pub(super) nodes: Vec<Node>,
    pub(super) tests: Vec<BinTest>,
    pub(super) partition: RowPartition,
}

impl TreeBuilder<'_, '_> {
    /// Splits until no split has a gain; returns the rows and bounds of every leaf.
    pub(super) fn run(&mut self) -> (Vec<Range<usize>>, Vec<Bounds>) {
        let params = &self.grower.params.trees;
        let mut root = OpenLeaf {
            leaf: 0,
            rows: 0..self.rows.len(),
            total: self.words.iter().sum(),
            depth: 0,
            bounds: Bounds::NONE,
            path: Vec::new(),
            parent: None,
            histogram: None,
            best: None,
        };
        if self.may_split(&root) {
            self.open_alone(&mut root);
        }
        let mut open = vec![root];
        while open.len() < params.leaves {
            let Some(at) = best_leaf(&open, params.min_gain) else { break };
            if let Some((left, right)) = self.split(&mut open[at]) {
                let new_leaf = open.len();
                let [left, right] = self.children(&mut open, at, left, right, new_leaf);
                open[at] = left;
                open.push(right);
            }
        }
        open.iter_mut().filter_map(|o| o.histogram.take()).for_each(|h| self.grower.pool.give(h));
        open.sort_by_key(|open| open.leaf);
        open.into_iter().map(|open| (open.rows, open.bounds)).unzip()
    }

    /// Partitions the rows of a leaf by its best split; `None` if a side had too few rows and the
    /// leaf was searched again.
    fn split(&mut self, open: &mut OpenLeaf) -> Option<(Range<usize>, Range<usize>)> {
        let split = open.best.clone()?;
        let column = self.grower.matrix.column(split.feature);
        let rows = &self.rows[open.rows.clone()];
        let bin = |row: u32| column[row as usize];
        let left = match split.test.window(split.missing_left) {
            Some((first, last)) => {
                self.partition.mark(rows, |row| bin(row).wrapping_sub(first) <= last)
            }
            None => {
                self.partition.mark(rows, |row| split.test.goes_left(bin(row), split.missing_left))
            }
        };
        let fewest = left.min(open.rows.len() - left);
        if !split.counted && fewest < self.grower.params.trees.min_rows.max(1) {
            self.search_with_counts(open);
            return None;
        }
        let rows = &mut self.rows[open.rows.clone()];
        self.partition.apply(rows, &mut self.words[open.rows.clone()]);
        let middle = open.rows.start + left;
        Some((open.rows.start..middle, middle..open.rows.end))
    }

    /// Searches a leaf again, with row counts by bin.
    fn search_with_counts(&self, open: &mut OpenLeaf) {
        let node = self.node(open);
        if self.has_few_rows(open, &node) {
            open.best = self.best_of_few(open, &node, true);
            return;
        }
        let pool = &self.grower.pool;
        let ones = vec![1; open.rows.len()];
        let counts = self.sums(&open.rows, &ones);
        let kept = open.histogram.take();
        let sums = kept.is_none().then(|| self.sums_of(open));
        let (mut counted, mut histogram) = (pool.take(), kept.unwrap_or_else(|| pool.take()));
        let size = self.group_size(open.rows.len());
        let groups = counted.groups(size).zip(histogram.groups(size));
        let found = groups.map(|((first, counted), (_, cells))| {
            counts.fill(counted, first);
            if let Some(sums) = &sums {
                sums.fill(cells, first);
            }
            node.best(first, cells, Some(counted))
        });
        open.best = found.collect::<Vec<_>>().into_iter().fold(None, better);
        pool.give(counted);
        open.histogram = self.keep(open, histogram);
    }

    /// Adds the best split of a leaf as a node and returns its two children.
    fn children(
        &mut self,
        open: &mut [OpenLeaf],
        at: usize,
        left: Range<usize>,
        right: Range<usize>,
        new_leaf: usize,
    ) -> [OpenLeaf; 2] {
        let last = open.len() + 1 == self.grower.params.trees.leaves;
        let parent = &mut open[at];
        let split = parent.best.take().expect("a leaf that is split has a split");
        let number = self.nodes.len();
        self.push_node(parent, &split, new_leaf);
        let sums = [split.left, parent.total - split.left];
        let values = sums.map(|sum| self.value(sum, parent.bounds));
        let direction = self.grower.directions[split.feature];
        let (below, above) = parent.bounds.divided(direction, values[0], values[1]);
        let mut path = parent.path.clone();
        path.push(split.feature as u32);
        let child = |leaf, rows, total, bounds, is_left| OpenLeaf {
            leaf,
            rows,
            total,
            depth: parent.depth + 1,
            bounds,
            path: path.clone(),
            parent: Some((number, is_left)),
            histogram: None,
            best: None,
        };
        let mut children = [
            child(parent.leaf, left, sums[0], below, true),
            child(new_leaf, right, sums[1], above, false),
        ];
        if !last {
            self.open_children(parent.histogram.take(), &mut children);
        }
        children
    }

    fn push_node(&mut self, parent: &OpenLeaf, split: &Candidate, new_leaf: usize) {
        let number = self.nodes.len() as u32;
        if let Some((above, is_left)) = parent.parent {
            let node = &mut self.nodes[above];
            *(if is_left { &mut node.left } else { &mut node.right }) = Child::Node(number);
        }
        let bins = &self.grower.binning.features()[split.feature];
        self.tests.push(split.test);
        self.nodes.push(Node {
            feature: split.feature as u32,
            test: match split.test {
                BinTest::UpTo(bin) => bins.test_up_to(bin),
                BinTest::In(set) => Test::In(set),
            },
            missing_left: split.missing_left,
            left: Child::Leaf(parent.leaf as u32),
            right: Child::Leaf(new_leaf as u32),
            gain: split.gain,
            rows: parent.rows.len() as u32,
        });
    }

    /// Finds the best splits of both children.
    fn open_children(&self, parent: Option<Histogram>, children: &mut [OpenLeaf; 2]) {
        let wanted = [0, 1].map(|side: usize| self.may_split(&children[side]));
        match parent {
            Some(parent) if wanted[0] || wanted[1] => self.open_both(parent, children, wanted),
            Some(parent) => self.grower.pool.give(parent),
            None => {
                for child in children.iter_mut().zip(wanted).filter(|c| c.1).map(|c| c.0) {
                    self.open_alone(child);
                }
            }
        }
    }

    /// Sums up the rows of a leaf and searches it.
    fn open_alone(&self, open: &mut OpenLeaf) {
        let node = self.node(open);
        if self.has_few_rows(open, &node) {
            open.best = self.best_of_few(open, &node, false);
            return;
        }
        let mut histogram = self.grower.pool.take();
        let sums = self.sums_of(open);
        let groups = histogram.groups(self.group_size(open.rows.len()));
        let found = groups.map(|(first, cells)| {
            sums.fill(cells, first);
            node.best(first, cells, None)
        });
        open.best = found.collect::<Vec<_>>().into_iter().fold(None, better);
        open.histogram = self.keep(open, histogram);
    }

    /// Sums up the rows of the smaller child, subtracts them from the parent to get the larger
    /// child, and searches both.
    fn open_both(&self, parent: Histogram, children: &mut [OpenLeaf; 2], wanted: [bool; 2]) {
        let small = usize::from(children[1].rows.len() < children[0].rows.len());
        if self.has_few_rows(&children[small], &self.node(&children[small])) {
            return self.open_beside_few(parent, children, small, wanted);
        }
        let (mut summed, mut rest) = (self.grower.pool.take(), parent);
        let sums = self.sums_of(&children[small]);
        let nodes = [small, 1 - small].map(|side| self.node(&children[side]));
        let wanted = [wanted[small], wanted[1 - small]];
        let size = self.group_size(children[small].rows.len());
        let bins = self.grower.pool.block_bins();
        // All work on a group of blocks in one task: threads synchronise once per split.
        let groups = summed.groups(size).zip(rest.groups(size));
        let found = groups.map(|((first, summed), (_, rest))| {
            sums.fill(summed, first);
            for (block, (rest, summed)) in rest.iter_mut().zip(&*summed).enumerate() {
                histogram::subtract(rest, summed, bins[first + block]);
            }
            let best = |side: usize, cells: &[Cells]| nodes[side].best(first, cells, None);
            [wanted[0].then(|| best(0, summed)), wanted[1].then(|| best(1, rest))]
        });
        let found: Vec<_> = found.collect();
        for (at, histogram) in [summed, rest].into_iter().enumerate() {
            let child = &mut children[if at == 0 { small } else { 1 - small }];
            child.best = found.iter().cloned().filter_map(|f| f[at].clone()).fold(None, better);
            child.histogram = self.keep(child, histogram);
        }
    }

    /// The same where the smaller child has few rows: they are taken out of the parent one by one.
    fn open_beside_few(
        &self,
        mut parent: Histogram,
        children: &mut [OpenLeaf; 2],
        small: usize,
        wanted: [bool; 2],
    ) {
        if wanted[small] {
            let few = &children[small];
            children[small].best = self.best_of_few(few, &self.node(few), false);
        }
        if !wanted[1 - small] {
            return self.grower.pool.give(parent);
        }
        let (few, large) = (&children[small].rows, &children[1 - small]);
        let words: Vec<i64> = self.words[few.clone()].iter().map(|word| -word).collect();
        let (out, node) = (self.sums(few, &words), self.node(large));
        let groups = parent.groups(self.group_size(large.rows.len()));
        let found = groups.map(|(first, cells)| {
            out.add_to(cells, first);
            node.best(first, cells, None)
        });
        let best = found.collect::<Vec<_>>().into_iter().fold(None, better);
        drop(out);
        let large = &mut children[1 - small];
        large.best = best;
        large.histogram = self.keep(large, parent);
    }

    /// Whether it takes longer to clear and search a histogram than to look at each row by itself.
    fn has_few_rows(&self, open: &OpenLeaf, node: &NodeSearch<'_>) -> bool {
        let work = open.rows.len() * node.mask.len() * CELLS_PER_VALUE;
        open.rows.len() <= MAX_DROPPED_ROWS && work < self.grower.pool.cells()
    }

    /// Searches a leaf of few rows.
    fn best_of_few(
        &self,
        open: &OpenLeaf,
        node: &NodeSearch<'_>,
        counting: bool,
    ) -> Option<Candidate> {
        let (rows, words) = (&self.rows[open.rows.clone()], &self.words[open.rows.clone()]);
        let few = FewRows { matrix: self.grower.matrix, rows, words, counting };
        few.best(&self.grower.blocks, &node.node, &node.mask)
    }

    /// Returns the histogram if it is worth keeping until the leaf is split.
    fn keep(&self, open: &OpenLeaf, histogram: Histogram) -> Option<Histogram> {
        if open.best.is_some() && open.rows.len() > MAX_DROPPED_ROWS {
            return Some(histogram);
        }
        self.grower.pool.give(histogram);
        None
    }

    fn may_split(&self, open: &OpenLeaf) -> bool {
        let p = &self.grower.params.trees;
        let (_, hess) = unpack(open.total);
        (p.depth == 0 || open.depth < p.depth)
            && open.rows.len() >= 2 * p.min_rows.max(1)
            && f64::from(hess) >= 2.0 * self.rules.min_hess
    }

    fn value(&self, sum: i64, bounds: Bounds) -> f64 {
        let (g, h) = unpack(sum);
        let value = -soft(f64::from(g), self.rules.l1) / (f64::from(h) + self.rules.l2);
        bounds.clamp(value * self.rules.value_unit)
    }

    fn sums_of(&self, open: &OpenLeaf) -> Sums<'_> {
        self.sums(&open.rows, &self.words[open.rows.clone()])
    }

    /// Prepares the sums over these rows.
    fn sums<'s>(&'s self, rows: &Range<usize>, words: &'s [i64]) -> Sums<'s> {
        let (rows, grower) = (&self.rows[rows.clone()], self.grower);
        let threads = rayon::current_num_threads();
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
    fn group_size(&self, rows: usize) -> usize {
        let blocks = self.grower.matrix.blocks();
        match rows * blocks < MIN_SHARED_WORK {
            true => blocks,
            false => blocks.div_ceil(rayon::current_num_threads()),
        }
    }

    fn node(&self, open: &OpenLeaf) -> NodeSearch<'_> {
        let node = NodeState { total: open.total, bounds: open.bounds, rules: &self.rules };
        NodeSearch { grower: self.grower, node, mask: self.node_mask(open) }
    }

    /// The features that a node may use.
    fn node_mask(&self, open: &OpenLeaf) -> FeatureMask {
        let params = &self.grower.params;
        let mask = match &params.interactions {
            None => self.mask.clone(),
            Some(groups) => {
                let width = self.grower.binning.features().len();
                let allowed = FeatureMask::new(width, |f| groups.allow(&open.path, f as u32));
                self.mask.and(&allowed)
            }
        };
        // A node's left child inherits its leaf number; the depth distinguishes them.
        let draws = Stream::new(self.node_draws, (open.leaf as u64) << 16 | open.depth as u64);
        mask.sampled(params.trees.features_per_split, draws)
    }
}

/// Rows whose words are to be summed up by bin.
struct Sums<'s> {
    grower: &'s TreeGrower<'s>,
    rows: &'s [u32],
    words: &'s [i64],
    /// The sums of parts of the rows, where threads have divided them.
    shards: Vec<Histogram>,
}

impl Sums<'_> {
    /// Fills consecutive blocks, of which the first has this number.
    fn fill(&self, blocks: &mut [Cells], first: usize) {
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
    fn add_to(&self, blocks: &mut [Cells], first: usize) {
        histogram::add_rows(blocks, first, self.grower.matrix, self.rows, self.words);
    }
}

impl Drop for Sums<'_> {
    fn drop(&mut self) {
        self.shards.drain(..).for_each(|shard| self.grower.pool.give(shard));
    }
}

/// The search for the best split of a node.
pub(super) struct NodeSearch<'s> {
    pub(super) grower: &'s TreeGrower<'s>,
    pub(super) node: NodeState<'s>,
    pub(super) mask: FeatureMask,
}

impl NodeSearch<'_> {
    /// Returns the best split by the features of consecutive blocks, of which the first has this
    /// number.
    pub(super) fn best(
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

/// Returns the open leaf whose split has the largest gain; the first among equals.
fn best_leaf(open: &[OpenLeaf], min_gain: f64) -> Option<usize> {
    let mut best: Option<(f64, usize)> = None;
    for (at, gain) in
        open.iter().enumerate().filter_map(|(at, o)| Some((at, o.best.as_ref()?.gain)))
    {
        if gain > best.map_or(min_gain, |b| b.0) {
            best = Some((gain, at));
        }
    }
    best.map(|b| b.1)
}
