//! Student's paired t test (Student 1908).
//!
//! `t = mean(d) / (s / sqrt(n))`, s with n - 1, against Student's distribution of n - 1 degrees
//! of freedom. For figures that are ratios this is the test of the linearised ratio (see
//! [`super::paired_differences`]).
//!
//! By hand: d = 1, 2, 3 has mean 2, s = 1, so t = 2 sqrt 3 = 3.4641 and, with 2 degrees of
//! freedom, p = 1 - t / sqrt(2 + t^2) = 0.0742.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::{TestOptions, TestResult, check};
use crate::error::StatsError;

/// Tests whether the mean difference is zero; `None` for fewer than two differences.
///
/// The statistic is t. If all differences are equal and not zero, t is infinite and p = 0 (two-sided).
///
/// # Errors
/// If a difference is not finite.
pub fn test(differences: &[f64], options: &TestOptions) -> Result<Option<TestResult>, StatsError> {
    check(differences)?;
    let n = differences.len();
    if n < 2 {
        return Ok(None);
    }
    let method = format!("paired t, {} degrees of freedom", n - 1);
    // Scaled to at most 1: squares of costs such as 1e200 would overflow, and t has no unit.
    let largest = differences.iter().fold(0.0, |m: f64, d| m.max(d.abs()));
    if largest == 0.0 {
        let (statistic, p_value) = (0.0, 1.0);
        return Ok(Some(TestResult { statistic, p_value, n, method }));
    }
    let count = n as f64;
    let mean = differences.iter().map(|d| d / largest).sum::<f64>() / count;
    let square = |d: &f64| (d / largest - mean).powi(2);
    let variance = differences.iter().map(square).sum::<f64>() / (count - 1.0);
    // x / 0 is infinite with the sign of x; 0 / 0 cannot occur, since not all differences are zero.
    let statistic = mean / (variance / count).sqrt();
    let (at_most, at_least) = tails(statistic, count - 1.0);
    let p_value = options.alternative.p_value(at_most, at_least);
    Ok(Some(TestResult { statistic, p_value, n, method }))
}

/// The probabilities of a t of at most and at least this.
fn tails(t: f64, freedom: f64) -> (f64, f64) {
    // The constructor fails only without degrees of freedom, and n >= 2.
    // Always the lower tail: 1 - cdf would lose all digits of a small p.
    let far = match StudentsT::new(0.0, 1.0, freedom) {
        Ok(student) if t.is_finite() => student.cdf(-t.abs()),
        _ => 0.0,
    };
    if t > 0.0 { (1.0 - far, far) } else { (far, 1.0 - far) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::significance::Alternative;

    fn run(differences: &[f64], alternative: Alternative) -> TestResult {
        let options = TestOptions { alternative, ..TestOptions::default() };
        test(differences, &options).unwrap().unwrap()
    }

    #[test]
    fn by_hand() {
        let met = run(&[1.0, 2.0, 3.0], Alternative::TwoSided);
        let t = 2.0 * 3_f64.sqrt();
        assert!((met.statistic - t).abs() < 1e-14);
        assert!((met.p_value - (1.0 - t / (2.0 + t * t).sqrt())).abs() < 1e-14);
    }

    #[test]
    fn as_scipy() {
        // scipy 1.17.1: stats.ttest_rel(a, b, alternative=...)
        let a = [0.52, 0.61, 0.33, 0.87, 0.45, 0.72, 0.58, 0.91, 0.27, 0.66];
        let b = [0.48, 0.55, 0.36, 0.79, 0.40, 0.61, 0.59, 0.77, 0.18, 0.54];
        let d: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        for (alternative, p) in [
            (Alternative::TwoSided, 0.004_559_550_745_442_578),
            (Alternative::Greater, 0.002_279_775_372_721_289),
            (Alternative::Less, 0.997_720_224_627_278_7),
        ] {
            let met = run(&d, alternative);
            assert!((met.statistic - 3.749_306_775_111_925_6).abs() < 1e-12);
            assert!((met.p_value - p).abs() < 1e-13, "{alternative:?} {}", met.p_value);
        }
    }

    #[test]
    fn both_ends_of_the_distribution_as_scipy() {
        // scipy 1.17.1: 2 * stats.t.sf(t, df)
        for (t, freedom, p) in [
            (0.1, 9999.0, 0.920_346_330_231_551),
            (1.96, 9999.0, 0.050_023_523_005_210_2),
            (2.5, 1.0, 0.242_237_883_181_686_82),
            (40.0, 20.0, 1.457_469_655_431_075e-20),
            (8.0, 200_000.0, 1.250_776_035_686_031_6e-15),
            (1e-3, 3.0, 0.999_264_894_969_460_9),
        ] {
            let met = 2.0 * tails(t, freedom).1;
            assert!((met / p - 1.0).abs() < 1e-8, "t {t}, df {freedom}: {met} for {p}");
        }
    }

    #[test]
    fn the_edges() {
        let options = TestOptions::default();
        assert_eq!(test(&[], &options).unwrap(), None);
        assert_eq!(test(&[0.3], &options).unwrap(), None);
        assert_eq!(run(&[0.0; 4], Alternative::TwoSided).p_value, 1.0);
        let equal = run(&[-0.5; 4], Alternative::TwoSided);
        assert_eq!((equal.statistic, equal.p_value), (f64::NEG_INFINITY, 0.0));
        assert_eq!(run(&[-0.5; 4], Alternative::Greater).p_value, 1.0);
        assert_eq!(run(&[1.0, -1.0], Alternative::TwoSided).p_value, 1.0);
        assert!(run(&[1e200, 2e200, 3e200], Alternative::TwoSided).p_value < 0.08);
        let refused = test(&[0.1, f64::NAN], &options).unwrap_err();
        assert!(refused.to_string().starts_with("difference 1 is NaN"));
    }
}
