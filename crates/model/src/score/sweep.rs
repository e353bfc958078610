//! Applies one tree to a block of rows by testing every node for every row: no branches, only
//! comparisons of bytes, a vector of rows at a time.
//!
//! Leaves are numbered from left to right, and `at` is the leftmost leaf that a row can still reach: 0
//! at first. Nodes are processed from the root down. Let `from` be the leftmost leaf below a node and
//! `to` that below its right child; the node moves the rows that are at `from` and fail its test:
//!
//! at = if at == from && rank > up_to { to } else { at }
//!
//! A row is at `from` exactly if it reaches this node: the nodes above that share this leaf have been
//! processed, and all other parts of the tree have other leaves. Example: `wind <= 14 ? a : (age <= 3 ?
//! b : c)` has the nodes 0 -> 1 and 1 -> 2; for wind 20 and age 5, `at` is 0, 1, 2.
//!
//! All nodes are tested where a walk needs a few, but without a branch, and for 16 to 64 rows per
//! instruction. Replacing the walk by passes over all nodes is the idea of QuickScorer
//! (Lucchese et al. 2015); one number here takes the place of its bit masks.

use std::ops::Range;

use super::ranks::{Aligned, Column, Ranks, signed};
use super::search::Vectors;
use crate::tree::{Child, Node, Test, Tree};

/// The number of rows of a block: their ranks of about 100 features fit into the first-level cache.
pub(super) const ROWS: usize = 256;

/// The number of leaves that a byte can index; larger trees are walked.
const MAX_LEAVES: usize = 256;

/// A node in the notation above.
#[derive(Debug, Clone, Copy)]
struct Step {
    column: u32,
    up_to: i8,
    from: u8,
    to: u8,
}

/// A test of categories; its outcome is a column that only one tree reads.
#[derive(Debug, Clone)]
struct SetTest {
    /// The index of the column of codes.
    codes: usize,
    /// The bits of the codes that go to the left, including [`OTHER`] and [`MISSING`].
    left: [u64; 8],
}

/// The code of a number that is not a category.
const OTHER: u16 = 256;
/// The code of a missing value.
const MISSING: u16 = 257;

/// A tree that can be swept.
#[derive(Debug, Clone)]
pub(super) struct SweptTree {
    steps: Range<usize>,
    values: usize,
    sets: Range<usize>,
}

/// All trees that can be swept.
#[derive(Debug, Clone, Default)]
pub(super) struct Sweep {
    ranks: Ranks,
    steps: Vec<Step>,
    /// The values of leaves from left to right, padded so that any byte is a valid index.
    values: Vec<f64>,
    sets: Vec<SetTest>,
    /// The features with categories.
    coded: Vec<usize>,
    max_sets: usize,
}

/// The working memory for one block of rows.
pub(super) struct Block {
    /// The ranks in both versions, then the outcomes of the tree's set tests.
    columns: Vec<Column>,
    /// For each column index of a step, the index in `columns`.
    places: Vec<u32>,
    codes: Vec<[u16; ROWS]>,
}

impl Sweep {
    /// Adds the thresholds of a tree; returns whether it can be swept.
    pub(super) fn add_thresholds(&mut self, tree: &Tree) -> bool {
        let is_number = |n: &Node| !matches!(n.test, Test::AtMost(t) if t.is_nan());
        if tree.nodes.len() >= MAX_LEAVES || !tree.nodes.iter().all(is_number) {
            return false;
        }
        for node in &tree.nodes {
            if let Test::AtMost(threshold) = node.test {
                self.ranks.add_threshold(node.feature as usize, threshold);
            }
        }
        true
    }

    /// Must be called after the last [`Sweep::add_thresholds`] and before the first [`Sweep::add`].
    pub(super) fn finish_thresholds(&mut self) {
        self.ranks.finish();
    }

    /// Adds a tree whose thresholds were added.
    pub(super) fn add(&mut self, tree: &Tree) -> SweptTree {
        self.values.truncate(self.values.len().saturating_sub(MAX_LEAVES));
        let (steps, sets, values) = (self.steps.len(), self.sets.len(), self.values.len());
        let first = if tree.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
        // The children to visit, and the step whose right child each is, if any.
        let mut open = vec![(first, None::<usize>)];
        while let Some((child, parent)) = open.pop() {
            let leftmost = (self.values.len() - values) as u8;
            if let Some(parent) = parent {
                self.steps[parent].to = leftmost;
            }
            match child {
                Child::Leaf(number) => self.values.push(tree.leaves[number as usize].value),
                Child::Node(number) => {
                    let node = &tree.nodes[number as usize];
                    open.extend([(node.right, Some(self.steps.len())), (node.left, None)]);
                    let (column, up_to) = self.column_of(node, sets);
                    self.steps.push(Step { column, up_to, from: leftmost, to: leftmost });
                }
            }
        }
        self.values.resize(self.values.len() + MAX_LEAVES, 0.0);
        self.max_sets = self.max_sets.max(self.sets.len() - sets);
        SweptTree { steps: steps..self.steps.len(), values, sets: sets..self.sets.len() }
    }

    /// The column that a node reads, and the highest rank that passes its test.
    fn column_of(&mut self, node: &Node, first_set: usize) -> (u32, i8) {
        let (feature, ranks) = (node.feature as usize, self.ranks.len());
        match &node.test {
            Test::AtMost(threshold) => {
                let (column, up_to) = self.ranks.of(feature, *threshold);
                ((column + if node.missing_left { 0 } else { ranks }) as u32, up_to)
            }
            Test::In(set) => {
                let codes = self.coded.iter().position(|&f| f == feature).unwrap_or_else(|| {
                    self.coded.push(feature);
                    self.coded.len() - 1
                });
                let mut left = [0; 8];
                let missing = node.missing_left.then_some(MISSING);
                for code in set.codes().map(u16::from).chain(missing) {
                    left[usize::from(code >> 6)] |= 1 << (code & 63);
                }
                self.sets.push(SetTest { codes, left });
                ((2 * ranks + self.sets.len() - 1 - first_set) as u32, signed(0))
            }
        }
    }

    /// Allocates the working memory.
    pub(super) fn block(&self) -> Block {
        let ranks = self.ranks.len();
        let columns = 2 * ranks + self.max_sets;
        Block {
            columns: vec![Aligned([0; ROWS]); columns],
            places: (0..columns as u32).collect(),
            codes: vec![[0; ROWS]; self.coded.len()],
        }
    }

    /// Loads up to [`ROWS`] rows: ranks of numbers and codes of categories.
    #[inline(always)]
    pub(super) fn load<V: Vectors>(
        &self,
        vectors: V,
        rows: &[f32],
        width: usize,
        n: usize,
        block: &mut Block,
    ) {
        let ranks = self.ranks.len();
        self.ranks.rank(vectors, rows, width, n, &mut block.columns, &mut block.places[ranks..]);
        for (&feature, codes) in self.coded.iter().zip(&mut block.codes) {
            for (i, code) in codes[..n].iter_mut().enumerate() {
                *code = match rows[i * width + feature] {
                    value if value.is_nan() => MISSING,
                    value if value < 256.0 => u16::from(value as u8),
                    _ => OTHER,
                };
            }
        }
    }

    /// Adds the value of the tree to the sum of each row.
    #[inline(always)]
    pub(super) fn add_to(&self, tree: &SweptTree, block: &mut Block, sums: &mut [f64]) {
        let outcomes = &mut block.columns[2 * self.ranks.len()..];
        for (test, outcome) in self.sets[tree.sets.clone()].iter().zip(outcomes) {
            for (outcome, &code) in outcome.0.iter_mut().zip(&block.codes[test.codes]) {
                let left = test.left[usize::from(code >> 6) & 7] >> (code & 63) & 1;
                *outcome = signed(left as u8 ^ 1);
            }
        }
        // A local variable, so that it stays in registers over all nodes.
        let mut at = Aligned([0; ROWS]);
        for step in &self.steps[tree.steps.clone()] {
            let column = &block.columns[block.places[step.column as usize] as usize];
            apply_step(&mut at, column, step);
        }
        let Some(values) = self.values[tree.values..].first_chunk::<MAX_LEAVES>() else { return };
        for (sum, &at) in sums.iter_mut().zip(&at.0) {
            *sum += values[usize::from(at)];
        }
    }
}

/// Applies one node to all rows; simple enough for the compiler to vectorise.
#[inline(always)]
fn apply_step(at: &mut Aligned<u8>, column: &Column, step: &Step) {
    let way = step.from ^ step.to;
    for (at, &rank) in at.0.iter_mut().zip(&column.0) {
        let goes = (*at == step.from) & (rank > step.up_to);
        *at ^= way & u8::from(goes).wrapping_neg();
    }
}
