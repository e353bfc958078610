//! One tree over a block of rows, every node at every row: no walking, only comparing bytes,
//! a vector of rows at a time.
//!
//! Leaves are numbered from left to right, and a row stands at the leftmost leaf that it can
//! still reach: 0 at first. Nodes are taken from the root down. A node whose leftmost leaf is
//! `from`, and that of its right child `to`, moves the rows that stand at `from` and fail its
//! test:
//!
//! at = if at == from && rank > up_to { to } else { at }
//!
//! A row stands at `from` exactly if it is at this node: the nodes above it, which share that
//! leaf, have been passed, and every other part of the tree has other leaves. Example:
//! `wind <= 14 ? a : (age <= 3 ? b : c)` has nodes 0 -> 1 and 1 -> 2; wind 20, age 5 goes
//! 0, 1, 2.
//!
//! All nodes are looked at where a walk needs a few, but without a single branch, and by 16 to
//! 64 rows per instruction. The idea of replacing the walk by passes over all nodes is that of
//! Lucchese et al., "QuickScorer: a fast algorithm to rank documents with additive ensembles
//! of regression trees" (SIGIR 2015), whose bit masks are here one number.

use std::ops::Range;

use super::ranks::{Aligned, Column, Ranks, signed};
use super::search::Vectors;
use crate::tree::{Child, Node, Test, Tree};

/// Rows of a block: their ranks by 100 features or so fit into the first-level cache.
pub(super) const ROWS: usize = 256;

/// Leaves that a byte can number; larger trees are walked.
const MOST_LEAVES: usize = 256;

/// A node; see above.
#[derive(Debug, Clone, Copy)]
struct Step {
    column: u32,
    up_to: i8,
    from: u8,
    to: u8,
}

/// A test for categories: its outcome is a column that only one tree reads.
#[derive(Debug, Clone)]
struct SetTest {
    /// Which column of codes.
    codes: usize,
    /// Bits of the codes that go to the left, [`OTHER`] and [`MISSING`] among them.
    left: [u64; 8],
}

/// The code of a number that is no category.
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
    /// Values of leaves from left to right, and so many more that a byte is never too large.
    values: Vec<f64>,
    sets: Vec<SetTest>,
    /// Features with categories.
    coded: Vec<usize>,
    most_sets: usize,
}

/// What is worked on for one block of rows.
pub(super) struct Block {
    /// Ranks in both versions, then outcomes of the tree's set tests.
    columns: Vec<Column>,
    /// Where the second versions of the ranks are.
    places: Vec<u32>,
    codes: Vec<[u16; ROWS]>,
}

impl Sweep {
    /// Notes the thresholds of a tree; whether it can be swept.
    pub(super) fn note(&mut self, tree: &Tree) -> bool {
        let is_number = |n: &Node| !matches!(n.test, Test::AtMost(t) if t.is_nan());
        if tree.nodes.len() >= MOST_LEAVES || !tree.nodes.iter().all(is_number) {
            return false;
        }
        for node in &tree.nodes {
            if let Test::AtMost(threshold) = node.test {
                self.ranks.note(node.feature as usize, threshold);
            }
        }
        true
    }

    /// To be called between the last [`Sweep::note`] and the first [`Sweep::add`].
    pub(super) fn settle(&mut self) {
        self.ranks.settle();
    }

    /// Adds a tree that was noted.
    pub(super) fn add(&mut self, tree: &Tree) -> SweptTree {
        self.values.truncate(self.values.len().saturating_sub(MOST_LEAVES));
        let (steps, sets, values) = (self.steps.len(), self.sets.len(), self.values.len());
        let first = if tree.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
        // What is still to be placed, and whose right child it is.
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
        self.values.resize(self.values.len() + MOST_LEAVES, 0.0);
        self.most_sets = self.most_sets.max(self.sets.len() - sets);
        SweptTree { steps: steps..self.steps.len(), values, sets: sets..self.sets.len() }
    }

    /// The column a node reads, and the rank up to which its test holds.
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

    /// Room for blocks of rows.
    pub(super) fn block(&self) -> Block {
        let ranks = self.ranks.len();
        let columns = 2 * ranks + self.most_sets;
        Block {
            columns: vec![Aligned([0; ROWS]); columns],
            places: (0..columns as u32).collect(),
            codes: vec![[0; ROWS]; self.coded.len()],
        }
    }

    /// Ranks the values of up to [`ROWS`] rows.
    #[inline(always)]
    pub(super) fn enter<V: Vectors>(
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

    /// Adds to each sum what the tree says of the row.
    #[inline(always)]
    pub(super) fn add_to(&self, tree: &SweptTree, block: &mut Block, sums: &mut [f64]) {
        let outcomes = &mut block.columns[2 * self.ranks.len()..];
        for (test, outcome) in self.sets[tree.sets.clone()].iter().zip(outcomes) {
            for (outcome, &code) in outcome.0.iter_mut().zip(&block.codes[test.codes]) {
                let left = test.left[usize::from(code >> 6) & 7] >> (code & 63) & 1;
                *outcome = signed(left as u8 ^ 1);
            }
        }
        // Not part of the block: so it stays in registers over all nodes.
        let mut at = Aligned([0; ROWS]);
        for step in &self.steps[tree.steps.clone()] {
            let column = &block.columns[block.places[step.column as usize] as usize];
            move_on(&mut at, column, step);
        }
        let Some(values) = self.values[tree.values..].first_chunk::<MOST_LEAVES>() else { return };
        for (sum, &at) in sums.iter_mut().zip(&at.0) {
            *sum += values[usize::from(at)];
        }
    }
}

/// One node for all rows: plain enough for the compiler to make vectors of it.
#[inline(always)]
fn move_on(at: &mut Aligned<u8>, column: &Column, step: &Step) {
    let way = step.from ^ step.to;
    for (at, &rank) in at.0.iter_mut().zip(&column.0) {
        let goes = (*at == step.from) & (rank > step.up_to);
        *at ^= way & u8::from(goes).wrapping_neg();
    }
}
