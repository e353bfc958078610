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
//! one step for a group of blocks, and threads divide leaves of their own (`ahead.rs`).

mod ahead;
mod alone;
mod best_first;
mod divider;
mod frontier;
pub(super) mod last_gain;
mod shared;
pub(super) mod sums;

use std::ops::Range;

use stakes_core::random::Stream;

use super::constraint::{Bounds, FeatureMask};
use super::grower::TreeGrower;
use super::histogram::Histogram;
use super::partition::RowPartition;
use super::quantise::unpack;
use super::spare::Spare;
use super::split::{BinTest, Candidate, NodeState, Rules, soft};
use best_first::BestFirst;
use divider::Divider;
use stakes_model::tree::Node;
use sums::NodeSearch;

/// Nodes with at most this many rows do not keep their histogram: summing up both children is as
/// fast as subtracting, and thousands of histograms would fill the memory.
const MAX_DROPPED_ROWS: usize = 512;

/// A leaf that may still be split.
#[derive(Clone)]
struct OpenLeaf {
    /// Its number, set when its parent is split.
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
    /// The children, once it is divided but not yet split.
    ahead: Option<Box<[OpenLeaf; 2]>>,
    /// Whether the best split leaves a side with too few rows, so that another must be found (`shared.rs`).
    too_few: bool,
    /// Whether a thread is dividing it.
    is_busy: bool,
}

/// One tree under construction.
pub(super) struct TreeBuilder<'g> {
    pub(super) tree: TreeContext<'g>,
    pub(super) rows: Vec<u32>,
    /// The quantised derivatives, in the order of `rows`.
    pub(super) words: Vec<i64>,
}

/// What holds for all leaves of a tree.
pub(super) struct TreeContext<'g> {
    pub(super) grower: &'g TreeGrower<'g>,
    pub(super) rules: Rules,
    pub(super) mask: FeatureMask,
    pub(super) node_draws: u64,
    /// Buffers for parting rows.
    pub(super) partitions: Spare<RowPartition>,
}

/// A leaf of a tree that is grown.
pub(super) struct FoundLeaf {
    /// Its rows here.
    pub(super) rows: Range<usize>,
    /// The number of its rows in all shards.
    pub(super) count: usize,
    pub(super) bounds: Bounds,
}

/// The splits of a tree, and its leaves by number.
pub(super) struct FoundTree {
    pub(super) nodes: Vec<Node>,
    pub(super) tests: Vec<BinTest>,
    pub(super) leaves: Vec<FoundLeaf>,
}

impl TreeBuilder<'_> {
    /// Splits until no split has a gain.
    pub(super) fn run(&mut self) -> FoundTree {
        let root = OpenLeaf {
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
            is_busy: false,
        };
        let BestFirst { mut open, nodes, tests } = match self.tree.grower.shards.are_one() {
            true => self.grow_alone(root),
            false => self.grow_shared(root),
        };
        self.give_histograms(&mut open);
        let grower = self.tree.grower;
        grower.last_gain.note(&nodes, open.len() == grower.params.trees.leaves);
        open.sort_by_key(|open| open.leaf);
        let found =
            |open: OpenLeaf| FoundLeaf { rows: open.rows, count: open.count, bounds: open.bounds };
        FoundTree { nodes, tests, leaves: open.into_iter().map(found).collect() }
    }

    /// Divides leaves by all threads together.
    fn divider(&mut self) -> Divider<'_> {
        let threads = rayon::current_num_threads();
        Divider::new(&self.tree, 0, &mut self.rows, &mut self.words, threads)
    }

    fn give_histograms(&self, leaves: &mut [OpenLeaf]) {
        for leaf in leaves {
            leaf.histogram.take().into_iter().for_each(|h| self.tree.grower.pool.give(h));
            if let Some(children) = &mut leaf.ahead {
                self.give_histograms(&mut children[..]);
            }
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
