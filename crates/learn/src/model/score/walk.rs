//! Trees laid out for walking without branches: several walks in step hide each other's
//! waiting for memory, and nothing has to be guessed.
//!
//! All trees stand in one array, each in preorder: the left child of a node is the next one.
//! A leaf is a node that leads to itself, so a walk that has ended may go on. One row walks
//! [`TOGETHER`] trees at a time; a large tree is walked by as many rows.

use crate::tree::{CategorySet, Child, Test, Tree};

/// Walks that are made in step.
pub(super) const TOGETHER: usize = 8;

/// A node or a leaf.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Of a leaf; 0 of a node.
    value: f64,
    threshold: f32,
    feature: u32,
    /// Where the test does not hold; a leaf's own place.
    right: u32,
    /// How far away the left child is: 1, and 0 for a leaf.
    down: u8,
    missing_left: bool,
    /// Which set takes the threshold's place, plus 1; 0 for none.
    set: u32,
}

/// All trees of a scorer.
#[derive(Debug, Clone, Default)]
pub(super) struct Walk {
    places: Vec<Place>,
    sets: Vec<CategorySet>,
}

impl Walk {
    /// Adds a tree; gives where it begins.
    pub(super) fn add(&mut self, tree: &Tree) -> usize {
        let root = self.places.len();
        let first = if tree.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
        // What is still to be placed, and whose right child it is.
        let mut open = vec![(first, None::<usize>)];
        while let Some((child, parent)) = open.pop() {
            let here = self.places.len();
            if let Some(parent) = parent {
                self.places[parent].right = here as u32;
            }
            let leaf = Place {
                value: 0.0,
                threshold: 0.0,
                feature: 0,
                right: here as u32,
                down: 0,
                missing_left: false,
                set: 0,
            };
            self.places.push(match child {
                Child::Leaf(number) => Place { value: tree.leaves[number as usize].value, ..leaf },
                Child::Node(number) => {
                    let node = &tree.nodes[number as usize];
                    open.extend([(node.right, Some(here)), (node.left, None)]);
                    let (feature, missing_left) = (node.feature, node.missing_left);
                    let node = Place { feature, missing_left, down: 1, ..leaf };
                    match &tree.nodes[number as usize].test {
                        Test::AtMost(threshold) => Place { threshold: *threshold, ..node },
                        Test::In(set) => {
                            self.sets.push(*set);
                            Place { set: self.sets.len() as u32, ..node }
                        }
                    }
                }
            });
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
                return at.map(|at| self.places[at].value);
            }
        }
    }

    #[inline(always)]
    fn next(&self, at: usize, row: &[f32]) -> usize {
        let place = &self.places[at];
        // A model without features has only leaves, and rows without values.
        let Some(&value) = row.get(place.feature as usize) else {
            assert!(place.down == 0, "the row has no feature {}", place.feature);
            return at;
        };
        let holds = match place.set {
            0 => value <= place.threshold,
            set => value < 256.0 && self.sets[set as usize - 1].contains(value as u8),
        };
        let left = holds | (value.is_nan() & place.missing_left);
        if left { at + usize::from(place.down) } else { place.right as usize }
    }
}
