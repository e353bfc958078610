//! Trees laid out for walking without branches: several walks in step hide each other's memory latency,
//! and there are no branches to mispredict.
//!
//! All trees are in one array, each in preorder. A leaf leads to itself, so a walk that has reached one
//! may continue. One row walks [`WALKS_IN_STEP`] trees at a time; a large tree is walked by as many
//! rows. Tried and slower: fewer or more walks at a time, and checking only at every second step
//! whether all walks have ended.

use crate::tree::{CategorySet, Child, Test, Tree};

/// The number of walks that advance in step.
pub(super) const WALKS_IN_STEP: usize = 8;

/// A node or a leaf; four fit into a cache line.
#[derive(Debug, Clone, Copy)]
struct FlatNode {
    /// The number of the feature, and the flags below.
    feature: u32,
    /// The bits of the threshold, the index of a set, or the index of a leaf's value.
    operand: u32,
    /// The next node if the test fails, as it does for missing values, and if it passes.
    next: [u32; 2],
}

/// Flags an inverted test, which passes for values that go to the right: x > t, computed as
/// -x <= -(the next number above t). It is used where missing values go to the left, because missing
/// values fail every test.
const INVERTED: u32 = 1 << 31;
/// Flags a test of categories.
const SET: u32 = 1 << 30;

/// All trees of a scorer.
#[derive(Debug, Clone, Default)]
pub(super) struct Walk {
    nodes: Vec<FlatNode>,
    sets: Vec<CategorySet>,
    values: Vec<f64>,
}

impl Walk {
    /// Adds a tree and returns the index of its root.
    pub(super) fn add(&mut self, tree: &Tree) -> usize {
        let root = self.nodes.len();
        let first = if tree.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
        // The children to visit, with the parent and side of each.
        let mut open = vec![(first, None::<(usize, usize)>)];
        while let Some((child, parent)) = open.pop() {
            let here = self.nodes.len();
            if let Some((parent, side)) = parent {
                self.nodes[parent].next[side] = here as u32;
            }
            let (feature, operand) = match child {
                Child::Leaf(number) => {
                    self.values.push(tree.leaves[number as usize].value);
                    (0, self.values.len() as u32 - 1)
                }
                Child::Node(number) => {
                    let node = &tree.nodes[number as usize];
                    assert!(node.feature < SET, "feature {} is above the limit", node.feature);
                    let invert = node.missing_left;
                    let (left, right) = if invert { (0, 1) } else { (1, 0) };
                    open.extend([
                        (node.right, Some((here, right))),
                        (node.left, Some((here, left))),
                    ]);
                    let feature = node.feature | if invert { INVERTED } else { 0 };
                    match &node.test {
                        Test::AtMost(t) if invert => (feature, inverted(*t).to_bits()),
                        Test::AtMost(t) => (feature, t.to_bits()),
                        Test::In(set) => {
                            self.sets.push(*set);
                            (feature | SET, self.sets.len() as u32 - 1)
                        }
                    }
                }
            };
            self.nodes.push(FlatNode { feature, operand, next: [here as u32; 2] });
        }
        root
    }

    /// The values of the trees with roots `at` for the rows of the same index.
    pub(super) fn values<'a, const N: usize>(
        &self,
        at: [usize; N],
        row: impl Fn(usize) -> &'a [f32],
    ) -> [f64; N] {
        // Without sets, the flag need not be tested.
        let ends = match self.sets.is_empty() {
            true => self.ends::<N, false>(at, row),
            false => self.ends::<N, true>(at, row),
        };
        ends.map(|at| self.values[self.nodes[at].operand as usize])
    }

    /// The leaves that the walks reach.
    #[inline(always)]
    fn ends<'a, const N: usize, const SETS: bool>(
        &self,
        mut at: [usize; N],
        row: impl Fn(usize) -> &'a [f32],
    ) -> [usize; N] {
        // Indices only grow, so an unchanged sum means that all walks have ended.
        let mut before = 0;
        loop {
            let mut sum = 0;
            for (i, at) in at.iter_mut().enumerate() {
                *at = self.next::<SETS>(*at, row(i));
                sum += *at;
            }
            if sum == before {
                return at;
            }
            before = sum;
        }
    }

    #[inline(always)]
    fn next<const SETS: bool>(&self, at: usize, row: &[f32]) -> usize {
        let node = &self.nodes[at];
        let Some(&value) = row.get((node.feature & (SET - 1)) as usize) else {
            // A model without features has only leaves, and rows without values.
            assert!(node.next == [at as u32; 2], "the row is too short for the model");
            return at;
        };
        let passes = if SETS && node.feature & SET != 0 {
            let within = value < 256.0 && self.sets[node.operand as usize].contains(value as u8);
            !value.is_nan() && within != (node.feature & INVERTED != 0)
        } else {
            let bits = value.to_bits() ^ (node.feature & INVERTED);
            f32::from_bits(bits) <= f32::from_bits(node.operand)
        };
        node.next[usize::from(passes)] as usize
    }
}

/// The t for which -x <= t exactly if x is a number that fails x <= threshold.
fn inverted(threshold: f32) -> f32 {
    match threshold {
        // No number is above infinity, and no number is at most NaN.
        f32::INFINITY => f32::NAN,
        t if t.is_nan() => f32::INFINITY,
        t => -t.next_up(),
    }
}
