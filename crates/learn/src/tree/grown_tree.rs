//! A tree together with its training rows, while they are still needed.

use std::ops::Range;

use rayon::prelude::*;

use super::bins::Binning;
use super::constraint::Bounds;
use super::matrix::BinnedMatrix;
use super::split::BinTest;
use stakes_model::tree::{Child, Node, Tree};

/// The number of rows per parallel task.
const PIECE: usize = 4096;

/// A tree and its training rows by leaf.
#[derive(Debug, Clone)]
pub struct GrownTree {
    /// The tree.
    pub tree: Tree,
    /// The training rows, leaf by leaf.
    pub(super) rows: Vec<u32>,
    /// The range in `rows` of each leaf.
    pub(super) ranges: Vec<Range<usize>>,
    pub(super) bounds: Vec<Bounds>,
    pub(super) tests: Vec<BinTest>,
}

impl GrownTree {
    /// A tree that was grown with these bins, without its training rows.
    pub(crate) fn of(tree: &Tree, binning: &Binning) -> Self {
        let test =
            |node: &Node| BinTest::of(&node.test, &binning.features()[node.feature as usize]);
        GrownTree {
            tests: tree.nodes.iter().map(test).collect(),
            tree: tree.clone(),
            rows: Vec::new(),
            ranges: Vec::new(),
            bounds: Vec::new(),
        }
    }

    /// Whether the tree has more than one leaf.
    pub fn has_split(&self) -> bool {
        !self.tree.nodes.is_empty()
    }

    /// Replaces the value of every leaf by a function of its rows, within the bounds of monotone
    /// directions.
    pub fn renew(&mut self, value: impl Fn(&[u32]) -> f64) {
        for (leaf, rows) in self.ranges.iter().enumerate() {
            let value = value(&self.rows[rows.clone()]);
            self.tree.leaves[leaf].value = self.bounds[leaf].clamp(value);
        }
    }

    /// Clamps the value of every leaf to the range from -max to max.
    pub fn bound(&mut self, max: f64) {
        self.tree.leaves.iter_mut().for_each(|leaf| leaf.value = leaf.value.clamp(-max, max));
    }

    /// Multiplies the value of every leaf by a factor.
    pub fn scale(&mut self, factor: f64) {
        self.tree.leaves.iter_mut().for_each(|leaf| leaf.value *= factor);
    }

    /// Adds the tree's values to the scores of all rows of the training matrix.
    pub fn add_to_own(&self, scores: &mut [f64], matrix: &BinnedMatrix) {
        // The leaf of a training row is known; the others walk down the tree.
        let mut is_known = vec![false; scores.len()];
        for (leaf, rows) in self.ranges.iter().enumerate() {
            let value = self.tree.leaves[leaf].value;
            for &row in &self.rows[rows.clone()] {
                scores[row as usize] += value;
                is_known[row as usize] = true;
            }
        }
        if self.rows.len() < scores.len() {
            self.add_where(|row| !is_known[row], scores, matrix);
        }
    }

    /// Adds the tree's values to the scores of all rows of a matrix with the same binning.
    pub fn add_to(&self, scores: &mut [f64], matrix: &BinnedMatrix) {
        self.add_where(|_| true, scores, matrix);
    }

    fn add_where(
        &self,
        wanted: impl Fn(usize) -> bool + Sync,
        scores: &mut [f64],
        matrix: &BinnedMatrix,
    ) {
        assert_eq!(scores.len(), matrix.rows());
        scores.par_chunks_mut(PIECE).enumerate().for_each(|(piece, scores)| {
            for (row, score) in (piece * PIECE..).zip(scores) {
                if wanted(row) {
                    *score += self.tree.leaves[self.leaf_of(matrix, row)].value;
                }
            }
        });
    }

    fn leaf_of(&self, matrix: &BinnedMatrix, row: usize) -> usize {
        let mut at = if self.has_split() { Child::Node(0) } else { Child::Leaf(0) };
        loop {
            match at {
                Child::Leaf(leaf) => return leaf as usize,
                Child::Node(number) => {
                    let node = &self.tree.nodes[number as usize];
                    let bin = matrix.bin(row, node.feature as usize);
                    let left = self.tests[number as usize].goes_left(bin, node.missing_left);
                    at = if left { node.left } else { node.right };
                }
            }
        }
    }
}
