//! The ends of a bootstrap interval from resampled figures.
//!
//! Percentile: the quantiles (1 - level)/2 and (1 + level)/2 of the resampled figures.
//!
//! BCa (Efron 1987): the same, at shifted quantiles. With z0 the bias (how far the estimate is from the
//! median of the resamples) and a the acceleration (how the spread changes with the value, from the
//! jackknife),
//!
//! `alpha' = Phi( z0 + (z0 + z_alpha) / (1 - a (z0 + z_alpha)) )`   (Efron and Tibshirani 1993, eq. 14.10)
//!
//! With z0 = a = 0 it is the percentile interval.

use super::{Interval, IntervalMethod, IntervalOptions};
use crate::normal;
use crate::quantile::quantile;

/// The numbers that an interval is computed from.
pub(super) struct Sample {
    pub(super) estimate: f64,
    /// Values closer than this are equal up to rounding.
    pub(super) noise: f64,
    pub(super) replicates: Vec<f64>,
    pub(super) jackknife: Vec<f64>,
}

impl Sample {
    /// The interval; `None` if too few resamples have a value.
    pub(super) fn interval(mut self, options: &IntervalOptions) -> Option<Interval> {
        if self.replicates.len() < options.min_resamples() {
            return None;
        }
        self.replicates.sort_unstable_by(f64::total_cmp);
        let (first, last) = (*self.replicates.first()?, *self.replicates.last()?);
        if last - first <= 2.0 * self.noise {
            // Every list has the same value. Otherwise rounding errors of the sums would be taken for
            // a distribution, and for a bias of several sigmas.
            let (low, high) = (self.estimate, self.estimate);
            return Some(Interval { low, high });
        }
        let tail = (1.0 - options.level) / 2.0;
        let (low, high) = match options.method {
            IntervalMethod::Percentile => (tail, 1.0 - tail),
            _ => {
                let (z0, a) = (self.bias(), self.acceleration());
                (shifted(tail, z0, a), shifted(1.0 - tail, z0, a))
            }
        };
        let low = quantile(&self.replicates, low);
        let high = quantile(&self.replicates, high);
        Some(Interval { low, high })
    }

    /// z0, eq. 14.14, with figures equal to the estimate counted half: means of few distinct values are
    /// often equal, and counting them as below or above would introduce a bias.
    fn bias(&self) -> f64 {
        let n = self.replicates.len() as f64;
        let (from, to) = (self.estimate - self.noise, self.estimate + self.noise);
        let below = self.replicates.partition_point(|&r| r < from) as f64;
        let equal = self.replicates.partition_point(|&r| r <= to) as f64 - below;
        let share = (below + 0.5 * equal) / n;
        // All on one side: the true share is not 0 or 1, only too small to be observed.
        normal::quantile(share.clamp(0.5 / n, 1.0 - 0.5 / n))
    }

    /// a, eq. 14.15: a sixth of the skewness of the jackknife; its absolute value is at most 1/6.
    fn acceleration(&self) -> f64 {
        let n = self.jackknife.len() as f64;
        let mean = self.jackknife.iter().sum::<f64>() / n;
        let largest = self.jackknife.iter().map(|j| (mean - j).abs());
        let largest = largest.fold(0.0, f64::max);
        if largest == 0.0 || !largest.is_finite() {
            return 0.0;
        }
        // Scaled to 1 before cubing, so that influences of 1e-110 do not underflow to 0/0.
        let (mut square, mut cube) = (0.0, 0.0);
        for j in &self.jackknife {
            let u = (mean - j) / largest;
            square += u * u;
            cube += u * u * u;
        }
        cube / (6.0 * square.powf(1.5))
    }
}

/// The level of the quantile that BCa uses for `alpha`.
fn shifted(alpha: f64, z0: f64, a: f64) -> f64 {
    let z = z0 + normal::quantile(alpha);
    let scale = 1.0 - a * z;
    if scale <= 0.0 {
        // Beyond its pole the formula reverses; its limit is the end of the distribution.
        return if z > 0.0 { 1.0 } else { 0.0 };
    }
    normal::cdf(z0 + z / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_shift_without_bias_and_acceleration() {
        for alpha in [0.001, 0.025, 0.5, 0.975] {
            assert!((shifted(alpha, 0.0, 0.0) - alpha).abs() < 1e-10);
        }
        // Past the pole: a (z0 + z) >= 1.
        assert_eq!(shifted(0.999, 4.0, 1.0 / 6.0), 1.0);
        assert_eq!(shifted(0.001, -4.0, -1.0 / 6.0), 0.0);
    }

    #[test]
    fn tiny_influences_still_have_a_skewness() {
        let with = |scale: f64| Sample {
            estimate: 0.0,
            noise: 0.0,
            replicates: vec![],
            jackknife: [1.0, 2.0, 9.0].iter().map(|x| x * scale).collect(),
        };
        let (plain, tiny) = (with(1.0).acceleration(), with(1e-120).acceleration());
        // mean 4, u = 3, 2, -5: (27 + 8 - 125) / (6 * 38^1.5)
        assert!((plain + 90.0 / (6.0 * 38_f64.powf(1.5))).abs() < 1e-15);
        assert!((plain - tiny).abs() < 1e-12);
    }
}
