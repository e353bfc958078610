//! Properties that hold for every test.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;

fn run(test: PairedTest, d: &[f64], options: &TestOptions) -> TestResult {
    test.run(d, options).unwrap().unwrap()
}

fn quick(alternative: Alternative) -> TestOptions {
    let resamples = 199;
    TestOptions { alternative, resamples, ..TestOptions::default() }
}

/// Differences with zeros and ties, of few or many lists.
fn differences() -> impl Strategy<Value = Vec<f64>> {
    let tied = (-4..=4_i32).prop_map(|d| f64::from(d) / 4.0);
    let one = prop_oneof![1 => tied, 2 => -1.0..1.0_f64];
    prop_oneof![
        3 => prop::collection::vec(one.clone(), 2..10),
        1 => prop::collection::vec(one, 17..70),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn p_is_a_probability_and_turns_with_the_sign(d in differences()) {
        let turned: Vec<f64> = d.iter().map(|d| -d).collect();
        for test in PairedTest::ALL {
            for (side, other) in [
                (Alternative::TwoSided, Alternative::TwoSided),
                (Alternative::Greater, Alternative::Less),
            ] {
                let met = run(test, &d, &quick(side));
                let back = run(test, &turned, &quick(other));
                prop_assert!((0.0..=1.0).contains(&met.p_value), "{test}: {met:?}");
                prop_assert!(!met.statistic.is_nan());
                prop_assert_eq!(met.n, back.n);
                // Exact when all patterns are tried; for random ones the patterns are the same
                // and all sums change sign.
                prop_assert!((met.p_value - back.p_value).abs() < 1e-9, "{test}: {met:?} {back:?}");
            }
        }
    }

    #[test]
    fn the_scale_does_not_matter_nor_the_order_of_lists(d in differences()) {
        // A power of two, so that no digit changes.
        let scaled: Vec<f64> = d.iter().map(|d| d * 1024.0).collect();
        let mut reversed = d.clone();
        reversed.reverse();
        for test in PairedTest::ALL {
            let options = quick(Alternative::TwoSided);
            let met = run(test, &d, &options);
            prop_assert_eq!(met.p_value, run(test, &scaled, &options).p_value);
            if d.len() <= randomisation::MAX_EXACT || test != PairedTest::Randomisation {
                let back = run(test, &reversed, &options);
                prop_assert!((met.p_value - back.p_value).abs() < 1e-9, "{test}");
            }
        }
    }

    #[test]
    fn a_shift_up_makes_greater_no_less_likely(d in differences(), shift in 0.0..2.0_f64) {
        let shifted: Vec<f64> = d.iter().map(|d| d + shift).collect();
        for test in [PairedTest::Randomisation, PairedTest::Wilcoxon] {
            let options = TestOptions { wilcoxon: wilcoxon::Distribution::Exact, ..quick(Alternative::Greater) };
            if d.len() <= randomisation::MAX_EXACT && !d.contains(&0.0) && !shifted.contains(&0.0) {
                let before = run(test, &d, &options).p_value;
                let after = run(test, &shifted, &options).p_value;
                prop_assert!(after <= before + 1e-9, "{test}: {before} -> {after}");
            }
        }
    }
}

#[test]
fn equal_scores_are_equal_and_one_list_has_no_test() {
    for test in PairedTest::ALL {
        let options = TestOptions::default();
        assert_eq!(run(test, &[0.0; 40], &options).p_value, 1.0, "{test}");
        assert_eq!(test.run(&[], &options).unwrap(), None);
        assert_eq!(test.run(&[1.0], &options).unwrap(), None);
        assert!(test.run(&[1.0, f64::INFINITY], &options).is_err());
        assert_eq!(test.name().parse::<PairedTest>().unwrap(), test);
    }
}

#[test]
fn a_clear_difference_is_seen_by_all_and_no_difference_by_none() {
    let clear: Vec<f64> = (0..40).map(|i| 0.5 + f64::from(i % 5) / 10.0).collect();
    let none: Vec<f64> = (0..40).map(|i| f64::from(i - 20) + 0.5).collect();
    for test in PairedTest::ALL {
        let options = TestOptions::default();
        assert!(run(test, &clear, &options).p_value < 1e-3, "{test}");
        assert!(run(test, &none, &options).p_value > 0.9, "{test}");
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let d: Vec<f64> = (0..300).map(|i| f64::from((i * 37) % 101) - 45.0).collect();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(PairedTest::Randomisation, &d, &TestOptions::default()))
    };
    assert_eq!(on(1), on(4));
}
