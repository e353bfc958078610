//! Weak rankers: decision stumps on bins, which say 0 or 1 of an item.
//!
//! "wind above 14", "size is city", "wind is missing". Items without a value of a number are on
//! either side, whichever is better; if training items all have one, they get 0.
//!
//! In multiclass tasks a stump tells the classes apart that go with either side: "where x is above
//! 0.3, classes 2 and 5 say 1; where it is not, classes 1, 3 and 4". All classes learn in every
//! round, and most pairs of candidates are ordered by it; stumps that speak of one class alone
//! leave nearly all of them tied.

use crate::tree::{Binning, CategorySet, Child, FeatureBins, Leaf, Node, Test, Tree};

/// A weak ranker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Weak {
    pub(crate) feature: u32,
    pub(crate) set: Set,
    /// Of which classes it says 1; without classes of the set itself.
    pub(crate) classes: Option<Sides>,
}

/// Bins of a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Set {
    /// Those above, with or without the missing one (bin 0).
    Above { bin: u8, missing: bool },
    /// This one: a category.
    Is(u8),
}

/// Classes of which 1 is said: items in the set, and the others.
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

    /// What sends an item to the left, whether missing values go there, and whether that is the
    /// set.
    fn test(self, bins: &FeatureBins) -> (Test, bool, bool) {
        match self {
            Set::Above { bin, missing } => (bins.test_up_to(bin), !missing, false),
            Set::Is(bin) => (Test::In([bin - 1].into_iter().collect()), false, true),
        }
    }

    /// The set that a node tells from the rest, and whether it is on the left; `None` if it is of
    /// other bins.
    fn of_node(node: &Node, bins: &FeatureBins, left_says: bool) -> Option<(Set, bool)> {
        let last = (bins.len() - 1) as u8;
        let bin = match (&node.test, bins) {
            (Test::AtMost(f32::MAX), FeatureBins::Cuts(_)) => last,
            (Test::AtMost(threshold), FeatureBins::Cuts(cuts)) => {
                1 + cuts.iter().position(|cut| cut == threshold)? as u8
            }
            (Test::In(set), FeatureBins::Categories(_)) => {
                let mut codes = set.codes();
                match (codes.next(), codes.next()) {
                    (Some(only), None) if left_says => return Some((Set::Is(1 + only), true)),
                    _ if *set == (0..last).collect::<CategorySet>() => last,
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some((Set::Above { bin, missing: !node.missing_left }, false))
    }
}

/// What a tree needs beside the weak ranker.
pub(crate) struct Growth {
    pub(crate) alpha: f64,
    pub(crate) gain: f64,
    pub(crate) counts: Counts,
}

/// How many items there are, in the set, and how many 1 is said of, in the set and beside it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) all: u32,
    pub(crate) inside: u32,
    pub(crate) said_inside: u32,
    pub(crate) said_outside: u32,
}

impl Weak {
    /// The tree that says alpha or 0. `class` is the feature that holds classes, if one does.
    pub(crate) fn tree(self, binning: &Binning, class: Option<usize>, growth: &Growth) -> Tree {
        let Growth { alpha, gain, counts } = *growth;
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
        let inside = (true, counts.inside, counts.said_inside);
        let outside = (false, outside, counts.said_outside);
        let sides = if set_is_left { [inside, outside] } else { [outside, inside] };
        let children = sides.map(|(is_inside, rows, said)| {
            let leaf = |tree: &mut Tree, value: f64, rows: u32| {
                tree.leaves.push(Leaf { value, rows });
                Child::Leaf(tree.leaves.len() as u32 - 1)
            };
            let (Some(sides), Some(class)) = (self.classes, class) else {
                return leaf(&mut tree, if is_inside { alpha } else { 0.0 }, rows);
            };
            let says = if is_inside { sides.inside } else { sides.outside };
            let classes = (binning.features()[class].len() - 1) as u8;
            match says.codes().count() {
                0 => leaf(&mut tree, 0.0, rows),
                n if n == usize::from(classes) => leaf(&mut tree, alpha, rows),
                _ => {
                    let number = tree.nodes.len();
                    let left = leaf(&mut tree, alpha, said);
                    let right = leaf(&mut tree, 0.0, rows - said);
                    tree.nodes.push(Node {
                        feature: class as u32,
                        test: Test::In(says),
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

    /// The weak ranker of a tree, if it is one on these bins.
    pub(crate) fn of_tree(tree: &Tree, binning: &Binning, class: Option<usize>) -> Option<Weak> {
        let root = tree.nodes.first()?;
        let bins = binning.features().get(root.feature as usize)?;
        let says = |leaf: Child| match leaf {
            Child::Leaf(leaf) => Some(tree.leaves[leaf as usize].value != 0.0),
            Child::Node(_) => None,
        };
        let Some(class) = class else {
            let (set, _) = Set::of_node(root, bins, says(root.left)?)?;
            return (tree.nodes.len() == 1).then_some(Weak {
                feature: root.feature,
                set,
                classes: None,
            });
        };
        let all: CategorySet = (0..(binning.features()[class].len() - 1) as u8).collect();
        let classes = |child: Child| match child {
            Child::Leaf(_) => Some(if says(child)? { all } else { CategorySet::default() }),
            Child::Node(number) => match &tree.nodes[number as usize] {
                Node { feature, test: Test::In(set), left, right, .. }
                    if *feature as usize == class && says(*left)? && !says(*right)? =>
                {
                    Some(*set)
                }
                _ => None,
            },
        };
        // A category is always told from the rest on the left.
        let (set, set_is_left) = Set::of_node(root, bins, true)?;
        let (left, right) = (classes(root.left)?, classes(root.right)?);
        let sides = match set_is_left {
            true => Sides { inside: left, outside: right },
            false => Sides { inside: right, outside: left },
        };
        Some(Weak { feature: root.feature, set, classes: Some(sides) })
    }

    /// What it says of an item in a bin of its feature and, where there are classes, of a class.
    #[inline]
    pub(crate) fn says(self, bin: u8, class: u8) -> bool {
        let inside = self.set.holds(bin);
        match self.classes {
            None => inside,
            Some(_) if class == 0 => false,
            Some(Sides { inside: says, .. }) if inside => says.contains(class - 1),
            Some(Sides { outside: says, .. }) => says.contains(class - 1),
        }
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
