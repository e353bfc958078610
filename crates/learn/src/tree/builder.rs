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
//!
//! Where other shards have more rows (`shared.rs`), a leaf's split, its sums and its number of rows are those of all
//! of them; the rows themselves stay where they are. Alone (`alone.rs`), summing up, subtracting and searching are
//! one step for a group of blocks, and several leaves are divided at once, by different threads (`ahead.rs`).

pub(super) mod ahead;
mod alone;
mod divider;
mod shared;
pub(super) mod sums;

use std::ops::Range;

use stakes_core::random::Stream;

use super::constraint::{Bounds, FeatureMask};
use super::grower::TreeGrower;
use super::histogram::Histogram;
use super::partition::RowPartition;
use super::quantise::unpack;
use super::split::{BinTest, Candidate, NodeState, Rules, soft};
use divider::Divider;
use stakes_model::tree::{Child, Node, Test};
use sums::NodeSearch;

/// Nodes with at most this many rows do not keep their histogram: summing up both children is as
/// fast as subtracting, and thousands of histograms would fill the memory.
const MAX_DROPPED_ROWS: usize = 512;

/// A leaf that may still be split.
struct OpenLeaf {
    leaf: usize,
    /// Its rows here.
    rows: Range<usize>,
    /// The number of its rows in all shards.
    count: usize,
    total: i64,
    depth: usize,
    bounds: Bounds,
    /// The features of the splits above.
    path: Vec<u32>,
    /// Tells the leaf from others of the tree, in whatever order they are split.
    key: u64,
    /// The parent node, and whether this is its left child.
    parent: Option<(usize, bool)>,
    histogram: Option<Histogram>,
    best: Option<Candidate>,
    /// The children, if it was divided before its turn.
    ahead: Option<Box<[OpenLeaf; 2]>>,
    /// Whether the best split leaves a side with too few rows, so that another must be found.
    too_few: bool,
}

/// One tree under construction.
pub(super) struct TreeBuilder<'g> {
    pub(super) tree: TreeContext<'g>,
    pub(super) rows: Vec<u32>,
    /// The quantised derivatives, in the order of `rows`.
    pub(super) words: Vec<i64>,
    pub(super) nodes: Vec<Node>,
    pub(super) tests: Vec<BinTest>,
    /// Buffers, one for each leaf that is divided at the same time.
    pub(super) partitions: Vec<RowPartition>,
}

/// What holds for all leaves of a tree.
pub(super) struct TreeContext<'g> {
    pub(super) grower: &'g TreeGrower<'g>,
    pub(super) rules: Rules,
    pub(super) mask: FeatureMask,
    pub(super) node_draws: u64,
}

/// A leaf of a tree that is grown.
pub(super) struct FoundLeaf {
    /// Its rows here.
    pub(super) rows: Range<usize>,
    /// The number of its rows in all shards.
    pub(super) count: usize,
    pub(super) bounds: Bounds,
}

impl TreeBuilder<'_> {
    /// Splits until no split has a gain; returns the leaves by number.
    pub(super) fn run(&mut self) -> Vec<FoundLeaf> {
        let grower = self.tree.grower;
        let params = &grower.params.trees;
        let is_alone = grower.shards.are_one();
        let mut root = OpenLeaf {
            leaf: 0,
            rows: 0..self.rows.len(),
            count: self.rows.len(),
            total: self.words.iter().sum(),
            depth: 0,
            bounds: Bounds::NONE,
            path: Vec::new(),
            key: 0,
            parent: None,
            histogram: None,
            best: None,
            ahead: None,
            too_few: false,
        };
        match is_alone {
            true if self.tree.may_split(&root) => self.divider().open_alone(&mut root),
            true => {}
            false => self.open_shared_root(&mut root),
        }
        let mut open = vec![root];
        while open.len() < params.leaves {
            let Some(at) = best_leaf(&open, params.min_gain) else { break };
            if open[at].ahead.is_none() {
                match is_alone {
                    true => self.divide_next(&mut open, at),
                    false => self.look_ahead(&mut open),
                }
            }
            // None if a side had too few rows: then another split of the leaf is or will be found.
            if let Some(children) = open[at].ahead.take() {
                let [left, right] = *children;
                let new_leaf = open.len();
                let [left, right] = self.add_node(&mut open[at], left, right, new_leaf);
                open[at] = left;
                open.push(right);
            }
        }
        self.give_histograms(&mut open);
        grower.last_gain.note(&self.nodes, open.len() == params.leaves);
        open.sort_by_key(|open| open.leaf);
        let found =
            |open: OpenLeaf| FoundLeaf { rows: open.rows, count: open.count, bounds: open.bounds };
        open.into_iter().map(found).collect()
    }

    fn give_histograms(&self, leaves: &mut [OpenLeaf]) {
        for leaf in leaves {
            leaf.histogram.take().into_iter().for_each(|h| self.tree.grower.pool.give(h));
            if let Some(children) = &mut leaf.ahead {
                self.give_histograms(&mut children[..]);
            }
        }
    }

    /// Adds the best split of a leaf as a node; its children take their places in the tree.
    fn add_node(
        &mut self,
        parent: &mut OpenLeaf,
        left: OpenLeaf,
        right: OpenLeaf,
        new_leaf: usize,
    ) -> [OpenLeaf; 2] {
        let split = parent.best.take().expect("a leaf that is split has a split");
        let number = self.nodes.len();
        self.push_node(parent, &split, new_leaf);
        let place =
            |child, leaf, is_left| OpenLeaf { leaf, parent: Some((number, is_left)), ..child };
        [place(left, parent.leaf, true), place(right, new_leaf, false)]
    }

    fn push_node(&mut self, parent: &OpenLeaf, split: &Candidate, new_leaf: usize) {
        let number = self.nodes.len() as u32;
        if let Some((above, is_left)) = parent.parent {
            let node = &mut self.nodes[above];
            *(if is_left { &mut node.left } else { &mut node.right }) = Child::Node(number);
        }
        let bins = &self.tree.grower.binning.features()[split.feature];
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
            rows: parent.count as u32,
        });
    }

    /// Divides leaves whose rows are all here.
    fn divider(&mut self) -> Divider<'_> {
        Divider {
            tree: &self.tree,
            first: 0,
            rows: &mut self.rows,
            words: &mut self.words,
            partition: &mut self.partitions[0],
            threads: rayon::current_num_threads(),
        }
    }
}

impl TreeContext<'_> {
    /// Whether a side of a split has fewer rows than it must have.
    fn has_too_few(&self, split: &Candidate, counts: [usize; 2]) -> bool {
        let fewest = self.grower.params.trees.min_rows.max(1);
        !split.counted && counts[0].min(counts[1]) < fewest
    }

    /// Returns the histogram if it is worth keeping until the leaf is split.
    fn keep(&self, open: &OpenLeaf, histogram: Histogram) -> Option<Histogram> {
        if open.best.is_some() && open.count > MAX_DROPPED_ROWS {
            return Some(histogram);
        }
        self.grower.pool.give(histogram);
        None
    }

    fn may_split(&self, open: &OpenLeaf) -> bool {
        open.count >= 2 * self.grower.params.trees.min_rows.max(1) && self.may_weigh_enough(open)
    }

    /// Whether a leaf may be split, but for the number of its rows.
    fn may_weigh_enough(&self, open: &OpenLeaf) -> bool {
        let depth = self.grower.params.trees.depth;
        let (_, hess) = unpack(open.total);
        (depth == 0 || open.depth < depth) && f64::from(hess) >= 2.0 * self.rules.min_hess
    }

    fn value(&self, sum: i64, bounds: Bounds) -> f64 {
        let (g, h) = unpack(sum);
        let value = -soft(f64::from(g), self.rules.l1) / (f64::from(h) + self.rules.l2);
        bounds.clamp(value * self.rules.value_unit)
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
        let draws = Stream::new(self.node_draws, open.key);
        mask.sampled(params.trees.features_per_split, draws)
    }
}

/// Returns the open leaf whose split has the largest gain; the first among equals.
fn best_leaf<'l>(open: impl IntoIterator<Item = &'l OpenLeaf>, min_gain: f64) -> Option<usize> {
    let mut best: Option<(f64, usize)> = None;
    let gains = open.into_iter().enumerate();
    for (at, gain) in gains.filter_map(|(at, leaf)| Some((at, leaf.best.as_ref()?.gain))) {
        if gain > best.map_or(min_gain, |b| b.0) {
            best = Some((gain, at));
        }
    }
    best.map(|b| b.1)
}
