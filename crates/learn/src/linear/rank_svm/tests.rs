#![allow(clippy::unwrap_used)]
use super::*;
use crate::newton::tests::{World, check_derivatives, check_minimum, lists, world};

fn losses(world: &World) -> Vec<RankSvm<'_>> {
    let weights = vec![1.0; world.lists.len()];
    let stakes = [PairWeight::One, PairWeight::Difference];
    let of = |pair_weight| RankSvm::new(&world.data, &world.lists, pair_weight, &weights);
    stakes.iter().map(|&pair_weight| of(pair_weight)).collect()
}

const HINGES: [Hinge; 4] = [
    Hinge::SQUARED,
    Hinge::SHARP,
    Hinge { width: 0.3, curvature: 1.0 / 0.3 },
    Hinge { width: 1e-3, curvature: 1e3 },
];

/// By walking over all pairs.
fn by_pairs(world: &World, weights: &[f64], pair_weight: PairWeight, hinge: Hinge) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for list in 0..world.lists.len() {
        let items: Vec<usize> = world.lists.items(list).collect();
        let cost = world.lists.cost();
        let score = |i: usize| dot(world.data.row(i), weights);
        let weight = |i: usize| world.lists.weight().map_or(1.0, |w| w[i]);
        let largest = items.iter().map(|&i| weight(i)).fold(0.0, f64::max);
        let (mut value, mut total) = (0.0, 0.0);
        for &i in &items {
            for &j in items.iter().filter(|&&j| cost[j] < cost[i]) {
                let pair_weight = match pair_weight {
                    PairWeight::One => 1.0,
                    PairWeight::Difference => cost[i] - cost[j],
                };
                let pair_weight = pair_weight * (weight(i) * weight(j)).sqrt();
                let z = (1.0 - score(i) + score(j)).max(0.0);
                let near = z < hinge.width;
                let hinge =
                    if near { hinge.curvature * z * z / 2.0 } else { z - hinge.width / 2.0 };
                value += pair_weight * hinge;
                total += pair_weight;
            }
        }
        if total > 0.0 {
            sum += largest * value / total;
            count += 1.0;
        }
    }
    sum / count
}

#[test]
fn sweeps_are_walks_over_pairs() {
    for weighted in [false, true] {
        let world = world(5, weighted);
        for weights in [[0.0, 0.0, 0.0], [0.4, -0.3, 0.1], [3.0, 5.0, -2.0]] {
            for (loss, pair_weight) in
                losses(&world).iter().zip([PairWeight::One, PairWeight::Difference])
            {
                for hinge in HINGES {
                    let fast = loss.with(hinge).value(&weights);
                    let slow = by_pairs(&world, &weights, pair_weight, hinge);
                    let near = (fast - slow).abs() <= 1e-12 * slow.max(1.0);
                    assert!(near, "{pair_weight:?} {hinge:?} {weights:?}: {fast} {slow}");
                }
            }
        }
    }
}

#[test]
fn derivatives_are_those_of_the_value() {
    for weighted in [false, true] {
        let world = world(6, weighted);
        for loss in losses(&world) {
            for hinge in [Hinge::SQUARED, Hinge::smoothed(0.5)] {
                check_derivatives(&loss.with(hinge), &[0.41, -0.32, 0.13]);
                check_derivatives(&loss.with(hinge), &[1.41, -3.32, 0.53]);
            }
        }
    }
}

#[test]
fn minima_of_the_squared_hinge_hold_to_the_first_order_condition() {
    for loss in losses(&world(7, true)) {
        for c in [0.01, 1.0, 100.0] {
            let minimum = check_minimum(&loss.with(Hinge::SQUARED), c);
            assert_eq!(minimum.weights, loss.squared(c, &[0.0; 3]).weights);
        }
    }
}

#[test]
fn the_sharp_minimum_is_not_beaten() {
    let world = world(8, false);
    for loss in losses(&world) {
        let sharp = loss.with(Hinge::SHARP);
        for c in [0.1, 10.0] {
            let weights = loss.sharp(c, &[0.0; 3]).weights;
            let whole = |w: &[f64]| 0.5 * dot(w, w) + c * sharp.value(w);
            let lowest = whole(&weights);
            // The dual's value, which lies below every other, is near.
            let bent = loss.with(Hinge::smoothed(0.3));
            let weights_bent = minimise(&bent, c, &[0.0; 3]).weights;
            let below = whole(&weights_bent) - c * bent.gap(&weights_bent);
            assert!(below <= lowest && lowest <= whole(&weights_bent) + 1e-12, "{below} {lowest}");
            // In any direction, by any step, it is not lower.
            for axis in 0..3 {
                for step in [-0.3, -0.03, -0.003, 0.003, 0.03, 0.3] {
                    let mut there = weights.clone();
                    there[axis] += step;
                    assert!(whole(&there) > lowest - 3e-5 * lowest, "c = {c}");
                }
            }
        }
    }
}

#[test]
fn a_pair_by_hand() {
    let lists = lists(&[vec![3.0, 1.0]], None);
    let data = Dense::new(vec![1.0, 0.0], 1);
    let loss = RankSvm::new(&data, &lists, PairWeight::One, &[1.0]);
    assert!((loss.sharp(0.5, &[0.0]).weights[0] - 0.5).abs() < 1e-4);
    // Beyond the margin nothing is to be had.
    assert!((loss.sharp(5.0, &[0.0]).weights[0] - 1.0).abs() < 1e-3);
    // w^2 / 2 + 1/2 (1 - w)^2.
    assert!((loss.squared(0.5, &[0.0]).weights[0] - 0.5).abs() < 1e-12);
}

#[test]
fn lists_without_pairs_say_nothing() {
    let lists = lists(&[vec![2.0, 2.0], vec![1.0]], None);
    let data = Dense::new(vec![1.0, 0.0, 3.0], 1);
    let loss = RankSvm::new(&data, &lists, PairWeight::Difference, &[1.0, 1.0]);
    assert_eq!(loss.sharp(1.0, &[0.0]).weights, [0.0]);
    assert_eq!(loss.squared(1.0, &[0.0]).weights, [0.0]);
}

#[test]
fn one_long_list() {
    let n = 15_000;
    let costs: Vec<f64> = (0..n).map(|i| f64::from(i * 7919 % n)).collect();
    let lists = lists(&[costs], None);
    let data = Dense::new((0..n).map(|i| f64::from(i * 7919 % n) / 5000.0).collect(), 1);
    let loss = RankSvm::new(&data, &lists, PairWeight::Difference, &[1.0]);
    assert!(loss.squared(1.0, &[0.0]).weights[0] > 0.0);
}
