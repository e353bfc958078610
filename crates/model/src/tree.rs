//! A grown tree, free of everything it was grown with: features by number, thresholds in the
//! data's own units.
//!
//! Example: `wind <= 14 ? 0.5 : 2.0` is one node with two leaves.

/// A binary tree. Node 0 is the root and parents stand before their children; a tree without
/// nodes is its one leaf.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The inner nodes.
    pub nodes: Vec<Node>,
    /// The leaves: one more than nodes.
    pub leaves: Vec<Leaf>,
}

/// An inner node.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Which feature it looks at.
    pub feature: u32,
    /// What sends an item to the left.
    pub test: Test,
    /// Whether items without a value go to the left.
    pub missing_left: bool,
    /// Where the test holds.
    pub left: Child,
    /// Where it does not.
    pub right: Child,
    /// How much the split improved the loss it was grown for.
    pub gain: f64,
    /// Items that came here in training.
    pub rows: u32,
}

/// What sends an item to the left.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// A number up to this one.
    AtMost(f32),
    /// A category of this set.
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

    /// The codes, ascending.
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

/// What hangs below a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Child {
    /// An inner node, by number.
    Node(u32),
    /// A leaf, by number.
    Leaf(u32),
}

/// An end of the tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Leaf {
    /// What it adds to the score.
    pub value: f64,
    /// Items that came here in training.
    pub rows: u32,
}

impl Node {
    /// Whether an item with this value goes to the left.
    #[inline]
    pub fn goes_left(&self, value: f32) -> bool {
        match &self.test {
            _ if value.is_nan() => self.missing_left,
            Test::AtMost(threshold) => value <= *threshold,
            // Codes above 255 are none of the set; so are negative ones, which do not occur.
            Test::In(set) => value < 256.0 && set.contains(value as u8),
        }
    }
}

impl Tree {
    /// A tree that says the same of everything.
    pub fn constant(value: f64, rows: u32) -> Self {
        Tree { nodes: Vec::new(), leaves: vec![Leaf { value, rows }] }
    }

    /// The leaf that an item falls into.
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

    /// What the tree says of an item.
    pub fn value_of(&self, features: &[f32]) -> f64 {
        self.leaves[self.leaf_of(features)].value
    }
}

/// Multiplies the values of all leaves.
pub fn scale(trees: &mut [Tree], factor: f64) {
    trees.iter_mut().flat_map(|tree| &mut tree.leaves).for_each(|leaf| leaf.value *= factor);
}
