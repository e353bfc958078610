//! The lambda loss against the slow way: every pair, with `swap_delta`.

use super::world::{
    Items, LAMBDAS, alike, gradients, items, lambda, lists, metric, tied_items, times,
};
use proptest::prelude::*;
use stakes_core::data::ListView;
use stakes_core::metric::{METRICS, Metric, Scale};
use stakes_core::rank::{Rank, Ranking};
use stakes_learn::loss::{GradHess, Lambda, Loss, RankNet};

/// All pairs by re-evaluation. With `norm`, LightGBM's normalisation written down as its
/// documentation has it.
fn slowly(metric: &Metric, list: &Items, sigma: f64, norm: bool) -> Vec<GradHess> {
    let view = list.view();
    let prepared = metric.prepare(&view);
    let ranking = Ranking::from_scores(&list.scores);
    let n = list.cost.len();
    let mut out = vec![GradHess::default(); n];
    let largest = view.weight.map_or(1.0, |w| w.iter().copied().fold(0.0, f64::max));
    let weight = |item: usize| {
        view.weight.map_or(1.0, |w| if largest > 0.0 { w[item] / largest } else { 0.0 })
    };
    let all_equal = list.scores.iter().all(|s| *s == list.scores[0]);
    let mut sum = 0.0;
    for a in 0..n {
        for b in a + 1..n {
            let swap = prepared.swap_delta(&ranking, Rank(a as u32), Rank(b as u32));
            let at = |rank: usize| ranking.item_at(Rank(rank as u32)).at();
            // If the swap would help, the lower of the two is the better.
            let (high, low) = if swap > 0.0 { (at(b), at(a)) } else { (at(a), at(b)) };
            let x = list.scores[high] - list.scores[low];
            let mut delta = swap.abs() * (weight(high) * weight(low)).sqrt();
            if norm && !all_equal {
                delta /= 0.01 + x.abs();
            }
            let rho = 1.0 / (1.0 + (sigma * x).exp());
            let other = 1.0 / (1.0 + (-sigma * x).exp());
            out[high].grad -= sigma * delta * rho;
            out[low].grad += sigma * delta * rho;
            sum += 2.0 * sigma * delta * rho;
            for item in [high, low] {
                out[item].hess += sigma * sigma * delta * rho * other;
            }
        }
    }
    let factor = if norm && sum > 0.0 { (1.0 + sum).log2() / sum } else { 1.0 };
    times(factor * largest, &out)
}

/// The mean over pairs of different cost, by that difference to a power, and as many times as the largest weight says.
fn slow_ranknet(list: &Items, power: f64) -> Vec<GradHess> {
    let n = list.cost.len();
    let weights = list.weight.clone().unwrap_or(vec![1.0; n]);
    let largest = weights.iter().copied().fold(0.0, f64::max);
    let (mut out, mut total) = (vec![GradHess::default(); n], 0.0);
    for high in 0..n {
        for low in (0..n).filter(|&low| list.cost[high] > list.cost[low]) {
            let stake = (list.cost[high] - list.cost[low]).powf(power)
                * (weights[high] * weights[low]).sqrt();
            let x = list.scores[high] - list.scores[low];
            let (rho, other) = (1.0 / (1.0 + x.exp()), 1.0 / (1.0 + (-x).exp()));
            total += stake / largest.max(f64::MIN_POSITIVE);
            out[high].grad -= stake * rho;
            out[low].grad += stake * rho;
            out[high].hess += stake * rho * other;
            out[low].hess += stake * rho * other;
        }
    }
    times(if total > 0.0 { 1.0 / total } else { 0.0 }, &out)
}

/// Factors of scores between -3 and 3.
const APART: [f64; 5] = [1e-3, 1.0, 90.0, 300.0, 1e9];

proptest! {
    #[test]
    fn every_metric_against_all_pairs(list in tied_items(1..14)) {
        for spec in LAMBDAS {
            for (sigma, norm) in [(1.0, false), (2.5, false), (0.7, true)] {
                let loss = lambda(spec).sigma(sigma).unwrap().norm(norm);
                let fast = list.gradients(&loss, 1.0);
                let slow = slowly(loss.metric(), &list, sigma, norm);
                prop_assert!(alike(&fast, &slow, 1e-11), "{spec}: {fast:?}\n{slow:?}");
            }
        }
    }

    /// Lists of several blocks, and scores so far apart that their odds are beyond all numbers.
    #[test]
    fn scores_far_apart(list in items(1..40), apart in prop::sample::select(&APART[..])) {
        let scores = list.scores.iter().map(|s| s * apart).collect();
        let list = Items { scores, ..list };
        for (spec, norm) in [("rcs@3", false), ("ndcg", false), ("ndcg", true), ("rcs@20", true)] {
            let fast = list.gradients(&lambda(spec).norm(norm), 1.0);
            let slow = slowly(&metric(spec), &list, 1.0, norm);
            prop_assert!(alike(&fast, &slow, 1e-11), "{spec} {norm}: {fast:?}\n{slow:?}");
        }
    }

    /// The same where pairs have no discounts: by their difference of cost, and alike.
    #[test]
    fn ranknets_against_all_pairs(list in items(1..40), apart in prop::sample::select(&APART[..])) {
        let scores = list.scores.iter().map(|s| s * apart).collect();
        let list = Items { scores, ..list };
        for (loss, power) in [(RankNet::insensitive(), 0.0), (RankNet::cs(), 1.0)] {
            let (fast, slow) = (list.gradients(&loss, 1.0), slow_ranknet(&list, power));
            prop_assert!(alike(&fast, &slow, 1e-11), "{loss:?}: {fast:?}\n{slow:?}");
        }
    }

    /// Whether costs are dollars or millionths of a cent leaves no trace.
    #[test]
    fn the_unit_of_cost_does_not_matter(list in tied_items(1..14), other in tied_items(1..9)) {
        let in_units = |unit: f64| {
            let scaled = |x: &Items| x.cost.iter().map(|c| c * unit).collect::<Vec<f64>>();
            let (first, second) = (scaled(&list), scaled(&other));
            let lists = lists(&[&first, &second], None);
            let loss = lambda("rcs@3");
            let weights = loss.list_weights(&lists);
            let of = |i: usize, scores: &[f64]| gradients(&loss, &lists.list(i), weights[i], scores);
            [of(0, &list.scores), of(1, &other.scores)].concat()
        };
        prop_assert!(alike(&in_units(1.0), &in_units(1e6), 1e-12));
        prop_assert!(alike(&in_units(1.0), &in_units(1e300), 1e-12));
    }

    /// Truncation drops the pairs below and leaves the discounts as they are.
    /// Where every item costs 1, money is a number of items.
    #[test]
    fn money_that_buys_k_items_is_k_positions(list in tied_items(1..14), k in 1usize..6) {
        let price = vec![1.0; list.cost.len()];
        let priced = ListView { price: Some(&price), ..list.view() };
        // The loss has linear discounts, though all that is bought counts alike.
        let of = |text: String| gradients(&lambda(&text), &priced, 1.0, &list.scores);
        let (money, items) = (of(format!("a:budget={k}")), of(format!("a@{k}")));
        prop_assert!(alike(&money, &items, 1e-12), "{money:?} and {items:?}");
    }

    #[test]
    fn truncation_drops_pairs(list in tied_items(2..12), k in 1usize..12) {
        let metric = metric("ndcg:gain=linear");
        let bare = Items { weight: None, ..list };
        let fast = bare.gradients(&lambda("ndcg:gain=linear").truncation(k), 1.0);
        let ranking = Ranking::from_scores(&bare.scores);
        let view = bare.view();
        let prepared = metric.prepare(&view);
        let mut slow = vec![0.0; bare.cost.len()];
        for a in 0..slow.len().min(k) {
            for b in a + 1..slow.len() {
                let [i, j] = [a, b].map(|r| ranking.item_at(Rank(r as u32)).at());
                let swap = prepared.swap_delta(&ranking, Rank(a as u32), Rank(b as u32));
                let x = (bare.scores[i] - bare.scores[j]) * -swap.signum();
                let pull = swap / (1.0 + x.exp());
                slow[i] += pull;
                slow[j] -= pull;
            }
        }
        for (fast, slow) in fast.iter().zip(slow) {
            prop_assert!((fast.grad - slow).abs() < 1e-12, "{fast:?} {slow}");
        }
    }
}

/// The whole of a data set: CS-MART's lambda is |g_i - g_j| |d_i - d_j| / sum of Ideal, times
/// the number of lists (McBride et al. 2019, section 4); CR-MART's that of NDCG, times the same weights.
#[test]
fn the_lists_of_the_paper() {
    let (one, two) = ([10000.0, 100.0, 0.0], [100.0, 1.0, 0.0]);
    let lists = lists(&[&one, &two], None);
    let loss = lambda("rcs@2");
    let weights = loss.list_weights(&lists);
    let total = 10050.0 + 100.5;
    for (i, costs) in [one, two].iter().enumerate() {
        let out = gradients(&loss, &lists.list(i), weights[i], &[0.0, 0.0, 0.0]);
        let d = [1.0, 0.5, 0.0];
        let pull = |a: usize, b: usize| 2.0 * (costs[a] - costs[b]) * (d[a] - d[b]) / total * 0.5;
        let expected = [-pull(0, 1) - pull(0, 2), pull(0, 1) - pull(1, 2), pull(0, 2) + pull(1, 2)];
        for (out, expected) in out.iter().zip(expected) {
            assert!((out.grad - expected).abs() < 1e-12, "{out:?} {expected}");
        }
    }
    let (cr, ndcg) = (lambda("rcr@2(ndcg@2:gain=linear)"), lambda("ndcg@2:gain=linear"));
    assert_eq!(cr.list_weights(&lists), weights);
    assert_eq!(ndcg.list_weights(&lists), [1.0, 1.0]);
    let scores = [0.1, 0.7, 0.2];
    let by = |loss: &Lambda, weight| gradients(loss, &lists.list(0), weight, &scores);
    assert_eq!(by(&cr, weights[0]), by(&ndcg, weights[0]));
}

#[test]
fn money_is_exchanged_by_what_it_saves() {
    // The first item takes all of the money. 11 could be saved: the second and half of the first.
    let list = ListView { price: Some(&[4.0, 2.0]), ..ListView::of_impact(&[10.0, 6.0]) };
    let found = gradients(&lambda("rcs:budget=4"), &list, 1.0, &[0.0, 0.0]);
    let delta = (6.0 / 2.0 - 10.0 / 4.0) / 11.0 * 8.0_f64.sqrt();
    let expected = [0.5, -0.5].map(|sign| GradHess { grad: sign * delta, hess: delta / 4.0 });
    assert!(alike(&found, &expected, 1e-12), "{found:?} and {expected:?}");
    // Free items are bought anyway.
    let (cost, price) = ([10.0, 6.0, 9.0], [4.0, 2.0, 0.0]);
    let list = ListView { price: Some(&price), ..ListView::of_impact(&cost) };
    let found = gradients(&lambda("a:budget=4"), &list, 1.0, &[0.0, 0.0, 1.0]);
    assert_eq!(found[2], GradHess::default());
    assert!(found[0].grad > 0.0 && found[1].grad < 0.0, "{found:?}");
}

#[test]
fn what_is_no_sum_or_better_when_less_is_refused() {
    let refusal = |text: &str| Lambda::new(metric(text)).unwrap_err().to_string();
    for text in ["map", "mrr", "err@5", "auc", "tau", "rcr@3(map)"] {
        let error = refusal(text);
        assert!(error.contains("not a sum of gain x discount"), "{error}");
        assert!(error.contains("rcs, r, a, saved, lift, rcr, hit, ndcg, dcg"), "{error}");
        assert!(!error.contains("map,") && !error.contains("regret,"), "{error}");
    }
    for text in ["regret@3", "rmse", "footrule", "rcr@3(regret@3)"] {
        assert!(refusal(text).contains("less of it is better"), "{}", refusal(text));
    }
    // Each row is either taken or refused; none panics.
    for row in METRICS {
        for text in [row.name.to_owned(), format!("{}@5", row.name)] {
            if let Ok(metric) = Metric::parse(&text, Scale::default()) {
                let _ = Lambda::new(metric);
            }
        }
    }
}

#[test]
fn gains_beyond_all_numbers_are_told_and_harmless() {
    let lists = lists(&[&[1.0, 2.0], &[2000.0, 1.0]], None);
    let error = lambda("dcg@3").check(&lists).unwrap_err();
    assert!(
        error.starts_with("dcg@3 of list 2 exceeds the largest") && error.contains("gain=linear")
    );
    assert_eq!(
        gradients(&lambda("dcg@3"), &lists.list(1), 1.0, &[0.0; 2]),
        [GradHess::default(); 2]
    );
    assert!(lambda("ndcg@3").check(&lists).is_ok());
}

#[test]
fn with_all_scores_equal_the_order_of_items_ranks() {
    let costs = [0.0, 0.0, 6.0];
    let out = gradients(&lambda("rcs@1"), &ListView::of_impact(&costs), 1.0, &[1.0; 3]);
    assert_eq!(out.iter().map(|g| g.grad).collect::<Vec<_>>(), [0.5, 0.0, -0.5]);
}
