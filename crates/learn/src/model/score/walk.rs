//! Trees laid out for walking without branches: several walks in step hide each other's
//! waiting for memory, and nothing has to be guessed.
//!
//! All trees stand in one array, each in preorder. A leaf is a place that leads to itself, so
//! a walk that has ended may go on. One row walks [`TOGETHER`] trees at a time; a large tree
//! is walked by as many rows.

use crate::tree::{CategorySet, Child, Test, Tree};

/// Walks that are made in step.
pub(super) const TOGETHER: usize = 8;

/// A node or a leaf: four to a line of the cache.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// The feature's number and the marks below.
    feature: u32,
    /// The bits of the threshold, the number of a set, or the number of a leaf's value.
    what: u32,
    /// Where to go if the test does not hold, and if it does.
    next: [u32; 2],
}

/// Marks a node that sends missing values to the left.
const MISSING_LEFT: u32 = 1 << 31;
/// Marks a test for categories.
const SET: u32 = 1 << 30;

/// All trees of a scorer.
#[derive(Debug, Clone, Default)]
pub(super) struct Walk {
    places: Vec<Place>,
    sets: Vec<CategorySet>,
    values: Vec<f64>,
}

impl Walk {
    /// Adds a tree; gives where it begins.
    pub(super) fn add(&mut self, tree: &Tree) -> usize {
        let root = self.places.len();
        let first = if tree.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
        // What is still to be placed, and whose child it is on which side.
        let mut open = vec![(first, None::<(usize, usize)>)];
        while let Some((child, parent)) = open.pop() {
            let here = self.places.len();
            if let Some((parent, side)) = parent {
                self.places[parent].next[side] = here as u32;
            }
            let (feature, what) = match child {
                Child::Leaf(number) => {
                    self.values.push(tree.leaves[number as usize].value);
                    (0, self.values.len() as u32 - 1)
                }
                Child::Node(number) => {
                    let node = &tree.nodes[number as usize];
                    assert!(node.feature < SET, "feature {} is too many", node.feature);
                    open.extend([(node.right, Some((here, 0))), (node.left, Some((here, 1)))]);
                    let missing = if node.missing_left { MISSING_LEFT } else { 0 };
                    match &node.test {
                        Test::AtMost(threshold) => (node.feature | missing, threshold.to_bits()),
                        Test::In(set) => {
                            self.sets.push(*set);
                            (node.feature | missing | SET, self.sets.len() as u32 - 1)
                        }
                    }
                }
            };
            self.places.push(Place { feature, what, next: [here as u32; 2] });
        }
        root
    }

    /// What the trees that begin at `at` say of the rows beside them.
    pub(super) fn values<const N: usize>(&self, mut at: [usize; N], rows: [&[f32]; N]) -> [f64; N] {
        loop {
            let mut moved = 0;
            for (at, row) in at.iter_mut().zip(rows) {
                let next = self.next(*at, row);
                moved |= next ^ *at;
                *at = next;
            }
            if moved == 0 {
                return at.map(|at| self.values[self.places[at].what as usize]);
            }
        }
    }

    #[inline(always)]
    fn next(&self, at: usize, row: &[f32]) -> usize {
        let place = &self.places[at];
        let Some(&value) = row.get((place.feature & (SET - 1)) as usize) else {
            // A model without features has only leaves, and rows without values.
            assert!(place.next == [at as u32; 2], "the row is too short for the model");
            return at;
        };
        let holds = if place.feature & SET == 0 {
            value <= f32::from_bits(place.what)
        } else {
            value < 256.0 && self.sets[place.what as usize].contains(value as u8)
        };
        let missing_left = place.feature & MISSING_LEFT != 0;
        place.next[usize::from(holds | (value.is_nan() & missing_left))] as usize
    }
}
