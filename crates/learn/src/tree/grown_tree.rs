//! A tree together with its training rows, while they are still needed.

use std::ops::Range;

use rayon::prelude::*;

use super::bins::BinnedMatrix;
use super::constraint::Bounds;
use super::split::BinTest;
use stakes_model::tree::{Child, Tree};

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
        if self.rows.len() < scores.len() {
            return self.add_to(scores, matrix);
        }
        // Every row was a training row, so its leaf is known.
        for (leaf, rows) in self.ranges.iter().enumerate() {
            let value = self.tree.leaves[leaf].value;
            self.rows[rows.clone()].iter().for_each(|&row| scores[row as usize] += value);
        }
    }

    /// Adds the tree's values to the scores of all rows of a matrix with the same binning.
    pub fn add_to(&self, scores: &mut [f64], matrix: &BinnedMatrix) {
        assert_eq!(scores.len(), matrix.rows());
        scores.par_chunks_mut(PIECE).enumerate().for_each(|(piece, scores)| {
            for (at, score) in scores.iter_mut().enumerate() {
                *score += self.tree.leaves[self.leaf_of(matrix, piece * PIECE + at)].value;
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
