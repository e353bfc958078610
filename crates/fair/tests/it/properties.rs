//! Identities, and what holds for all rankings.

use proptest::prelude::*;
use stakes_fair::{Audit, AuditOptions, GroupColumn, Groups, Rankings, audit};

use crate::world::{audited, near, quick, with};

fn value(found: &Audit, measure: &str) -> f64 {
    found.row("A", measure).and_then(|row| row.value).expect(measure)
}

/// Lists with few distinct scores and truths, members and others in each.
fn list() -> impl Strategy<Value = Vec<(u8, u8, bool)>> {
    prop::collection::vec((0_u8..12, 0_u8..9, any::<bool>()), 4..40).prop_map(|mut list| {
        (list[0].2, list[1].2, list[2].2, list[3].2) = (true, false, true, false);
        list
    })
}

fn of(list: &[(u8, u8, bool)], options: &AuditOptions) -> Audit {
    let scores: Vec<f64> = list.iter().map(|item| f64::from(item.0)).collect();
    let truth: Vec<f64> = list.iter().map(|item| f64::from(item.1)).collect();
    let offsets = [0, list.len()];
    let lists = Rankings::one(&offsets, &scores).unwrap();
    let lists = lists.truth(&truth).unwrap().cost(&truth).unwrap();
    let column = GroupColumn::of("g", list.iter().map(|item| if item.2 { "A" } else { "B" }));
    audit(&lists, &Groups::one(column).unwrap(), options).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    /// rank-parity = 1/2 - mean-rank / (n - m).
    #[test]
    fn parity_is_mean_rank(list in list()) {
        let found = of(&list, &with(&["mean-rank", "rank-parity"], quick()));
        let others = list.iter().filter(|item| !item.2).count() as f64;
        let expected = 0.5 - value(&found, "mean-rank") / others;
        near(value(&found, "rank-parity"), expected, 1e-12, "identity");
    }

    /// Wrong pairs and costs, by a direct double loop over members and others.
    #[test]
    fn pairs_are_those_of_a_double_loop(list in list(), k in 1_usize..12) {
        let top = format!("rank-equality@{k}");
        let recall = format!("cost-recall@{k}");
        let names = ["rank-equality", &top, "rank-parity", "pair-accuracy", "arbitrary", &recall];
        let found = of(&list, &with(&names, quick()));
        // Mean positions, by comparing with everybody.
        let position = |a: &(u8, u8, bool)| {
            let above = list.iter().filter(|b| b.0 > a.0).count() as f64;
            let tied = list.iter().filter(|b| b.0 == a.0).count() as f64;
            above + 0.5 * (tied + 1.0)
        };
        let [mut over, mut over_top, mut pairs_top, mut above, mut pairs] = [0.0; 5];
        let [mut won, mut all, mut tau, mut comparable] = [0.0; 4];
        for a in list.iter().filter(|item| item.2) {
            for b in &list {
                let (p, q) = (position(a), position(b));
                let a_above = if p < q { 1.0 } else if p == q { 0.5 } else { 0.0 };
                if b.2 {
                    if a.1 > b.1 {
                        comparable += 1.0;
                        tau += 2.0 * a_above - 1.0;
                    }
                    continue;
                }
                let wrong = if b.1 > a.1 { a_above } else { 0.0 };
                pairs += 1.0;
                above += a_above;
                over += wrong;
                if p <= k as f64 && q <= k as f64 {
                    pairs_top += 1.0;
                    over_top += wrong;
                }
                if a.1 > b.1 {
                    all += f64::from(a.1 - b.1);
                    won += a_above * f64::from(a.1 - b.1);
                }
            }
        }
        let same = |measure: &str, num: f64, den: f64| {
            let met = found.row("A", measure).unwrap().value;
            match den > 0.0 {
                true => near(met.unwrap(), num / den, 1e-12, measure),
                false => assert_eq!(met, None, "{measure}"),
            }
        };
        same("rank-equality", over, pairs);
        same(&top, over_top, pairs_top);
        same("rank-parity", above, pairs);
        same("pair-accuracy", won, all);
        same("arbitrary", tau, comparable);
        // The share of a tied block that is among the first k.
        let inside = |a: &&(u8, u8, bool)| {
            let above = list.iter().filter(|b| b.0 > a.0).count() as f64;
            let tied = list.iter().filter(|b| b.0 == a.0).count() as f64;
            ((k as f64 - above) / tied).clamp(0.0, 1.0)
        };
        let members = || list.iter().filter(|item| item.2);
        let covered = members().map(|a| inside(&a) * f64::from(a.1)).sum();
        same(&recall, covered, members().map(|a| f64::from(a.1)).sum());
    }

    /// Runs with ties are the mean over all orders of the tied items.
    #[test]
    fn runs_of_ties_are_a_mean(members in prop::collection::vec(any::<bool>(), 4..7), cut in 1_usize..4) {
        let mut members = members;
        (members[0], members[1], members[2]) = (true, false, true);
        let n = members.len();
        let score = |i: usize| u8::from(i < cut);
        let list: Vec<(u8, u8, bool)> = (0..n).map(|i| (score(i), 0, members[i])).collect();
        let met = value_or_nan(&of(&list, &with(&["runs"], quick())));
        let (mut sum, mut count) = (0.0, 0.0);
        for_all_orders(n, &mut |order| {
            if order.windows(2).all(|pair| score(pair[0]) >= score(pair[1])) {
                let changes = order.windows(2).filter(|pair| members[pair[0]] != members[pair[1]]);
                sum += 1.0 + changes.count() as f64;
                count += 1.0;
            }
        });
        let m = members.iter().filter(|m| **m).count() as f64;
        let n = n as f64;
        let mean = 2.0 * m * (n - m) / n + 1.0;
        let deviation = ((mean - 1.0) * (mean - 2.0) / (n - 1.0)).sqrt();
        if deviation > 0.0 {
            near(met, (sum / count - mean) / deviation, 1e-9, "runs");
        }
    }

    /// Property 1: moving a member towards its even place never raises the distance to the comb.
    #[test]
    fn uniformity_falls_towards_the_comb(places in prop::collection::btree_set(0_usize..60, 2..20), which in 0_usize..20) {
        let places: Vec<usize> = places.into_iter().collect();
        let (n, m) = (60.0, places.len() as f64);
        let w = |places: &[usize]| {
            let order = (0..60).map(|p| (p + 1, places.contains(&p))).collect();
            value(&audited(&order, &with(&["uniformity"], quick())), "uniformity")
        };
        let i = which % places.len();
        let even = (i as f64 + 0.5) * n / m - 0.5; // from 0
        let step = match (places[i] as f64) < even { true => 1, false => -1 };
        let next = places[i].wrapping_add_signed(step);
        let closer = (next as f64 - even).abs() < (places[i] as f64 - even).abs();
        if next < 60 && !places.contains(&next) && closer {
            let mut moved = places.clone();
            moved[i] = next;
            prop_assert!(w(&moved) < w(&places) + 1e-12);
        }
    }
}

fn value_or_nan(found: &Audit) -> f64 {
    found.row("A", "runs").and_then(|row| row.value).unwrap_or(f64::NAN)
}

fn for_all_orders(n: usize, visit: &mut dyn FnMut(&[usize])) {
    fn go(order: &mut Vec<usize>, from: usize, visit: &mut dyn FnMut(&[usize])) {
        if from == order.len() {
            return visit(order);
        }
        for i in from..order.len() {
            order.swap(from, i);
            go(order, from + 1, visit);
            order.swap(from, i);
        }
    }
    go(&mut (0..n).collect(), 0, visit);
}
