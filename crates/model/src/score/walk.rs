//! Trees laid out for walking without branches: several walks in step hide each other's
//! waiting for memory, and nothing has to be guessed.
//!
//! All trees stand in one array, each in preorder. A leaf is a place that leads to itself, so
//! a walk that has ended may go on. One row walks [`TOGETHER`] trees at a time; a large tree
//! is walked by as many rows. Tried, and slower: fewer or more walks at a time, and asking only
//! at every second step whether all have ended.

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
    /// Where to go if the test does not hold, as for missing values, and if it does.
    next: [u32; 2],
}

/// Marks a test that holds for what goes to the right. It is where missing values go to the
/// left, as no test holds for them: x > t, which is -x <= -(the number next to t).
const TURNED: u32 = 1 << 31;
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
                    let turn = node.missing_left;
                    let (left, right) = if turn { (0, 1) } else { (1, 0) };
                    open.extend([
                        (node.right, Some((here, right))),
                        (node.left, Some((here, left))),
                    ]);
                    let feature = node.feature | if turn { TURNED } else { 0 };
                    match &node.test {
                        Test::AtMost(t) if turn => (feature, turned(*t).to_bits()),
                        Test::AtMost(t) => (feature, t.to_bits()),
                        Test::In(set) => {
                            self.sets.push(*set);
                            (feature | SET, self.sets.len() as u32 - 1)
                        }
                    }
                }
            };
            self.places.push(Place { feature, what, next: [here as u32; 2] });
        }
        root
    }

    /// What the trees that begin at `at` say of the rows of the same number.
    pub(super) fn values<'a, const N: usize>(
        &self,
        at: [usize; N],
        row: impl Fn(usize) -> &'a [f32],
    ) -> [f64; N] {
        // Where there are no sets, nobody looks for their mark.
        let ends = match self.sets.is_empty() {
            true => self.ends::<N, false>(at, row),
            false => self.ends::<N, true>(at, row),
        };
        ends.map(|at| self.values[self.places[at].what as usize])
    }

    /// Where the walks end.
    #[inline(always)]
    fn ends<'a, const N: usize, const SETS: bool>(
        &self,
        mut at: [usize; N],
        row: impl Fn(usize) -> &'a [f32],
    ) -> [usize; N] {
        // Places only grow, so their sum tells whether any walk went on.
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
        let place = &self.places[at];
        let Some(&value) = row.get((place.feature & (SET - 1)) as usize) else {
            // A model without features has only leaves, and rows without values.
            assert!(place.next == [at as u32; 2], "the row is too short for the model");
            return at;
        };
        let holds = if SETS && place.feature & SET != 0 {
            let within = value < 256.0 && self.sets[place.what as usize].contains(value as u8);
            !value.is_nan() && within != (place.feature & TURNED != 0)
        } else {
            let turned = value.to_bits() ^ (place.feature & TURNED);
            f32::from_bits(turned) <= f32::from_bits(place.what)
        };
        place.next[usize::from(holds)] as usize
    }
}

/// The t for which -x <= t exactly if x is a number and x <= threshold does not hold.
fn turned(threshold: f32) -> f32 {
    match threshold {
        // Nothing is above infinity, and every number fails to be at most NaN.
        f32::INFINITY => f32::NAN,
        t if t.is_nan() => f32::INFINITY,
        t => -t.next_up(),
    }
}
