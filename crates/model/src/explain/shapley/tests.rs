//! Comparison with the definition: all sets of features.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;
use crate::tree::{Leaf, Test};

const FEATURES: usize = 6;

/// v(S) by its definition.
fn slow_value(tree: &Tree, at: Child, item: &[f32], known: u32) -> f64 {
    match at {
        Child::Leaf(leaf) => tree.leaves[leaf as usize].value,
        Child::Node(number) => {
            let node = &tree.nodes[number as usize];
            let below = |child: Child| slow_value(tree, child, item, known);
            if known >> node.feature & 1 == 1 {
                let left = node.goes_left(item[node.feature as usize]);
                return below(if left { node.left } else { node.right });
            }
            let [left, right] = shares(tree, node);
            left * below(node.left) + right * below(node.right)
        }
    }
}

/// Shapley values by their definition.
fn slow_values(tree: &Tree, item: &[f32]) -> Vec<f64> {
    let root = if tree.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
    let factorial = |n: u32| (1..=n).map(f64::from).product::<f64>();
    let of_feature = |feature: usize| {
        let sets = (0u32..1 << FEATURES).filter(|set| set >> feature & 1 == 0);
        sets.map(|set| {
            let size = set.count_ones();
            let weight = factorial(size) * factorial(FEATURES as u32 - size - 1);
            let gain = slow_value(tree, root, item, set | 1 << feature)
                - slow_value(tree, root, item, set);
            weight / factorial(FEATURES as u32) * gain
        })
        .sum()
    };
    (0..FEATURES).map(of_feature).collect()
}

/// A node that replaces a leaf.
#[derive(Debug, Clone)]
struct Choice {
    leaf: usize,
    feature: u32,
    threshold: u8,
    /// If not 0: a test of categories.
    categories: u8,
    missing_left: bool,
    left_rows: u32,
}

fn choice() -> impl Strategy<Value = Choice> {
    let categories = prop_oneof![Just(0u8), any::<u8>()];
    let parts =
        (any::<usize>(), 0..FEATURES as u32, 0u8..4, categories, any::<bool>(), any::<u32>());
    parts.prop_map(|(leaf, feature, threshold, categories, missing_left, left_rows)| Choice {
        leaf,
        feature,
        threshold,
        categories,
        missing_left,
        left_rows,
    })
}

/// Each new node replaces a leaf, so parents come before their children.
fn tree_of(choices: &[Choice], values: &[f64]) -> Tree {
    let mut tree = Tree::constant(values[0], 64);
    for (number, choice) in choices.iter().enumerate() {
        let leaf = choice.leaf % tree.leaves.len();
        let rows = tree.leaves[leaf].rows;
        // Sometimes all rows go to one side.
        let left = choice.left_rows % (rows + 1);
        let new = tree.leaves.len() as u32;
        for node in &mut tree.nodes {
            for child in [&mut node.left, &mut node.right] {
                if *child == Child::Leaf(leaf as u32) {
                    *child = Child::Node(number as u32);
                }
            }
        }
        tree.nodes.push(Node {
            feature: choice.feature,
            test: match choice.categories {
                0 => Test::AtMost(f32::from(choice.threshold)),
                set => Test::In((0..8).filter(|code| set >> code & 1 == 1).collect()),
            },
            missing_left: choice.missing_left,
            left: Child::Leaf(leaf as u32),
            right: Child::Leaf(new),
            gain: 0.0,
            rows,
        });
        tree.leaves[leaf].rows = left;
        tree.leaves.push(Leaf { value: values[new as usize], rows: rows - left });
    }
    tree
}

fn values_of(trees: &[Tree], item: &[f32]) -> Vec<f64> {
    let mut values = vec![0.0; item.len()];
    Shapley::new(trees).add(item, &mut values);
    values
}

proptest! {
    /// Features that occur more than once on a path, sides without rows, missing values, categories.
    #[test]
    fn values_are_shapleys(
        choices in prop::collection::vec(choice(), 0..24),
        values in prop::collection::vec(-5.0f64..5.0, 25),
        item in prop::collection::vec(prop_oneof![Just(f32::NAN), 0f32..5.0], FEATURES),
    ) {
        let trees = [tree_of(&choices, &values)];
        let found = values_of(&trees, &item);
        for (found, slow) in found.iter().zip(slow_values(&trees[0], &item)) {
            prop_assert!((found - slow).abs() < 1e-11, "{found} {slow}");
        }
        let gap = found.iter().sum::<f64>() + Shapley::new(&trees).expected()
            - trees[0].value_of(&item);
        prop_assert!(gap.abs() < 1e-11, "{gap}");
        // Features that are not tested have the value 0 exactly.
        for (feature, found) in found.iter().enumerate() {
            let tested = trees[0].nodes.iter().any(|node| node.feature as usize == feature);
            prop_assert!(tested || *found == 0.0);
        }
    }

    /// Long paths with as many different features: no digits are lost.
    #[test]
    fn deep_trees_add_up(
        turns in prop::collection::vec((any::<bool>(), 1u32..100, -5.0f64..5.0), 1..200),
    ) {
        let trees = [chain(&turns)];
        let item: Vec<f32> = turns.iter().map(|turn| f32::from(u8::from(turn.0))).collect();
        let gap = values_of(&trees, &item).iter().sum::<f64>() + Shapley::new(&trees).expected()
            - trees[0].value_of(&item);
        prop_assert!(gap.abs() < 1e-11, "{gap}");
    }
}

/// Each node tests another feature and has a leaf on its left; the value 1 leads to the next node.
fn chain(turns: &[(bool, u32, f64)]) -> Tree {
    let mut tree = Tree::constant(1.0, 1 << 31);
    for (number, &(_, share, value)) in (0..).zip(turns) {
        let rows = tree.leaves[number as usize].rows;
        let left_rows = rows / (share + 1);
        if let Some(last) = tree.nodes.last_mut() {
            last.right = Child::Node(number);
        }
        tree.nodes.push(Node {
            feature: number,
            test: Test::AtMost(0.0),
            missing_left: false,
            left: Child::Leaf(number),
            right: Child::Leaf(number + 1),
            gain: 0.0,
            rows,
        });
        tree.leaves[number as usize].rows = left_rows;
        tree.leaves.push(Leaf { value, rows: rows - left_rows });
    }
    tree
}

#[test]
fn the_wind_adds_six() {
    let mut tree = chain(&[(true, 1, 8.0)]);
    tree.leaves = vec![Leaf { value: 0.0, rows: 3 }, Leaf { value: 8.0, rows: 1 }];
    let trees = [tree];
    assert_eq!(Shapley::new(&trees).expected(), 2.0);
    assert!((values_of(&trees, &[20.0])[0] - 6.0).abs() < 1e-14);
    assert!((values_of(&trees, &[f32::NAN])[0] - 6.0).abs() < 1e-14);
    assert!((values_of(&trees, &[-1.0])[0] + 2.0).abs() < 1e-14);
}

/// Both features must be 1 for a value of 12; half the rows have each. A tree tests one of them first,
/// but the Shapley values treat them alike.
#[test]
fn features_with_the_same_role_have_the_same_value() {
    let mut tree = chain(&[(true, 1, 0.0), (true, 1, 12.0)]);
    tree.leaves[0].value = 0.0;
    let mut turned = tree.clone();
    turned.nodes[0].feature = 1;
    turned.nodes[1].feature = 0;
    // v is 3, 6 for one that is 1, 12 for both; 0 as soon as one is known to be 0.
    for tree in [tree, turned] {
        let near = |item: [f32; 2], expected: [f64; 2]| {
            let values = values_of(std::slice::from_ref(&tree), &item);
            let gaps = values.iter().zip(expected).map(|(value, expected)| value - expected);
            assert!(gaps.into_iter().all(|gap| gap.abs() < 1e-12), "{item:?}: {values:?}");
        };
        near([1.0, 1.0], [4.5, 4.5]);
        near([1.0, 0.0], [1.5, -4.5]);
        near([0.0, 1.0], [-4.5, 1.5]);
        near([0.0, 0.0], [-1.5, -1.5]);
    }
}

#[test]
fn a_constant_tree_has_no_values() {
    let trees = [Tree::constant(3.0, 5)];
    assert_eq!((Shapley::new(&trees).expected(), values_of(&trees, &[1.0])), (3.0, vec![0.0]));
}
