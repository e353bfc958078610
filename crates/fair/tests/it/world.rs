//! Rankings that the tests share.

use stakes_fair::{Audit, AuditOptions, GroupColumn, Groups, Measure, Rankings, audit};

/// A ranking from the top: true position from 1, and whether it is a member.
pub(crate) type Order = Vec<(usize, bool)>;

/// 100 items of which 10 are members with true positions 5, 15, ..., 95, placed at these positions; the others are
/// in true order.
pub(crate) fn placed(positions: [usize; 10]) -> Order {
    let truth: Vec<usize> = (0..10).map(|i| 5 + 10 * i).collect();
    let mut rest = (1..=100).filter(|t| !truth.contains(t));
    let at = |p: usize| match positions.iter().position(|&q| q == p) {
        Some(i) => (truth[i], true),
        None => (rest.next().unwrap(), false),
    };
    (1..=100).map(at).collect()
}

/// Figure 2.2 and Figure 2.3 of Salomon 2020.
pub(crate) const FIGURES: [(&str, [usize; 10]); 7] = [
    ("uniform", [5, 15, 25, 35, 45, 55, 65, 75, 85, 95]),
    ("mean", [45, 46, 47, 48, 49, 51, 52, 53, 54, 55]),
    ("bimodal 1", [1, 2, 3, 4, 5, 95, 96, 97, 98, 99]),
    ("bimodal 2", [2, 3, 5, 67, 68, 69, 70, 71, 72, 73]),
    ("clustering", [14, 15, 16, 44, 45, 46, 79, 80, 81, 82]),
    ("noise", [15, 4, 33, 22, 54, 70, 49, 81, 90, 82]),
    ("tokenisation", [1, 8, 16, 22, 31, 72, 79, 83, 92, 100]),
];

/// An order of letters and true positions from 0, such as `B9 A0 A2`; the members are `A`.
pub(crate) fn letters(text: &str) -> Order {
    let item = |word: &str| (word[1..].parse::<usize>().unwrap() + 1, word.starts_with('A'));
    text.split(' ').map(item).collect()
}

pub(crate) fn quick() -> AuditOptions {
    AuditOptions { resamples: 0, draws: 0, ..AuditOptions::default() }
}

/// Audits one list with groups A and B.
pub(crate) fn audited(order: &Order, options: &AuditOptions) -> Audit {
    let n = order.len();
    let scores: Vec<f64> = (0..n).map(|p| -(p as f64)).collect();
    let truth: Vec<f64> = order.iter().map(|(t, _)| -(*t as f64)).collect();
    let offsets = [0, n];
    let lists = Rankings::one(&offsets, &scores).unwrap().truth(&truth).unwrap();
    let column = GroupColumn::of("g", order.iter().map(|(_, a)| if *a { "A" } else { "B" }));
    audit(&lists, &Groups::one(column).unwrap(), options).unwrap()
}

pub(crate) fn with(names: &[&str], options: AuditOptions) -> AuditOptions {
    let measures = names.iter().map(|name| Measure::parse(name, None).unwrap()).collect();
    AuditOptions { measures, ..options }
}

pub(crate) fn near(met: f64, expected: f64, digits: f64, what: &str) {
    assert!((met - expected).abs() <= digits, "{what}: {met} for {expected}");
}
