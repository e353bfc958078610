#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;
use stakes_core::metric::ratio;

fn means(values: &[f64]) -> Vec<Part> {
    values.iter().map(|&v| Part::mean(Some(v))).collect()
}

fn with(method: IntervalMethod, resamples: usize, seed: u64) -> BootstrapOptions {
    BootstrapOptions { method, resamples, seed, ..BootstrapOptions::default() }
}

fn of(parts: &[Part], options: &BootstrapOptions) -> Option<Interval> {
    interval(Column::new(parts), options).unwrap()
}

const X: [f64; 15] =
    [0.12, 0.95, 0.33, 0.47, 0.81, 0.05, 0.66, 0.29, 0.38, 0.72, 0.11, 0.19, 0.90, 0.55, 0.24];
const SAVED: [(f64, f64); 12] = [
    (3.0, 4.0),
    (50.0, 60.0),
    (0.5, 2.0),
    (12.0, 15.0),
    (7.0, 9.0),
    (0.0, 1.0),
    (22.0, 40.0),
    (1.0, 3.0),
    (9.0, 9.0),
    (90.0, 95.0),
    (4.0, 10.0),
    (2.0, 2.5),
];

fn saved() -> Vec<Part> {
    SAVED.map(|(num, den)| Part::new(num, den)).to_vec()
}

#[test]
fn a_mean_as_scipy() {
    // scipy 1.17.1: stats.bootstrap((x,), np.mean, n_resamples=100000, method=..., rng=s), three
    // seeds: BCa low 0.3127..0.3147, high 0.6053..0.6073; percentile low 0.3080..0.3087, high
    // 0.6000..0.6007.
    let parts = means(&X);
    let bca = of(&parts, &with(IntervalMethod::Bca, 20_000, 1)).unwrap();
    assert!((bca.low - 0.3135).abs() < 0.004 && (bca.high - 0.6065).abs() < 0.004, "{bca:?}");
    let plain = of(&parts, &with(IntervalMethod::Percentile, 20_000, 1)).unwrap();
    assert!((plain.low - 0.3083).abs() < 0.004 && (plain.high - 0.6003).abs() < 0.004, "{plain:?}");
}

#[test]
fn a_ratio_as_scipy() {
    // scipy 1.17.1: stats.bootstrap((num, den), sum / sum, paired=True, n_resamples=100000,
    // method="BCa", rng=s), three seeds: low 0.6272..0.6286, high 0.9147..0.9164.
    let met = of(&saved(), &with(IntervalMethod::Bca, 20_000, 1)).unwrap();
    assert!((met.low - 0.628).abs() < 0.006 && (met.high - 0.9152).abs() < 0.006, "{met:?}");
}

/// The definition, slowly: every resample as a list of parts, every jackknife value from its own sum, z0
/// and a as in Efron and Tibshirani, eq. 14.10 to 14.15.
fn slow_bca(parts: &[Part], finish: Finish, options: &BootstrapOptions) -> Interval {
    use statrs::distribution::{ContinuousCDF, Normal};
    let normal = Normal::standard();
    let figure = |p: &[Part]| finish.apply(ratio(p.iter().copied()).unwrap());
    let estimate = figure(parts);
    let seed = purpose(options.seed, b"bootlist");
    let mut figures: Vec<f64> = (0..options.resamples)
        .map(|b| {
            let stream = Stream::new(seed, b as u64);
            let drawn = (0..parts.len()).map(|i| parts[stream.below(i as u64, parts.len())]);
            figure(&drawn.collect::<Vec<_>>())
        })
        .collect();
    figures.sort_unstable_by(f64::total_cmp);
    let below = figures.iter().filter(|&&f| f < estimate - 1e-13).count() as f64;
    let equal = figures.iter().filter(|&&f| (f - estimate).abs() <= 1e-13).count() as f64;
    let z0 = normal.inverse_cdf((below + equal / 2.0) / figures.len() as f64);
    let without = |i: usize| figure(&[&parts[..i], &parts[i + 1..]].concat());
    let jack: Vec<f64> = (0..parts.len()).map(without).collect();
    let mean = jack.iter().sum::<f64>() / jack.len() as f64;
    let cube: f64 = jack.iter().map(|j| (mean - j).powi(3)).sum();
    let square: f64 = jack.iter().map(|j| (mean - j).powi(2)).sum();
    let a = cube / (6.0 * square.powf(1.5));
    let end = |alpha: f64| {
        let z = z0 + normal.inverse_cdf(alpha);
        let place = normal.cdf(z0 + z / (1.0 - a * z)) * (figures.len() - 1) as f64;
        let i = place as usize;
        let next = figures[(i + 1).min(figures.len() - 1)];
        figures[i] + (place - i as f64) * (next - figures[i])
    };
    let tail = (1.0 - options.level) / 2.0;
    Interval { low: end(tail), high: end(1.0 - tail) }
}

#[test]
fn the_fast_path_is_the_definition() {
    let options = with(IntervalMethod::Bca, 2000, 5);
    for parts in [means(&X), saved()] {
        for finish in [Finish::Identity, Finish::SquareRoot] {
            let column = Column { parts: &parts, finish };
            let met = interval(column, &options).unwrap().unwrap();
            let slow = slow_bca(&parts, finish, &options);
            assert!((met.low - slow.low).abs() < 1e-9, "{met:?} {slow:?}");
            assert!((met.high - slow.high).abs() < 1e-9, "{met:?} {slow:?}");
        }
    }
}

#[test]
fn two_lists_by_hand() {
    let boot_parts = means(&[0.0, 1.0]);
    let met = of(&boot_parts, &with(IntervalMethod::Percentile, 2000, 0)).unwrap();
    assert_eq!(met, Interval { low: 0.0, high: 1.0 });
}

#[test]
fn one_list_has_no_interval() {
    let options = BootstrapOptions::default();
    assert_eq!(of(&[], &options), None);
    assert_eq!(of(&means(&[0.4]), &options), None);
    assert_eq!(of(&[Part::EMPTY; 5], &options), None);
    // Many lists, but only one with a value.
    let mut parts = vec![Part::EMPTY; 5];
    parts[2] = Part::new(1.0, 2.0);
    assert_eq!(of(&parts, &options), None);
    assert!(Bootstrap::run(&[], &options).is_ok());
}

#[test]
fn lists_without_a_value_are_drawn_too() {
    let mut parts = means(&[0.2, 0.6, 0.9]);
    let alone = of(&parts, &with(IntervalMethod::Percentile, 2000, 0)).unwrap();
    parts.extend([Part::EMPTY; 6]);
    let column = [Column::new(&parts)];
    let boot = Bootstrap::run(&column, &with(IntervalMethod::Percentile, 2000, 0)).unwrap();
    // A resample holds none of the three with chance (6/9)^9 = 0.026: 52 of 2000.
    let empty = boot.replicates(0).filter(Option::is_none).count();
    assert!((20..100).contains(&empty), "{empty}");
    let met = boot.interval(0).unwrap();
    assert!(met.low >= alone.low - 1e-12 && met.high <= alone.high + 1e-12);
}

#[test]
fn equal_values_give_a_point() {
    for method in [IntervalMethod::Bca, IntervalMethod::Percentile] {
        for value in [0.0, 0.1, 1.0 / 3.0, 1e-300, 1e300, -7.7] {
            // Equal ratios with different weights, so that there is rounding.
            let parts: Vec<Part> =
                (1..200).map(|i| Part::weighted(Some(value), 0.1 * f64::from(i))).collect();
            let met = of(&parts, &with(method, 200, 0)).unwrap();
            assert_eq!(met.low, met.high, "{value}");
            assert!((met.low - value).abs() <= 1e-13 * value.abs());
        }
    }
}

#[test]
fn one_list_with_nearly_all_the_cost_stays_finite() {
    let mut parts: Vec<Part> = (0..20).map(|i| Part::new(f64::from(i % 3), 2.0)).collect();
    parts.push(Part::new(3e17, 1e18));
    let met = of(&parts, &BootstrapOptions::default()).unwrap();
    assert!(met.low.is_finite() && met.low <= met.high && met.high.is_finite(), "{met:?}");
}

#[test]
fn what_is_refused() {
    let (a, b) = (means(&[0.1, 0.2, 0.3]), means(&[0.1, 0.2]));
    let columns = [Column::new(&a), Column::new(&b)];
    let ok = BootstrapOptions::default();
    let refused = Bootstrap::run(&columns, &ok).unwrap_err().to_string();
    assert!(refused.starts_with("score 1 has 2 lists but score 0 has 3"), "{refused}");
    for level in [0.0, 1.0, 95.0, f64::NAN] {
        assert!(interval(columns[0], &BootstrapOptions { level, ..ok }).is_err());
    }
    for resamples in [39, 1_000_001, usize::MAX] {
        let refused = interval(columns[0], &BootstrapOptions { resamples, ..ok }).unwrap_err();
        assert!(refused.to_string().contains("allowed are 40 to 1000000"), "{refused}");
    }
    let nan = [Part::new(f64::NAN, 1.0); 3];
    assert!(interval(Column::new(&nan), &ok).is_err());
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let parts = saved();
    let columns = [Column::new(&parts), Column { parts: &parts, finish: Finish::SquareRoot }];
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let boot = Bootstrap::run(&columns, &BootstrapOptions::default()).unwrap();
            (boot.replicates.clone(), boot.interval(0), boot.interval(1))
        })
    };
    assert_eq!(on(1), on(4));
}

#[test]
fn a_column_does_not_depend_on_its_neighbours() {
    let (a, b) = (means(&X[..12]), saved());
    let columns = [Column::new(&a), Column::new(&b)];
    let options = BootstrapOptions::default();
    let both = Bootstrap::run(&columns, &options).unwrap();
    assert_eq!(both.interval(1), of(&b, &options));
    // A score against itself differs in nothing.
    assert_eq!(both.difference(0, 0).unwrap(), Interval { low: 0.0, high: 0.0 });
    let (ab, ba) = (both.difference(0, 1).unwrap(), both.difference(1, 0).unwrap());
    assert!((ab.low + ba.high).abs() < 1e-12 && (ab.high + ba.low).abs() < 1e-12);
}

/// The share of intervals that cover the true value of a skewed ratio.
#[test]
fn coverage_is_near_the_level() {
    // Lists can save c = exp z (heavy tailed) and save c u with u uniform, so the truth is 1/2.
    let trials = 200;
    let held = (0..trials).filter(|&trial| {
        let stream = Stream::new(99, trial);
        let part = |i: u64| {
            let z: f64 = (0..12).map(|j| stream.unit(100 * i + j)).sum::<f64>() - 6.0;
            let cost = z.exp();
            Part::new(cost * stream.unit(100 * i + 50), cost)
        };
        let parts: Vec<Part> = (0..60).map(part).collect();
        of(&parts, &with(IntervalMethod::Bca, 400, trial)).unwrap().contains(0.5)
    });
    let share = held.count() as f64 / trials as f64;
    assert!(share > 0.88 && share <= 0.99, "{share}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn an_interval_is_within_the_values_and_holds_a_symmetric_estimate(
        half in prop::collection::vec(0.0..1.0_f64, 3..12), seed in 0..1000_u64,
    ) {
        // Symmetric about 0: every value with its opposite.
        let values: Vec<f64> = half.iter().flat_map(|&v| [v, -v]).collect();
        let parts = means(&values);
        let largest = half.iter().fold(0.0_f64, |m, v| m.max(*v));
        for method in [IntervalMethod::Percentile, IntervalMethod::Bca] {
            let met = of(&parts, &with(method, 200, seed)).unwrap();
            prop_assert!(met.low <= met.high);
            prop_assert!(-largest - 1e-12 <= met.low && met.high <= largest + 1e-12);
            prop_assert!(met.contains(0.0), "{method:?} {met:?}");
        }
    }

    #[test]
    fn a_shift_of_all_values_shifts_the_interval(
        values in prop::collection::vec(0.0..1.0_f64, 2..20), shift in -5.0..5.0_f64,
    ) {
        let shifted: Vec<f64> = values.iter().map(|v| v + shift).collect();
        for method in [IntervalMethod::Percentile, IntervalMethod::Bca] {
            let options = with(method, 100, 3);
            let met = of(&means(&values), &options).unwrap();
            let moved = of(&means(&shifted), &options).unwrap();
            prop_assert!((met.low + shift - moved.low).abs() < 1e-9, "{met:?} {moved:?}");
            prop_assert!((met.high + shift - moved.high).abs() < 1e-9, "{met:?} {moved:?}");
        }
    }

    #[test]
    fn any_parts_give_ordered_finite_ends(
        parts in prop::collection::vec((0.0..1e6_f64, 0.0..1e6_f64, any::<bool>()), 0..20),
        root in any::<bool>(),
    ) {
        let part = |(num, den, value): (f64, f64, bool)| {
            if value && den > 0.0 { Part::new(num, den) } else { Part::EMPTY }
        };
        let parts: Vec<Part> = parts.into_iter().map(part).collect();
        let finish = if root { Finish::SquareRoot } else { Finish::Identity };
        let column = Column { parts: &parts, finish };
        if let Some(met) = interval(column, &with(IntervalMethod::Bca, 100, 0)).unwrap() {
            prop_assert!(met.low.is_finite() && met.low <= met.high && met.high.is_finite());
        }
    }
}
