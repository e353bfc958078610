//! Wilcoxon's signed-rank test (Wilcoxon 1945).
//!
//! The absolute differences are ranked; W+ is the sum of the ranks of the positive ones. If the scores are
//! equally good, each rank is positive or negative with probability 1/2.
//!
//! Conventions are the defaults of SciPy: zero differences are dropped (Wilcoxon's method; Pratt's ranks
//! them), ties get their mean rank, no continuity correction.
//!
//! By hand: d = 1, -2, 3 has ranks 1, 2, 3 and W+ = 4. Of the 8 sign patterns three reach 4 or
//! more (1 + 3, 2 + 3, 1 + 2 + 3), so p = 2 * 3/8 = 0.75.

use serde::{Deserialize, Serialize};

use super::{TestOptions, TestResult, check};
use crate::error::StatsError;
use crate::normal;

/// How the distribution of W+ is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Distribution {
    /// Exact for up to 50 differences without ties, else normal.
    #[default]
    Auto,
    /// All sign patterns by dynamic programming; with ties, over the mean ranks. Takes time cubic in the
    /// number of differences.
    Exact,
    /// The normal approximation, with the variance corrected for ties.
    Normal,
}

/// The maximum number of differences for which [`Distribution::Auto`] is exact.
pub const MAX_EXACT: usize = 50;

/// Tests whether the differences are symmetric about zero; `None` for fewer than two.
///
/// The statistic is W+ (SciPy prints the smaller of W+ and W- when two-sided); `n` counts the
/// differences that are not zero.
///
/// # Errors
/// If a difference is not finite.
pub fn test(differences: &[f64], options: &TestOptions) -> Result<Option<TestResult>, StatsError> {
    check(differences)?;
    if differences.len() < 2 {
        return Ok(None);
    }
    let ranks = SignedRanks::of(differences);
    let n = ranks.doubled.len();
    let statistic = ranks.plus() as f64 / 2.0;
    let dropped = match differences.len() - n {
        0 => String::new(),
        zeros => format!(", {zeros} zeros dropped"),
    };
    let exact = match options.wilcoxon {
        Distribution::Auto => n <= MAX_EXACT && ranks.ties.is_empty(),
        Distribution::Exact => true,
        Distribution::Normal => false,
    };
    let (way, (at_most, at_least)) = match (n, exact) {
        (0, _) => ("all differences zero", (1.0, 1.0)),
        (_, true) => ("exact", ranks.exact_tails()),
        (_, false) => ("normal approximation", ranks.normal_tails()),
    };
    let p_value = options.alternative.p_value(at_most, at_least);
    let method = format!("Wilcoxon signed rank, {way}{dropped}");
    Ok(Some(TestResult { statistic, p_value, n, method }))
}

/// The ranks of the differences that are not zero.
struct SignedRanks {
    /// Twice the mean rank, which is an integer, and whether the difference is positive.
    doubled: Vec<(usize, bool)>,
    /// The sizes of groups of equal differences that have more than one.
    ties: Vec<usize>,
}

impl SignedRanks {
    fn of(differences: &[f64]) -> Self {
        let largest = differences.iter().fold(0.0, |m: f64, d| m.max(d.abs()));
        // 0.3 - 0.2 and 0.2 - 0.1 differ in the last digit but are the same difference: ranks must not
        // depend on that, and 0.1 + 0.2 - 0.3 must count as zero.
        let equal = 64.0 * f64::EPSILON * largest;
        let mut sorted: Vec<f64> = differences.to_vec();
        sorted.retain(|d| d.abs() > equal);
        sorted.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
        let mut doubled = Vec::with_capacity(sorted.len());
        let mut ties = Vec::new();
        while doubled.len() < sorted.len() {
            let before = doubled.len();
            let rest = &sorted[before..];
            let size = rest.partition_point(|d| d.abs() - rest[0].abs() <= equal);
            // Ranks before + 1 ..= before + size; twice their mean is first plus last.
            let rank = 2 * before + size + 1;
            doubled.extend(rest[..size].iter().map(|&d| (rank, d > 0.0)));
            if size > 1 {
                ties.push(size);
            }
        }
        Self { doubled, ties }
    }

    /// Twice W+.
    fn plus(&self) -> usize {
        let positive = self.doubled.iter().filter(|(_, positive)| *positive);
        positive.map(|(rank, _)| rank).sum()
    }

    /// The probabilities of W+ at most and at least as observed, over all sign patterns.
    fn exact_tails(&self) -> (f64, f64) {
        let total: usize = self.doubled.iter().map(|(rank, _)| rank).sum();
        // probability[w] of twice W+ = w, over the ranks seen so far. Probabilities instead of counts,
        // which reach 2^n.
        let mut probability = vec![0.0; total + 1];
        probability[0] = 1.0;
        let mut reached = 0;
        for &(rank, _) in &self.doubled {
            reached += rank;
            for w in (0..=reached).rev() {
                let with = if w >= rank { probability[w - rank] } else { 0.0 };
                probability[w] = 0.5 * (probability[w] + with);
            }
        }
        let met = self.plus();
        (probability[..=met].iter().sum(), probability[met..].iter().sum())
    }

    /// The same by the normal distribution with the same mean and variance.
    fn normal_tails(&self) -> (f64, f64) {
        let n = self.doubled.len() as f64;
        let mean = n * (n + 1.0) / 4.0;
        let cubes = self.ties.iter().map(|&t| (t as f64).powi(3) - t as f64);
        let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - cubes.sum::<f64>() / 48.0;
        let z = (self.plus() as f64 / 2.0 - mean) / variance.sqrt();
        (normal::cdf(z), normal::cdf(-z))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::significance::Alternative;

    fn run(d: &[i32], alternative: Alternative, wilcoxon: Distribution) -> TestResult {
        let d: Vec<f64> = d.iter().map(|&d| f64::from(d)).collect();
        let options = TestOptions { alternative, wilcoxon, ..TestOptions::default() };
        test(&d, &options).unwrap().unwrap()
    }

    #[test]
    fn by_hand() {
        let met = run(&[1, -2, 3], Alternative::TwoSided, Distribution::Auto);
        assert_eq!((met.statistic, met.p_value, met.n), (4.0, 0.75, 3));
        assert_eq!(met.method, "Wilcoxon signed rank, exact");
    }

    #[test]
    fn exact_as_scipy() {
        // scipy 1.17.1: stats.wilcoxon(d, alternative=..., method="exact")
        let d = [4, 6, -3, 8, 5, 11, -1, 14, 9, 12];
        for (alternative, p) in [
            (Alternative::TwoSided, 0.009_765_625),
            (Alternative::Greater, 0.004_882_812_5),
            (Alternative::Less, 0.997_070_312_5),
        ] {
            let met = run(&d, alternative, Distribution::Auto);
            assert_eq!((met.statistic, met.p_value), (52.0, p));
        }
        // The largest exact one; scipy says 446, the smaller of W+ = 829 and W- = 446.
        let sign = |i: i32| if (i * i * 7 + 3 * i) % 11 < 6 { 1 } else { -1 };
        let d: Vec<i32> = (0..50).map(|i| (i + 1) * sign(i)).collect();
        let met = run(&d, Alternative::TwoSided, Distribution::Auto);
        assert_eq!(met.statistic, 829.0);
        assert!((met.p_value - 0.064_886_242_135_481).abs() < 1e-14);
        assert!(met.method.contains("exact"));
    }

    #[test]
    fn normal_with_ties_and_zeros_as_scipy() {
        // scipy 1.17.1: stats.wilcoxon(d, alternative=..., method="approx", correction=False,
        // zero_method="wilcox")
        let d = [1, 2, 2, -1, 3, 3, 3, -2, 0, 0, 4, 5, -4, 6, 6];
        for (alternative, p) in [
            (Alternative::TwoSided, 0.032_459_498_939_544_716),
            (Alternative::Greater, 0.016_229_749_469_772_358),
            (Alternative::Less, 0.983_770_250_530_227_6),
        ] {
            let met = run(&d, alternative, Distribution::Auto);
            assert_eq!((met.statistic, met.n), (76.0, 13));
            assert!((met.p_value - p).abs() < 1e-10, "{alternative:?} {}", met.p_value);
            assert_eq!(met.method, "Wilcoxon signed rank, normal approximation, 2 zeros dropped");
        }
        // 60 differences, one of them zero, 50 different sizes; method="auto"; scipy says 583, W-.
        let d: Vec<i32> = (0..60).map(|i| (i * 37) % 101 - 40).collect();
        let met = run(&d, Alternative::TwoSided, Distribution::Auto);
        let n = met.n as f64;
        assert_eq!(met.statistic.min(n * (n + 1.0) / 2.0 - met.statistic), 583.0);
        assert!((met.p_value - 0.022_633_208_936_007_52).abs() < 1e-10);
    }

    #[test]
    fn exact_with_ties_as_all_permutations_of_scipy() {
        // scipy 1.17.1: stats.wilcoxon(d, method=stats.PermutationMethod(n_resamples=10**6)),
        // which tries all 1024 sign patterns.
        let d = [1, 2, 2, -1, 3, 3, 3, -2, 4, 5];
        let met = run(&d, Alternative::TwoSided, Distribution::Exact);
        assert_eq!((met.statistic, met.p_value), (55.0 - 5.5, 0.025_390_625));
    }

    #[test]
    fn rounding_hides_no_ties_and_makes_no_wins() {
        let d = [0.3 - 0.2, 0.2 - 0.1, 0.1 + 0.2 - 0.3, 0.7];
        let ranks = SignedRanks::of(&d);
        assert_eq!(ranks.ties, [2]);
        assert_eq!(ranks.doubled, [(3, true), (3, true), (6, true)]);
    }

    #[test]
    fn the_edges() {
        let options = TestOptions::default();
        assert_eq!(test(&[0.4], &options).unwrap(), None);
        let zero = run(&[0; 5], Alternative::TwoSided, Distribution::Auto);
        assert_eq!((zero.statistic, zero.p_value, zero.n), (0.0, 1.0, 0));
        assert_eq!(run(&[0, 7], Alternative::TwoSided, Distribution::Auto).p_value, 1.0);
        // Nothing but ties: the corrected variance stays positive.
        let p = run(&[5; 4], Alternative::TwoSided, Distribution::Normal).p_value;
        assert!(p > 0.0 && p < 0.1, "{p}");
    }
}
