//! Against the definition: all sets of features.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;
use crate::tree::{Leaf, Node, Test};

const FEATURES: usize = 5;

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
            let [left, right] = shares(tree, number);
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

/// A tree of so many nodes: each new node takes the place of a leaf.
fn tree_of(choices: &[(usize, u32, u8, bool, u8)], values: &[f64]) -> Tree {
    let mut tree = Tree::constant(values[0], 64);
    for (number, &(leaf, feature, threshold, missing_left, left_rows)) in choices.iter().enumerate() {
        let leaf = leaf % tree.leaves.len();
        let rows = tree.leaves[leaf].rows;
        let left = u32::from(left_rows) % (rows + 1);
        let new = tree.leaves.len() as u32;
        let here = Child::Node(number as u32);
        for node in &mut tree.nodes {
            for child in [&mut node.left, &mut node.right] {
                if *child == Child::Leaf(leaf as u32) {
                    *child = here;
                }
            }
        }
        tree.nodes.push(Node {
            feature,
            test: Test::AtMost(f32::from(threshold)),
            missing_left,
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

proptest! {
    /// Features that stand more than once on a path, sides without rows, missing values.
    #[test]
    fn values_are_shapleys(
        choices in prop::collection::vec(
            (0usize..20, 0..FEATURES as u32, 0u8..4, any::<bool>(), any::<u8>()), 0..12
        ),
        values in prop::collection::vec(-5.0f64..5.0, 13),
        item in prop::collection::vec(prop_oneof![Just(f32::NAN), 0f32..4.0], FEATURES),
    ) {
        let trees = [tree_of(&choices, &values)];
        let shapley = Shapley::new(&trees);
        let mut found = vec![0.0; FEATURES];
        shapley.add(&item, 1.0, &mut found);
        for (found, slow) in found.iter().zip(slow_values(&trees[0], &item)) {
            prop_assert!((found - slow).abs() < 1e-9, "{found} {slow}");
        }
        let sum: f64 = found.iter().sum();
        let gap = sum - (trees[0].value_of(&item) - shapley.expected());
        prop_assert!(gap.abs() < 1e-9, "{gap}");
    }
}

#[test]
fn the_wind_has_added_six() {
    let mut tree = tree_of(&[(0, 0, 14, false, 0)], &[0.0, 8.0]);
    tree.leaves[0].rows = 3;
    tree.leaves[1].rows = 1;
    let trees = [tree];
    let shapley = Shapley::new(&trees);
    let mut values = [0.0];
    shapley.add(&[20.0], 1.0, &mut values);
    assert_eq!((shapley.expected(), values[0]), (2.0, 6.0));
}
