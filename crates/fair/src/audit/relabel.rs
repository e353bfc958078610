//! The relabelling test: would a group drawn at random look like this?
//!
//! Every draw gives the labels of a list to its items in random order; order and truth stay. p is the share of
//! draws that are at least as extreme as what was met, which counts as one of them (Phipson and Smyth 2010).
//!
//! Draws of large data are costly, and few of them would do: a figure over many lists is nearly normal. So draws
//! are limited by the number of items ([`MOST_DRAWN`]), to no less than [`FEWEST`]; where they are, and there are
//! at least [`MANY_LISTS`], p is that of the figure in Student's distribution with the draws' mean and deviation.

use rayon::prelude::*;
use stakes_core::random::{Stream, purpose};
use stakes_stats::quantile;
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::figures::{Plan, Room, add};
use crate::list::List;
use crate::measure::Extreme;

/// The number of items over all draws from which on draws are limited.
const MOST_DRAWN: usize = 100_000_000;
/// The fewest draws.
const FEWEST: usize = 100;
/// The number of lists from which on a figure is taken for normal.
const MANY_LISTS: usize = 30;

/// The figures of relabelled lists, a row per draw.
#[derive(Debug, Clone)]
pub(crate) struct Relabelled {
    rows: Vec<Vec<f64>>,
    /// Whether there are fewer draws than asked for, over many lists.
    normal: bool,
}

/// The number of draws for so many items.
pub(crate) fn draws(asked: usize, items: usize) -> usize {
    asked.min((MOST_DRAWN / items.max(1)).max(FEWEST))
}

impl Relabelled {
    pub(crate) fn run(
        plan: &Plan<'_>,
        lists: &[List],
        codes: &[u32],
        asked: usize,
        seed: u64,
        tested: bool,
    ) -> Self {
        let draws = draws(asked, codes.len());
        let seed = purpose(seed, b"relabel\0");
        let one = |draw: usize| {
            let stream = Stream::new(seed, draw as u64);
            let (mut room, mut labels) = (Room::default(), Vec::new());
            let mut totals = vec![[0.0; 4]; plan.width()];
            let mut start = 0;
            for list in lists {
                labels.clear();
                labels.extend_from_slice(&codes[start..start + list.len()]);
                shuffle(&mut labels, stream, start);
                plan.of_list(list, &labels, &mut room, |i, sums| add(&mut totals[i], sums, 1.0));
                start += list.len();
            }
            plan.figures(totals, tested)
        };
        let rows = (0..draws).into_par_iter().map(one).collect();
        Relabelled { rows, normal: draws < asked && lists.len() >= MANY_LISTS }
    }

    /// Figures of draws that were made elsewhere.
    pub(crate) fn of(rows: Vec<Vec<f64>>) -> Self {
        Relabelled { rows, normal: false }
    }

    /// The distance to the mean of the draws that 95 of 100 draws keep within.
    pub(crate) fn allowed(&self, i: usize) -> f64 {
        let drawn = self.rows.iter().map(|row| row[i]).filter(|value| value.is_finite());
        allowed(&drawn.collect::<Vec<_>>())
    }

    /// The mean of a figure over the draws, and the p value of what was met.
    pub(crate) fn test(&self, i: usize, met: f64, extreme: Extreme) -> Option<(f64, f64)> {
        let mut drawn: Vec<f64> = self.rows.iter().map(|row| row[i]).collect();
        drawn.retain(|value| value.is_finite());
        if !met.is_finite() || drawn.is_empty() {
            return None;
        }
        let n = drawn.len() as f64;
        let mean = drawn.iter().sum::<f64>() / n;
        let variance =
            drawn.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / (n - 1.0).max(1.0);
        // Sums in another order differ in their last digits.
        let equal = 1e-9 * (met.abs() + mean.abs());
        let p = match self.normal && variance.sqrt() > equal {
            true => normal_p(met - mean, variance, n, extreme),
            false => {
                let is_extreme = |&&v: &&f64| match extreme {
                    Extreme::Either => (v - mean).abs() >= (met - mean).abs() - equal,
                    Extreme::Above => v >= met - equal,
                    Extreme::Below => v <= met + equal,
                };
                (1.0 + drawn.iter().filter(is_extreme).count() as f64) / (1.0 + n)
            }
        };
        Some((mean, p))
    }
}

/// The distance to their mean that 95 of 100 values keep within.
pub(crate) fn allowed(drawn: &[f64]) -> f64 {
    let mean = drawn.iter().sum::<f64>() / drawn.len().max(1) as f64;
    let mut apart: Vec<f64> = drawn.iter().map(|value| (value - mean).abs()).collect();
    apart.sort_unstable_by(f64::total_cmp);
    if apart.is_empty() { 0.0 } else { quantile(&apart, 0.95) }
}

/// Gives the labels to the items of a list in random order; `first` is the number of its first item.
pub(crate) fn shuffle(labels: &mut [u32], stream: Stream, first: usize) {
    for i in (1..labels.len()).rev() {
        labels.swap(i, stream.below((first + i) as u64, i + 1));
    }
}

fn normal_p(distance: f64, variance: f64, n: f64, extreme: Extreme) -> f64 {
    let t = distance / (variance * (1.0 + 1.0 / n)).sqrt();
    // Only a deviation or degrees of freedom that are not positive are refused.
    let below = |t: f64| StudentsT::new(0.0, 1.0, n - 1.0).map_or(f64::NAN, |d| d.cdf(t));
    match extreme {
        Extreme::Either => (2.0 * below(-t.abs())).min(1.0),
        Extreme::Above => below(-t),
        Extreme::Below => below(t),
    }
}
