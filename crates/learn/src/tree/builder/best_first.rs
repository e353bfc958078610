//! The splits of a tree in their order: the leaf whose best split has the largest gain is split next.

use stakes_model::tree::{Child, Node, Test};

use super::super::split::{BinTest, Candidate};
use super::{OpenLeaf, TreeContext};

/// A tree as far as it is split.
pub(super) struct BestFirst {
    /// The leaves, each with its best split; some are divided already, before their turn.
    pub(super) open: Vec<OpenLeaf>,
    pub(super) nodes: Vec<Node>,
    pub(super) tests: Vec<BinTest>,
}

impl BestFirst {
    pub(super) fn of_root(root: OpenLeaf) -> Self {
        BestFirst { open: vec![root], nodes: Vec::new(), tests: Vec::new() }
    }

    /// Splits leaves whose turn it is, as far as they are divided already; returns the next one, which is not, or `None` if the
    /// tree is finished.
    pub(super) fn advance(&mut self, tree: &TreeContext<'_>) -> Option<usize> {
        let params = &tree.grower.params.trees;
        while self.open.len() < params.leaves {
            let at = best_leaf(&self.open, params.min_gain)?;
            match self.open[at].ahead.take() {
                Some(children) => self.split(tree, at, *children),
                None => return Some(at),
            }
        }
        None
    }

    /// The number of splits that may still be made.
    pub(super) fn splits_left(&self, tree: &TreeContext<'_>) -> usize {
        tree.grower.params.trees.leaves - self.open.len()
    }

    /// Adds the best split of a leaf as a node; its children take their places in the tree.
    fn split(&mut self, tree: &TreeContext<'_>, at: usize, children: [OpenLeaf; 2]) {
        let (number, new_leaf) = (self.nodes.len(), self.open.len());
        let parent = &mut self.open[at];
        let split = parent.best.take().expect("a leaf that is split has a split");
        if let Some((above, is_left)) = parent.parent {
            let node = &mut self.nodes[above];
            *(if is_left { &mut node.left } else { &mut node.right }) = Child::Node(number as u32);
        }
        self.tests.push(split.test);
        self.nodes.push(node(tree, parent, &split, new_leaf));
        let place =
            |child, leaf, is_left| OpenLeaf { leaf, parent: Some((number, is_left)), ..child };
        let [left, right] = children;
        *parent = place(left, parent.leaf, true);
        self.open.push(place(right, new_leaf, false));
    }
}

/// The node of a leaf that is split; its right child gets a new number.
fn node(tree: &TreeContext<'_>, parent: &OpenLeaf, split: &Candidate, new_leaf: usize) -> Node {
    let bins = &tree.grower.binning.features()[split.feature];
    Node {
        feature: split.feature as u32,
        test: match split.test {
            BinTest::UpTo(bin) => bins.test_up_to(bin),
            BinTest::In(set) => Test::In(set),
        },
        missing_left: split.missing_left,
        left: Child::Leaf(parent.leaf as u32),
        right: Child::Leaf(new_leaf as u32),
        gain: split.gain,
        rows: parent.count as u32,
    }
}

/// Returns the open leaf whose split has the largest gain; the first among equals.
pub(super) fn best_leaf<'l>(
    open: impl IntoIterator<Item = &'l OpenLeaf>,
    min_gain: f64,
) -> Option<usize> {
    let mut best: Option<(f64, usize)> = None;
    let gains = open.into_iter().enumerate();
    for (at, gain) in gains.filter_map(|(at, leaf)| Some((at, leaf.best.as_ref()?.gain))) {
        if gain > best.map_or(min_gain, |b| b.0) {
            best = Some((gain, at));
        }
    }
    best.map(|b| b.1)
}
