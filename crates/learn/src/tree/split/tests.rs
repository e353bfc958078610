//! The fast search against a slow one in f64 over every division.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;
use crate::tree::bins::MAX_BINS;

fn rules(l1: f64, l2: f64, min_hess: f64) -> Rules {
    Rules {
        l1,
        l2,
        category_l2: 0.0,
        min_hess: min_hess.max(1.0),
        min_rows: 1,
        gain_unit: 1.0,
        value_unit: 1.0,
    }
}

/// Cells of one block from (bin, g, h) rows of its single feature.
fn cells(rows: &[(u8, i64, i64)]) -> (Vec<i64>, Vec<i64>, i64) {
    let (mut cells, mut counts) = (vec![0; MAX_BINS * LANES], vec![0; MAX_BINS * LANES]);
    let mut total = 0;
    for &(bin, g, h) in rows {
        let word = (g << 32) + h;
        cells[usize::from(bin) * LANES] += word;
        counts[usize::from(bin) * LANES] += 1;
        total += word;
    }
    (cells, counts, total)
}

/// S(G, H) in f64 from the rows themselves.
fn slow_score(rows: &[&(u8, i64, i64)], rules: &Rules, l2: f64) -> f64 {
    let g: f64 = rows.iter().map(|r| r.1 as f64).sum();
    let h: f64 = rows.iter().map(|r| r.2 as f64).sum();
    (g.abs() - rules.l1).max(0.0).powi(2) / (h + l2)
}

/// The gain of sending these bins to the left, or `None` if it is not allowed.
fn slow_gain(
    rows: &[(u8, i64, i64)],
    rules: &Rules,
    l2: f64,
    left: impl Fn(u8) -> bool,
) -> Option<f64> {
    let (a, b): (Vec<_>, Vec<_>) = rows.iter().partition(|r| left(r.0));
    let weight = |side: &[&(u8, i64, i64)]| side.iter().map(|r| r.2).sum::<i64>() as f64;
    let heavy = weight(&a).min(weight(&b)) >= rules.min_hess;
    let many = a.len().min(b.len()) as i64 >= rules.min_rows;
    let all: Vec<_> = rows.iter().collect();
    let gain =
        slow_score(&a, rules, l2) + slow_score(&b, rules, l2) - slow_score(&all, rules, rules.l2);
    (heavy && many).then_some(gain)
}

fn rows() -> impl Strategy<Value = Vec<(u8, i64, i64)>> {
    prop::collection::vec((0u8..8, -1000i64..1000, 0i64..50), 2..60)
}

fn search(
    rows: &[(u8, i64, i64)],
    feature: &FeatureBins,
    rules: &Rules,
    counting: bool,
) -> Option<Candidate> {
    let (cells, counts, total) = cells(rows);
    let node = NodeState { total, bounds: Bounds::NONE, rules };
    let block = Block {
        members: &[SearchFeature::new(0, feature, Direction::Any)],
        cells: &cells,
        counts: counting.then_some(&*counts),
        mask: 1,
    };
    best_in_block(&node, &block)
}

fn best_threshold(rows: &[(u8, i64, i64)], rules: &Rules) -> f64 {
    let mut best = 0.0f64;
    for last in 1..8 {
        for missing_left in [false, true] {
            let left = |bin: u8| if bin == 0 { missing_left } else { bin <= last };
            best = best.max(slow_gain(rows, rules, rules.l2, left).unwrap_or(0.0));
        }
    }
    best
}

/// Where rows are counted, missing values whose derivatives are all 0 count as rows of the side that they go to, with bounds
/// and without.
#[test]
fn missing_values_without_derivatives_are_rows() {
    let mut rows = vec![(0, 0, 0); 5];
    rows.extend([(1, -3, 1), (1, 0, 0)]);
    rows.extend([(2, 3, 1); 4]);
    let rules = Rules { min_rows: 3, ..rules(0.0, 0.0, 1.0) };
    let (cells, counts, total) = cells(&rows);
    let members = [SearchFeature::new(0, &FeatureBins::Cuts(vec![1.0]), Direction::Any)];
    let block = Block { members: &members, cells: &cells, counts: Some(&counts), mask: 1 };
    for bounds in [Bounds::NONE, Bounds::NONE.divided(Direction::Up, -100.0, 100.0).0] {
        let node = NodeState { total, bounds, rules: &rules };
        let found = best_in_block(&node, &block).unwrap();
        assert!(found.missing_left && found.test == BinTest::UpTo(1), "{found:?}");
    }
}

proptest! {
    #[test]
    fn thresholds_are_the_best_there_are(
        rows in rows(), l1 in 0.0f64..200.0, l2 in 0.0f64..50.0, min_hess in 0.0f64..100.0
    ) {
        let feature = FeatureBins::Cuts((0..6).map(|i| i as f32).collect());
        let rules = rules(l1, l2, min_hess);
        let expected = best_threshold(&rows, &rules);
        let found = search(&rows, &feature, &rules, false);
        let gain = found.as_ref().map_or(0.0, |c| c.gain);
        prop_assert!((gain - expected).abs() <= 1e-9 * (1.0 + expected), "{gain} {expected}");
        if let Some(c) = found {
            // What it says of itself is true of the rows.
            let left = |bin| c.test.goes_left(bin, c.missing_left);
            let again = slow_gain(&rows, &rules, l2, left).unwrap();
            prop_assert!((again - c.gain).abs() <= 1e-9 * (1.0 + again));
            let sum: i64 = rows.iter().filter(|r| left(r.0)).map(|r| (r.1 << 32) + r.2).sum();
            prop_assert_eq!(sum, c.left);
        }
    }

    #[test]
    fn rows_are_counted_when_asked(rows in rows(), min_rows in 1i64..20) {
        let feature = FeatureBins::Cuts((0..6).map(|i| i as f32).collect());
        let rules = Rules { min_rows, ..rules(0.0, 1.0, 0.0) };
        let expected = best_threshold(&rows, &rules);
        let gain = search(&rows, &feature, &rules, true).map_or(0.0, |c| c.gain);
        prop_assert!((gain - expected).abs() <= 1e-9 * (1.0 + expected), "{gain} {expected}");
    }

    /// Against all 2^n divisions of the categories, missing being one of them.
    #[test]
    fn categories_are_divided_as_well_as_possible(
        rows in prop::collection::vec((0u8..7, -1000i64..1000, 1i64..50), 2..60)
    ) {
        let feature = FeatureBins::Categories((0..6).collect());
        let rules = rules(0.0, 0.0, 1.0);
        let expected = (0u32..1 << 7)
            .filter_map(|set| slow_gain(&rows, &rules, 0.0, |bin| set >> bin & 1 == 1))
            .fold(0.0, f64::max);
        let found = search(&rows, &feature, &rules, false);
        let gain = found.as_ref().map_or(0.0, |c| c.gain);
        prop_assert!((gain - expected).abs() <= 1e-9 * (1.0 + expected), "{gain} {expected}");
        if let Some(c) = found {
            let again = slow_gain(&rows, &rules, 0.0, |bin| c.test.goes_left(bin, c.missing_left));
            prop_assert!((again.unwrap() - c.gain).abs() <= 1e-9 * (1.0 + c.gain));
        }
    }

    /// With a penalty of its own on splits by category: no worse than any prefix of the order
    /// of categories, and what it says of itself is true.
    #[test]
    fn penalties_on_categories_are_paid(
        rows in prop::collection::vec((0u8..7, -1000i64..1000, 1i64..50), 2..60),
        l1 in 0.0f64..100.0, l2 in 0.0f64..20.0, category_l2 in 0.0f64..50.0
    ) {
        let feature = FeatureBins::Categories((0..6).collect());
        let rules = Rules { category_l2, ..rules(l1, l2, 1.0) };
        if let Some(c) = search(&rows, &feature, &rules, false) {
            let left = |bin| c.test.goes_left(bin, c.missing_left);
            let again = slow_gain(&rows, &rules, l2 + category_l2, left).unwrap();
            prop_assert!((again - c.gain).abs() <= 1e-9 * (1.0 + again), "{again} {}", c.gain);
        }
    }
}
