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
pub(super) struct Relabelled {
    rows: Vec<Vec<f64>>,
    /// Whether there are fewer draws than asked for, over many lists.
    normal: bool,
}

/// The number of draws for so many items.
pub(super) fn draws(asked: usize, items: usize) -> usize {
    asked.min((MOST_DRAWN / items.max(1)).max(FEWEST))
}

impl Relabelled {
    pub(super) fn run(
        plan: &Plan<'_>,
        lists: &[List],
        codes: &[u32],
        asked: usize,
        seed: u64,
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
                for i in (1..labels.len()).rev() {
                    labels.swap(i, stream.below((start + i) as u64, i + 1));
                }
                plan.of_list(list, &labels, &mut room, |i, sums| add(&mut totals[i], sums, 1.0));
                start += list.len();
            }
            plan.figures(totals, true)
        };
        let rows = (0..draws).into_par_iter().map(one).collect();
        Relabelled { rows, normal: draws < asked && lists.len() >= MANY_LISTS }
    }

    /// The mean of a figure over the draws, and the p value of what was met.
    pub(super) fn test(&self, i: usize, met: f64, extreme: Extreme) -> Option<(f64, f64)> {
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
