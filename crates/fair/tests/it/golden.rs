//! Golden values: Tables 2.1 and 2.2, Figures 2.2 and 2.3 of Salomon 2020, worked by hand or by a direct program.

use crate::world::{FIGURES, audited, letters, near, placed, quick};
use stakes_fair::{Audit, AuditOptions};

fn value(found: &Audit, group: &str, measure: &str) -> f64 {
    found.row(group, measure).and_then(|row| row.value).expect(measure)
}

#[test]
fn tables_2_1_and_2_2() {
    let first = audited(&letters("B9 A0 A2 B1 B3 A5 B4 A8 B6 B7"), &quick());
    let second = audited(&letters("A0 A2 B1 B3 B4 B6 B7 B9 A5 A8"), &quick());
    let rows = [
        ("rank-equality", [4.0 / 24.0, 4.0 / 24.0], [1.0 / 24.0, 4.0 / 24.0]),
        ("rank-parity", [15.0 / 24.0, 9.0 / 24.0], [0.5, 0.5]),
        ("rank-calibration", [8.0 / 30.0, 13.0 / 39.0], [5.0 / 30.0, 5.0 / 39.0]),
        ("rank-calibration-mixed", [8.0 / 24.0, 8.0 / 24.0], [5.0 / 24.0, 5.0 / 24.0]),
        ("mean-rank", [-0.75, 0.5], [0.0, 0.0]),
        ("displacement", [0.0, 0.0], [0.75, -0.5]),
        ("arbitrary", [1.0, 1.0 / 3.0], [1.0, 1.0]),
        ("noise", [0.0, 1.916_667], [0.0, 0.0]),
        ("runs", [0.8429, 0.8429], [-1.9668, -1.9668]),
        ("uniformity", [0.0875, 0.061_111], [0.15, 0.1]),
    ];
    for (measure, in_first, in_second) in rows {
        for (found, expected) in [(&first, in_first), (&second, in_second)] {
            for (group, expected) in ["A", "B"].into_iter().zip(expected) {
                near(value(found, group, measure), expected, 5e-5, measure);
            }
            // The rest of one is the other.
            let row = found.row("A", measure).unwrap();
            near(row.rest.unwrap(), expected[1], 5e-5, measure);
            near(row.difference.unwrap(), expected[0] - expected[1], 1e-4, measure);
        }
    }
    near(value(&second, "A", "tokenisation"), 0.2653, 5e-5, "tokenisation of table 2.2");
}

/// Measures, their values in the seven rankings, and how many digits are given.
const VALUES: [(&str, [f64; 7], f64); 21] = [
    ("mean-rank", [-0.5, -0.5, -0.5, -0.5, -0.3, -0.5, -0.1], 1e-9),
    ("mean-rank-z", [-0.0574, -0.0574, -0.0574, -0.0574, -0.0345, -0.0574, -0.0115], 5e-5),
    ("displacement", [0.0, 0.0, 0.0, 0.0, 0.2, 0.0, 0.4], 1e-9),
    ("displacement-fifth-1", [0.0, 35.5, -8.5, -7.5, 4.5, -0.5, -5.5], 1e-9),
    ("displacement-fifth-2", [0.0, 17.5, -26.5, 6.0, 0.0, -2.5, -11.0], 1e-9),
    ("displacement-fifth-3", [0.0, 0.0, 0.0, 18.5, -4.5, 12.0, 1.5], 1e-9),
    ("displacement-fifth-4", [0.0, -17.5, 26.5, 0.5, 9.5, -5.0, 11.0], 1e-9),
    ("displacement-fifth-5", [0.0, -35.5, 8.5, -17.5, -8.5, -4.0, 6.0], 1e-9),
    ("four-fifths@20", [1.0, 0.0, 0.3333, 0.6296, 0.6296, 1.0, 0.6296], 5e-5),
    ("runs", [1.14, -7.96, -8.53, -6.83, -6.83, 0.0, 0.0], 5e-3),
    ("exposure", [0.9691, 0.8426, 1.7692, 1.2686, 0.9188, 0.9928, 1.3184], 5e-5),
    ("uniformity", [0.005, 0.22, 0.22, 0.149, 0.073, 0.032, 0.098], 1e-9),
    ("kolmogorov-smirnov", [0.05, 0.45, 0.45, 0.36, 0.18, 0.10, 0.21], 1e-9),
    ("chi-square", [0.0, 40.0, 40.0, 24.0, 16.0, 6.0, 6.0], 1e-9),
    ("clustering", [2.0, 0.2, 0.2, 0.22, 0.2, 1.34, 1.32], 1e-9),
    ("clustering-over-truth", [1.0, 0.1, 0.1, 0.11, 0.1, 0.67, 0.66], 1e-9),
    ("gap", [1.0, 0.2, 9.0, 6.2, 3.3, 1.6, 4.1], 1e-9),
    ("spread", [1.0, 0.12, 1.88, 1.112, 0.972, 1.016, 1.392], 1e-9),
    ("tokenisation", [0.0, -0.8848, 0.4485, -0.1139, -0.0909, -0.0655, 0.2279], 5e-5),
    ("noise", [0.0, 0.0, 0.0, 0.0, 0.0, 5.1, 0.0], 1e-9),
    ("arbitrary", [1.0, 1.0, 1.0, 1.0, 1.0, 0.7778, 1.0], 5e-5),
];

#[test]
fn figures_2_2_and_2_3() {
    for (number, (name, positions)) in FIGURES.into_iter().enumerate() {
        let found = audited(&placed(positions), &AuditOptions { k: 20, ..quick() });
        for (measure, values, digits) in VALUES {
            near(
                value(&found, "A", measure),
                values[number],
                digits,
                &format!("{measure}, {name}"),
            );
        }
        let pairs = |group: &str, measure: &str, of: f64| {
            (value(&found, group, measure) * of).round() as i64
        };
        let equality = [(0, 0), (110, 110), (110, 110), (74, 74), (35, 37), (48, 48), (47, 51)];
        let met = (pairs("A", "rank-equality", 900.0), pairs("B", "rank-equality", 900.0));
        assert_eq!(met, equality[number], "{name}");
        let calibration =
            [(0, 0), (220, 220), (220, 220), (148, 148), (72, 72), (101, 96), (98, 98)];
        let met = (pairs("A", "rank-calibration", 945.0), pairs("B", "rank-calibration", 4905.0));
        assert_eq!(met, calibration[number], "{name}");
        let parity = [455, 455, 455, 455, 453, 455, 451];
        assert_eq!(pairs("A", "rank-parity", 900.0), parity[number], "{name}");
        let absolute = [0.0, 22.0, 22.0, 14.8, 7.2, 10.6, 9.8];
        let row = found.row("A", "absolute-displacement").unwrap();
        near(row.value.unwrap(), absolute[number], 1e-9, name);
        let of_rest = [0.0, 2.4444, 2.4444, 1.6444, 0.8, 0.3333, 1.0889];
        near(row.rest.unwrap(), of_rest[number], 5e-5, name);
    }
}

/// Whoever keeps the order within the group and within the rest moves one other item per step of a member, so the
/// ratio of absolute displacements is (n - m)/m whatever happened.
#[test]
fn absolute_displacement_names_nothing() {
    for (name, positions) in &FIGURES[1..] {
        let found = audited(&placed(*positions), &quick());
        let ratio = found.row("A", "absolute-displacement").unwrap().ratio.unwrap();
        near(ratio, if *name == "noise" { 31.8 } else { 9.0 }, 1e-9, name);
    }
}

#[test]
fn relabelling_finds_what_is_there() {
    let options = AuditOptions { resamples: 0, draws: 4000, ..AuditOptions::default() };
    let p = |figure: usize, measure: &str| {
        let found = audited(&placed(FIGURES[figure].1), &options);
        found.row("A", measure).and_then(|row| row.p).unwrap()
    };
    assert!(p(6, "tokenisation") < 0.003);
    assert!(p(2, "tokenisation") < 0.004);
    assert!(p(5, "noise") < 0.001);
    for figure in [0, 1, 2, 3, 4, 6] {
        assert_eq!(p(figure, "noise"), 1.0, "{}", FIGURES[figure].0);
    }
    near(p(5, "arbitrary"), 0.013, 0.006, "inversions of noise");
    assert!(p(4, "clustering") < 0.001);
    assert!(p(2, "gap") < 0.002 && p(3, "gap") < 0.002);
    near(p(6, "gap"), 0.036, 0.01, "gap of tokenisation");
    for figure in [0, 1, 5] {
        assert!(p(figure, "gap") > 0.14, "{}", FIGURES[figure].0);
    }
}

/// A group of 10 in 100 ordered at random breaks the four-fifths rule with the probability of the hypergeometric
/// distribution (Salomon 2020, Proposition 2).
#[test]
fn treatment_parity_does_not_give_impact_parity() {
    let draws = 20_000_u64;
    for (k, expected) in [(10_usize, 0.3305), (20, 0.3630), (50, 0.3703)] {
        let broken = (0..draws).filter(|&draw| {
            let stream = stakes_core::random::Stream::new(11, draw);
            let mut places: Vec<usize> = (0..100).collect();
            let hits = (0..10).filter(|&i| {
                let at = i + stream.below(i as u64, 100 - i);
                places.swap(i, at);
                places[i] < k
            });
            let members = hits.count() as f64;
            members / 10.0 < 0.8 * (k as f64 - members) / 90.0
        });
        near(broken.count() as f64 / draws as f64, expected, 0.012, &format!("k = {k}"));
    }
}
