//! What every loss promises, checked for every loss of `losses/world.rs`.

mod lambda;
mod world;

use proptest::prelude::*;
use stakes_core::data::ListView;
use stakes_learn::loss::{
    GradHess, ItemWeights, LeafRule, ListWeighting, Logistic, Loss, LossError, Pointwise, Quantile,
    RankNet, Shares, Softmax, Squared, Target, Tweedie, ideal_weights,
};
use world::{
    Entry, Items, Kind, alike, close, gradients, items, lists, losses, metric, tied_items, times,
};

/// Asks every loss, and tells of all that fail.
fn every(fails: impl Fn(&Entry) -> Option<String>) -> Result<(), TestCaseError> {
    let all = losses();
    let why: Vec<String> =
        all.iter().filter_map(|e| fails(e).map(|why| format!("{}: {why}", e.name))).collect();
    if why.is_empty() { Ok(()) } else { Err(TestCaseError::fail(why.join("\n"))) }
}

fn complain(wrong: bool, why: &str) -> Option<String> {
    wrong.then(|| why.to_owned())
}

/// The value with one score moved.
fn value_at(loss: &dyn Loss, list: &Items, item: usize, by: f64) -> Option<f64> {
    let mut scores = list.scores.clone();
    scores[item] += by;
    loss.prepare(&list.view(), 1.3).value(&scores)
}

proptest! {
    #[test]
    fn gradients_are_differences_of_values(list in items(1..9)) {
        every(|entry| {
            let out = list.gradients(&*entry.loss, 1.3);
            (0..out.len()).find_map(|item| {
                let step = 1e-4;
                if entry.kind == Kind::Lambda {
                    return None;
                }
                // Not across a kink.
                if entry.kind == Kind::ItemWithKinks
                    && (list.scores[item] - list.cost[item]).abs() < 2.0 * step {
                    return None;
                }
                let at = |by| value_at(&*entry.loss, &list, item, by).unwrap();
                let (low, now, high) = (at(-step), at(0.0), at(step));
                let grad = (high - low) / (2.0 * step);
                let hess = (high - 2.0 * now + low) / (step * step);
                let right = |said: f64, found: f64, tolerance: f64| {
                    (said - found).abs() <= tolerance * (1.0 + found.abs() + now.abs())
                };
                if !right(out[item].grad, grad, 1e-6) {
                    return Some(format!("item {item}: {:?}, found {grad}", out[item]));
                }
                let expected = match entry.kind {
                    Kind::ItemWithCare => hess.max(grad.abs() / 2.0),
                    _ => hess,
                };
                if entry.kind != Kind::ItemWithKinks && !right(out[item].hess, expected, 1e-5) {
                    return Some(format!("item {item}: {:?}, found hessian {hess}", out[item]));
                }
                None
            })
        })?;
    }

    #[test]
    fn hessians_are_not_negative_and_all_is_finite(list in tied_items(1..30)) {
        every(|entry| {
            let out = list.gradients(&*entry.loss, 1.3);
            let fine = |g: &GradHess| g.grad.is_finite() && g.hess.is_finite() && g.hess >= 0.0;
            out.iter().find(|g| !fine(g)).map(|g| format!("{g:?}"))
        })?;
    }

    #[test]
    fn only_differences_count_for_pairs_and_lists(list in tied_items(1..20)) {
        let shifted = Items { scores: list.scores.iter().map(|s| s + 64.5).collect(), ..list.clone() };
        every(|entry| {
            let (out, other) = (list.gradients(&*entry.loss, 1.0), shifted.gradients(&*entry.loss, 1.0));
            let same = alike(&out, &other, 1e-11);
            let sum: f64 = out.iter().map(|g| g.grad).sum();
            let size: f64 = out.iter().map(|g| g.grad.abs()).sum();
            if !entry.relative() {
                return None;
            }
            if sum.abs() > 1e-12 * size.max(1e-3) {
                return Some(format!("gradients sum to {sum}"));
            }
            complain(!same, "a shift of all scores matters")
        })?;
    }

    #[test]
    fn weight_two_is_the_list_twice(list in tied_items(1..20)) {
        let ones = vec![1.0; list.cost.len()];
        let weights = list.weight.clone().unwrap_or(ones);
        let single = Items { weight: Some(weights.clone()), ..list.clone() };
        let double = Items { weight: Some(weights.iter().map(|w| 2.0 * w).collect()), ..list.clone() };
        every(|entry| {
            let loss = &*entry.loss;
            let twice = times(2.0, &single.gradients(loss, 1.0));
            if !alike(&twice, &single.gradients(loss, 2.0), 1e-13) {
                return Some("a list of weight 2".into());
            }
            let value = |items: &Items, weight| loss.prepare(&items.view(), weight).value(&items.scores);
            let values = [value(&single, 2.0), value(&double, 1.0), value(&single, 1.0).map(|v| 2.0 * v)];
            if values.windows(2).any(|v| !close(v[0].unwrap_or(0.0), v[1].unwrap_or(0.0), 1e-12)) {
                return Some(format!("values {values:?}"));
            }
            complain(!alike(&twice, &double.gradients(loss, 1.0), 1e-13), "items of weight 2")
        })?;
    }

    #[test]
    fn without_weights_all_weigh_one(list in tied_items(1..20)) {
        let bare = Items { weight: None, ..list.clone() };
        let ones = Items { weight: Some(vec![1.0; list.cost.len()]), ..list };
        every(|entry| {
            let same = bare.gradients(&*entry.loss, 1.0) == ones.gradients(&*entry.loss, 1.0);
            // Pair costs take weights for importance, and costs where there are none.
            complain(!same && !entry.name.starts_with("csdcg"), "weights of 1 matter")
        })?;
    }

    #[test]
    fn an_item_of_weight_zero_is_not_there(list in items(2..12), score in -3.0..3.0f64, cost in 0.0..20.0f64) {
        let weights = list.weight.clone().unwrap_or(vec![1.0; list.cost.len()]);
        let short = Items { weight: Some(weights), ..list };
        let mut long = short.clone();
        long.cost.push(cost);
        long.scores.push(score);
        long.weight.as_mut().unwrap().push(0.0);
        every(|entry| {
            let loss = &*entry.loss;
            let (without, with) = (short.gradients(loss, 1.0), long.gradients(loss, 1.0));
            let (last, others) = with.split_last().unwrap();
            if *last != GradHess::default() {
                return Some(format!("it has {last:?}"));
            }
            // For a lambda loss it still stands in the order and in the ideal.
            let same = entry.kind == Kind::Lambda || alike(&without, others, 1e-12);
            complain(!same, "it moves others")
        })?;
    }

    #[test]
    fn the_order_of_items_does_not_matter_without_ties(list in items(1..20)) {
        let reversed = |x: &[f64]| x.iter().rev().copied().collect::<Vec<f64>>();
        let other = Items {
            cost: reversed(&list.cost),
            weight: list.weight.as_deref().map(reversed),
            scores: reversed(&list.scores),
        };
        every(|entry| {
            let mut out = other.gradients(&*entry.loss, 1.0);
            out.reverse();
            complain(!alike(&out, &list.gradients(&*entry.loss, 1.0), 1e-11), "reversed list")
        })?;
    }
}

#[test]
fn extremes_give_numbers() {
    let scores: Vec<f64> = (0..30).map(|i| [0.0, 1e4, -1e4, 3.5, -700.0, 1e-300][i % 6]).collect();
    for huge in [1e5, 1e300] {
        let cost: Vec<f64> = (0..30).map(|i| [huge, 0.0, 1.0, 0.5 * huge, 1e-300][i % 5]).collect();
        let list = ListView::of_impact(&cost);
        every(|entry| {
            let out = gradients(&*entry.loss, &list, 1.0, &scores);
            let fine = |g: &GradHess| g.grad.is_finite() && g.hess.is_finite() && g.hess >= 0.0;
            out.iter().find(|g| !fine(g)).map(|g| format!("costs of {huge}: {g:?}"))
        })
        .unwrap();
    }
}

#[test]
fn lists_that_say_nothing_are_left_alone() {
    for cost in [vec![7.0], vec![0.0], vec![0.0; 5], vec![3.0; 5]] {
        let scores: Vec<f64> = (0..cost.len()).map(|i| i as f64).collect();
        let list = ListView::of_impact(&cost);
        every(|entry| {
            let out = gradients(&*entry.loss, &list, 1.0, &scores);
            // Softmax of equal costs asks for equal scores.
            let asks = entry.kind != Kind::Lambda && !entry.name.starts_with("ranknet");
            let still = out.iter().all(|g| *g == GradHess::default());
            complain(!asks && !still, &format!("{cost:?}: {out:?}"))
        })
        .unwrap();
    }
}

#[test]
fn long_lists_are_no_trouble() {
    let n = 200_000_u64;
    let cost: Vec<f64> = (0..n).map(|i| (i * 7919 % 1009) as f64).collect();
    let scores: Vec<f64> = (0..n).map(|i| (i * 104_729 % 200_003) as f64 / 1e5).collect();
    let list = ListView::of_impact(&cost);
    let long: [Box<dyn Loss>; 4] = [
        Box::new(world::lambda("rcs@10")),
        Box::new(world::lambda("ndcg:gain=linear").truncation(10).norm(true)),
        Box::new(RankNet::cs().truncation(10)),
        Box::new(Softmax::new(Shares::Cost, 1.0, ListWeighting::Equal).unwrap()),
    ];
    for loss in long {
        let out = gradients(&*loss, &list, 1.0, &scores);
        assert!(out.iter().all(|g| g.grad.is_finite() && g.hess >= 0.0));
        assert!(out.iter().any(|g| g.grad < 0.0) && out.iter().any(|g| g.grad > 0.0));
    }
}

/// At the start the gradients of all items cancel: it is the best constant.
#[test]
fn pointwise_losses_start_at_their_best_constant() {
    let costs: &[&[f64]] = &[&[4.0, 0.0, 1.5], &[100.0, 0.0], &[0.0], &[2.0, 8.0, 0.0, 0.0]];
    let weights: &[&[f64]] = &[&[1.0, 2.0, 0.5], &[0.0, 1.0], &[3.0], &[1.0, 1.0, 1.0, 0.25]];
    for lists in [lists(costs, None), lists(costs, Some(weights))] {
        every(|entry| {
            let start = entry.loss.start(&lists);
            if !matches!(entry.kind, Kind::Item | Kind::ItemWithCare) {
                return complain(entry.relative() && start != 0.0, "does not start at 0");
            }
            let list_weights = entry.loss.list_weights(&lists);
            let out = (0..lists.len()).flat_map(|list| {
                let view = lists.list(list);
                gradients(&*entry.loss, &view, list_weights[list], &vec![start; view.len()])
            });
            let (sum, size) =
                out.fold((0.0, 0.0), |(sum, size), g| (sum + g.grad, size + g.grad.abs()));
            complain(f64::abs(sum) > 1e-12 * size, &format!("{sum} of {size} at {start}"))
        })
        .unwrap();
    }
    let quantile = Pointwise::new(Quantile::new(0.8).unwrap());
    // 0 0 0 0 0 1.5 2 4 8 100: eight of ten do not exceed 4.
    assert_eq!(quantile.start(&lists(costs, None)), 4.0);
    assert_eq!(quantile.leaf_rule(), LeafRule::Quantile(0.8));
    // Weights 3 + 2 + 1 + 1 + .25 at 0, then .5, 1, 1, 1 of 10.75 in all: 8.6 is reached at 2.
    assert_eq!(quantile.start(&lists(costs, Some(weights))), 2.0);
}

#[test]
fn starts_are_finite() {
    for costs in [[0.0, 0.0], [5.0, 3.0], [1e300, 1e300], [1e-290, 0.0]] {
        let lists = lists(&[&costs, &costs], None);
        every(|entry| {
            let start = entry.loss.start(&lists);
            complain(!start.is_finite(), &format!("{costs:?}: {start}"))
        })
        .unwrap();
    }
    let none = lists(&[&[1.0, 2.0]], Some(&[&[0.0, 0.0]]));
    every(|e| complain(e.loss.start(&none) != 0.0, "nothing weighs anything")).unwrap();
    let start = Pointwise::new(Logistic).start(&lists(&[&[1.0, 0.0, 0.0, 0.0]], None));
    assert!(close(start, (1f64 / 3.0).ln(), 1e-15));
    let start = Pointwise::new(Tweedie::new(1.5).unwrap()).start(&lists(&[&[6.0, 0.0]], None));
    assert!(close(start, 3f64.ln(), 1e-15));
}

#[test]
fn list_weights_have_mean_one_over_lists_that_count() {
    // The paper's two storms, and one in which nothing happened.
    let lists = lists(&[&[10000.0, 100.0, 0.0], &[100.0, 1.0, 0.0], &[0.0, 0.0]], None);
    let weights = ideal_weights(&lists, &metric("rcs@2"));
    assert!(close(weights[0] / 2.0, 0.990099, 1e-6) && close(weights[0] + weights[1], 2.0, 1e-15));
    assert_eq!(weights[2], 0.0);
    assert_eq!(ideal_weights(&lists, &metric("ndcg@2")), [1.0, 1.0, 0.0]);
    assert_eq!(ideal_weights(&lists, &metric("rcr@2(ndcg@2)")), weights);
    every(|entry| {
        let weights = entry.loss.list_weights(&lists);
        let counted = weights.iter().filter(|w| **w > 0.0).count() as f64;
        let mean = weights.iter().sum::<f64>() / counted;
        complain(!close(mean, 1.0, 1e-14), &format!("{weights:?}"))
    })
    .unwrap();
    // RankNet cs: differences (9900 + 10000 + 100) and (99 + 100 + 1).
    let cs = RankNet::cs().list_weights(&lists);
    assert!(close(cs[0], 2.0 * 20000.0 / 20200.0, 1e-14) && cs[2] == 0.0);
}

#[test]
fn targets_and_items_by_name() {
    let cost = [0.0, 2.0, std::f64::consts::E];
    let list = ListView::of_impact(&cost);
    let grads = |loss: &dyn Loss| -> Vec<f64> {
        gradients(loss, &list, 1.0, &[0.0; 3]).iter().map(|g| g.grad).collect()
    };
    let log = Pointwise::new(Squared).target(Target::LogCost);
    assert_eq!(grads(&log), [0.0, -2f64.ln(), -1.0]);
    let positive = Pointwise::new(Squared).items(ItemWeights::OnlyPositive);
    assert_eq!(grads(&positive), [0.0, -2.0, -cost[2]]);
    assert_eq!(grads(&Pointwise::new(Logistic)), [0.5, -0.5, -0.5]);
    let all = lists(&[&[0.0, 2.0, 4.0], &[0.0, 0.0]], None);
    assert_eq!(ItemWeights::by_cost(&all), ItemWeights::ByCost { unit: 3.0 });
    assert_eq!(ItemWeights::by_cost(&lists(&[&[0.0]], None)), ItemWeights::ByCost { unit: 1.0 });
    let by_cost = Pointwise::new(Logistic).items(ItemWeights::ByCost { unit: 0.5 });
    assert_eq!(grads(&by_cost), [0.5, -2.0, -cost[2]]);
}

#[test]
fn softmax_by_hand_and_without_overflow() {
    let of = |shares, costs: &[f64]| -> Vec<(f64, f64)> {
        let loss = Softmax::new(shares, 1.0, ListWeighting::Equal).unwrap();
        let out = gradients(&loss, &ListView::of_impact(costs), 1.0, &vec![0.0; costs.len()]);
        out.iter().map(|g| (g.grad, g.hess)).collect()
    };
    assert_eq!(of(Shares::Cost, &[3.0, 1.0]), [(-0.25, 0.25), (0.25, 0.25)]);
    assert_eq!(of(Shares::Softmax, &[1e5, 0.0]), [(-0.5, 0.25), (0.5, 0.25)]);
    assert_eq!(of(Shares::Cost, &[1e300, 1e300]), [(0.0, 0.25), (0.0, 0.25)]);
    assert_eq!(of(Shares::Cost, &[0.0, 0.0]), [(0.0, 0.0), (0.0, 0.0)]);
}

#[test]
fn parameters_out_of_bounds_are_refused() {
    let refused = |error: Option<LossError>, word: &str| {
        let text = error.unwrap().to_string();
        assert!(text.contains(word) && text.contains("give a number"), "{text}");
    };
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        refused(Softmax::new(Shares::Cost, bad, ListWeighting::Equal).err(), "temperature");
        refused(RankNet::cs().sigma(bad).err(), "sigma");
        refused(world::lambda("rcs@3").sigma(bad).err(), "sigma");
    }
    refused(Quantile::new(1.0).err(), "alpha");
    refused(Tweedie::new(2.1).err(), "power");
}

/// Where only pairs of the first ranks count, value and gradient still go together.
#[test]
fn a_truncated_ranknet_is_a_function_between_swaps() {
    let (cost, scores) = (vec![1.0, 9.0, 4.0, 0.0, 4.0], vec![0.3, 0.1, 0.9, 0.5, -0.2]);
    for loss in [RankNet::cs().truncation(2), RankNet::insensitive().truncation(2)] {
        let list = Items { cost: cost.clone(), weight: None, scores: scores.clone() };
        let out = list.gradients(&loss, 1.3);
        for (item, out) in out.iter().enumerate() {
            let at = |by| value_at(&loss, &list, item, by).unwrap();
            let found = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!((out.grad - found).abs() < 1e-8, "{item}: {out:?} {found}");
        }
    }
}

/// At equal scores every pair says log 2, and so does their mean, however many are looked at.
#[test]
fn a_ranknet_is_a_mean_over_pairs() {
    let weight: Vec<f64> = (0..9).map(|i| f64::from(i % 3)).collect();
    let list = |cost: Vec<f64>, weight| Items { scores: vec![0.25; cost.len()], cost, weight };
    let value =
        |loss: &RankNet, list: &Items| loss.prepare(&list.view(), 1.0).value(&list.scores).unwrap();
    let log2 = 2f64.ln();
    let different = list((0..9).map(f64::from).collect(), None);
    for k in [1, 2, 8, 9, 100] {
        let value = value(&RankNet::insensitive().truncation(k), &different);
        assert!(close(value, log2, 1e-14), "{k}: {value}");
    }
    let some_alike: Vec<f64> = (0..9).map(|i| f64::from(i * i % 7)).collect();
    for loss in [RankNet::insensitive(), RankNet::cs()] {
        let plain = value(&loss, &list(some_alike.clone(), None));
        assert!(close(plain, log2, 1e-14), "{plain}");
        // The largest weight is that of the whole list.
        let weighted = value(&loss, &list(some_alike.clone(), Some(weight.clone())));
        assert!(close(weighted, 2.0 * log2, 1e-14), "{weighted}");
    }
}
