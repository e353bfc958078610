//! Weak rankers: decision stumps on bins with the outputs 0 and 1.
//!
//! Examples are "wind above 14", "size is city", "wind is missing". Missing values of a numeric
//! feature go to either side, whichever is better; if no training item has a missing value, the
//! output for it is 0.
//!
//! In multiclass tasks a stump has a set of classes on either side: "where x is above 0.3, the
//! output is 1 for classes 2 and 5; elsewhere for classes 1, 3 and 4". Every round then affects all
//! classes and orders most pairs of candidates; stumps with a single class would leave nearly all
//! of them tied.

use crate::tree::{Binning, CategorySet, Child, FeatureBins, Leaf, Node, Test, Tree};

/// A weak ranker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct WeakRanker {
    pub(crate) feature: u32,
    pub(crate) set: Set,
    /// The classes for which the output is 1, in multiclass tasks; otherwise the output is 1 for
    /// the items in the set.
    pub(crate) classes: Option<Sides>,
}

/// A set of bins of a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Set {
    /// The bins above this one, with or without the missing bin (0).
    Above { bin: u8, missing: bool },
    /// The bin of one category.
    Is(u8),
}

/// The classes for which the output is 1: for items in the set, and for the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Sides {
    pub(crate) inside: CategorySet,
    pub(crate) outside: CategorySet,
}

impl Set {
    #[inline]
    pub(crate) fn holds(self, bin: u8) -> bool {
        match self {
            Set::Above { missing, .. } if bin == 0 => missing,
            Set::Above { bin: last, .. } => bin > last,
            Set::Is(own) => bin == own,
        }
    }

    /// Returns the test of a node, whether missing values go left, and whether the left side is the
    /// set.
    fn test(self, bins: &FeatureBins) -> (Test, bool, bool) {
        match self {
            Set::Above { bin, missing } => (bins.test_up_to(bin), !missing, false),
            Set::Is(bin) => (Test::In([bin - 1].into_iter().collect()), false, true),
        }
    }

    /// Returns the set that a node separates from the rest, and whether it is on the left; `None`
    /// if it does not fit these bins.
    fn of_node(node: &Node, bins: &FeatureBins, left_is_one: bool) -> Option<(Set, bool)> {
        let last = (bins.len() - 1) as u8;
        let bin = match (&node.test, bins) {
            (Test::AtMost(f32::MAX), FeatureBins::Cuts(_)) => last,
            (Test::AtMost(threshold), FeatureBins::Cuts(cuts)) => {
                1 + cuts.iter().position(|cut| cut == threshold)? as u8
            }
            (Test::In(set), FeatureBins::Categories(_)) => {
                let mut codes = set.codes();
                match (codes.next(), codes.next()) {
                    (Some(only), None) if left_is_one => return Some((Set::Is(1 + only), true)),
                    _ if *set == (0..last).collect::<CategorySet>() => last,
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some((Set::Above { bin, missing: !node.missing_left }, false))
    }
}

/// The values of a weak ranker's tree.
pub(crate) struct StumpStats {
    pub(crate) alpha: f64,
    pub(crate) gain: f64,
    pub(crate) counts: Counts,
}

/// The number of all items, of those in the set, and of those with output 1 inside and outside of
/// it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) all: u32,
    pub(crate) inside: u32,
    pub(crate) ones_inside: u32,
    pub(crate) ones_outside: u32,
}

impl WeakRanker {
    /// Returns the tree with the outputs alpha and 0. `class` is the feature that holds the class,
    /// if there is one.
    pub(crate) fn tree(self, binning: &Binning, class: Option<usize>, stats: &StumpStats) -> Tree {
        let StumpStats { alpha, gain, counts } = *stats;
        let bins = &binning.features()[self.feature as usize];
        let (test, missing_left, set_is_left) = self.set.test(bins);
        let root = Node {
            feature: self.feature,
            test,
            missing_left,
            left: Child::Leaf(0),
            right: Child::Leaf(1),
            gain,
            rows: counts.all,
        };
        let mut tree = Tree { nodes: vec![root], leaves: Vec::new() };
        let outside = counts.all - counts.inside;
        let inside = (true, counts.inside, counts.ones_inside);
        let outside = (false, outside, counts.ones_outside);
        let sides = if set_is_left { [inside, outside] } else { [outside, inside] };
        let children = sides.map(|(is_inside, rows, output)| {
            let leaf = |tree: &mut Tree, value: f64, rows: u32| {
                tree.leaves.push(Leaf { value, rows });
                Child::Leaf(tree.leaves.len() as u32 - 1)
            };
            let (Some(sides), Some(class)) = (self.classes, class) else {
                return leaf(&mut tree, if is_inside { alpha } else { 0.0 }, rows);
            };
            let ones = if is_inside { sides.inside } else { sides.outside };
            let classes = (binning.features()[class].len() - 1) as u8;
            match ones.codes().count() {
                0 => leaf(&mut tree, 0.0, rows),
                n if n == usize::from(classes) => leaf(&mut tree, alpha, rows),
                _ => {
                    let number = tree.nodes.len();
                    let left = leaf(&mut tree, alpha, output);
                    let right = leaf(&mut tree, 0.0, rows - output);
                    tree.nodes.push(Node {
                        feature: class as u32,
                        test: Test::In(ones),
                        missing_left: false,
                        left,
                        right,
                        gain: 0.0,
                        rows,
                    });
                    Child::Node(number as u32)
                }
            }
        });
        [tree.nodes[0].left, tree.nodes[0].right] = children;
        tree
    }

    /// Returns the weak ranker of a tree, if it fits these bins.
    pub(crate) fn of_tree(
        tree: &Tree,
        binning: &Binning,
        class: Option<usize>,
    ) -> Option<WeakRanker> {
        let root = tree.nodes.first()?;
        let bins = binning.features().get(root.feature as usize)?;
        let is_one = |leaf: Child| match leaf {
            Child::Leaf(leaf) => Some(tree.leaves[leaf as usize].value != 0.0),
            Child::Node(_) => None,
        };
        let Some(class) = class else {
            let (set, _) = Set::of_node(root, bins, is_one(root.left)?)?;
            return (tree.nodes.len() == 1).then_some(WeakRanker {
                feature: root.feature,
                set,
                classes: None,
            });
        };
        let all: CategorySet = (0..(binning.features()[class].len() - 1) as u8).collect();
        let classes = |child: Child| match child {
            Child::Leaf(_) => Some(if is_one(child)? { all } else { CategorySet::default() }),
            Child::Node(number) => match &tree.nodes[number as usize] {
                Node { feature, test: Test::In(set), left, right, .. }
                    if *feature as usize == class && is_one(*left)? && !is_one(*right)? =>
                {
                    Some(*set)
                }
                _ => None,
            },
        };
        // A single category is always on the left.
        let (set, set_is_left) = Set::of_node(root, bins, true)?;
        let (left, right) = (classes(root.left)?, classes(root.right)?);
        let sides = match set_is_left {
            true => Sides { inside: left, outside: right },
            false => Sides { inside: right, outside: left },
        };
        Some(WeakRanker { feature: root.feature, set, classes: Some(sides) })
    }

    /// Returns the output for an item with this bin of the feature and, in multiclass tasks, this
    /// class.
    #[inline]
    pub(crate) fn output(self, bin: u8, class: u8) -> bool {
        let inside = self.set.holds(bin);
        match self.classes {
            None => inside,
            Some(_) if class == 0 => false,
            Some(Sides { inside: ones, .. }) if inside => ones.contains(class - 1),
            Some(Sides { outside: ones, .. }) => ones.contains(class - 1),
        }
    }
}

/// Returns the weight of a weak ranker's tree: its output that is not 0.
pub(crate) fn weight_of(tree: &Tree) -> f64 {
    tree.leaves.iter().map(|leaf| leaf.value).find(|value| *value != 0.0).unwrap_or(0.0)
}

/// Returns the same tree with the weight 1.
pub(crate) fn unweighted(tree: &Tree) -> Tree {
    let mut tree = tree.clone();
    for leaf in &mut tree.leaves {
        leaf.value = if leaf.value == 0.0 { 0.0 } else { 1.0 };
    }
    tree
}
