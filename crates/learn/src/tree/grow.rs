//! Growing trees: what is the same for every tree, what is drawn for each, and what its leaves
//! say. How a tree is split is in `growth.rs`.

use rayon::prelude::*;
use stakes_core::random::{Stream, purpose};

use super::bins::{BinnedMatrix, Binning};
use super::constraint::{Direction, FeatureMask};
use super::grown::Grown;
use super::growth::Growth;
use super::histogram::Pool;
use super::layout::{Side, sides};
use super::params::TreeParams;
use super::part::Parting;
use super::quantise::{Quantised, quantise};
use super::split::{Member, Rules, soft};
use crate::derivatives::GradHess;
use stakes_model::tree::{Leaf, Tree};

/// Grows trees on one binned matrix.
pub struct Grower<'m> {
    pub(super) matrix: &'m BinnedMatrix,
    pub(super) binning: &'m Binning,
    pub(super) params: TreeParams,
    pub(super) directions: Vec<Direction>,
    pub(super) pool: Pool,
    /// The features of every block, as they are searched.
    pub(super) blocks: Vec<Vec<Searchable>>,
}

/// Up to eight features that are searched side by side.
pub(super) struct Searchable {
    pub(super) side: Side,
    pub(super) members: Vec<Member>,
}

impl<'m> Grower<'m> {
    /// For all trees on this matrix.
    pub fn new(matrix: &'m BinnedMatrix, binning: &'m Binning, params: TreeParams) -> Self {
        let mut directions = params.directions.clone();
        directions.resize(binning.features().len(), Direction::Any);
        let pool = Pool::new(binning.layout().block_bins());
        let member = |&feature: &usize| {
            Member::new(feature, &binning.features()[feature], directions[feature])
        };
        let searchable =
            |side: Side| Searchable { members: side.features.iter().map(member).collect(), side };
        let of_block = |block| sides(block).into_iter().map(searchable).collect();
        let blocks = binning.layout().blocks().map(of_block).collect();
        Grower { matrix, binning, params, directions, pool, blocks }
    }

    /// Grows a tree on these rows (ascending) of these derivatives. `seed` and `number` say
    /// which random draws are its own.
    pub fn grow(&self, derivatives: &[GradHess], rows: Vec<u32>, seed: u64, number: u64) -> Grown {
        let rounding = Stream::new(purpose(seed, b"rounding"), number);
        let quantised = quantise(derivatives, &rows, rounding);
        let mut growth = Growth {
            rules: self.rules(&quantised),
            grower: self,
            words: quantised.words,
            mask: self.tree_mask(seed, number),
            node_draws: purpose(purpose(seed, b"splits  "), &number.to_le_bytes()),
            rows,
            nodes: Vec::new(),
            tests: Vec::new(),
            parting: Parting::default(),
        };
        let (ranges, bounds) = growth.run();
        let Growth { rows, nodes, tests, .. } = growth;
        let leaves = (0..ranges.len()).into_par_iter().map(|leaf| {
            let value = self.newton(derivatives, &rows[ranges[leaf].clone()]);
            Leaf { value: bounds[leaf].clamp(value), rows: ranges[leaf].len() as u32 }
        });
        let tree = Tree { leaves: leaves.collect(), nodes };
        Grown { tree, rows, ranges, bounds, tests }
    }

    /// The value of a leaf from the derivatives themselves, not from their quanta.
    fn newton(&self, derivatives: &[GradHess], rows: &[u32]) -> f64 {
        let sum = rows.iter().fold(GradHess::default(), |sum, &row| {
            let d = derivatives[row as usize];
            GradHess { grad: sum.grad + d.grad, hess: sum.hess + d.hess }
        });
        let value = -soft(sum.grad, self.params.l1) / (sum.hess + self.params.l2);
        if value.is_finite() { value } else { 0.0 }
    }

    fn rules(&self, q: &Quantised) -> Rules {
        let p = &self.params;
        // Quanta are 0 where all derivatives are: then there is nothing to weigh.
        let by = |value: f64, quantum: f64| if quantum > 0.0 { value / quantum } else { 0.0 };
        // Where second derivatives tell the number of rows, no side ever has too few of them.
        let enough_rows = q.hess_of_row.map_or(0.0, |quanta| f64::from(quanta) * p.min_rows as f64);
        Rules {
            l1: by(p.l1, q.grad_quantum),
            l2: by(p.l2, q.hess_quantum),
            category_l2: by(p.category_l2, q.hess_quantum),
            min_hess: by(p.min_hessian, q.hess_quantum).ceil().max(1.0).max(enough_rows),
            min_rows: p.min_rows as i64,
            // Bounded, so that even absurd derivatives give gains that can be written down.
            gain_unit: by(q.grad_quantum * q.grad_quantum, q.hess_quantum).min(1e280),
            value_unit: by(q.grad_quantum, q.hess_quantum).min(1e280),
        }
    }

    fn tree_mask(&self, seed: u64, number: u64) -> FeatureMask {
        let width = self.binning.features().len();
        let all = FeatureMask::new(width, |_| true);
        all.sampled(self.params.features, Stream::new(purpose(seed, b"features"), number))
    }
}
