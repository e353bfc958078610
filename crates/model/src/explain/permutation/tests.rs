//! Losses that are known in advance.
#![allow(clippy::unwrap_used)]

use stakes_core::cost::{CostModel, Policy};
use stakes_core::goal::Reach;

use super::*;
use crate::Link;
use crate::explain::tests::{data, model, stump};

fn worth(model: &Model, data: &Dataset, seed: u64) -> PermutationImportance {
    let problem = Problem::new(data, &CostModel::Impact).unwrap();
    let metric = Metric::parse("rcs@1", Scale::of(data)).unwrap();
    let options = PermutationOptions { repeats: 5, seed };
    permutation_importance(model, &problem, &metric, None, options, &mut |_| {}).unwrap()
}

/// 200 lists of costs 10 and 0 that `a` distinguishes; `b` is constant.
#[test]
fn half_of_the_permutations_reverse_a_pair() {
    let data = data(&vec![vec![(10.0, [1.0, 1.0, 0.0]), (0.0, [0.0, 1.0, 0.0])]; 200]);
    let trees = vec![stump(0, 0.0, 1.0), stump(1, 0.0, 1.0)];
    let model = model(1.0, vec![(Link::Identity, 0.0, trees)]);
    let worth = worth(&model, &data, 0);
    assert_eq!((worth.saved, worth.ideal), (2000.0, 2000.0));
    let losses: Vec<_> = worth.losses.iter().map(|l| (l.feature, l.between_lists)).collect();
    // The model does not use `c`.
    assert_eq!(losses, [(0, false), (1, true)]);
    // 5 x 200 coins: a standard deviation of 1.6 %.
    assert!((worth.losses[0].cost / 2000.0 - 0.5).abs() < 0.08, "{worth:?}");
    assert!(worth.losses[0].spread > 0.0 && worth.losses[0].spread < 200.0, "{worth:?}");
    assert_eq!((worth.losses[1].cost, worth.losses[1].spread), (0.0, 0.0));
    assert_eq!(self::worth(&model, &data, 0), worth);
    assert_ne!(self::worth(&model, &data, 1), worth);
}

/// In half of the lists the item with b = 1 has a cost, in the others the one with b = 0; `a`, almost
/// constant within a list, determines which. Without it a list is reversed half of the time.
#[test]
fn features_of_lists_are_shuffled_between_lists() {
    let list = |a: f32| {
        let cost = |b: f32| if a == b { 10.0 } else { 0.0 };
        vec![(cost(0.0), [a, 0.0, 0.0]), (cost(1.0), [1.1 * a, 1.0, 0.0])]
    };
    let lists: Vec<_> = (0..300).map(|number| list(f32::from(number % 2 == 0))).collect();
    let data = data(&lists);
    let sign = |feature| (Link::Identity, 0.0, vec![stump(feature, -1.0, 1.0)]);
    let model = model(1.0, vec![sign(0), sign(1)]);
    let worth = worth(&model, &data, 0);
    assert_eq!(worth.saved, 3000.0);
    let of = |feature| *worth.losses.iter().find(|loss| loss.feature == feature).unwrap();
    assert!(of(0).between_lists && !of(1).between_lists);
    for feature in [0, 1] {
        assert!((of(feature).cost / 3000.0 - 0.5).abs() < 0.08, "{worth:?}");
    }
}

#[test]
fn features_of_lists_and_of_items() {
    let two = |a: f32, b: f32| vec![(1.0, [a, 0.0, 0.0]), (1.0, [b, 0.0, 0.0])];
    let is = |lists: [Vec<(f64, [f32; 3])>; 2], is_number| {
        let data = data(&lists);
        let column: Vec<f32> = data.features().column(0).collect();
        varies_between_lists(&column, &data, is_number)
    };
    let nan = f32::NAN;
    assert!(is([two(1.0, 1.0), two(5.0, 5.0)], true));
    assert!(is([two(1.0, 1.1), two(5.0, 5.2)], true));
    assert!(!is([two(1.0, 1.1), two(5.0, 5.2)], false));
    assert!(!is([two(1.0, 5.0), two(5.0, 1.0)], true));
    assert!(is([two(nan, nan), two(5.0, 5.0)], true));
    assert!(!is([two(nan, 5.0), two(5.0, 5.0)], true));
}

#[test]
fn the_goal_determines_the_metric() {
    let goal = |metric: &str| Goal {
        metric: metric.parse().unwrap(),
        policy: Policy::Step,
        ..Goal::act_on(4)
    };
    let name = |goal: &Goal| saved_cost_metric(goal, None, Scale::default()).unwrap().name();
    assert_eq!(name(&goal("rcs@7")), "rcs@7:policy=step");
    assert_eq!(name(&goal("ndcg@10")), "rcs@4:policy=step");
    let five =
        saved_cost_metric(&goal("rcs@7"), Some(Capacity::Items(5)), Scale::default()).unwrap();
    assert_eq!(five.name(), "rcs@5:policy=step");
    let money = Goal { reach: Reach::Money(60.0), policy: Policy::Linear, ..goal("ndcg@10") };
    assert!(name(&money).contains("budget=60"), "{}", name(&money));
}
