//! The prepared scorer gives the scores of the plain one to the bit: small trees and large
//! ones, few thresholds and thousands, values that lie on thresholds, are missing, or odd.

use proptest::prelude::*;
use stakes_model::tree::{Child, Leaf, Node, Test, Tree};
use stakes_model::{Factor, Link, Scorer};

use crate::make::{Draw, feature, random, random_tree};

const ODD: [f32; 10] = [
    f32::NAN,
    0.0,
    -0.0,
    f32::MAX,
    f32::MIN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MIN_POSITIVE,
    1e-45,
    300.0,
];

/// Adds trees with as many nodes as `sizes` says; some thresholds become odd ones.
fn large(seed: u64, sizes: &[usize]) -> (Scorer, usize) {
    let mut draw = Draw::new(seed);
    let mut model = random(seed);
    model.features.push(feature("one more number", None));
    for &nodes in sizes {
        let mut tree = random_tree(&mut draw, &model.features, nodes);
        for node in &mut tree.nodes {
            if let Test::AtMost(threshold) = &mut node.test
                && draw.below(4) == 0
            {
                *threshold = match draw.below(40) {
                    0 => f32::NAN,
                    odd if odd < 20 => ODD[1 + odd % 9],
                    small => small as f32 / 8.0,
                };
            }
        }
        let factor = draw.below(model.scorer.factors.len());
        model.scorer.factors[factor].trees.push(tree);
    }
    (model.scorer, model.features.len())
}

/// Rows in which many values are thresholds, or next to one.
fn rows(scorer: &Scorer, width: usize, seed: u64, n: usize) -> Vec<f32> {
    let mut draw = Draw::new(seed);
    let nodes = scorer.factors.iter().flat_map(|f| &f.trees).flat_map(|t| &t.nodes);
    let thresholds: Vec<f32> = nodes
        .filter_map(|n| if let Test::AtMost(t) = n.test { Some(t) } else { None })
        .chain(ODD)
        .collect();
    let missing = draw.below(2);
    let value = |_| match draw.below(6) {
        0 => ODD[(1 - missing) + draw.below(9)],
        1 => thresholds[draw.below(thresholds.len())],
        2 => thresholds[draw.below(thresholds.len())].next_up(),
        3 => thresholds[draw.below(thresholds.len())].next_down(),
        4 => draw.below(260) as f32,
        _ => draw.number(),
    };
    (0..n * width).map(value).collect()
}

fn check(scorer: &Scorer, width: usize, rows: &[f32]) -> Result<(), TestCaseError> {
    let prepared = scorer.prepare();
    let n = rows.len() / width;
    let mut many = vec![0.0; n];
    prepared.score_rows(rows, width, &mut many);
    for (row, score) in rows.chunks(width).zip(many) {
        let expected = scorer.score(row).to_bits();
        prop_assert_eq!(score.to_bits(), expected, "in a block: {:?}", row);
        prop_assert_eq!(prepared.score(row).to_bits(), expected, "alone: {:?}", row);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn prepared_scores_are_the_same(
        seed: u64,
        sizes in prop::collection::vec(0_usize..300, 0..12),
        n in 1_usize..600,
    ) {
        let (scorer, width) = large(seed, &sizes);
        check(&scorer, width, &rows(&scorer, width, seed, n))?;
    }

    #[test]
    fn so_are_those_of_the_largest_trees(seed: u64, n in 1_usize..300) {
        let (scorer, width) = large(seed, &[254, 255, 256, 4095]);
        check(&scorer, width, &rows(&scorer, width, seed, n))?;
    }
}

/// A tree that is a chain, with a threshold at every whole number.
#[test]
fn chains_of_any_depth_score_the_same() {
    for (nodes, leftwards) in [(1, true), (255, true), (255, false), (256, true), (4095, false)] {
        let node = |i: u32| {
            let below = if i + 1 < nodes { Child::Node(i + 1) } else { Child::Leaf(nodes) };
            let (left, right) =
                if leftwards { (below, Child::Leaf(i)) } else { (Child::Leaf(i), below) };
            let threshold = if leftwards { nodes - i } else { i } as f32;
            let test = Test::AtMost(threshold);
            let missing_left = i.is_multiple_of(2);
            Node { feature: 0, test, missing_left, left, right, gain: 0.0, rows: 1 }
        };
        let leaves = (0..=nodes).map(|i| Leaf { value: f64::from(i) + 0.1, rows: 1 });
        let tree = Tree { nodes: (0..nodes).map(node).collect(), leaves: leaves.collect() };
        let trees = vec![tree.clone(), Tree::constant(1.0, 1), tree];
        let factor = Factor::new("score", Link::Identity, 0.5, trees);
        let scorer = Scorer { unit: 1.0, factors: vec![factor] };
        let mut rows: Vec<f32> = (-1..=nodes as i32 + 1).map(|v| v as f32).collect();
        rows.push(f32::NAN);
        check(&scorer, 1, &rows).unwrap();
    }
}

#[test]
fn a_model_without_features_scores_rows_without_values() {
    let trees = vec![Tree::constant(0.5, 1)];
    let factor = Factor::new("score", Link::Exp, 0.5, trees);
    let prepared = Scorer { unit: 2.0, factors: vec![factor] }.prepare();
    let mut scores = [0.0; 300];
    prepared.score_rows(&[], 0, &mut scores);
    assert!(scores.iter().all(|&s| s == 2.0 * 1f64.exp() && s == prepared.score(&[])));
}
