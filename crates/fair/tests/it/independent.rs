//! Values of other implementations, and of direct counts.

use crate::world::{FIGURES, audited, letters, near, placed, quick};
use stakes_fair::{AuditOptions, GroupColumn, Groups, MinShare, Rankings, audit};

/// statsmodels 0.15, `statsmodels.sandbox.stats.runs.runstest_1samp(x, cutoff=0.5, correction=False)`, where x is 1
/// for a member and 0 for any other item, from the top.
#[test]
fn runs_are_those_of_statsmodels() {
    let expected = [
        ("uniform", 1.137_592_917_989_042),
        ("mean", -7.963_150_425_923_295),
        ("clustering", -6.825_557_507_934_253),
        ("noise", 0.0),
    ];
    let z = |found: &stakes_fair::Audit| found.row("A", "runs").and_then(|row| row.value).unwrap();
    for (name, expected) in expected {
        let (_, positions) = FIGURES.into_iter().find(|(other, _)| *other == name).unwrap();
        near(z(&audited(&placed(positions), &quick())), expected, 1e-12, name);
    }
    let small = audited(&letters("B9 A0 A2 B1 B3 A5 B4 A8 B6 B7"), &quick());
    near(z(&small), 0.842_927_230_423_524_7, 1e-12, "table 2.1");
}

/// fairsearchcore 1.0.4, `Fair(k, p, alpha).create_unadjusted_mtable()`: FA*IR's own table of how many members a prefix
/// needs.
#[test]
fn needs_are_those_of_fairsearchcore() {
    let needs =
        |share, significance, n| MinShare { share, significance: Some(significance) }.needs(n);
    assert_eq!(
        needs(0.5, 0.1, 40),
        [
            0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 5, 6, 6, 7, 7, 8, 8, 8, 9, 9, 10, 10, 11,
            11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16
        ]
    );
    assert_eq!(
        needs(0.2, 0.05, 40),
        [
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2,
            3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4
        ]
    );
    assert_eq!(
        needs(0.7, 0.1, 30),
        [
            0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6, 7, 8, 8, 9, 9, 10, 11, 11, 12, 13, 13, 14, 15, 15,
            16, 16, 17, 18
        ]
    );
    assert_eq!(needs(0.3, 0.1, 12), [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2]);
}

/// Exposure by hand: members at 1 and 3 of four items have (1 + 1/2) of 1 + 0.63093 + 0.5 + 0.43068, beside half of
/// the items; four-fifths@2: half of each side is among the first two.
#[test]
fn exposure_by_hand() {
    let found = audited(&letters("A0 B1 A2 B3"), &AuditOptions { k: 2, ..quick() });
    let value = |measure: &str| found.row("A", measure).and_then(|row| row.value).unwrap();
    let all = 1.0 + 1.0 / 3f64.log2() + 0.5 + 1.0 / 5f64.log2();
    near(value("exposure"), 1.5 / all / 0.5, 1e-12, "exposure");
    near(value("four-fifths@2"), 1.0, 1e-12, "four-fifths");
}

/// Rates among the first k of several lists, group by group, by counting; each against the largest.
#[test]
fn four_fifths_of_several_groups_by_counting() {
    let groups = ["a", "b", "c", "b", "a", "a", "c", "b", "c", "a", "b", "c"];
    let scores: Vec<f64> = (0..12).map(|i| f64::from(i * 7 % 12)).collect();
    let offsets = [0, 6, 12];
    let lists = Rankings::new(&offsets, &scores).unwrap();
    let column = GroupColumn::of("g", groups.iter().copied());
    let options = AuditOptions { k: 3, ..quick() };
    let found = audit(&lists, &Groups::one(column).unwrap(), &options).unwrap();
    let rate = |name: &str| {
        let (mut first, mut all) = (0.0, 0.0);
        for items in [0..6, 6..12] {
            for i in items.clone().filter(|&i| groups[i] == name) {
                let above = items.clone().filter(|&j| scores[j] > scores[i]).count();
                all += 1.0;
                first += f64::from(u8::from(above < 3));
            }
        }
        first / all
    };
    let largest = ["a", "b", "c"].map(rate).into_iter().fold(0.0, f64::max);
    for name in ["a", "b", "c"] {
        let value = found.row(name, "four-fifths@3").and_then(|row| row.value).unwrap();
        near(value, rate(name) / largest, 1e-12, name);
    }
}
