//! How far apart two distributions over the same bins are.
//!
//! * The **population stability index**, PSI = sum over bins of (q - p) ln(q / p), with the shares p before and q
//!   now (the symmetric divergence of Jeffreys 1946; in credit scoring, Siddiqi 2006). By a rule of thumb a
//!   change below 0.1 is small, above 0.2 large. Shares below 0.0001 count as 0.0001: a bin that was empty would
//!   otherwise be infinitely far.
//! * The **Kolmogorov-Smirnov distance**: the largest difference of the shares of values up to the end of a
//!   bin. (Within bins it may be larger.)
//! * The **total variation**: half the sum of the absolute differences; the share of items that changed
//!   their bin.
//!
//! By hand: shares 0.5 and 0.5 before, 0.75 and 0.25 now: PSI is 0.25 ln 1.5 - 0.25 ln 0.5 = 0.25 ln 3 = 0.2747, and
//! both distances are 0.25.

/// Smaller shares count as this.
const MIN_SHARE: f64 = 1e-4;

/// The shares of bins with these numbers of items; all 0 if there are none.
pub fn shares(counts: &[f64]) -> Vec<f64> {
    let all: f64 = counts.iter().sum();
    counts.iter().map(|count| if all > 0.0 { count / all } else { 0.0 }).collect()
}

/// The population stability index of shares before and now.
pub fn stability_index(before: &[f64], now: &[f64]) -> f64 {
    let of_bin = |(p, q): (&f64, &f64)| {
        let (p, q) = (p.max(MIN_SHARE), q.max(MIN_SHARE));
        (q - p) * (q / p).ln()
    };
    before.iter().zip(now).map(of_bin).sum()
}

/// The Kolmogorov-Smirnov distance of shares of bins in increasing order.
pub fn kolmogorov_smirnov(before: &[f64], now: &[f64]) -> f64 {
    let differences = before.iter().zip(now).scan(0.0, |sum, (p, q)| {
        *sum += q - p;
        Some(*sum)
    });
    differences.fold(0.0, |largest, difference: f64| largest.max(difference.abs()))
}

/// The total variation distance of shares.
pub fn total_variation(before: &[f64], now: &[f64]) -> f64 {
    before.iter().zip(now).map(|(p, q)| (q - p).abs()).sum::<f64>() / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn by_hand() {
        let (p, q) = ([0.5, 0.5], [0.75, 0.25]);
        assert!(near(stability_index(&p, &q), 0.25 * 3_f64.ln()));
        assert!(near(kolmogorov_smirnov(&p, &q), 0.25) && near(total_variation(&p, &q), 0.25));
        for distance in [stability_index, kolmogorov_smirnov, total_variation] {
            assert_eq!(distance(&p, &p), 0.0);
            assert!(near(distance(&p, &q), distance(&q, &p)));
        }
        assert_eq!(shares(&[1.0, 3.0]), [0.25, 0.75]);
        assert_eq!(shares(&[0.0, 0.0]), [0.0, 0.0]);
    }

    #[test]
    fn an_empty_bin_is_far_but_not_infinitely() {
        let found = stability_index(&[1.0, 0.0], &[0.5, 0.5]);
        let expected = -0.5 * 0.5_f64.ln() + 0.4999 * (0.5_f64 / 1e-4).ln();
        assert!(near(found, expected), "{found}");
    }

    /// Counts of 500 and 80 numbers in ten bins; values by numpy 2.4.6 and scipy 1.17.1:
    /// `sum((q - p) * log(q / p))`, `scipy.stats.ks_2samp` of the numbers of the bins, and half of
    /// `scipy.spatial.distance.cityblock(p, q)`.
    #[test]
    fn as_numpy_and_scipy() {
        let before = [50., 48., 55., 47., 50., 52., 49., 51., 50., 48.];
        let now = [2., 4., 5., 6., 9., 7., 10., 11., 12., 14.];
        let (p, q) = (shares(&before), shares(&now));
        let found = [stability_index(&p, &q), kolmogorov_smirnov(&p, &q), total_variation(&p, &q)];
        for (found, expected) in found.into_iter().zip(PYTHON) {
            assert!(near(found, expected), "{found} {expected}");
        }
    }

    const PYTHON: [f64; 3] = [0.254_324_769_356_831_2, 0.1915, 0.204];
}
