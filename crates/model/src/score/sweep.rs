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
use super::vectors::Vectors;
use crate::tree::{Child, Node, Test, Tree};

/// The number of rows of a block: their ranks of about 100 features fit into the first-level cache.
pub(super) const ROWS: usize = 256;

/// The number of leaves that a byte can index; larger trees are walked.
const MAX_LEAVES: usize = 256;

/// The number of trees whose values are added at a time.
pub(super) const TOGETHER: usize = 4;

/// A node in the notation above.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    column: u32,
    pub(super) up_to: i8,
    pub(super) from: u8,
    pub(super) to: u8,
    /// to - from, modulo 256.
    pub(super) way: u8,
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
    /// The ranks in both versions, then the outcomes of the set tests of two trees.
    columns: Vec<Column>,
    /// For each column index of a step, the index in `columns`.
    places: Vec<u32>,
    codes: Vec<[u16; ROWS]>,
    /// The leaves of two pairs of trees that rows have reached.
    leaves: Box<[[Aligned<u8>; 2]; TOGETHER / 2]>,
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
                let step = &mut self.steps[parent];
                (step.to, step.way) = (leftmost, leftmost.wrapping_sub(step.from));
            }
            match child {
                Child::Leaf(number) => self.values.push(tree.leaves[number as usize].value),
                Child::Node(number) => {
                    let node = &tree.nodes[number as usize];
                    open.extend([(node.right, Some(self.steps.len())), (node.left, None)]);
                    let (column, up_to) = self.column_of(node);
                    self.steps.push(Step { column, up_to, from: leftmost, to: leftmost, way: 0 });
                }
            }
        }
        self.values.resize(self.values.len() + MAX_LEAVES, 0.0);
        self.max_sets = self.max_sets.max(self.sets.len() - sets);
        SweptTree { steps: steps..self.steps.len(), values, sets: sets..self.sets.len() }
    }

    /// The column that a node reads, and the highest rank that passes its test.
    fn column_of(&mut self, node: &Node) -> (u32, i8) {
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
                ((2 * ranks + self.sets.len() - 1) as u32, signed(0))
            }
        }
    }

    /// Allocates the working memory.
    pub(super) fn block(&self) -> Block {
        let ranks = 2 * self.ranks.len();
        let places = (0..ranks).chain((0..self.sets.len()).map(|set| self.outcome_of(set)));
        Block {
            columns: vec![Aligned([0; ROWS]); ranks + 2 * self.max_sets],
            places: places.map(|place| place as u32).collect(),
            codes: vec![[0; ROWS]; self.coded.len()],
            leaves: Box::new([[Aligned([0; ROWS]); 2]; TOGETHER / 2]),
        }
    }

    /// The index of the column for the outcome of a set test. Two trees after one another have columns of their own.
    fn outcome_of(&self, set: usize) -> usize {
        2 * self.ranks.len() + set % (2 * self.max_sets)
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
        self.ranks.rank(vectors, rows, width, &mut block.columns, &mut block.places[ranks..]);
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

    /// Adds the values of trees, one after the other, to the sum of each row. Several at a time: sums are loaded
    /// and stored once for all of them.
    #[inline(always)]
    pub(super) fn add_to<V: Vectors>(
        &self,
        vectors: V,
        trees: [&SweptTree; TOGETHER],
        block: &mut Block,
        sums: &mut [f64],
    ) {
        let [a, b, c, d] = trees;
        self.find_leaves(vectors, [a, b], block, 0);
        self.find_leaves(vectors, [c, d], block, 1);
        let [Some(a), Some(b), Some(c), Some(d)] =
            [self.values_of(a), self.values_of(b), self.values_of(c), self.values_of(d)]
        else {
            return;
        };
        let [[a_at, b_at], [c_at, d_at]] = &*block.leaves;
        let leaves = a_at.0.iter().zip(&b_at.0).zip(c_at.0.iter().zip(&d_at.0));
        for (sum, ((&a_at, &b_at), (&c_at, &d_at))) in sums.iter_mut().zip(leaves) {
            let two = *sum + a[usize::from(a_at)] + b[usize::from(b_at)];
            *sum = two + c[usize::from(c_at)] + d[usize::from(d_at)];
        }
    }

    /// Adds the value of one tree.
    #[inline(always)]
    pub(super) fn add_one<V: Vectors>(
        &self,
        vectors: V,
        tree: &SweptTree,
        block: &mut Block,
        sums: &mut [f64],
    ) {
        let nothing = SweptTree { steps: 0..0, values: tree.values, sets: 0..0 };
        self.find_leaves(vectors, [tree, &nothing], block, 0);
        let Some(values) = self.values_of(tree) else { return };
        for (sum, &at) in sums.iter_mut().zip(&block.leaves[0][0].0) {
            *sum += values[usize::from(at)];
        }
    }

    fn values_of(&self, tree: &SweptTree) -> Option<&[f64; MAX_LEAVES]> {
        self.values[tree.values..].first_chunk()
    }

    /// Finds the leaf of each of two trees that each row reaches.
    #[inline(always)]
    fn find_leaves<V: Vectors>(
        &self,
        vectors: V,
        trees: [&SweptTree; 2],
        block: &mut Block,
        pair: usize,
    ) {
        for set in trees.iter().flat_map(|tree| tree.sets.clone()) {
            let (test, outcomes) = (&self.sets[set], &mut block.columns[self.outcome_of(set)]);
            for (outcome, &code) in outcomes.0.iter_mut().zip(&block.codes[test.codes]) {
                let left = test.left[usize::from(code >> 6) & 7] >> (code & 63) & 1;
                *outcome = signed(left as u8 ^ 1);
            }
        }
        let Block { columns, places, leaves, .. } = block;
        let steps = |tree: &SweptTree| Steps {
            steps: self.steps[tree.steps.clone()].iter(),
            columns,
            places,
        };
        vectors.sweep([steps(trees[0]), steps(trees[1])], &mut leaves[pair]);
    }
}

/// Steps with the columns that they read.
struct Steps<'b> {
    steps: std::slice::Iter<'b, Step>,
    columns: &'b [Column],
    places: &'b [u32],
}

impl<'b> Iterator for Steps<'b> {
    type Item = (&'b Step, &'b Column);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let step = self.steps.next()?;
        Some((step, &self.columns[self.places[step.column as usize] as usize]))
    }
}
