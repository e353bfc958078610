#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;
use stakes_core::metric::ratio;
use stakes_core::random::{Stream, purpose};

fn means(values: &[f64]) -> Vec<Part> {
    values.iter().map(|&v| Part::mean(Some(v))).collect()
}

fn with(method: IntervalMethod, resamples: usize, seed: u64) -> IntervalOptions {
    IntervalOptions { method, resamples, seed, ..IntervalOptions::default() }
}

fn of(parts: &[Part], options: &IntervalOptions) -> Option<Interval> {
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
/// and a as in Efron and Tibshirani 1993, eq. 14.10 to 14.15.
fn slow_bca(parts: &[Part], finish: Finish, options: &IntervalOptions) -> Interval {
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
            let column = Column { finish, ..Column::new(&parts) };
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
    let options = IntervalOptions::default();
    assert_eq!(of(&[], &options), None);
    assert_eq!(of(&means(&[0.4]), &options), None);
    assert_eq!(of(&[Part::EMPTY; 5], &options), None);
    // Many lists, but only one with a value.
    let mut parts = vec![Part::EMPTY; 5];
    parts[2] = Part::new(1.0, 2.0);
    assert_eq!(of(&parts, &options), None);
    assert!(Intervals::new(&[], &options).is_ok());
}

#[test]
fn lists_without_a_value_are_drawn_too() {
    let mut parts = means(&[0.2, 0.6, 0.9]);
    let alone = of(&parts, &with(IntervalMethod::Percentile, 2000, 0)).unwrap();
    parts.extend([Part::EMPTY; 6]);
    let column = [Column::new(&parts)];
    let boot = Intervals::new(&column, &with(IntervalMethod::Percentile, 2000, 0)).unwrap();
    // A resample holds none of the three with chance (6/9)^9 = 0.026: 52 of 2000.
    let empty = boot.bootstrap.as_ref().unwrap().replicates(0).filter(Option::is_none).count();
    assert!((20..100).contains(&empty), "{empty}");
    let met = boot.interval(0).unwrap();
    assert!(met.low >= alone.low - 1e-12 && met.high <= alone.high + 1e-12);
}

#[test]
fn equal_values_give_a_point() {
    for method in IntervalMethod::ALL {
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
    let met = of(&parts, &IntervalOptions::default()).unwrap();
    assert!(met.low.is_finite() && met.low <= met.high && met.high.is_finite(), "{met:?}");
}

#[test]
fn what_is_refused() {
    let (a, b) = (means(&[0.1, 0.2, 0.3]), means(&[0.1, 0.2]));
    let columns = [Column::new(&a), Column::new(&b)];
    let ok = IntervalOptions::default();
    let refused = Intervals::new(&columns, &ok).unwrap_err().to_string();
    assert!(refused.starts_with("score 1 has 2 lists but score 0 has 3"), "{refused}");
    for level in [0.0, 0.99999, 1.0, 95.0, f64::NAN] {
        assert!(interval(columns[0], &IntervalOptions { level, ..ok }).is_err());
    }
    for resamples in [39, 1_000_001, usize::MAX] {
        let method = IntervalMethod::Bca;
        let refused = interval(columns[0], &IntervalOptions { method, resamples, ..ok });
        let refused = refused.unwrap_err();
        assert!(refused.to_string().contains("allowed are 40 to 1000000"), "{refused}");
    }
    let nan = [Part::new(f64::NAN, 1.0); 3];
    assert!(interval(Column::new(&nan), &ok).is_err());
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let parts = saved();
    let columns =
        [Column::new(&parts), Column { finish: Finish::SquareRoot, ..Column::new(&parts) }];
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let boot = Intervals::new(&columns, &with(IntervalMethod::Bca, 2000, 0)).unwrap();
            let replicates = boot.bootstrap.as_ref().unwrap().replicates.clone();
            (replicates, boot.interval(0), boot.interval(1))
        })
    };
    assert_eq!(on(1), on(4));
}

#[test]
fn a_column_does_not_depend_on_its_neighbours() {
    let (a, b) = (means(&X[..12]), saved());
    let columns = [Column::new(&a), Column::new(&b)];
    for method in IntervalMethod::ALL {
        by_itself(&columns, &with(method, 2000, 0));
    }
}

fn by_itself(columns: &[Column<'_>; 2], options: &IntervalOptions) {
    let both = Intervals::new(columns, options).unwrap();
    assert_eq!(both.interval(1), of(columns[1].parts, options));
    // A score against itself differs in nothing.
    assert_eq!(both.difference(0, 0).unwrap(), Interval { low: 0.0, high: 0.0 });
    let (ab, ba) = (both.difference(0, 1).unwrap(), both.difference(1, 0).unwrap());
    assert!((ab.low + ba.high).abs() < 1e-12 && (ab.high + ba.low).abs() < 1e-12);
}

#[test]
fn of_equal_lists_it_is_the_interval_of_a_mean() {
    // scipy 1.17.1: stats.t.interval(0.95, 14, np.mean(x), stats.sem(x)).
    let met = of(&means(&X), &IntervalOptions::default()).unwrap();
    assert!(
        (met.low - 0.285_821_503_556).abs() < 1e-9 && (met.high - 0.616_845_163_111).abs() < 1e-9,
        "{met:?}"
    );
}

/// The definition, slowly: residuals as a matrix times the lists' ratios.
fn slow_t(parts: &[Part], power: f64) -> (f64, f64, f64) {
    let total: f64 = parts.iter().map(|p| p.den).sum();
    let w: Vec<f64> = parts.iter().map(|p| p.den / total).collect();
    let r: Vec<f64> = parts.iter().map(|p| p.num / p.den).collect();
    let n = w.len();
    let figure: f64 = (0..n).map(|i| w[i] * r[i]).sum();
    let q: f64 = w.iter().map(|w| w * w).sum();
    // Row i of M turns ratios into the residual of list i; C = M M' are the residuals' covariances.
    let m = |i: usize, j: usize| f64::from(u8::from(i == j)) - w[j];
    let c = |i: usize, j: usize| (0..n).map(|k| m(i, k) * m(j, k)).sum::<f64>();
    let scale = q / (0..n).map(|i| w[i].powf(power) * c(i, i)).sum::<f64>();
    let g = |i: usize| scale * w[i].powf(power);
    let variance: f64 = (0..n).map(|i| g(i) * (r[i] - figure).powi(2)).sum();
    let pairs = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let spread: f64 = pairs.map(|(i, j)| g(i) * g(j) * c(i, j).powi(2)).sum();
    (figure, variance.sqrt(), q * q / spread)
}

#[test]
fn the_quick_sums_are_the_definition() {
    use statrs::distribution::{ContinuousCDF, StudentsT};
    let (figure, error, freedom) = slow_t(&saved(), 1.5);
    assert!(freedom > 2.0 && freedom < 5.0, "few lists count: {freedom}");
    let distance = error * StudentsT::new(0.0, 1.0, freedom).unwrap().inverse_cdf(0.975);
    let met = of(&saved(), &IntervalOptions::default()).unwrap();
    assert!((met.low - (figure - distance)).abs() < 1e-9, "{met:?}");
    assert!((met.high - (figure + distance)).abs() < 1e-9, "{met:?}");
    // Within bounds: the same on the scale of the log odds.
    let column = |parts| Column::new(parts).within((0.0, 1.0));
    let bounded = interval(column(&saved()), &IntervalOptions::default()).unwrap().unwrap();
    let odds = |x: f64| (x / (1.0 - x)).ln();
    let step = distance / (figure * (1.0 - figure));
    assert!((odds(bounded.low) - (odds(figure) - step)).abs() < 1e-9);
    assert!((odds(bounded.high) - (odds(figure) + step)).abs() < 1e-9);
}

#[test]
fn one_heavy_list_makes_a_long_interval() {
    let even: Vec<Part> = (0..30).map(|i| Part::new(f64::from(i % 3), 2.0)).collect();
    let mut heavy = even.clone();
    heavy[0] = Part::new(50.0, 100.0);
    let width = |parts: &[Part]| {
        let column = Column::new(parts).within((0.0, 1.0));
        interval(column, &IntervalOptions::default()).unwrap().unwrap().width()
    };
    assert!(width(&even) < 0.31 && width(&heavy) > 0.8, "{} {}", width(&even), width(&heavy));
}

/// The share of intervals that cover the true value of a heavy-tailed ratio, and of a difference of 0.
#[test]
fn coverage_is_near_the_level() {
    // Lists can save c = exp 1.5 z (heavy tailed) and save c u with u uniform, so the truth is 1/2.
    let trials = 400;
    let mut held = [0; 3];
    for trial in 0..trials {
        let stream = Stream::new(99, trial);
        let part = |i: u64, score: u64| {
            let z: f64 = (0..12).map(|j| stream.unit(100 * i + j)).sum::<f64>() - 6.0;
            let cost = (1.5 * z).exp();
            Part::new(cost * stream.unit(100 * i + 50 + score), cost)
        };
        let of_score = |score: u64| (0..40).map(|i| part(i, score)).collect::<Vec<Part>>();
        let (a, b) = (of_score(0), of_score(1));
        let columns = [&a, &b].map(|parts| Column::new(parts).within((0.0, 1.0)));
        let all = Intervals::new(&columns, &IntervalOptions::default()).unwrap();
        held[0] += u32::from(all.interval(0).unwrap().contains(0.5));
        held[1] += u32::from(all.difference(0, 1).unwrap().contains(0.0));
        held[2] += u32::from(of(&a, &with(IntervalMethod::Bca, 200, trial)).unwrap().contains(0.5));
    }
    let [figure, difference, bca] = held.map(|held| f64::from(held) / trials as f64);
    assert!((0.93..=0.99).contains(&figure), "{figure}");
    assert!((0.93..=0.995).contains(&difference), "{difference}");
    assert!(bca < 0.92, "resampling draws too short intervals: {bca}");
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
        let column = Column { finish, ..Column::new(&parts) };
        for method in IntervalMethod::ALL {
            for column in [column, column.within((0.0, f64::INFINITY))] {
                if let Some(met) = interval(column, &with(method, 100, 0)).unwrap() {
                    let finite = met.low.is_finite() && met.high.is_finite();
                    prop_assert!(finite && met.low <= met.high, "{method:?} {met:?}");
                }
            }
        }
    }
}
