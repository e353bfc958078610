//! Metrics by group, beside lists that are restricted by hand.

use proptest::prelude::*;
use stakes_core::data::ListView;
use stakes_core::metric::{Metric, Scale, evaluate_lists};
use stakes_fair::{AuditOptions, ByGroupOptions, GroupColumn, Groups, MetricFrame, by_group};

use crate::world::{audited, letters, near, quick, with};

fn metric(text: &str) -> Metric {
    Metric::parse(text, Scale::default()).unwrap()
}

fn frame(
    text: &str,
    lists: &[&[f64]],
    scores: &[f64],
    groups: &[&str],
    draws: usize,
) -> MetricFrame {
    let views: Vec<ListView<'_>> = lists.iter().map(|impact| ListView::of_impact(impact)).collect();
    let column = Groups::one(GroupColumn::of("g", groups)).unwrap();
    let options = ByGroupOptions { draws, ..ByGroupOptions::default() };
    by_group(&metric(text), &views, scores, &column, &options).unwrap().remove(0)
}

/// Two storms; A is in the first alone.
#[test]
fn by_hand() {
    let lists: [&[f64]; 2] = [&[9.0, 8.0, 4.0, 1.0], &[6.0, 2.0]];
    let scores = [1.0, 5.0, 3.0, 4.0, 1.0, 2.0];
    let found = frame("rcs@1", &lists, &scores, &["A", "B", "A", "B", "B", "B"], 200);
    let [a, b] = &found.by_group[..] else { panic!("two groups") };
    // Of A 4 of 9; of B 8 of 8 and 2 of 6.
    near(a.value.unwrap(), 4.0 / 9.0, 1e-12, "A");
    near(b.value.unwrap(), 10.0 / 14.0, 1e-12, "B");
    assert_eq!((a.rest, b.rest), (b.value, a.value));
    assert_eq!((a.lists, a.left_out, b.lists, b.left_out), (1, 1, 2, 0));
    near(found.difference.unwrap(), 10.0 / 14.0 - 4.0 / 9.0, 1e-12, "difference");
    near(found.ratio.unwrap(), 4.0 / 9.0 / (10.0 / 14.0), 1e-12, "ratio");
    // All items: 8 of 9 and 2 of 6.
    near(found.overall.unwrap(), 10.0 / 15.0, 1e-12, "overall");
    assert!(a.p.is_some() && found.p.is_some() && found.draws == 200);
}

/// In the first ten lists B is ordered backwards, and A is not.
#[test]
fn a_difference_is_found_and_chance_is_not() {
    let impact: Vec<f64> = (0..20).map(f64::from).collect();
    let lists: Vec<&[f64]> = (0..10).map(|_| &impact[..]).collect();
    let groups: Vec<&str> = (0..200).map(|i| if i % 2 == 0 { "A" } else { "B" }).collect();
    let score = |i: usize| if i.is_multiple_of(2) { (i % 20) as f64 } else { -((i % 20) as f64) };
    let scores: Vec<f64> = (0..200).map(score).collect();
    let found = frame("ndcg@5:gain=linear", &lists, &scores, &groups, 200);
    assert!(found.by_group[0].p.unwrap() < 0.01 && found.p.unwrap() < 0.01, "{found:?}");
    let perfect: Vec<f64> = (0..200).map(|i| (i % 20) as f64).collect();
    let found = frame("ndcg@5:gain=linear", &lists, &perfect, &groups, 200);
    assert_eq!((found.difference, found.p), (Some(0.0), Some(1.0)));
}

proptest! {
    /// Every metric within a group is the metric of lists that hold the members alone.
    #[test]
    fn as_if_nobody_else_were_there(
        rows in prop::collection::vec((0_u8..3, 0_u8..9, 0_u8..5, 0_u8..4), 12..60),
        text in prop::sample::select(vec!["rcs@3", "ndcg@3:gain=linear", "mrr", "saved@2", "map"]),
    ) {
        let mut rows = rows;
        // Each group has at least two items.
        for (i, row) in rows.iter_mut().take(6).enumerate() {
            row.0 = (i % 3) as u8;
        }
        rows.sort_by_key(|row| row.3);
        let lists: Vec<Vec<f64>> = rows
            .chunk_by(|a, b| a.3 == b.3)
            .map(|list| list.iter().map(|row| f64::from(row.1)).collect())
            .collect();
        let views: Vec<&[f64]> = lists.iter().map(Vec::as_slice).collect();
        let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
        let names = ["x", "y", "z"];
        let groups: Vec<&str> = rows.iter().map(|row| names[usize::from(row.0)]).collect();
        let found = frame(text, &views, &scores, &groups, 0);
        for group in &found.by_group {
            let own: Vec<&(u8, u8, u8, u8)> =
                rows.iter().filter(|row| names[usize::from(row.0)] == group.group).collect();
            let impacts: Vec<Vec<f64>> = own
                .chunk_by(|a, b| a.3 == b.3)
                .map(|list| list.iter().map(|row| f64::from(row.1)).collect())
                .collect();
            let own_scores: Vec<f64> = own.iter().map(|row| f64::from(row.2)).collect();
            let views: Vec<ListView<'_>> =
                impacts.iter().map(|impact| ListView::of_impact(impact)).collect();
            let alone = evaluate_lists(&metric(text), &views, &own_scores).unwrap();
            prop_assert_eq!(group.value, alone.figure);
            prop_assert_eq!(group.left_out, lists.len() - impacts.len());
        }
    }
}

#[test]
fn a_reference_group() {
    let order = letters("B9 A0 A2 B1 B3 A5 B4 A8 B6 B7");
    let reference = Some("B".to_owned());
    let options = with(&["mean-rank", "rank-parity"], AuditOptions { reference, ..quick() });
    let found = audited(&order, &AuditOptions { resamples: 200, ..options.clone() });
    let row = found.row("A", "mean-rank").unwrap();
    let beside = row.to_reference.as_ref().unwrap();
    assert_eq!((beside.group.as_str(), beside.value), ("B", Some(0.5)));
    near(beside.difference.unwrap(), -1.25, 1e-12, "difference");
    assert!(beside.low.unwrap() < -1.25 && beside.high.unwrap() > -1.25);
    let parity = found.row("A", "rank-parity").unwrap().to_reference.clone().unwrap();
    near(parity.ratio.unwrap(), 15.0 / 9.0, 1e-12, "ratio");
    assert!(found.row("B", "mean-rank").unwrap().to_reference.is_none());
    // A reference is compared even where one group alone is asked for.
    let protected = audited(&order, &AuditOptions { protected: Some("A".to_owned()), ..options });
    assert!(protected.row("A", "mean-rank").unwrap().to_reference.is_some());
}
