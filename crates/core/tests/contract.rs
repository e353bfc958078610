//! What every metric promises, checked for every row of the table: with and without a
//! cutoff, with each value of each option and each pair of them. A new row is covered by
//! being in the table.
#![allow(clippy::unwrap_used)]

#[path = "contract/specs.rs"]
mod specs;
#[path = "contract/world.rs"]
mod world;

use std::collections::HashSet;

use proptest::prelude::*;
use specs::{Ties, all, may_overflow, parse, rows, ties};
use stakes_core::metric::{CutoffUse, Direction, METRICS, Metric, Reads, Spec, SpecError};
use stakes_core::rank::{Rank, Ranking};
use world::{Items, close, items, orders, total};

/// Asks every metric, and tells of all that fail.
fn every(metrics: &[Metric], fails: impl Fn(&Metric) -> Option<String>) -> Result<(), String> {
    let failures: Vec<String> =
        metrics.iter().filter_map(|m| fails(m).map(|why| format!("{}: {why}", m.name()))).collect();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// Whether `a` is better than `b` by more than rounding.
fn beats(metric: &Metric, a: f64, b: f64) -> bool {
    let better = match metric.direction() {
        Direction::Higher => a > b,
        Direction::Lower => a < b,
    };
    better && !close(a, b)
}

fn outside_range(metric: &Metric, value: f64) -> bool {
    let (low, high) = metric.info().range;
    let beyond = value < low || value > high;
    beyond && !close(value, low) && !close(value, high)
}

#[test]
fn the_whole_table_is_walked() {
    let names: HashSet<&str> = all().iter().map(|m| m.spec().name).collect();
    assert_eq!(names.len(), METRICS.len());
    println!("{} metrics of {} rows", all().len(), METRICS.len());
}

#[test]
fn names_are_unique_and_readable() {
    assert!(METRICS.is_sorted_by_key(|row| row.family), "families stand together, in order");
    let mut seen = HashSet::new();
    for row in METRICS {
        for name in std::iter::once(&row.name).chain(row.aliases) {
            assert!(seen.insert(*name), "{name} names two metrics");
            assert!(!name.contains(['@', '(', ')', ':', ',', '=', ' ']), "{name}");
            assert_eq!(*name, name.to_lowercase());
        }
        let texts = [row.title, row.formula, row.citation];
        assert!(texts.iter().all(|t| !t.is_empty()), "{} is not explained", row.name);
        let bare = Metric::parse(row.name, stakes_core::metric::Scale::default());
        match row.cutoff {
            CutoffUse::Required => {
                assert!(matches!(bare, Err(SpecError::NeedsCutoff(_))), "{}: {bare:?}", row.name);
            }
            _ => assert!(bare.is_ok(), "{}: {bare:?}", row.name),
        }
    }
}

#[test]
fn sums_of_gain_and_discount_say_so() {
    let list = Items::new(&[8.0, 4.0, 2.0, 0.0], &[0.0; 4]);
    let additive = rows().iter().filter(|m| m.prepare(&list.view()).additive().is_some());
    let names: HashSet<&str> = additive.map(|m| m.spec().name).collect();
    let expected = [
        "rcs",
        "r",
        "a",
        "saved",
        "regret",
        "lift",
        "rcr",
        "ndcg",
        "dcg",
        "avgndcg",
        "p",
        "recall",
        "rank-dcg",
        "rank-ndcg",
        "wrs",
        "pauc",
        "wta",
        "mrr-sum",
        "clrs-dcg",
        "p-norm",
        "csdcg",
    ];
    assert_eq!(names, HashSet::from(expected));
    // Money has no positions.
    assert!(parse("rcs:budget=5").unwrap().prepare(&list.view()).additive().is_none());
}

#[test]
fn canonical_names_parse_back_to_themselves() {
    every(all(), |metric| {
        let again: Spec = metric.name().parse().unwrap();
        (again != *metric.spec() || again.to_string() != metric.name())
            .then(|| format!("reads back as {again}"))
    })
    .unwrap();
}

#[test]
fn defaults_are_allowed_values_and_vanish() {
    for row in METRICS {
        for option in row.options {
            let spec: Spec = format!("{}:{}={}", row.name, option.key, option.default)
                .parse()
                .unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(spec.options, [], "{} {}", row.name, option.key);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_order_of_the_input_does_not_matter(list in items(1..12), seed in any::<u64>()) {
        let moved = list.shuffled(seed);
        every(all(), |metric| {
            let value = |items: &Items| items.value(metric, &items.scores);
            let (before, after) = (value(&list), value(&moved));
            let same = before.is_some() == after.is_some()
                && close(before.unwrap_or(0.0), after.unwrap_or(0.0));
            (ties(metric) != Ties::Stable && !same).then(|| format!("{before:?} {after:?}"))
        })
        .map_err(TestCaseError::fail)?;
    }

    #[test]
    fn only_the_order_is_read_where_only_the_order_should(list in items(1..12)) {
        // Small whole numbers: the arithmetic is exact and creates no ties.
        let moved: Vec<f64> = list.scores.iter().map(|s| s * 4.0 - 3.0).collect();
        let bent: Vec<f64> = list.scores.iter().map(|s| s.powi(3)).collect();
        every(all(), |metric| {
            let value = |scores: &[f64]| list.value(metric, scores);
            let values = [&list.scores, &moved, &bent].map(|s| value(s));
            let same = values[0] == values[1] && values[0] == values[2];
            (metric.reads() == Reads::Order && !same).then(|| format!("{values:?}"))
        })
        .map_err(TestCaseError::fail)?;
    }

    #[test]
    fn the_ideal_order_is_best(list in items(1..6), seed in any::<u64>()) {
        let others: Vec<Items> = (0..6).map(|i| list.shuffled(seed.wrapping_add(i))).collect();
        every(all(), |metric| {
            let view = list.view();
            let prepared = metric.prepare(&view);
            let ideal = metric.ideal_scores(&view);
            let mut best = prepared.of_scores(&ideal)?;
            if ties(metric) == Ties::Other {
                // Tied items may count less than any order of them.
                let resolved = Ranking::from_scores(&ideal).swapped(Rank(0), Rank(0));
                let resolved = prepared.of_ranking(&resolved)?;
                best = if beats(metric, resolved, best) { resolved } else { best };
            }
            // Any scores where the order is read; where values are, the ideal's own.
            let rival = |order: &Vec<usize>| match metric.reads() {
                Reads::Order => prepared.of_ranking(&total(order)),
                Reads::Values => {
                    let scores: Vec<f64> = order.iter().map(|&i| ideal[i]).collect();
                    prepared.of_scores(&scores)
                }
            };
            let rivals = orders(list.len()).iter().filter_map(rival);
            let tied = others.iter().filter(|_| metric.reads() == Reads::Order);
            let tied = tied.filter_map(|other| prepared.of_scores(&other.scores));
            rivals.chain(tied).find_map(|value| {
                if outside_range(metric, value) {
                    return Some(format!("{value} is outside of {:?}", metric.info().range));
                }
                beats(metric, value, best).then(|| format!("{value} beats the ideal {best}"))
            })
        })
        .map_err(TestCaseError::fail)?;
    }

    #[test]
    fn a_swap_is_what_reevaluation_says(list in items(1..7)) {
        every(all(), |metric| {
            let view = list.view();
            let prepared = metric.prepare(&view);
            let ranking = Ranking::from_scores(&list.scores);
            let now = prepared.of_ranking(&ranking.swapped(Rank(0), Rank(0))).unwrap_or(0.0);
            let ranks = || (0..list.len() as u32).map(Rank);
            ranks().flat_map(|a| ranks().map(move |b| (a, b))).find_map(|(a, b)| {
                let said = prepared.swap_delta(&ranking, a, b);
                let found = prepared.of_ranking(&ranking.swapped(a, b)).unwrap_or(0.0) - now;
                (!close(said, found)).then(|| format!("{a:?} {b:?}: {said}, found {found}"))
            })
        })
        .map_err(TestCaseError::fail)?;
    }

    #[test]
    fn additive_parts_say_what_a_swap_says(list in items(1..7)) {
        every(all(), |metric| {
            let view = list.view();
            let prepared = metric.prepare(&view);
            let parts = prepared.additive()?;
            let ranking = Ranking::from_scores(&list.scores);
            let now = prepared.of_ranking(&ranking.swapped(Rank(0), Rank(0))).unwrap_or(0.0);
            let gain = |rank: Rank| parts.gains[ranking.item_at(rank).at()];
            let discount = |rank: Rank| parts.discounts.get(rank.at()).copied().unwrap_or(0.0);
            let ranks = || (0..list.len() as u32).map(Rank);
            ranks().flat_map(|a| ranks().map(move |b| (a, b))).find_map(|(a, b)| {
                let said = parts.scale * (gain(b) - gain(a)) * (discount(a) - discount(b));
                let found = prepared.of_ranking(&ranking.swapped(a, b)).unwrap_or(0.0) - now;
                (!close(said, found)).then(|| format!("{a:?} {b:?}: {said}, found {found}"))
            })
        })
        .map_err(TestCaseError::fail)?;
    }

    #[test]
    fn ties_are_treated_as_they_are_named(list in items(1..6)) {
        let by_score = Ranking::from_scores(&list.scores);
        let place = |item: usize| by_score.order().iter().position(|i| i.at() == item).unwrap();
        let sorted: Vec<&Vec<usize>> = orders(list.len())
            .iter()
            .filter(|order| order.is_sorted_by(|a, b| list.scores[*a] >= list.scores[*b]))
            .collect();
        let input_order = sorted.iter().find(|o| o.is_sorted_by_key(|i| place(*i))).unwrap();
        every(all(), |metric| {
            let view = list.view();
            let prepared = metric.prepare(&view);
            let value = prepared.of_scores(&list.scores)?;
            let of = |order: &Vec<usize>| prepared.of_ranking(&total(order));
            let values: Option<Vec<f64>> = sorted.iter().map(|order| of(order)).collect();
            let values = values?;
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let expected = match ties(metric) {
                Ties::Mean => mean,
                Ties::Stable => of(input_order)?,
                Ties::Worst => values.iter().copied().reduce(|a, b| {
                    if beats(metric, a, b) { b } else { a }
                })?,
                _ => return None,
            };
            (!close(value, expected)).then(|| format!("{value}, by all orders {expected}"))
        })
        .map_err(TestCaseError::fail)?;
    }

    #[test]
    fn a_constant_scorer_never_looks_good(list in items(1..6)) {
        let constant = vec![0.5; list.len()];
        every(all(), |metric| {
            let exempt = matches!(ties(metric), Ties::Stable | Ties::Mid);
            if metric.reads() == Reads::Values || exempt {
                return None;
            }
            let view = list.view();
            let prepared = metric.prepare(&view);
            let value = prepared.of_scores(&constant)?;
            let of = |order: &Vec<usize>| prepared.of_ranking(&total(order));
            let values: Option<Vec<f64>> = orders(list.len()).iter().map(of).collect();
            let mean = values?.iter().sum::<f64>() / orders(list.len()).len() as f64;
            beats(metric, value, mean).then(|| format!("{value} beats random order, {mean}"))
        })
        .map_err(TestCaseError::fail)?;
    }
}

#[test]
fn degenerate_lists_have_sane_values() {
    for (name, list) in world::degenerate() {
        let fails = |metric: &Metric| {
            let view = list.view();
            metric.check(&view).ok()?;
            let prepared = metric.prepare(&view);
            let ideal = metric.ideal_scores(&view);
            if !ideal.iter().all(|s| s.is_finite()) {
                return Some(format!("ideal scores {ideal:?}"));
            }
            let weight = prepared.weight();
            if !(weight.is_finite() && weight >= 0.0) {
                return Some(format!("weight {weight}"));
            }
            let ranking = Ranking::from_scores(&list.scores);
            let last = Rank(list.len() as u32 - 1);
            let swap = prepared.swap_delta(&ranking, Rank(0), last);
            if !swap.is_finite() && !may_overflow(metric) {
                return Some(format!("swap {swap}"));
            }
            let tried = [&list.scores, &*ideal, &*vec![1.0; list.len()]];
            let values = tried.iter().filter_map(|scores| prepared.of_scores(scores));
            let scale = list.largest();
            values.into_iter().find_map(|value| {
                let (low, high) = metric.info().range;
                let slack = 1e-9 * scale.max(1.0);
                let inside = value >= low - slack && value <= high + slack;
                let sane = inside && (value.is_finite() || may_overflow(metric));
                (!sane).then(|| format!("value {value}"))
            })
        };
        every(all(), fails).unwrap_or_else(|why| panic!("{name}:\n{why}"));
    }
}

#[test]
fn long_lists_are_no_trouble() {
    let list = Items::long(200_000);
    let tied = vec![1.0; list.len()];
    every(rows(), |metric| {
        let view = list.view();
        let prepared = metric.prepare(&view);
        let values = [&list.scores, &tied].map(|scores| prepared.of_scores(scores));
        values.iter().flatten().any(|v| !v.is_finite()).then(|| format!("{values:?}"))
    })
    .unwrap();
}

#[test]
fn a_metric_inside_another_keeps_its_direction() {
    assert_eq!(parse("rcr@3(regret@3)").unwrap().direction(), Direction::Lower);
    assert_eq!(parse("rcr@3(rmse)").unwrap().reads(), Reads::Values);
    assert_eq!(parse("rcr@3").unwrap().direction(), Direction::Higher);
}
