//! Growing one tree, best leaf first.
//!
//! The leaf whose best split gains the most is split next, until there are leaves enough or
//! no split gains. The smaller child's histogram is summed up, the larger one's is what is
//! left of the parent's. Whole-number histograms make this exact: no drift by subtraction,
//! no dependence on threads.
//!
//! **Rows in a leaf** are not in the histograms (one add per row and feature has no room for
//! a third sum). A split is first found without looking at them; when its leaf's turn comes
//! the rows are counted, and only if a side has too few is the leaf searched again, with row
//! counts by bin. As the first gain can only be too high, the order of splitting stays exact.
//! (Where second derivatives are all the same they tell the number of rows: then no split is
//! found that leaves too few.)

use std::ops::Range;

use rayon::prelude::*;
use stakes_core::random::Stream;

use super::bins::{LANES, MAX_BINS};
use super::constraint::{Bounds, FeatureMask};
use super::grow::{Grower, Searchable};
use super::histogram::{self, Cells, Histogram};
use super::part::Parting;
use super::quantise::unpack;
use super::split::{BinTest, Block, Candidate, Place, Rules, best_in_block, better, soft};
use stakes_model::tree::{Child, Node, Test};

/// Nodes of fewer rows do not keep their histogram: summing up both children anew is as
/// quick as subtracting, and keeping thousands would fill the memory.
const KEPT_ROWS: usize = 512;
/// Work (rows x blocks) below which threads cost more than they bring.
const WORTH_SHARING: usize = 4096;
/// Rows from which on threads share rows, not blocks: then all have the same to do, which is
/// worth a histogram for each.
const WORTH_SHARDS: usize = 1 << 15;

/// A leaf that may still be split.
struct Open {
    leaf: usize,
    rows: Range<usize>,
    total: i64,
    depth: usize,
    bounds: Bounds,
    /// Features on the way here.
    path: Vec<u32>,
    /// Which node points here, and whether from its left.
    parent: Option<(usize, bool)>,
    histogram: Option<Histogram>,
    best: Option<Candidate>,
}

/// A tree on its way.
pub(super) struct Growth<'g, 'm> {
    pub(super) grower: &'g Grower<'m>,
    pub(super) rules: Rules,
    pub(super) rows: Vec<u32>,
    /// In the order of `rows`.
    pub(super) words: Vec<i64>,
    pub(super) mask: FeatureMask,
    pub(super) node_draws: u64,
    pub(super) nodes: Vec<Node>,
    pub(super) tests: Vec<BinTest>,
    pub(super) parting: Parting,
}

impl Growth<'_, '_> {
    /// Splits until nothing gains; gives the rows and bounds of every leaf.
    pub(super) fn run(&mut self) -> (Vec<Range<usize>>, Vec<Bounds>) {
        let params = &self.grower.params;
        let mut root = Open {
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
            let Some(at) = most_gainful(&open, params.min_gain) else { break };
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

    /// Parts the rows of a leaf by its best split; `None` if a side had too few rows and the
    /// leaf was searched again.
    fn split(&mut self, open: &mut Open) -> Option<(Range<usize>, Range<usize>)> {
        let split = open.best.clone()?;
        let column = self.grower.matrix.column(split.feature);
        let rows = &self.rows[open.rows.clone()];
        let bin = |row: u32| column[row as usize];
        let left = match split.test.window(split.missing_left) {
            Some((first, last)) => {
                self.parting.look(rows, |row| bin(row).wrapping_sub(first) <= last)
            }
            None => {
                self.parting.look(rows, |row| split.test.goes_left(bin(row), split.missing_left))
            }
        };
        let fewest = left.min(open.rows.len() - left);
        if !split.counted && fewest < self.grower.params.min_rows.max(1) {
            self.search_counting(open);
            return None;
        }
        let rows = &mut self.rows[open.rows.clone()];
        self.parting.part(rows, &mut self.words[open.rows.clone()]);
        let middle = open.rows.start + left;
        Some((open.rows.start..middle, middle..open.rows.end))
    }

    /// Searches a leaf once more, with rows counted by bin.
    fn search_counting(&self, open: &mut Open) {
        let pool = &self.grower.pool;
        let ones = vec![1; open.rows.len()];
        let counts = self.sums(&open.rows, &ones);
        let kept = open.histogram.take();
        let sums = kept.is_none().then(|| self.sums_of(open));
        let (mut counted, mut histogram) = (pool.take(), kept.unwrap_or_else(|| pool.take()));
        let node = self.node(open);
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

    /// Writes the split down as a node and opens its two sides.
    fn children(
        &mut self,
        open: &mut [Open],
        at: usize,
        left: Range<usize>,
        right: Range<usize>,
        new_leaf: usize,
    ) -> [Open; 2] {
        let last = open.len() + 1 == self.grower.params.leaves;
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
        let child = |leaf, rows, total, bounds, is_left| Open {
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

    fn push_node(&mut self, parent: &Open, split: &Candidate, new_leaf: usize) {
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

    /// Histograms and best splits of both children.
    fn open_children(&self, parent: Option<Histogram>, children: &mut [Open; 2]) {
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

    /// Sums up a leaf's rows and searches it.
    fn open_alone(&self, open: &mut Open) {
        let mut histogram = self.grower.pool.take();
        let (sums, node) = (self.sums_of(open), self.node(open));
        let groups = histogram.groups(self.group_size(open.rows.len()));
        let found = groups.map(|(first, cells)| {
            sums.fill(cells, first);
            node.best(first, cells, None)
        });
        open.best = found.collect::<Vec<_>>().into_iter().fold(None, better);
        open.histogram = self.keep(open, histogram);
    }

    /// Sums up the smaller child's rows; the larger one has what is left of the parent.
    fn open_both(&self, parent: Histogram, children: &mut [Open; 2], wanted: [bool; 2]) {
        let small = usize::from(children[1].rows.len() < children[0].rows.len());
        let (mut summed, mut rest) = (self.grower.pool.take(), parent);
        let sums = self.sums_of(&children[small]);
        let nodes = [small, 1 - small].map(|side| self.node(&children[side]));
        let wanted = [wanted[small], wanted[1 - small]];
        let size = self.group_size(children[small].rows.len());
        let bins = self.grower.pool.block_bins();
        // All that is done with a group of blocks at once: threads meet once per split.
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

    /// A histogram that is worth keeping until its leaf is split.
    fn keep(&self, open: &Open, histogram: Histogram) -> Option<Histogram> {
        if open.best.is_some() && open.rows.len() > KEPT_ROWS {
            return Some(histogram);
        }
        self.grower.pool.give(histogram);
        None
    }

    fn may_split(&self, open: &Open) -> bool {
        let p = &self.grower.params;
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

    fn sums_of(&self, open: &Open) -> Sums<'_> {
        self.sums(&open.rows, &self.words[open.rows.clone()])
    }

    /// What is to be summed up over these rows.
    fn sums<'s>(&'s self, rows: &Range<usize>, words: &'s [i64]) -> Sums<'s> {
        let (rows, grower) = (&self.rows[rows.clone()], self.grower);
        let threads = rayon::current_num_threads();
        let mut shards = Vec::new();
        if threads > 1 && rows.len() >= WORTH_SHARDS {
            // Whole numbers: however the rows are shared out, the sums are the same.
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

    /// How many blocks are done together by one thread.
    fn group_size(&self, rows: usize) -> usize {
        let blocks = self.grower.matrix.blocks();
        match rows * blocks < WORTH_SHARING {
            true => blocks,
            false => blocks.div_ceil(rayon::current_num_threads()),
        }
    }

    fn node(&self, open: &Open) -> Searched<'_> {
        let place = Place { total: open.total, bounds: open.bounds, rules: &self.rules };
        Searched { grower: self.grower, place, mask: self.node_mask(open) }
    }

    /// The features that a node may use.
    fn node_mask(&self, open: &Open) -> FeatureMask {
        let params = &self.grower.params;
        let mask = match &params.interactions {
            None => self.mask.clone(),
            Some(groups) => {
                let width = self.grower.binning.features().len();
                let allowed = FeatureMask::new(width, |f| groups.allow(&open.path, f as u32));
                self.mask.and(&allowed)
            }
        };
        // A leaf keeps its number while it waits, and its depth tells it from its left child.
        let draws = Stream::new(self.node_draws, (open.leaf as u64) << 16 | open.depth as u64);
        mask.sampled(params.features_per_split, draws)
    }
}

/// Words that are to be summed up by bin.
struct Sums<'s> {
    grower: &'s Grower<'s>,
    rows: &'s [u32],
    words: &'s [i64],
    /// The sums of parts of the rows, where threads have shared them.
    shards: Vec<Histogram>,
}

impl Sums<'_> {
    /// Fills some blocks, the first of which has this number.
    fn fill(&self, blocks: &mut [Cells], first: usize) {
        let bins = &self.grower.pool.block_bins()[first..];
        for (cells, bins) in blocks.iter_mut().zip(bins) {
            cells[..bins * LANES].fill(0);
        }
        if self.shards.is_empty() {
            return histogram::add_rows(blocks, first, self.grower.matrix, self.rows, self.words);
        }
        for (block, (cells, bins)) in blocks.iter_mut().zip(bins).enumerate() {
            for shard in &self.shards {
                histogram::add(cells, shard.block(first + block), *bins);
            }
        }
    }
}

impl Drop for Sums<'_> {
    fn drop(&mut self) {
        self.shards.drain(..).for_each(|shard| self.grower.pool.give(shard));
    }
}

/// A node whose best split is wanted.
struct Searched<'s> {
    grower: &'s Grower<'s>,
    place: Place<'s>,
    mask: FeatureMask,
}

impl Searched<'_> {
    /// The best split by the features of some blocks, the first of which has this number.
    fn best(&self, first: usize, blocks: &[Cells], counts: Option<&[Cells]>) -> Option<Candidate> {
        let mut rooms = [[0; MAX_BINS * LANES]; 2];
        let [room, count_room] = &mut rooms;
        let mut best = None;
        for (at, cells) in blocks.iter().enumerate() {
            for Searchable { side, members } in &self.grower.blocks[first + at] {
                let mask = self.mask.of(&side.features);
                if mask == 0 {
                    continue;
                }
                let cells = side.cells(cells, room);
                let counts = counts.map(|counts| side.cells(&counts[at], count_room));
                let block = Block { members, cells, counts, mask };
                best = better(best, best_in_block(&self.place, &block));
            }
        }
        best
    }
}

/// The open leaf whose split gains the most; of equals the first.
fn most_gainful(open: &[Open], min_gain: f64) -> Option<usize> {
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
