//! A decision tree as models keep it: features by number, thresholds in the units of the data.
//!
//! Example: `wind <= 14 ? 0.5 : 2.0` is one node with two leaves.

/// A binary tree. Node 0 is the root, and parents come before their children; a tree without nodes
/// has one leaf.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The inner nodes.
    pub nodes: Vec<Node>,
    /// The leaves, one more than nodes.
    pub leaves: Vec<Leaf>,
}

/// An inner node.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The number of the feature that is tested.
    pub feature: u32,
    /// The test that sends an item to the left child.
    pub test: Test,
    /// Whether items with a missing value go to the left.
    pub missing_left: bool,
    /// The child for items that pass the test.
    pub left: Child,
    /// The child for the others.
    pub right: Child,
    /// How much the split reduced the training loss.
    pub gain: f64,
    /// The number of training items that reached it.
    pub rows: u32,
}

/// The test of a node.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// The value is at most this number.
    AtMost(f32),
    /// The category is in this set.
    In(CategorySet),
}

/// A set of category codes below 256.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CategorySet([u64; 4]);

impl CategorySet {
    /// Whether a code is in the set.
    #[inline]
    pub fn contains(&self, code: u8) -> bool {
        self.0[usize::from(code >> 6)] >> (code & 63) & 1 == 1
    }

    /// Adds a code.
    pub fn insert(&mut self, code: u8) {
        self.0[usize::from(code >> 6)] |= 1 << (code & 63);
    }

    /// The codes in ascending order.
    pub fn codes(self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(move |&code| self.contains(code))
    }
}

impl FromIterator<u8> for CategorySet {
    fn from_iter<I: IntoIterator<Item = u8>>(codes: I) -> Self {
        let mut set = CategorySet::default();
        codes.into_iter().for_each(|code| set.insert(code));
        set
    }
}

/// A child of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Child {
    /// An inner node, by number.
    Node(u32),
    /// A leaf, by number.
    Leaf(u32),
}

/// A leaf.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Leaf {
    /// The value that it adds to the score.
    pub value: f64,
    /// The number of training items that reached it.
    pub rows: u32,
}

impl Node {
    /// Whether an item with this value goes to the left.
    #[inline]
    pub fn goes_left(&self, value: f32) -> bool {
        match &self.test {
            _ if value.is_nan() => self.missing_left,
            Test::AtMost(threshold) => value <= *threshold,
            // Codes above 255 are in no set; negative codes do not occur.
            Test::In(set) => value < 256.0 && set.contains(value as u8),
        }
    }
}

impl Tree {
    /// A tree with the same value for every item.
    pub fn constant(value: f64, rows: u32) -> Self {
        Tree { nodes: Vec::new(), leaves: vec![Leaf { value, rows }] }
    }

    /// The number of the leaf that an item reaches.
    pub fn leaf_of(&self, features: &[f32]) -> usize {
        let mut at = if self.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
        loop {
            match at {
                Child::Leaf(leaf) => return leaf as usize,
                Child::Node(node) => {
                    let node = &self.nodes[node as usize];
                    let left = node.goes_left(features[node.feature as usize]);
                    at = if left { node.left } else { node.right };
                }
            }
        }
    }

    /// The value of the leaf that an item reaches.
    pub fn value_of(&self, features: &[f32]) -> f64 {
        self.leaves[self.leaf_of(features)].value
    }
}

/// Multiplies the values of all leaves.
pub fn scale_leaves(trees: &mut [Tree], factor: f64) {
    trees.iter_mut().flat_map(|tree| &mut tree.leaves).for_each(|leaf| leaf.value *= factor);
}
