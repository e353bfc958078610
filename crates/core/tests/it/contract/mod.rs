//! What every metric promises, checked for every row of the table: with and without a
//! cutoff, with each value of each option and each pair of them. A new row is covered by
//! being in the table.

mod properties;
mod specs;
mod world;

use std::collections::HashSet;

use specs::{all, may_overflow, parse, rows};
use stakes_core::metric::{CutoffUse, Direction, METRICS, Metric, Reads, Spec, SpecError};
use stakes_core::rank::{Rank, Ranking};
use world::{Items, close};

/// Checks every metric, and reports all that fail.
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
    let (low, high) = metric.range();
    let beyond = value < low || value > high;
    beyond && !close(value, low) && !close(value, high)
}

#[test]
fn the_whole_table_is_walked() {
    let names: HashSet<&str> = all().iter().map(|m| m.spec().unwrap().name()).collect();
    assert_eq!(names.len(), METRICS.len());
    println!("{} metrics of {} rows", all().len(), METRICS.len());
}

#[test]
fn names_are_unique_and_readable() {
    assert!(METRICS.is_sorted_by_key(|row| row.family), "rows are sorted by family");
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
    let names: HashSet<&str> = additive.map(|m| m.spec().unwrap().name()).collect();
    let expected = [
        "rcs",
        "r",
        "a",
        "saved",
        "regret",
        "lift",
        "rcr",
        "hit",
        "ndcg",
        "dcg",
        "avgndcg",
        "p",
        "recall",
        "f1",
        "accuracy",
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
    // A budget has no positions.
    assert!(parse("rcs:budget=5").unwrap().prepare(&list.view()).additive().is_none());
}

#[test]
fn canonical_names_parse_back_to_themselves() {
    every(all(), |metric| {
        let again: Spec = metric.name().parse().unwrap();
        (again != *metric.spec().unwrap() || again.to_string() != metric.name())
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
            assert_eq!(spec, Spec::named(row.name), "{} {}", row.name, option.key);
        }
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
                let (low, high) = metric.range();
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
