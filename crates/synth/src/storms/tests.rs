//! The documented properties of the storm data, measured.

use super::extent::lengths;
use super::*;
use crate::shape::Table;

fn table(storms: &Storms) -> Table {
    let mut table = Table::default();
    storms.rows(&mut |row| table.push(row)).expect("good parameters");
    table
}

fn columns() -> Vec<String> {
    Storms::features().into_iter().map(|f| f.name).collect()
}

fn column(t: &Table, name: &str) -> Vec<f64> {
    t.column(columns().iter().position(|c| c == name).expect("a column of that name"))
}

/// Small enough for a test, large enough to estimate shares.
fn small() -> Storms {
    Storms { lists: 60, rows: 20_000, ..Storms::default() }
}

#[test]
fn the_bytes_are_the_same_everywhere() {
    let of = |storms: &Storms| format!("{:016x}", table(storms).checksum);
    let little = Storms { lists: 12, networks: 200, rows: 600, ..Storms::default() };
    assert_eq!(of(&little), "62b654e9402a7300");
    assert_eq!(of(&Storms { tail: Tail::Compound, ..little.clone() }), "00a0429e276a72b4");
    assert_eq!(of(&Storms { tail: Tail::Tempered, ..little.clone() }), "5ccdb584ee2eaf07");
    assert_eq!(of(&Storms::default()), "9bf24e9795f6f913");
    assert_ne!(of(&Storms { seed: 2, ..little.clone() }), of(&little));
}

#[test]
fn rows_lists_and_columns() {
    let t = table(&Storms::default());
    assert_eq!((t.impact.len(), t.ends.len(), t.width), (100_000, 300, 85));
    let names = columns();
    assert_eq!(names.len(), 85);
    let mut unique = names.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), 85, "names differ");
    let sizes: Vec<usize> = t.lists().map(|list| list.len()).collect();
    assert!(sizes.iter().min() < Some(&80) && sizes.iter().max() > Some(&1000), "{sizes:?}");
    assert!(t.times.is_sorted() && t.times[0].as_str() > "2010");
    let last = t.times.last().expect("rows").as_str();
    assert!(("2015".."2017").contains(&last), "{last}");
}

#[test]
fn weather_is_nearly_constant_within_a_storm_and_nothing_else_is() {
    let t = table(&small());
    let mut steady = Vec::new();
    for (j, name) in columns().iter().enumerate() {
        let x = t.column(j);
        let (mut within, mut all, mut known) = (0.0, 0.0, Vec::new());
        let spread = |x: &[f64]| {
            let mean = x.iter().sum::<f64>() / x.len() as f64;
            x.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>()
        };
        for list in t.lists() {
            let here: Vec<f64> = x[list].iter().copied().filter(|v| !v.is_nan()).collect();
            within += spread(&here);
            known.extend(here);
        }
        all += spread(&known);
        if within < 0.05 * all {
            steady.push(name.clone());
        } else {
            assert!(within > 0.3 * all, "{name}: {}", within / all);
        }
    }
    assert_eq!(steady, columns()[60..], "the 25 weather columns");
}

#[test]
fn missing_values_are_where_they_should_be() {
    let t = table(&small());
    for name in columns() {
        let x = column(&t, &name);
        let share = x.iter().filter(|v| v.is_nan()).count() as f64 / x.len() as f64;
        let (low, high) = match name.as_str() {
            "pole_age_max_years" | "inspection_years" => (0.1, 0.25),
            "transformer_age_years" | "soil_moisture" => (0.05, 0.15),
            "lightning_strikes" => (0.01, 0.05),
            _ => (0.0, 0.0),
        };
        assert!((low..=high).contains(&share), "{name}: {share}");
    }
}

#[test]
fn impact_is_zero_inflated_heavy_tailed_and_bounded() {
    for tail in [Tail::Hurdle, Tail::Compound] {
        let t = table(&Storms { tail, ..Storms::default() });
        let n = t.impact.len() as f64;
        let zeros = t.impact.iter().filter(|y| **y == 0.0).count() as f64 / n;
        assert!((0.8..0.9).contains(&zeros), "{tail:?}: {zeros}");
        let customers = column(&t, "customers");
        assert!(t.impact.iter().zip(&customers).all(|(y, c)| y <= c));
        let mut y = t.impact.clone();
        y.sort_by(|a, b| b.total_cmp(a));
        let total: f64 = y.iter().sum();
        let top: f64 = y[..1000].iter().sum(); // one per cent of the rows
        assert!(top > 0.4 * total, "{tail:?}: {}", top / total);
        let mut totals: Vec<f64> = t.lists().map(|list| t.impact[list].iter().sum()).collect();
        totals.sort_by(f64::total_cmp);
        assert!(totals[15] < 100.0 && totals[299] > 5e5, "{tail:?}: {totals:?}");
        // The expected impact is right in the mean.
        let expected: f64 = t.expected.iter().sum();
        assert!((expected / total - 1.0).abs() < 0.05, "{tail:?}: {expected} {total}");
    }
}

/// The numbers behind "no single column orders well, and neither does a linear score".
#[test]
fn the_interaction_decides_who_fails() {
    let t = table(&Storms::default());
    let (random, oracle) = (t.r_cs_random(10), t.r_cs(&t.expected, 10));
    assert!((0.03..0.08).contains(&random), "random {random}");
    assert!((0.65..0.75).contains(&oracle), "oracle {oracle}");

    let both_ways = (0..t.width).flat_map(|j| {
        let up = t.column(j);
        let down = up.iter().map(|x| -x).collect();
        [up, down]
    });
    let single = both_ways.map(|x| t.r_cs(&x, 10)).fold(0.0, f64::max);
    assert!((0.25..0.45).contains(&single), "single feature {single}");

    let density = column(&t, "vegetation_density");
    let height = column(&t, "vegetation_height_m");
    let humidity = column(&t, "humidity_mean");
    let canopy = density.iter().zip(&height).map(|(d, h)| (d * h - 5.0).clamp(-4.8, 4.8));
    let wet = humidity.iter().map(|h| libm::tanh((h - 70.0) / 5.0));
    let interaction: Vec<f64> = canopy.zip(wet).map(|(c, w)| c * w).collect();
    let fits = |more: &[Vec<f64>]| {
        let targets: [fn(f64) -> f64; 2] = [|y| y, f64::sqrt];
        let scores = targets.map(|f| {
            let target: Vec<f64> = t.impact.iter().map(|&y| f(y)).collect();
            t.r_cs(&t.linear(&target, more), 10)
        });
        scores[0].max(scores[1])
    };
    let (linear, knowing) = (fits(&[]), fits(&[interaction]));
    assert!(linear < 0.45, "linear {linear}");
    assert!(knowing > linear + 0.12, "linear {linear}, with the interaction {knowing}");
    println!(
        "R_CS@10: random {random:.3}, single {single:.3}, linear {linear:.3}, \
         with interaction {knowing:.3}, oracle {oracle:.3}"
    );
}

#[test]
fn lengths_meet_the_total_within_limits() {
    let weights = [1.0, 2.0, 4.0, 100.0, 0.01];
    for total in [25, 60, 200, 499, 500] {
        let lengths = lengths(&weights, total, (5, 100));
        assert_eq!(lengths.iter().sum::<usize>(), total, "{lengths:?}");
        assert!(lengths.iter().all(|n| (5..=100).contains(n)), "{lengths:?}");
    }
}

#[test]
fn impossible_parameters_are_refused_by_name() {
    let refused = |storms: Storms| storms.generate().expect_err("refused").to_string();
    let usual = Storms::default;
    assert_eq!(
        refused(Storms { lists: 0, ..usual() }),
        "storms: lists is 0, allowed is 1 to 4000000"
    );
    assert!(refused(Storms { networks: 2, ..usual() }).contains("networks is 2"));
    assert!(
        refused(Storms { rows: 10, ..usual() }).contains("rows is 10, allowed is 1500 to 360000")
    );
    assert!(refused(Storms { rows: usize::MAX, ..usual() }).contains("rows is"));
    assert!(refused(Storms { lists: usize::MAX, ..usual() }).contains("lists is"));
}

#[test]
fn the_oracle_is_an_extra_and_not_a_feature() {
    let storms = Storms { lists: 3, networks: 40, rows: 60, ..Storms::default() };
    let hidden = storms.generate().expect("good parameters");
    let shown = Storms { oracle: Oracle::Column, ..storms }.generate().expect("good parameters");
    assert!(hidden.numbers(ORACLE).is_err());
    assert!(shown.numbers(ORACLE).expect("shown").iter().all(|y| *y > 0.0));
    assert_eq!(hidden.features().width(), shown.features().width());
    assert_eq!(hidden.impact(), shown.impact());
}
