//! From the tree of a file, whose nodes are in any order, to one of ours: parents before their children, and
//! every node the child of one other.

use stakes_model::tree::{Child, Leaf, Node, Test, Tree};

use super::error::Fault;

/// The largest tree that is read: what model files allow.
pub(super) const MAX_LEAVES: usize = 1 << 20;

/// What is at a place of a file's tree.
pub(super) enum Part {
    /// A test, and the places of its children.
    Split(Split),
    /// A leaf.
    Leaf(Leaf),
}

/// A test of a file's tree.
pub(super) struct Split {
    pub(super) feature: u32,
    pub(super) test: Test,
    pub(super) missing_left: bool,
    pub(super) left: usize,
    pub(super) right: usize,
    pub(super) gain: f64,
    pub(super) rows: u32,
}

/// Whether several nodes may have the same child, which is then copied.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sharing {
    /// A child that has two parents, or is above itself, is an error.
    Never,
    /// It is a way to write the tree, which is known to have no cycles.
    Copied,
}

/// Walks a tree from its root; `part` says what is at a place below `places`.
pub(super) fn assemble(
    root: usize,
    places: usize,
    sharing: Sharing,
    mut part: impl FnMut(usize) -> Result<Part, Fault>,
) -> Result<Tree, Fault> {
    let mut tree = Tree { nodes: Vec::new(), leaves: Vec::new() };
    let mut seen = vec![false; if sharing == Sharing::Never { places } else { 0 }];
    // Places to visit, each with its parent and whether it is the left child.
    let mut open = vec![(root, None::<(usize, bool)>)];
    while let Some((place, parent)) = open.pop() {
        if place >= places {
            let what = format!("there is no node {place}: the tree has {places}");
            return Err(Fault::new("", what));
        }
        if let Some(seen) = seen.get_mut(place)
            && std::mem::replace(seen, true)
        {
            let what = format!("node {place} is the child of two nodes, or above itself");
            return Err(Fault::new("", what));
        }
        let child = match part(place).map_err(|fault| fault.within(format!("node {place}")))? {
            Part::Leaf(leaf) => {
                if tree.leaves.len() >= MAX_LEAVES {
                    return Err(Fault::refused(format!(
                        "a tree has more than {MAX_LEAVES} leaves; that many are read"
                    )));
                }
                tree.leaves.push(checked(leaf, place)?);
                Child::Leaf(tree.leaves.len() as u32 - 1)
            }
            Part::Split(split) => {
                let here = tree.nodes.len();
                if here >= MAX_LEAVES {
                    return Err(Fault::refused(format!(
                        "a tree has more than {MAX_LEAVES} nodes; that many are read"
                    )));
                }
                open.extend([(split.right, Some((here, false))), (split.left, Some((here, true)))]);
                tree.nodes.push(Node {
                    feature: split.feature,
                    test: split.test,
                    missing_left: split.missing_left,
                    // Until the children are visited.
                    left: Child::Leaf(0),
                    right: Child::Leaf(0),
                    gain: if split.gain.is_finite() {
                        split.gain.clamp(0.0, MAX_VALUE)
                    } else {
                        0.0
                    },
                    rows: split.rows,
                });
                Child::Node(here as u32)
            }
        };
        if let Some((parent, is_left)) = parent {
            let node = &mut tree.nodes[parent];
            if is_left { node.left = child } else { node.right = child }
        }
    }
    Ok(tree)
}

/// The largest value of a leaf: what model files allow.
const MAX_VALUE: f64 = 1e300;

fn checked(leaf: Leaf, place: usize) -> Result<Leaf, Fault> {
    if leaf.value.is_nan() || leaf.value.abs() > MAX_VALUE {
        let what = format!("the value of a leaf is {}; it must be finite", leaf.value);
        return Err(Fault::new(format!("node {place}"), what));
    }
    Ok(leaf)
}

/// Counts or weights of rows as whole numbers in the same proportions; counts stay as they are.
pub(super) fn rows(weight: f64, of_root: f64) -> u32 {
    const PARTS: f64 = 1e6;
    let is_count = of_root.fract() == 0.0 && weight.fract() == 0.0;
    let rows = if is_count { weight } else { (weight / of_root * PARTS).round().max(1.0) };
    // Saturates, and is 0 for NaN.
    rows as u32
}
