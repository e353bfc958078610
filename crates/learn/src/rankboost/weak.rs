//! Weak rankers: decision stumps on bins, which say 0 or 1 of an item.
//!
//! "wind above 14", "size is city", "wind is missing". Items without a value of a number are on
//! either side, whichever is better; if training items all have one, they get 0. In multiclass
//! tasks a stump speaks of the candidates of one class alone: "class 3 where wind is above 14", or
//! "up to 14", as there the two differ by more than a sign.

use crate::tree::{Binning, CategorySet, Child, FeatureBins, Leaf, Node, Test, Tree};

/// A weak ranker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Weak {
    /// The bin of the only class it speaks of; 0 for all items.
    pub(crate) class: u8,
    pub(crate) feature: u32,
    pub(crate) set: Set,
}

/// Bins of a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Set {
    /// Those above, with or without the missing one (bin 0).
    Above { bin: u8, missing: bool },
    /// Those up to it.
    UpTo { bin: u8, missing: bool },
    /// This one: a category.
    Is(u8),
}

impl Set {
    #[inline]
    pub(crate) fn holds(self, bin: u8) -> bool {
        match self {
            Set::Above { missing, .. } | Set::UpTo { missing, .. } if bin == 0 => missing,
            Set::Above { bin: last, .. } => bin > last,
            Set::UpTo { bin: last, .. } => bin <= last,
            Set::Is(own) => bin == own,
        }
    }

    /// The node that tells the set from the rest, and whether it is on the left.
    fn node(self, feature: u32, bins: &FeatureBins) -> (Node, bool) {
        let (test, missing_left, is_left) = match self {
            Set::Above { bin, missing } => (bins.test_up_to(bin), !missing, false),
            Set::UpTo { bin, missing } => (bins.test_up_to(bin), missing, true),
            Set::Is(bin) => (Test::In([bin - 1].into_iter().collect()), false, true),
        };
        let (left, right) = (Child::Leaf(0), Child::Leaf(1));
        (Node { feature, test, missing_left, left, right, gain: 0.0, rows: 0 }, is_left)
    }

    /// The set that a node's left or right side is, if it is one of these bins.
    fn of_node(node: &Node, bins: &FeatureBins, is_left: bool) -> Option<Set> {
        let last = (bins.len() - 1) as u8;
        let bin = match (&node.test, bins) {
            (Test::AtMost(f32::MAX), FeatureBins::Cuts(_)) => last,
            (Test::AtMost(threshold), FeatureBins::Cuts(cuts)) => {
                1 + cuts.iter().position(|cut| cut == threshold)? as u8
            }
            (Test::In(set), FeatureBins::Categories(_)) => {
                let mut codes = set.codes();
                match (codes.next(), codes.next()) {
                    (Some(only), None) if is_left => return Some(Set::Is(1 + only)),
                    _ if *set == (0..last).collect::<CategorySet>() => last,
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(match is_left {
            true => Set::UpTo { bin, missing: node.missing_left },
            false => Set::Above { bin, missing: !node.missing_left },
        })
    }
}

/// What a tree needs beside the weak ranker.
pub(crate) struct Growth {
    pub(crate) alpha: f64,
    pub(crate) gain: f64,
    /// Items: all, those of its class, and those it says 1 of.
    pub(crate) rows: [u32; 3],
}

impl Weak {
    /// The tree that says alpha or 0. `class` is the feature that holds classes, if one does.
    pub(crate) fn tree(self, binning: &Binning, class: Option<usize>, growth: &Growth) -> Tree {
        let bins = &binning.features()[self.feature as usize];
        let (mut node, is_left) = self.set.node(self.feature, bins);
        let [all, own, said] = growth.rows;
        (node.gain, node.rows) = (growth.gain, own);
        let one = Leaf { value: growth.alpha, rows: said };
        let zero = Leaf { value: 0.0, rows: own - said };
        let leaves = if is_left { vec![one, zero] } else { vec![zero, one] };
        let Some(class) = class.filter(|_| self.class > 0) else {
            return Tree { nodes: vec![node], leaves };
        };
        let other = Leaf { value: 0.0, rows: all - own };
        let asks = Node {
            feature: class as u32,
            test: Test::In([self.class - 1].into_iter().collect()),
            missing_left: false,
            left: Child::Node(1),
            right: Child::Leaf(2),
            gain: 0.0,
            rows: all,
        };
        Tree { nodes: vec![asks, node], leaves: leaves.into_iter().chain([other]).collect() }
    }

    /// The weak ranker of a tree, if it is one on these bins.
    pub(crate) fn of_tree(tree: &Tree, binning: &Binning, class: Option<usize>) -> Option<Weak> {
        let (node, class) = match (&tree.nodes[..], class) {
            ([node], _) => (node, 0),
            ([asks, node], Some(class)) if asks.feature as usize == class => {
                match Set::of_node(asks, &binning.features()[class], true)? {
                    Set::Is(bin) => (node, bin),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let is_left = tree.leaves[0].value != 0.0;
        let bins = binning.features().get(node.feature as usize)?;
        Some(Weak { class, feature: node.feature, set: Set::of_node(node, bins, is_left)? })
    }
}

/// The weight in a weak ranker's tree: what it says where it does not say 0.
pub(crate) fn weight_of(tree: &Tree) -> f64 {
    tree.leaves.iter().map(|leaf| leaf.value).find(|value| *value != 0.0).unwrap_or(0.0)
}

/// The same tree with the weight 1.
pub(crate) fn unweighted(tree: &Tree) -> Tree {
    let mut tree = tree.clone();
    for leaf in &mut tree.leaves {
        leaf.value = if leaf.value == 0.0 { 0.0 } else { 1.0 };
    }
    tree
}
