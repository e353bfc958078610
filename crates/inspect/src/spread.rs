//! Order statistics and histograms.

use serde::Serialize;

use stakes_stats::quantile;

/// Order statistics and the mean of some numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// The minimum.
    pub min: f64,
    /// The 25 % quantile.
    pub q25: f64,
    /// The median.
    pub median: f64,
    /// The 75 % quantile.
    pub q75: f64,
    /// The mean.
    pub mean: f64,
    /// The maximum.
    pub max: f64,
}

impl Spread {
    /// The statistics of numbers in ascending order; `None` if there are none.
    pub(super) fn of_sorted(sorted: &[f64]) -> Option<Self> {
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        Some(Spread {
            min,
            q25: quantile(sorted, 0.25),
            median: quantile(sorted, 0.5),
            q75: quantile(sorted, 0.75),
            mean: sorted.iter().map(|x| x / sorted.len() as f64).sum(),
            max,
        })
    }
}

/// A bin of a histogram: values from `low` (included) to `high` (excluded, except in the last bin).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    /// The lower edge.
    pub low: f64,
    /// The upper edge.
    pub high: f64,
    /// The number of values.
    pub count: usize,
    /// The share of these values in the sum of all.
    pub share: f64,
}

/// At most `max_bins` bins of equal width over numbers in ascending order.
pub(super) fn linear_bins(sorted: &[f64], max_bins: usize) -> Vec<Bin> {
    let (Some(&min), Some(&max)) = (sorted.first(), sorted.last()) else { return Vec::new() };
    if min == max {
        return bins(sorted, &[min, max]);
    }
    let width = (max - min) / max_bins as f64;
    let mut edges: Vec<f64> = (0..=max_bins).map(|i| min + width * i as f64).collect();
    edges[max_bins] = max;
    bins(sorted, &edges)
}

/// Logarithmic bins over positive numbers in ascending order: half decades if there are few decades, several
/// decades if there are many.
pub(super) fn log_bins(sorted: &[f64]) -> Vec<Bin> {
    let (Some(&min), Some(&max)) = (sorted.first(), sorted.last()) else { return Vec::new() };
    let (low, high) = (min.log10().floor() as i32, max.log10().floor() as i32 + 1);
    let decades = high - low;
    let edges: Vec<f64> = if decades <= 5 {
        (0..=2 * decades).map(|half| 10f64.powf(f64::from(low) + f64::from(half) / 2.0)).collect()
    } else {
        let step = (decades + 11) / 12;
        (0..=(decades + step - 1) / step).map(|i| 10f64.powi(low + i * step)).collect()
    };
    let mut bins = bins(sorted, &edges);
    let empty = |bin: Option<&Bin>| bin.is_some_and(|b| b.count == 0);
    while empty(bins.last()) {
        bins.pop();
    }
    while empty(bins.first()) {
        bins.remove(0);
    }
    bins
}

fn bins(sorted: &[f64], edges: &[f64]) -> Vec<Bin> {
    let largest = sorted.last().copied().unwrap_or(0.0);
    // Relative to the largest, so that sums of huge numbers do not overflow.
    let sum = |values: &[f64]| values.iter().map(|v| v / largest).sum::<f64>();
    let total = sum(sorted);
    let mut start = 0;
    let pairs = edges.windows(2).enumerate();
    pairs
        .map(|(i, edge)| {
            let last = i + 2 == edges.len();
            let end = if last { sorted.len() } else { sorted.partition_point(|&v| v < edge[1]) };
            let inside = &sorted[start..end.max(start)];
            start = end.max(start);
            let share = if total > 0.0 { sum(inside) / total } else { 0.0 };
            Bin { low: edge[0], high: edge[1], count: inside.len(), share }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_and_nothing() {
        let sorted = [1.0, 2.0, 4.0, 8.0];
        assert_eq!(Spread::of_sorted(&sorted).map(|s| s.mean), Some(3.75));
        assert_eq!(Spread::of_sorted(&[]), None);
    }

    #[test]
    fn bins_hold_everything_once() {
        let sorted: Vec<f64> = (1..=1000).map(f64::from).collect();
        for bins in [linear_bins(&sorted, 7), log_bins(&sorted)] {
            assert_eq!(bins.iter().map(|b| b.count).sum::<usize>(), 1000);
            assert!((bins.iter().map(|b| b.share).sum::<f64>() - 1.0).abs() < 1e-12);
        }
        let wide = log_bins(&[0.002, 1.0, 9.99, 10.0, 1e7]);
        let counts: Vec<usize> = wide.iter().map(|b| b.count).collect();
        assert_eq!(counts, [1, 0, 0, 2, 1, 0, 0, 0, 0, 0, 1]);
        assert_eq!(linear_bins(&[3.0, 3.0], 9).len(), 1);
        assert!(log_bins(&[]).is_empty());
        assert_eq!(
            log_bins(&[f64::MIN_POSITIVE, f64::MAX]).iter().map(|b| b.count).sum::<usize>(),
            2
        );
    }
}
