//! Audits: several lists, several groups, intervals, tests, refusals.

use stakes_fair::{
    AuditError, AuditOptions, GroupColumn, Groups, Measure, Rankings, Warning, audit,
};

use crate::world::{FIGURES, audited, near, placed, quick, with};

/// Two lists: A B B A and B A, from the top; costs 8 4 2 1 and 3 6.
struct Two {
    offsets: Vec<usize>,
    scores: Vec<f64>,
    cost: Vec<f64>,
    groups: Groups,
}

fn two() -> Two {
    Two {
        offsets: vec![0, 4, 6],
        scores: vec![4.0, 3.0, 2.0, 1.0, 2.0, 1.0],
        cost: vec![8.0, 4.0, 2.0, 1.0, 3.0, 6.0],
        groups: Groups::one(GroupColumn::of("g", ["A", "B", "B", "A", "B", "A"])).unwrap(),
    }
}

impl Two {
    fn lists(&self) -> Rankings<'_> {
        let lists = Rankings::new(&self.offsets, &self.scores).unwrap();
        lists.truth(&self.cost).unwrap().cost(&self.cost).unwrap()
    }
}

#[test]
fn several_lists_by_hand() {
    let two = two();
    let options = AuditOptions { k: 1, ..quick() };
    let found = audit(&two.lists(), &two.groups, &options).unwrap();
    assert_eq!(found.unit, "share of the list");
    for (measure, expected) in [
        // p' - 1/2: (1/8 + 7/8 + 3/4)/3 - 1/2.
        ("mean-rank", 1.75 / 3.0 - 0.5),
        // 2 of 4 pairs and 0 of 1.
        ("rank-parity", 2.0 / 5.0),
        // A: 1 of 3 first; B: 1 of 3 first.
        ("four-fifths@1", 1.0),
        // (1 - 1 + 4 - 4)/4 and (2 - 1)/2.
        ("displacement", 0.5 / 3.0),
        ("list-share", 0.5),
        ("cost-share", 15.0 / 24.0),
        ("covered-share@1", 8.0 / 11.0),
        ("cost-recall@1", 8.0 / 15.0),
        ("uncovered-cost@1", 7.0),
        // A alone: 8 1 saves 8 of 8, and 6 of 6.
        ("rcs@1", 1.0),
        // Pairs with a costlier member: 8 over 4 and 2 (won 10), 6 below 3 (lost 3).
        ("pair-accuracy", 10.0 / 13.0),
        ("rank-equality", 0.0),
        ("exposure@1", 4.0 / 3.0),
    ] {
        let row = found.row("A", measure).expect(measure);
        near(row.value.expect(measure), expected, 1e-12, measure);
    }
    // Costlier others: 4 and 2 above 1, and none in the second list.
    near(found.row("A", "pair-accuracy").unwrap().rest.unwrap(), 1.0, 1e-12, "rest");
    near(found.row("A", "cost-recall@1").unwrap().rest.unwrap(), 3.0 / 9.0, 1e-12, "rest");
}

#[test]
fn ties_share_their_mean_position() {
    let (offsets, scores) = ([0, 4], [1.0, 0.0, 0.0, 0.0]);
    let groups = Groups::one(GroupColumn::of("g", ["B", "A", "A", "B"])).unwrap();
    let lists = Rankings::one(&offsets, &scores).unwrap();
    let found = audit(&lists, &groups, &AuditOptions { k: 2, ..quick() }).unwrap();
    let value = |measure: &str| found.row("A", measure).unwrap().value.unwrap();
    assert_eq!(value("mean-rank"), 0.5);
    assert_eq!(value("rank-parity"), 0.25);
    // A third of each of the tied is among the first two: 1/3 against (1 + 1/3)/2.
    near(value("four-fifths@2"), 0.5, 1e-12, "four-fifths");
    assert!(found.row("A", "displacement").is_none(), "no truth, no treatment");
}

#[test]
fn expected_beside_observed_cost() {
    let two = two();
    let expected = [4.0, 4.0, 4.0, 4.0, 4.0, 4.0];
    let lists = two.lists().expected(&expected).unwrap();
    let found = audit(&lists, &two.groups, &with(&["calibration"], quick())).unwrap();
    let row = found.row("A", "calibration").unwrap();
    near(row.value.unwrap(), 12.0 / 15.0, 1e-12, "A");
    near(row.rest.unwrap(), 12.0 / 9.0, 1e-12, "B");
}

/// Random lists: 40 lists of 12 items in 3 groups; the group `low` is put lower by `shift` places.
fn random(shift: f64) -> (Vec<usize>, Vec<f64>, Vec<f64>, Vec<&'static str>) {
    let stream = stakes_core::random::Stream::new(5, 0);
    let n = 40 * 12;
    let groups: Vec<&str> = (0..n).map(|i| ["low", "mid", "top"][stream.below(i, 3)]).collect();
    let truth: Vec<f64> = (0..n).map(|i| stream.unit(1000 + i)).collect();
    let scores = (0..n as usize).map(|i| {
        let lower = if groups[i] == "low" { shift } else { 0.0 };
        truth[i] + 0.5 * stream.unit(2000 + i as u64) - lower
    });
    let scores = scores.collect();
    ((0..=40).map(|list| 12 * list).collect(), scores, truth, groups)
}

#[test]
fn intervals_and_tests_over_lists() {
    let options = AuditOptions { resamples: 400, draws: 400, ..AuditOptions::default() };
    for (shift, is_lower) in [(0.0, false), (0.4, true)] {
        let (offsets, scores, truth, groups) = random(shift);
        let lists = Rankings::new(&offsets, &scores).unwrap().truth(&truth).unwrap();
        let lists = lists.cost(&truth).unwrap();
        let groups = Groups::one(GroupColumn::of("g", groups)).unwrap();
        let found = audit(&lists, &groups, &options).unwrap();
        assert_eq!(found.groups.len(), 3);
        for row in &found.measures {
            let (value, low, high) = (row.value.unwrap(), row.low.unwrap(), row.high.unwrap());
            assert!(low <= high, "{row:?}");
            // A percentile interval holds the figure, unless it is an extreme of spacing.
            assert!(low - 0.3 <= value && value <= high + 0.3, "{row:?}");
            assert!(row.p.unwrap() > 0.0 && row.p.unwrap() <= row.p_corrected.unwrap(), "{row:?}");
        }
        for measure in ["mean-rank", "displacement", "rank-parity", "exposure"] {
            let row = found.row("low", measure).unwrap();
            assert_eq!(row.p_corrected.unwrap() < 0.01, is_lower, "{row:?}");
        }
    }
}

#[test]
fn the_same_at_any_number_of_threads() {
    let (offsets, scores, truth, groups) = random(0.1);
    let lists = Rankings::new(&offsets, &scores).unwrap().truth(&truth).unwrap();
    let groups = Groups::one(GroupColumn::of("g", groups)).unwrap();
    let options = AuditOptions { resamples: 50, draws: 50, ..AuditOptions::default() };
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| audit(&lists, &groups, &options).unwrap())
    };
    assert_eq!(run(1), run(3));
    let other = AuditOptions { seed: 1, ..options.clone() };
    assert_ne!(run(1), audit(&lists, &groups, &other).unwrap());
}

/// In one list, the interval of a mean is that of the usual bootstrap of the members: 1.96 deviations / sqrt(m).
#[test]
fn halves_vary_as_resamples_do() {
    let options = AuditOptions { draws: 0, resamples: 4000, ..AuditOptions::default() };
    let found = audited(&placed(FIGURES[0].1), &options);
    let row = found.row("A", "mean-rank").unwrap();
    // Positions 5, 15, ..., 95 have a deviation of 28.7228; / sqrt(10) x 1.96 = 17.8.
    near(row.low.unwrap(), -0.5 - 17.8, 1.5, "low");
    near(row.high.unwrap(), -0.5 + 17.8, 1.5, "high");
    // Half of the members may all stand beyond a cut-off, or outside of a fifth: then there is no interval.
    let is_part = |measure: &str| measure.contains('@') || measure.contains("fifth");
    assert_eq!(found.row("A", "displacement-fifth-1").unwrap().low, None);
    for row in found.measures.iter().filter(|row| !is_part(&row.measure)) {
        let (value, low, high) = (row.value.unwrap(), row.low.unwrap(), row.high.unwrap());
        assert!(low <= value + 1e-9 && value <= high + 1e-9, "{row:?}");
    }
}

#[test]
fn four_fifths_of_several_groups_is_against_the_largest_rate() {
    let (offsets, scores) = ([0, 12], (0..12).map(|i| -f64::from(i)).collect::<Vec<_>>());
    let names = ["A", "B", "A", "C", "A", "B", "C", "A", "B", "C", "C", "B"];
    let groups = Groups::one(GroupColumn::of("g", names)).unwrap();
    let lists = Rankings::one(&offsets, &scores).unwrap();
    let options = with(&["four-fifths@4"], quick());
    let found = audit(&lists, &groups, &options).unwrap();
    // Rates 2/4, 1/4, 1/4.
    let values: Vec<f64> = found.by_group("four-fifths@4").map(|(_, v)| v.unwrap()).collect();
    assert_eq!(values, [1.0, 0.5, 0.5]);
    let one = AuditOptions { protected: Some("B".into()), ..options };
    let found = audit(&lists, &groups, &one).unwrap();
    // 1/4 against 3/8 of all others.
    assert_eq!(found.measures.len(), 1);
    near(found.measures[0].value.unwrap(), 2.0 / 3.0, 1e-12, "against the rest");
}

/// Green and blue squares and circles: taken are all green squares and blue circles (Salomon 2020, chapter 2).
#[test]
fn subgroups_show_what_columns_hide() {
    let shapes = |i: usize| if i.is_multiple_of(2) { "square" } else { "circle" };
    let colours = |i: usize| if (i / 2).is_multiple_of(2) { "green" } else { "blue" };
    let taken = |i: usize| (shapes(i) == "square") == (colours(i) == "green");
    let scores: Vec<f64> = (0..48).map(|i| if taken(i) { 1.0 } else { 0.0 }).collect();
    let offsets = [0, 48];
    let lists = Rankings::one(&offsets, &scores).unwrap();
    let columns = vec![
        GroupColumn::of("shape", (0..48).map(shapes)),
        GroupColumn::of("colour", (0..48).map(colours)),
    ];
    let options = AuditOptions { draws: 200, ..with(&["four-fifths@24"], quick()) };
    let found = audit(&lists, &Groups::new(columns.clone()).unwrap(), &options).unwrap();
    let value = |group: &str| found.row(group, "four-fifths@24").unwrap().value.unwrap();
    for group in ["square", "circle", "green", "blue"] {
        assert_eq!(value(group), 1.0);
    }
    assert_eq!([value("square,green"), value("circle,blue")], [1.0, 1.0]);
    assert_eq!([value("circle,green"), value("square,blue")], [0.0, 0.0]);
    assert!(found.row("circle,green", "four-fifths@24").unwrap().p_corrected.unwrap() < 0.05);
    // Combinations of fewer items than asked for are left out, and said to be.
    let many = AuditOptions { min_combined: 13, resamples: 20, ..options };
    let found = audit(&lists, &Groups::new(columns).unwrap(), &many).unwrap();
    assert!(found.row("circle,green", "four-fifths@24").is_none());
    assert!(
        matches!(&found.warnings[..], [Warning::SmallCombinations { groups, .. }] if groups.len() == 4)
    );
}

#[test]
fn refusals_say_what_to_do() {
    let lists_of = |n: usize| ((0..n).map(|i| i as f64).collect::<Vec<_>>(), [0, n]);
    let refused = |values: &[&str], protected: Option<&str>| {
        let (scores, offsets) = lists_of(values.len());
        let lists = Rankings::one(&offsets, &scores).unwrap();
        let options = AuditOptions { protected: protected.map(str::to_owned), ..quick() };
        let groups = Groups::one(GroupColumn::of("race", values))?;
        audit(&lists, &groups, &options).map(|_| ())
    };
    let message = |values: &[&str], protected| refused(values, protected).unwrap_err().to_string();
    assert!(message(&["A"; 4], None).contains("all 4 items have the same value in `race`: `A`"));
    let unknown = message(&["Black", "White", "White", "Black"], Some("Blck"));
    assert!(unknown.ends_with("did you mean `Black`?"), "{unknown}");
    assert!(message(&["A", "B", "B"], Some("A")).contains("`A` of `race` has one member"));
    let ages: Vec<String> = (0..60).map(|i| format!("{}.5", 20 + i)).collect();
    let ages: Vec<&str> = ages.iter().map(String::as_str).collect();
    assert!(message(&ages, None).contains("make classes of it"));
    let many: Vec<String> = (0..240).map(|i| format!("g{}", i % 60)).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert!(message(&many, None).contains("at most 50 groups"));
    assert_eq!(refused(&many, Some("g3")), Ok(()));
    // A lone member among others is left out.
    assert_eq!(refused(&["A", "B", "B", "C", "C"], None), Ok(()));
    for (text, expected) in [
        ("four-fifth@3", "did you mean `four-fifths`?"),
        ("four-fifths", "needs a cut-off"),
        ("gap@3", "has no cut-off"),
        ("four-fifths@0", "whole number above 0"),
    ] {
        let error = text.parse::<Measure>().unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let (scores, offsets) = lists_of(4);
    let lists = Rankings::one(&offsets, &scores).unwrap();
    let groups = Groups::one(GroupColumn::of("g", ["A", "B", "A", "B"])).unwrap();
    let needs = audit(&lists, &groups, &with(&["noise"], quick())).unwrap_err();
    assert_eq!(needs.to_string(), "`noise` needs a true order, such as observed impacts");
    assert!(matches!(Rankings::new(&[0, 3], &scores), Err(AuditError::Offsets { .. })));
    assert!(lists.cost(&[1.0, -1.0, 0.0, 0.0]).is_err());
    let level = AuditOptions { level: 2.0, ..quick() };
    assert!(audit(&lists, &groups, &level).unwrap_err().to_string().contains("the level is 2"));
}

#[test]
fn groups_that_never_meet_cannot_be_compared() {
    let (offsets, scores) = ([0, 2, 4], [1.0, 2.0, 3.0, 4.0]);
    let lists = Rankings::new(&offsets, &scores).unwrap();
    let groups = Groups::one(GroupColumn::of("g", ["A", "A", "B", "B"])).unwrap();
    let error = audit(&lists, &groups, &quick()).unwrap_err();
    assert!(error.to_string().contains("no list has both members of `A` and others"));
}
