//! Growing trees on one matrix: what all trees share, the random draws of each tree, and its leaf
//! values. `builder.rs` finds the splits.

use stakes_core::Lists;
use stakes_core::random::{Stream, purpose};
use stakes_core::shards::Shards;

use super::bins::Binning;
use super::builder::last_gain::LastGain;
use super::builder::{FoundLeaf, FoundTree, TreeBuilder, TreeContext};
use super::constraint::FeatureMask;
use super::facts::Items;
use super::grown_tree::GrownTree;
use super::histogram::Pool;
use super::layout::{FeatureGroup, feature_groups};
use super::matrix::BinnedMatrix;
use super::params::TreeParams;
use super::quantise::{Quantised, quantise};
use super::spare::Spare;
use super::split::{Rules, SearchFeature, soft};
use crate::derivatives::GradHess;
use crate::params::Direction;
use stakes_model::tree::{Leaf, Tree};

/// Grows trees on one binned matrix.
pub struct TreeGrower<'m> {
    pub(super) matrix: &'m BinnedMatrix,
    pub(super) binning: &'m Binning,
    pub(super) params: TreeParams,
    pub(super) directions: Vec<Direction>,
    pub(super) pool: Pool,
    /// The groups of features of every block, for the split search.
    pub(super) blocks: Vec<Vec<SearchGroup>>,
    /// See [`LastGain`].
    pub(super) last_gain: LastGain,
    /// The shards that the rows are dealt to.
    pub(super) shards: Shards,
    /// The numbers of the rows among those of all shards; `None` if they are 0, 1, 2, ...
    numbers: Option<&'m [u32]>,
}

/// Up to eight features that are searched together.
pub(super) struct SearchGroup {
    pub(super) group: FeatureGroup,
    pub(super) members: Vec<SearchFeature>,
}

impl<'m> TreeGrower<'m> {
    /// Prepares to grow trees on this matrix.
    pub fn new(matrix: &'m BinnedMatrix, binning: &'m Binning, params: TreeParams) -> Self {
        let mut directions = params.directions.clone();
        directions.resize(binning.features().len(), Direction::Any);
        let pool = Pool::new(binning.layout().block_bins());
        let member = |&feature: &usize| {
            SearchFeature::new(feature, &binning.features()[feature], directions[feature])
        };
        let searchable = |group: FeatureGroup| SearchGroup {
            members: group.features.iter().map(member).collect(),
            group,
        };
        let of_block = |block| feature_groups(block).into_iter().map(searchable).collect();
        let blocks = binning.layout().blocks().map(of_block).collect();
        let shards = Shards::alone();
        TreeGrower {
            matrix,
            binning,
            params,
            directions,
            pool,
            blocks,
            last_gain: LastGain::default(),
            shards,
            numbers: None,
        }
    }

    /// The same where other shards have more rows than these lists.
    #[must_use]
    pub fn among(self, lists: &'m Lists) -> Self {
        TreeGrower { shards: lists.shards().clone(), numbers: lists.item_numbers(), ..self }
    }

    /// The items of the rows and the first block of facts, if so many rows are to be summed up by item there.
    pub(super) fn facts(&self, rows: usize) -> Option<(&Items, usize)> {
        self.matrix.facts().filter(|(items, _)| items.are_few_for(rows))
    }

    /// Grows a tree on these rows (ascending) of these derivatives. Its random draws depend on
    /// `seed` and the tree's `number`.
    pub fn grow(
        &self,
        derivatives: &[GradHess],
        rows: Vec<u32>,
        seed: u64,
        number: u64,
    ) -> GrownTree {
        let rounding = Stream::new(purpose(seed, b"rounding"), number);
        let number_of = |row: u32| self.numbers.map_or(row, |numbers| numbers[row as usize]);
        let draw = |row| rounding.word(number_of(row).into());
        let quantised = quantise(derivatives, &rows, draw, &self.shards);
        let tree = TreeContext {
            rules: self.rules(&quantised),
            grower: self,
            mask: self.tree_mask(seed, number),
            node_draws: purpose(purpose(seed, b"splits  "), &number.to_le_bytes()),
            partitions: Spare::default(),
        };
        let totals = quantised.totals;
        let mut builder = TreeBuilder { tree, words: quantised.words, rows };
        let FoundTree { nodes, tests, leaves } = builder.run();
        let rows = builder.rows;
        let sums = self.leaf_sums(derivatives, &rows, &leaves, totals);
        let leaf = |(found, sum): (&FoundLeaf, GradHess)| Leaf {
            value: found.bounds.clamp(self.newton_value(sum)),
            rows: found.count as u32,
        };
        let tree = Tree { leaves: leaves.iter().zip(sums).map(leaf).collect(), nodes };
        let (ranges, bounds) = leaves.into_iter().map(|leaf| (leaf.rows, leaf.bounds)).unzip();
        GrownTree { tree, rows, ranges, bounds, tests }
    }

    /// Returns the Newton step of a leaf with these sums of derivatives.
    fn newton_value(&self, sum: GradHess) -> f64 {
        let p = &self.params.trees;
        let value = -soft(sum.grad, p.l1) / (sum.hess + p.l2);
        if value.is_finite() { value } else { 0.0 }
    }

    fn rules(&self, q: &Quantised) -> Rules {
        let p = &self.params.trees;
        // A quantum is 0 where all derivatives are 0.
        let by = |value: f64, quantum: f64| if quantum > 0.0 { value / quantum } else { 0.0 };
        // Where every row has the same second derivative, its sum enforces the minimum number of
        // rows.
        let enough_rows = q.hess_of_row.map_or(0.0, |quanta| f64::from(quanta) * p.min_rows as f64);
        Rules {
            l1: by(p.l1, q.grad_quantum),
            l2: by(p.l2, q.hess_quantum),
            category_l2: by(p.category_l2, q.hess_quantum),
            min_hess: by(p.min_hessian, q.hess_quantum).ceil().max(1.0).max(enough_rows),
            min_rows: p.min_rows as i64,
            // Bounded, so that gains stay finite even for extreme derivatives.
            gain_unit: by(q.grad_quantum * q.grad_quantum, q.hess_quantum).min(1e280),
            value_unit: by(q.grad_quantum, q.hess_quantum).min(1e280),
        }
    }

    fn tree_mask(&self, seed: u64, number: u64) -> FeatureMask {
        let width = self.binning.features().len();
        let all = FeatureMask::new(width, |_| true);
        all.sampled(self.params.trees.features, Stream::new(purpose(seed, b"features"), number))
    }
}
