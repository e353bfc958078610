//! Blocks of rows have the scores of [`Scorer::score`] with all vector widths that this processor
//! supports.

use pulp::Arch;
#[cfg(target_arch = "x86_64")]
use pulp::x86::{V3, V4};
use stakes_core::random::Stream;

use super::PreparedScorer;
use crate::tree::{Child, Leaf, Node, Test, Tree};
use crate::{Factor, Link, Scorer};

/// Features with 1, 3, 7 and so on to 511 thresholds, then one with categories.
const NUMBERS: usize = 9;
const WIDTH: usize = NUMBERS + 1;

fn all() -> Vec<Arch> {
    #[cfg(target_arch = "x86_64")]
    let vectors = [V3::try_new().map(Arch::V3), V4::try_new().map(Arch::V4)];
    #[cfg(not(target_arch = "x86_64"))]
    let vectors: [Option<Arch>; 0] = [];
    [Arch::Scalar].into_iter().chain(vectors.into_iter().flatten()).collect()
}

/// A threshold of the feature, or a value around them.
fn number(feature: usize, random: u64) -> f32 {
    let n = (2 << feature) - 1;
    (random % n) as f32 - n as f32 / 2.0
}

/// Adds a subtree of so many nodes; the sizes of left subtrees are random.
fn grow(tree: &mut Tree, nodes: usize, random: Stream) -> Child {
    if nodes == 0 {
        tree.leaves.push(Leaf { value: tree.leaves.len() as f64 / 7.0 - 1.0, rows: 1 });
        return Child::Leaf(tree.leaves.len() as u32 - 1);
    }
    let here = tree.nodes.len();
    let draw = |i: u64| random.word(4 * here as u64 + i);
    let feature = draw(0) as usize % WIDTH;
    let test = match feature {
        NUMBERS => Test::In((0..=255).filter(|&code| draw(1) >> (code % 64) & 1 == 1).collect()),
        _ => Test::AtMost(number(feature, draw(1))),
    };
    let (left, right) = (Child::Leaf(0), Child::Leaf(0));
    let (feature, missing_left) = (feature as u32, draw(2) & 1 == 1);
    tree.nodes.push(Node { feature, test, missing_left, left, right, gain: 0.0, rows: 1 });
    let left = draw(3) as usize % nodes;
    tree.nodes[here].left = grow(tree, left, random);
    tree.nodes[here].right = grow(tree, nodes - 1 - left, random);
    Child::Node(here as u32)
}

#[test]
fn every_kind_of_processor_gives_the_same_scores() {
    let trees = (0..60).map(|number| {
        let mut tree = Tree { nodes: vec![], leaves: vec![] };
        grow(&mut tree, [62, 254, 3, 300][number as usize % 4], Stream::new(1, number));
        tree
    });
    let factor = Factor::new("f", Link::Identity, 0.5, trees.collect());
    let scorer = Scorer { unit: 1.0, factors: vec![factor] };
    let random = Stream::new(2, 0);
    let value = |i: usize| match (random.word(2 * i as u64), random.word(2 * i as u64 + 1)) {
        // No missing values in the first block.
        (draw, _) if draw % 9 == 0 && i > 256 * WIDTH => f32::NAN,
        (draw, _) if draw % 31 == 0 => f32::INFINITY,
        (draw, _) if draw % 37 == 0 => f32::NEG_INFINITY,
        (_, word) if i % WIDTH == NUMBERS => (word % 260) as f32,
        (draw, word) => number(i % WIDTH, word) + (draw % 3) as f32 / 2.0 - 0.5,
    };
    // Blocks that are full, and one that ends within a group of rows.
    let rows: Vec<f32> = (0..(2 * 256 + 77) * WIDTH).map(value).collect();
    let expected: Vec<u64> = rows.chunks(WIDTH).map(|row| scorer.score(row).to_bits()).collect();
    let prepared = PreparedScorer::new(&scorer);
    for arch in all() {
        let mut scores = vec![0.0; expected.len()];
        prepared.score_rows_on(arch, &rows, WIDTH, &mut scores);
        let scores: Vec<u64> = scores.into_iter().map(f64::to_bits).collect();
        assert!(scores == expected, "on {arch:?}");
    }
}
