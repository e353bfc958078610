//! Randomisation by sign flips (Fisher 1935, section 21).
//!
//! If two scores are equally good, they are exchangeable in each list, and an exchange flips the sign of
//! that list's difference. The p value is the share of all sign patterns whose mean difference is at least
//! as extreme as the observed one. There is no assumption about distributions, and the statistic is the
//! difference of the figures itself.
//!
//! All patterns are enumerated for up to 16 differences that are not zero (65,536 patterns). For more,
//! patterns are random, and the observed pattern is counted as one of them: p = (1 + hits) / (1 +
//! resamples), which is a valid p value and never 0 (Phipson and Smyth 2010).
//!
//! By hand: d = 1, 2, 3 has sum 6; of 8 patterns only +++ and --- have an absolute sum of 6: p = 0.25.

use std::ops::Add;

use rayon::prelude::*;

use super::{TestOptions, TestResult, check};
use crate::error::StatsError;
use stakes_core::random::{Stream, purpose};

/// The maximum number of nonzero differences for which all sign patterns are enumerated.
pub const MAX_EXACT: usize = 16;

/// Tests whether the signs of the differences are random; `None` for fewer than two.
///
/// The statistic is the mean difference.
///
/// # Errors
/// If a difference is not finite, or random patterns are needed and `resamples` is 0.
pub fn test(differences: &[f64], options: &TestOptions) -> Result<Option<TestResult>, StatsError> {
    check(differences)?;
    let n = differences.len();
    if n < 2 {
        return Ok(None);
    }
    // Zeros have no sign to flip: without them there are fewer patterns, with the same result.
    let mut sizes = differences.to_vec();
    sizes.retain(|&d| d != 0.0);
    // Divided before they are added, so that sums of huge costs stay finite.
    sizes.iter_mut().for_each(|d| *d /= n as f64);
    let met = Extreme::of(&sizes);
    let (hits, tried, way) = if sizes.is_empty() {
        (Hits::one(), 1, "all differences zero".to_owned())
    } else if sizes.len() <= MAX_EXACT {
        let patterns = 1_u64 << sizes.len();
        let sums = (0..patterns).map(|bits| signed_sum(&sizes, |_| bits));
        let hits = sums.fold(Hits::default(), |hits, sum| hits + met.compare(sum));
        (hits, patterns, format!("exact, all {patterns} sign patterns"))
    } else {
        let resamples = options.resamples;
        if resamples == 0 {
            return Err(StatsError::Resamples { met: 0, min: 1, max: usize::MAX });
        }
        let seed = purpose(options.seed, b"signflip");
        let sums = (0..resamples as u64).into_par_iter().map(|resample| {
            let stream = Stream::new(seed, resample);
            signed_sum(&sizes, |word| stream.word(word))
        });
        // Integers are added, so the order in which threads finish does not matter.
        let hits = sums.map(|sum| met.compare(sum)).reduce(Hits::default, Hits::add);
        let way = format!("{resamples} random sign patterns, seed {}", options.seed);
        (hits + Hits::one(), 1 + resamples as u64, way)
    };
    let share = |hits: u64| hits as f64 / tried as f64;
    let p_value = match options.alternative {
        super::Alternative::TwoSided => share(hits.two_sided),
        super::Alternative::Greater => share(hits.at_least),
        super::Alternative::Less => share(hits.at_most),
    };
    let method = format!("randomisation of the mean difference, {way}");
    let statistic = met.sum;
    Ok(Some(TestResult { statistic, p_value, n, method }))
}

/// The observed sum, and the tolerance within which another sum is equal to it.
struct Extreme {
    sum: f64,
    equal: f64,
}

impl Extreme {
    fn of(sizes: &[f64]) -> Self {
        let all = sizes.iter().map(|d| d.abs()).sum::<f64>();
        Self { sum: sizes.iter().sum(), equal: 1e-12 * all }
    }

    /// On which sides a sum is at least as extreme. Sums that are equal up to rounding are: a pattern with
    /// the same sum in another order must count.
    fn compare(&self, sum: f64) -> Hits {
        Hits {
            two_sided: u64::from(sum.abs() >= self.sum.abs() - self.equal),
            at_least: u64::from(sum >= self.sum - self.equal),
            at_most: u64::from(sum <= self.sum + self.equal),
        }
    }
}

/// The numbers of patterns that are at least as extreme, by side.
#[derive(Debug, Clone, Copy, Default)]
struct Hits {
    two_sided: u64,
    at_least: u64,
    at_most: u64,
}

impl Hits {
    /// The observed pattern, which is as extreme as itself on every side.
    const fn one() -> Self {
        Self { two_sided: 1, at_least: 1, at_most: 1 }
    }
}

impl Add for Hits {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            two_sided: self.two_sided + other.two_sided,
            at_least: self.at_least + other.at_least,
            at_most: self.at_most + other.at_most,
        }
    }
}

/// The sum of the differences with signs from 64-bit words: bit i of word w flips difference 64 w + i.
fn signed_sum(sizes: &[f64], word: impl Fn(u64) -> u64) -> f64 {
    let mut sum = 0.0;
    for (w, block) in sizes.chunks(64).enumerate() {
        let bits = word(w as u64);
        for (i, &d) in block.iter().enumerate() {
            // Flips the sign bit without a branch: a branch on a random bit is mispredicted half the time.
            sum += f64::from_bits(d.to_bits() ^ ((bits >> i) << 63));
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::significance::Alternative;

    fn run(d: &[f64], alternative: Alternative) -> TestResult {
        let options = TestOptions { alternative, ..TestOptions::default() };
        test(d, &options).unwrap().unwrap()
    }

    #[test]
    fn exact_as_scipy() {
        // scipy 1.17.1: stats.permutation_test((d,), np.mean, permutation_type="samples",
        // n_resamples=np.inf, alternative=...)
        let d = [4.0, 6.0, -3.0, 8.0, 5.0, 11.0, -1.0, 14.0, 9.0, 12.0];
        for (alternative, p) in [
            (Alternative::TwoSided, 0.009_765_625),
            (Alternative::Greater, 0.004_882_812_5),
            (Alternative::Less, 0.997_070_312_5),
        ] {
            let met = run(&d, alternative);
            assert!((met.statistic - 6.5).abs() < 1e-14);
            assert_eq!(met.p_value, p, "{alternative:?}");
            assert!(met.method.ends_with("exact, all 1024 sign patterns"));
        }
    }

    #[test]
    fn random_patterns_are_near_the_exact_ones() {
        // 20 differences of 1, 5 of them negative: the sum of signs is binomial, so
        // p = 2 P(X <= 5) = 2 * 21700 / 2^20, by counting 1 + 20 + 190 + 1140 + 4845 + 15504.
        let d: Vec<f64> = (0..20).map(|i| if i < 5 { -1.0 } else { 1.0 }).collect();
        let exact = 2.0 * 21_700.0 / 1_048_576.0;
        let met = run(&d, Alternative::TwoSided);
        // Standard deviation of the share: sqrt(p (1 - p) / 9999) = 0.0020.
        assert!((met.p_value - exact).abs() < 0.008, "{} for {exact}", met.p_value);
        assert!(met.method.contains("9999 random sign patterns, seed 0"));
    }

    #[test]
    fn never_zero() {
        let met = run(&[1.0; 100], Alternative::TwoSided);
        assert_eq!(met.p_value, 1e-4);
    }

    #[test]
    fn the_edges() {
        let options = TestOptions::default();
        assert_eq!(test(&[0.4], &options).unwrap(), None);
        assert_eq!(run(&[0.0; 30], Alternative::TwoSided).p_value, 1.0);
        assert_eq!(run(&[0.0, 0.5], Alternative::TwoSided).p_value, 1.0);
        let huge = run(&[1e308; 3], Alternative::TwoSided);
        assert_eq!(huge.p_value, 0.25);
        let none = TestOptions { resamples: 0, ..options };
        assert!(test(&[1.0; 20], &none).is_err());
    }
}
