//! Distances, pair statistics and boosting losses: identities between metrics, and plain
//! double loops as oracles.

use proptest::prelude::*;
use stakes_core::data::ListView;
use stakes_core::metric::{Direction, Metric, Reads, Scale};
use stakes_core::rank::{Rank, Ranking};

use super::{close, ours, value, value_of};

/// Lists with ties on both sides.
fn lists() -> impl Strategy<Value = (Vec<f64>, Vec<f64>, Vec<f64>)> {
    let rows = prop::collection::vec((0i32..5, -3i32..4, 0i32..6), 1..50);
    rows.prop_map(|rows| {
        let column =
            |f: fn(&(i32, i32, i32)) -> i32| rows.iter().map(|r| f64::from(f(r))).collect();
        (column(|r| r.0), column(|r| r.1), column(|r| r.2))
    })
}

type Cost = fn(f64, f64) -> f64;

fn levels_of(target: &[f64]) -> Vec<f64> {
    let mut levels = target.to_vec();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    levels
}

proptest! {
    #[test]
    fn pair_statistics_agree_with_each_other((target, scores, _) in lists()) {
        let of = |spec: &str| value(spec, &target, &scores);
        let levels = levels_of(&target);
        let (mut weighted, mut weights, mut plain, mut pairs) = (0.0, 0.0, 0.0, 0.0);
        for (at, high) in levels.iter().enumerate() {
            for low in &levels[..at] {
                let (mut t, mut s) = (Vec::new(), Vec::new());
                for (y, score) in target.iter().zip(&scores).filter(|(y, _)| *y == high || *y == low) {
                    t.push(f64::from(u8::from(y == high)));
                    s.push(*score);
                }
                let auc = value("auc", &t, &s).unwrap();
                let size = value("mann-whitney", &t, &s).unwrap() / auc.max(1e-300);
                let n = t.iter().sum::<f64>() * t.iter().map(|y| 1.0 - y).sum::<f64>();
                prop_assert!(auc == 0.0 || (size - n).abs() < 1e-9);
                close(auc, 1.0 - value("kendall", &t, &s).unwrap() / n);
                weighted += n * auc;
                weights += n;
                plain += auc;
                pairs += 1.0;
            }
        }
        match of("c-index") {
            None => prop_assert!(levels.len() < 2),
            Some(c_index) => {
                close(c_index, weighted / weights);
                close(of("m-auc").unwrap(), plain / pairs);
                close(of("rankloss").unwrap(), 1.0 - c_index);
                close(of("kendall").unwrap(), weights * (1.0 - c_index));
                let (p, r) = (of("pref-precision").unwrap(), of("pref-recall").unwrap());
                let f1 = if p + r > 0.0 { 2.0 * p * r / (p + r) } else { 0.0 };
                close(of("pref-f1").unwrap(), f1);
                // J = F / (2 - F) for any two sets.
                close(of("jaccard").unwrap(), f1 / (2.0 - f1));
            }
        }
    }

    #[test]
    fn on_total_orders_the_correlations_are_distances(
        order in Just((0..12u32).collect::<Vec<_>>()).prop_shuffle(),
        n in 2usize..12,
    ) {
        let scores: Vec<f64> = order.iter().map(|&x| f64::from(x)).take(n).collect();
        let target: Vec<f64> = (0..n).map(|i| i as f64).collect();
        let of = |spec: &str| value(spec, &target, &scores).unwrap();
        let c = n as f64;
        close(of("spearman-rho"), 1.0 - 6.0 * of("spearman") / (c * (c * c - 1.0)));
        close(of("tau"), 1.0 - 4.0 * of("kendall") / (c * (c - 1.0)));
        close(of("gamma"), of("tau"));
        close(of("tau:variant=b"), of("tau"));
        close(of("m-auc"), of("c-index"));
        close(of("kendall"), c * (c - 1.0) / 2.0 * (1.0 - of("c-index")));
        // Diaconis and Graham 1977: K <= F <= 2K.
        prop_assert!(of("kendall") <= of("footrule") && of("footrule") <= 2.0 * of("kendall"));
    }

    #[test]
    fn expected_ties_are_the_mean_over_orders(
        target in prop::collection::vec((0i32..4).prop_map(f64::from), 2..6),
        scores in prop::collection::vec((0i32..3).prop_map(f64::from), 6),
    ) {
        let scores = &scores[..target.len()];
        for spec in [
            "footrule:ties=expected", "spearman:ties=expected", "discounted-error:ties=expected",
            "position-error", "kendall", "c-index", "rank-ndcg", "rankloss:pair=difference",
            "csdcg:gain=linear", "csdcg:norm=range,pair=uniform",
        ] {
            // Every permutation as a tie break, those of a block being equally frequent.
            let n = scores.len();
            let mut sum = 0.0;
            let mut count = 0.0;
            let mut without = false;
            for code in 0..(1..=n).product::<usize>() {
                let (mut code, mut left) = (code, (0..n).collect::<Vec<_>>());
                let mut broken = scores.to_vec();
                for place in 0..n {
                    let item = left.remove(code % (n - place));
                    code /= n - place;
                    broken[item] += place as f64 * 0.01;
                }
                match value(spec, &target, &broken) {
                    Some(v) => sum += v,
                    None => without = true,
                }
                count += 1.0;
            }
            match value(spec, &target, scores) {
                Some(v) => close(v, sum / count),
                None => prop_assert!(without),
            }
        }
    }

    #[test]
    fn exponential_losses_are_those_of_the_double_loop((target, scores, weights) in lists()) {
        let list = ListView { weight: Some(&weights), ..ListView::of_impact(&target) };
        let costs: [(&str, Cost); 5] = [
            ("uniform", |_, _| 1.0),
            ("product", |a, b| a * b),
            ("mean", |a, b| (a + b) / 2.0),
            ("max", f64::max),
            ("difference", |a, b| (a - b).abs()),
        ];
        for (pair, cost) in costs {
            for (ties, eta) in [("one", 0.0f64), ("cosh", 0.7)] {
                let (mut loss, mut all) = (0.0, 0.0);
                for i in 0..target.len() {
                    for j in (0..target.len()).filter(|&j| target[i] > target[j]) {
                        let c = cost(weights[i], weights[j]);
                        let tied = scores[i] == scores[j];
                        let e = if tied { eta.cosh() } else { (scores[j] - scores[i]).exp() };
                        loss += c * e;
                        all += c;
                    }
                }
                let spec = format!("exploss:pair={pair},ties={ties},eta={eta}");
                match value_of(&spec, &list, &scores) {
                    Some(v) => close(v, loss / all),
                    None => prop_assert_eq!(all, 0.0),
                }
            }
        }
    }

    #[test]
    fn the_ideal_is_best_and_values_stay_in_range((target, scores, weights) in lists()) {
        let list = ListView { weight: Some(&weights), ..ListView::of_impact(&target) };
        let more = [
            "tau:variant=b", "rankloss:pair=product", "rankloss:pair=difference,ties=wrong",
            "exploss:pair=max", "csdcg:pair=difference,gain=linear", "csdcg@3:norm=range",
            "rank-ndcg@2", "footrule:ties=expected", "discounted-error:ties=expected,log=2",
        ];
        for spec in ours().chain(more) {
            let metric = Metric::parse(spec, Scale::default()).unwrap();
            let prepared = metric.prepare(&list);
            let ideal = prepared.of_scores(&metric.ideal_scores(&list));
            let value = prepared.of_scores(&scores);
            prop_assert_eq!(ideal.is_some(), value.is_some(), "{}", spec);
            let (Some(ideal), Some(value)) = (ideal, value) else { continue };
            let slack = 1e-9 * (1.0 + ideal.abs());
            let better = match metric.direction() {
                Direction::Higher => ideal >= value - slack,
                Direction::Lower => ideal <= value + slack,
            };
            prop_assert!(better, "{}: {} is better than ideal {}", spec, value, ideal);
            let (low, high) = metric.range();
            prop_assert!(low - 1e-9 <= value && value <= high + 1e-9, "{}: {}", spec, value);
            if metric.reads() == Reads::Order {
                let stretched: Vec<f64> = scores.iter().map(|s| (0.3 * s).exp()).collect();
                prop_assert_eq!(prepared.of_scores(&stretched), Some(value), "{}", spec);
            }
            if target.len() > 1 {
                let ranking = Ranking::from_scores(&scores);
                let (a, b) = (Rank(0), Rank(target.len() as u32 - 1));
                let of = |r: &Ranking| prepared.of_ranking(r).unwrap();
                let delta = of(&ranking.swapped(a, b)) - of(&ranking.swapped(a, a));
                close(prepared.swap_delta(&ranking, a, b), delta);
            }
        }
    }
}

proptest! {
    /// McBride et al. 2019, section 3: NDCG@k is R@k with the cost 2^y - 1 and the policy 1/log2(p + 1).
    #[test]
    fn ndcg_is_r_with_exponential_costs_and_a_logarithmic_policy(
        (target, scores, _) in lists(),
        k in 1_usize..12,
    ) {
        let cost: Vec<f64> = target.iter().map(|y| y.exp2() - 1.0).collect();
        let list = ListView { cost: &cost, ..ListView::of_impact(&target) };
        let r = value_of(&format!("r@{k}:policy=log"), &list, &scores);
        let ndcg = value_of(&format!("ndcg@{k}:gain=exp2"), &list, &scores);
        prop_assert_eq!(r.is_some(), ndcg.is_some());
        if let (Some(r), Some(ndcg)) = (r, ndcg) {
            close(r, ndcg);
        }
    }
}
