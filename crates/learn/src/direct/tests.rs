//! Searches against slow ones that look at every order.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use stakes_core::WeightedLists;
use stakes_core::cost::{CostModel, Problem};
use stakes_core::data::{Columns, Dataset, DatasetBuilder, Row};
use stakes_core::metric::{Metric, Scale};
use stakes_core::random::Stream;

use super::climber::{Climber, Landscape};
use super::*;
use crate::Lists;
use crate::dense::Dense;
use crate::run::Steps;

/// One item of a list: its impact, its weight, its inputs.
type Item = (u16, u8, Vec<i8>);

fn dataset(lists: &[Vec<Item>]) -> Dataset {
    let columns = Columns {
        list: Some("list".into()),
        impact: Some("y".into()),
        weight: Some("w".into()),
        ..Columns::default()
    };
    let mut builder = DatasetBuilder::new("memory", columns).unwrap();
    for (number, list) in lists.iter().enumerate() {
        for (impact, weight, _) in list {
            // Lists in the order of their names.
            let (name, impact) = (format!("{number:04}"), Some(f64::from(*impact)));
            let weight = Some(f64::from(*weight));
            builder.push(Row { list: &name, impact, weight, ..Row::default() }).unwrap();
        }
    }
    builder.finish().unwrap()
}

/// The metric, lists and inputs of a search.
struct World {
    metric: Metric,
    lists: WeightedLists,
    inputs: Dense,
}

impl World {
    fn new(metric: &str, lists: &[Vec<Item>]) -> Self {
        let data = dataset(lists);
        let problem = Problem::new(&data, &CostModel::Impact).unwrap();
        let weighted = WeightedLists::new(&Lists::new(&problem));
        let values: Vec<f64> =
            lists.iter().flatten().flat_map(|(_, _, x)| x).map(|x| f64::from(*x)).collect();
        let inputs = Dense::new(values, lists[0][0].2.len());
        let inputs = inputs_of(&weighted, &inputs).into_owned();
        World { metric: Metric::parse(metric, Scale::of(&data)).unwrap(), lists: weighted, inputs }
    }

    fn target(&self) -> Option<Target<'_>> {
        // Lists may have nothing to find at all.
        Target::new(&self.metric, &self.lists).ok()
    }
}

/// Every metric that is a sum of gain x discount, deep and shallow, both ways.
const SUMS: &[&str] = &[
    "ndcg@1",
    "ndcg@3",
    "ndcg",
    "dcg@2:gain=linear",
    "rcs@2",
    "rcs@3:policy=step",
    "rcs@20",
    "r@2",
    "saved@3",
    "regret@2",
    "lift@2",
    "p@2",
    "recall@3",
    "avgndcg@4",
    "rcr@3(ndcg@2)",
    "wrs:ties=expected",
    "ndcg@2:empty=one",
    "ndcg@4:short=zero",
];

fn lists() -> impl Strategy<Value = Vec<Vec<Item>>> {
    let item = (0u16..4, 0u8..4, prop::collection::vec(-3i8..4, 2));
    prop::collection::vec(prop::collection::vec(item, 1..9), 1..5)
}

/// The figure at the middle of every piece of the line, by looking at every pair of items.
fn brute_force(target: &Target<'_>, scores: &[f64], slopes: &[f64]) -> f64 {
    let mut crossings = vec![0.0];
    for ends in target.offsets().windows(2) {
        for a in ends[0]..ends[1] {
            for b in ends[0]..a {
                crossings.push((scores[a] - scores[b]) / (slopes[b] - slopes[a]));
            }
        }
    }
    crossings.retain(|at| at.is_finite());
    crossings.sort_by(f64::total_cmp);
    crossings.dedup_by(|a, b| (*a - *b).abs() < 1e-7);
    let mut middles: Vec<f64> =
        crossings.windows(2).map(|ends| (ends[0] + ends[1]) / 2.0).collect();
    middles.extend([crossings[0] - 1.0, crossings[crossings.len() - 1] + 1.0]);
    let at = |by: &f64| -> f64 {
        let moved: Vec<f64> = scores.iter().zip(slopes).map(|(s, x)| s + by * x).collect();
        target.value(&moved).unwrap()
    };
    middles.iter().map(at).fold(f64::NEG_INFINITY, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Nothing on the whole line is better, and the metric agrees about where it is.
    #[test]
    fn the_best_step_is_the_best_of_all(
        lists in lists(),
        weights in prop::collection::vec(-8i8..9, 2),
        input in 0usize..2,
        metric in prop::sample::select(SUMS),
    ) {
        let world = World::new(metric, &lists);
        let Some(target) = world.target() else { return Ok(()) };
        let landscape = Landscape::new(&target, &world.inputs, 0.0);
        let weights: Vec<f64> = weights.iter().map(|w| f64::from(*w) / 16.0).collect();
        let climber = Climber::new(&landscape, weights).unwrap();
        let mut scores = vec![0.0; world.inputs.rows()];
        world.inputs.times(&climber.weights, &mut scores);
        let slopes = &landscape.columns()[input];
        let way = [f64::from(u8::from(input == 0)), f64::from(u8::from(input == 1))];

        let step = climber.best_step(&landscape, &way, slopes).unwrap();
        let best = brute_force(&target, &scores, slopes);
        prop_assert!((step.value - best).abs() < 1e-9, "{} instead of {best}", step.value);
        let moved: Vec<f64> = scores.iter().zip(slopes).map(|(s, x)| s + step.by * x).collect();
        let there = target.value(&moved).unwrap();
        prop_assert!((step.value - there).abs() < 1e-9, "{} is {there}", step.value);
    }

    /// Longer lists of numbers that hardly ever tie, with a short top: lines that are left out
    /// would have been needed never.
    #[test]
    fn long_lists_too(seed in 0u64..1000, metric in prop::sample::select(&["ndcg@3", "rcs@20", "rcs@40"])) {
        let draws = Stream::new(seed, 0);
        let n = 60;
        let lists: Vec<Vec<Item>> = (0..2)
            .map(|l| (0..n).map(|i| (draws.below(l * n + i, 50) as u16, 1, vec![0, 0])).collect())
            .collect();
        let mut world = World::new(metric, &lists);
        let values = (0..4 * n).map(|i| draws.unit(1000 + i) * 2.0 - 1.0).collect();
        world.inputs = Dense::new(values, 2);
        let target = world.target().unwrap();
        let landscape = Landscape::new(&target, &world.inputs, 0.0);
        let climber = Climber::new(&landscape, vec![0.6, -0.3]).unwrap();
        let mut scores = vec![0.0; world.inputs.rows()];
        world.inputs.times(&climber.weights, &mut scores);
        let step = climber.best_step(&landscape, &[0.0, 1.0], &landscape.columns()[1]).unwrap();
        let best = brute_force(&target, &scores, &landscape.columns()[1]);
        prop_assert!((step.value - best).abs() < 1e-6, "{} instead of {best}", step.value);
    }

    /// Whatever the metric, passes never make it worse, and the value is the metric's own.
    #[test]
    fn climbing_goes_up(
        lists in lists(),
        metric in prop::sample::select(&["ndcg@3", "rcs@2", "map", "err", "kendall", "regret@2", "wrs"]),
        l2 in prop::sample::select(&[0.0, 0.2]),
    ) {
        let world = World::new(metric, &lists);
        let Some(target) = world.target() else { return Ok(()) };
        let climb = Climb { restarts: 3, tolerance: 0.0, l2, validated: false, seed: 7 };
        let mut ascent = Ascent::new(&target, &world.inputs, climb).unwrap();
        let value = |weights: &[f64]| {
            let mut scores = vec![0.0; world.inputs.rows()];
            world.inputs.times(weights, &mut scores);
            target.value(&scores).unwrap()
        };
        let mut before = value(ascent.numbers());
        for round in 0..6 {
            if !ascent.step(round).unwrap() {
                break;
            }
            let now = value(ascent.numbers());
            prop_assert!(l2 > 0.0 || now >= before, "{now} after {before}");
            before = now;
            let memory = ascent.memory();
            let best = memory.chunks(4).map(|kept| kept[2]).fold(f64::MIN, f64::max);
            prop_assert_eq!(best.to_bits(), now.to_bits());
        }
    }
}

/// Two storms as in McBride et al. 2019, example 1: cable and wind disagree, and the first storm
/// costs a hundred times more.
fn storms(metric: &str) -> World {
    let lists = [
        vec![(100, 1, vec![5, 14]), (1, 1, vec![4, 15]), (0, 1, vec![3, 16])],
        vec![(2, 1, vec![3, 13]), (1, 1, vec![4, 12]), (0, 1, vec![5, 10])],
    ];
    World::new(metric, &lists)
}

const RULES: Rules = Rules {
    patience: 50,
    tolerance: 0.0,
    selections: 2,
    sharpness: 1.0,
    reading: Reading::Corrected,
    unit: 1.0,
    validated: true,
};

fn adarank(world: &World, reading: Reading, rounds: usize) -> Vec<Vec<f64>> {
    let target = world.target().unwrap();
    let rules = Rules { reading, ..RULES };
    let mut adarank = AdaRank::new(&target, &world.inputs, rules).unwrap();
    let mut history = Vec::new();
    while history.len() < rounds && adarank.step(history.len()).unwrap() {
        history.push(adarank.numbers().to_vec());
    }
    history
}

#[test]
fn cs_adarank_follows_the_storm_that_matters() {
    // R of both storms by cable: 1 and 0.2 (1/2 of 2.5); by wind 0.5 / 100.5 and 1.
    let world = storms("rcs@2");
    let history = adarank(&world, Reading::Corrected, 3);
    let ideal = [100.5, 2.5];
    let cable = [1.0, 0.5 / 2.5];
    let all: f64 = ideal.iter().sum();
    let edge: f64 = ideal.iter().zip(cable).map(|(i, e)| i / all * e).sum();
    let alpha = 0.5 * ((1.0 + edge) / (1.0 - edge)).ln();
    assert!((history[0][0] - alpha).abs() < 1e-12 && history[0][1] == 0.0, "{history:?}");
    // The second time lists count Ideal exp(-R).
    let p = [100.5 * (-1.0f64).exp(), 2.5 * (-0.2f64).exp()];
    let edge = (p[0] + p[1] * 0.2) / (p[0] + p[1]);
    let second = 0.5 * ((1.0 + edge) / (1.0 - edge)).ln();
    assert!((history[1][0] - alpha - second).abs() < 1e-12, "{history:?}");
    // Cable may not be taken three times in a row.
    assert!(history[2][0] == history[1][0] && history[2][1] != 0.0, "{history:?}");
}

#[test]
fn the_reading_by_shares_counts_storms_alike() {
    let world = storms("rcs@2");
    let history = adarank(&world, Reading::Share, 2);
    // E = A / sum Ideal by cable: 100.5 / 103 and 0.5 / 103.
    let edge = (100.5 + 0.5) / 103.0 / 2.0;
    let alpha = 0.5 * ((1.0f64 + edge) / (1.0 - edge)).ln();
    assert!((history[0][0] - alpha).abs() < 1e-12, "{history:?}");
    let p = [100.5f64, 0.5].map(|a| (-a / 103.0).exp());
    let edge = (p[0] * 100.5 + p[1] * 0.5) / 103.0 / (p[0] + p[1]);
    let second = 0.5 * ((1.0 + edge) / (1.0 - edge)).ln();
    assert!((history[1][0] - alpha - second).abs() < 1e-12, "{history:?}");
}

/// The two storms with the costs of McBride et al. 2019, example 1: what each reading of the printed
/// objective makes of them.
#[test]
fn three_readings_of_the_two_storms() {
    let lists = [
        vec![(10_000, 1, vec![5, 14]), (100, 1, vec![4, 15]), (0, 1, vec![3, 16])],
        vec![(100, 1, vec![3, 13]), (1, 1, vec![4, 12]), (0, 1, vec![5, 10])],
    ];
    let world = World::new("rcs@2", &lists);
    let target = world.target().unwrap();
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-4;
    for (reading, e, alpha) in [
        (Reading::Corrected, [1.0, 0.004_975_124], 2.654_158_6),
        (Reading::Share, [0.990_099_0, 0.000_049_258_7], 0.542_759_7),
        (Reading::Printed, [9.8517e-5, 4.9014e-7], (9.8517e-5 + 4.9014e-7) / 2.0),
    ] {
        let rules = Rules { reading, ..RULES };
        let mut adarank = AdaRank::new(&target, &world.inputs, rules).unwrap();
        let [by_cable, _] = adarank.alone(0);
        assert!(near(by_cable[0], e[0]) && near(by_cable[1], e[1]), "{reading:?}: {by_cable:?}");
        assert!(adarank.step(0).unwrap());
        let weights = adarank.numbers().to_vec();
        assert!(near(weights[0], alpha) && weights[1] == 0.0, "{reading:?}: {weights:?}");
        let p = adarank.distribution(1).unwrap();
        if reading == Reading::Corrected {
            assert!(near(p[0], 0.973_664_4) && near(p[1], 0.026_335_6), "{p:?}");
            // The edge of the first round is R_CS.
            assert!(near(weights[0].tanh(), 0.990_148_3), "{weights:?}");
        }
        if reading == Reading::Printed {
            assert!((p[0] - 0.5).abs() < 1e-4, "{p:?}");
        }
    }
}

#[test]
fn adarank_counts_storms_alike() {
    // NDCG@1 by cable: 1 and 0; by wind downwards 0 and 1/3 (grades 2^y - 1: 3 and 1).
    let lists = [
        vec![(2, 1, vec![5, 14]), (1, 1, vec![4, 15]), (0, 1, vec![3, 16])],
        vec![(2, 1, vec![3, 13]), (1, 1, vec![4, 12]), (0, 1, vec![5, 10])],
    ];
    let world = World::new("ndcg@1", &lists);
    let history = adarank(&world, Reading::Corrected, 1);
    // By wind: 0 and 1, by cable: 1 and 0, each 1/2; of equals the first.
    assert!((history[0][0] - 0.5 * 3f64.ln()).abs() < 1e-12, "{history:?}");
}

/// Costs of lists by hand: NDCG@1 by cable is (1, 0), by wind (0, 1); the second list costs three times the first.
#[test]
fn costs_of_lists_before_during_and_after() {
    let lists = [
        vec![(1, 1, vec![1, 0]), (0, 1, vec![0, 1])],
        vec![(1, 1, vec![0, 1]), (0, 1, vec![1, 0])],
    ];
    let world = World::new("ndcg@1", &lists);
    let target = world.target().unwrap();
    let rounds = |when: ListCosts, rounds: usize| {
        let rules = Rules { selections: 1, ..RULES };
        let costs = CostOfLists { when, costs: vec![0.5, 1.5], rounds: 2 };
        let mut adarank = AdaRank::new(&target, &world.inputs, rules).unwrap().with_costs(costs);
        (0..rounds).for_each(|round| assert!(adarank.step(round).unwrap()));
        adarank.numbers().to_vec()
    };
    let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
    let alpha = |edge: f64| edge.atanh();
    // Before: P = (1/4, 3/4). Wind upwards (or cable downwards, which comes first) has the edge 3/4.
    let before = rounds(ListCosts::Before, 1);
    assert!(near(before[0], -alpha(0.75)) && before[1] == 0.0, "{before:?}");
    // During, in the first of two rounds: roots, P = (1, sqrt 3) / (1 + sqrt 3).
    let root = 3f64.sqrt();
    let during = rounds(ListCosts::During, 1);
    assert!(near(during[0], -alpha(root / (1.0 + root))), "{during:?}");
    // After: chosen with equal weights, cable upwards first; its edge with costs is 1/4.
    let after = rounds(ListCosts::After, 1);
    assert!(near(after[0], alpha(0.25)) && after[1] == 0.0, "{after:?}");
    // By cable E = (1, 0): lists then count (1, e) without and (1, 3e) with costs, and wind has the edge of the second.
    let after = rounds(ListCosts::After, 2);
    let with = 3.0 * 1f64.exp();
    assert!(near(after[0], alpha(0.25)) && near(after[1], alpha(with / (1.0 + with))), "{after:?}");
}

#[test]
fn a_perfect_input_has_a_finite_weight() {
    let lists = [vec![(3, 1, vec![3, 0]), (0, 1, vec![1, 0]), (1, 1, vec![2, 0])]];
    let history = adarank(&World::new("ndcg@3", &lists), Reading::Corrected, 60);
    assert!(history.iter().flatten().all(|w| w.is_finite()) && history[0][0] > 10.0);
}

#[test]
fn what_is_left_is_taken_up() {
    let draws = Stream::new(3, 0);
    let item = |i: u64| -> Item {
        let input = |j: u64| draws.below(1000 + 8 * i + j, 100) as i8;
        (draws.below(i, 5) as u16, 1, (0..6).map(input).collect())
    };
    let lists: Vec<Vec<Item>> = (0..5).map(|l| (20 * l..20 * l + 20).map(item).collect()).collect();
    let world = World::new("ndcg@5", &lists);
    let target = world.target().unwrap();
    let climb = Climb { restarts: 3, tolerance: 1e-6, l2: 0.01, validated: true, seed: 7 };
    let new = || Ascent::new(&target, &world.inputs, climb).unwrap();
    let mut whole = new();
    let mut rounds = 0;
    let mut kept = Vec::new();
    while whole.step(rounds).unwrap() {
        rounds += 1;
        kept.push((whole.numbers().to_vec(), whole.memory()));
    }
    assert!(rounds > 3 && kept[0].1.len() < kept[rounds - 1].1.len(), "a mean has started");
    for left in 0..rounds {
        let mut again = new();
        again.resume(&kept[left].0, &kept[left].1);
        assert_eq!(again.numbers(), kept[left].0);
        for (round, now) in kept.iter().enumerate().skip(left + 1) {
            assert!(again.step(round).unwrap());
            assert_eq!((again.numbers(), again.memory()), (&now.0[..], now.1.clone()));
        }
        assert!(!again.step(rounds).unwrap());
    }
}

#[test]
fn weightless_items_are_not_there() {
    let lists = [
        vec![(5, 2, vec![1]), (9, 0, vec![7]), (0, 4, vec![2])],
        vec![(9, 0, vec![7]), (1, 0, vec![7])],
        vec![(1, 1, vec![3]), (0, 1, vec![3])],
    ];
    let world = World::new("rcs@1", &lists);
    assert_eq!(world.inputs.values(), [1.0, 2.0, 3.0, 3.0]);
    let target = world.target().unwrap();
    // The first list counts 3 times: 3 x 5 of 3 x 5 + 1.
    assert_eq!(target.shares(), [15.0 / 16.0, 1.0 / 16.0]);
    assert_eq!(target.value(&[1.0, 0.0, 0.0, 0.0]).unwrap(), 15.5 / 16.0);
    assert_eq!(target.value(&[0.0, 1.0, 0.0, 0.0]).unwrap(), 0.5 / 16.0);
}
