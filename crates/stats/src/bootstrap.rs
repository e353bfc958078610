//! Confidence intervals by resampling lists.
//!
//! Lists are the sampling unit: a new season brings other storms, not other poles in the same storm. So m
//! lists are drawn with replacement, the figure is computed again, and the spread of many such figures
//! gives the interval (Efron, 1979).
//!
//! * **Paired.** Resample b draws the same lists for every score, so the difference of two
//!   scores has an interval of its own ([`Bootstrap::difference`]), usually far narrower than
//!   the two intervals suggest.
//! * **Lists without a value are drawn, too.** They add nothing; a resample that consists of them has no
//!   figure and is left out.
//! * **The same on any number of threads.** Resample b draws from stream b of [`stakes_core::random`] and
//!   is stored at index b.
//! * **BCa by default.** A ratio of sums is a smooth function of means, which is the case that
//!   bias-corrected accelerated intervals are second-order accurate for (DiCiccio and Efron,
//!   "Bootstrap confidence intervals", Statistical Science 1996, section 2 and 8). Costs are
//!   heavy-tailed and `R_CS` is bounded by 1, so its bootstrap is skewed: the case that needs it.
//! * **Limits.** If one list has nearly all the cost, no resampling of lists can show how the next such
//!   list would turn out. The interval is then too short, by any method.
//!
//! By hand: two lists of values 0 and 1 give resamples of mean 0, 1/2, 1 with probabilities
//! 1/4, 1/2, 1/4, so the 95 % interval is 0 to 1: two lists are too few.
//!
//! ```
//! use stakes_stats::{Bootstrap, BootstrapOptions, Column, Finish, Part};
//! let a: Vec<Part> = (0..40).map(|i| Part::new(f64::from(i % 7), 7.0)).collect();
//! let b: Vec<Part> = a.iter().map(|p| Part::new(p.num + 0.7, p.den)).collect();
//! let columns = [Column::new(&a), Column::new(&b)];
//! let boot = Bootstrap::run(&columns, &BootstrapOptions::default()).unwrap();
//! let interval = boot.interval(0).unwrap();
//! assert!(interval.low < boot.estimate(0).unwrap() && boot.estimate(0).unwrap() < interval.high);
//! // b is better by 0.1 on every list, so the difference has no spread.
//! assert_eq!(boot.difference(1, 0).unwrap().width(), 0.0);
//! ```

mod interval;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::error::StatsError;
use crate::part;
use stakes_core::metric::{Finish, Part, totals};
use stakes_core::random::{Stream, purpose};

use interval::Sample;
pub use interval::{Interval, IntervalMethod};

/// How intervals are computed. By default, the ends of a 95 % interval are at the 50th smallest and
/// largest of 2000 resamples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BootstrapOptions {
    /// The number of resamples; at least 2 / (1 - level).
    pub resamples: usize,
    /// The confidence level: the share of such intervals that should cover the true figure.
    pub level: f64,
    /// The seed of the draws; the same seed gives the same interval.
    pub seed: u64,
    /// How the ends are computed from the resampled figures.
    pub method: IntervalMethod,
}

impl Default for BootstrapOptions {
    fn default() -> Self {
        Self { resamples: 2000, level: 0.95, seed: 0, method: IntervalMethod::Bca }
    }
}

/// A limit of memory: every resample keeps one figure per column.
const MAX_RESAMPLES: usize = 1_000_000;

impl BootstrapOptions {
    /// The smallest number of resamples with at least one in each tail.
    fn min_resamples(&self) -> usize {
        (2.0 / (1.0 - self.level)).round() as usize
    }

    fn check(&self) -> Result<(), StatsError> {
        if !(self.level > 0.0 && self.level < 1.0) {
            return Err(StatsError::Level(self.level));
        }
        let (met, min, max) = (self.resamples, self.min_resamples(), MAX_RESAMPLES);
        if min > max {
            let max = 1.0 - 2.0 / max as f64;
            return Err(StatsError::LevelTooHigh { met: self.level, max });
        }
        if !(min..=max).contains(&met) {
            return Err(StatsError::Resamples { met, min, max });
        }
        Ok(())
    }
}

/// The parts of one score in every list, and the function of their ratio that gives the figure.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a> {
    /// One part per list, in the same order for every column.
    pub parts: &'a [Part],
    /// The function that is applied to the ratio.
    pub finish: Finish,
}

impl<'a> Column<'a> {
    /// A score whose figure is the ratio itself.
    #[must_use]
    pub const fn new(parts: &'a [Part]) -> Self {
        let finish = Finish::Identity;
        Self { parts, finish }
    }

    fn value(&self, sum: Part) -> Option<f64> {
        sum.has_value().then(|| self.finish.apply(sum.num / sum.den))
    }

    fn estimate(&self) -> Option<f64> {
        self.value(totals(self.parts.iter().copied()))
    }

    /// Whether at least two lists have a value; otherwise the figure cannot vary, and there is no
    /// interval.
    fn can_vary(&self) -> bool {
        self.parts.iter().filter(|p| p.has_value()).nth(1).is_some()
    }

    /// The figure without list i, for every i (the jackknife), in O(m) from the totals. `None` where no
    /// value is left.
    fn jackknife(&self) -> impl Iterator<Item = Option<f64>> {
        let sum = totals(self.parts.iter().copied());
        self.parts.iter().map(move |p| {
            let den = sum.den - p.den;
            // If one list is the whole sum up to rounding, the rest is only rounding error.
            let left = den > sum.den * f64::EPSILON;
            // max: rounding may make an empty sum of squares negative.
            let num = match self.finish {
                Finish::Identity => sum.num - p.num,
                Finish::SquareRoot => (sum.num - p.num).max(0.0),
            };
            left.then(|| self.finish.apply(num / den))
        })
    }

    /// How much rounding alone can change the figure: values closer than this are equal.
    fn noise(&self) -> f64 {
        let size = self.parts.iter().map(|p| Part::new(p.num.abs(), p.den));
        let size = self.value(totals(size)).unwrap_or(0.0);
        self.parts.len() as f64 * f64::EPSILON * size
    }
}

/// The figures of several scores on the same resamples of their lists.
#[derive(Debug, Clone)]
pub struct Bootstrap<'a> {
    columns: &'a [Column<'a>],
    options: BootstrapOptions,
    /// Row b holds the figures of resample b, one per column.
    replicates: Vec<Option<f64>>,
}

impl<'a> Bootstrap<'a> {
    /// Draws the resamples and computes every score on each of them.
    ///
    /// # Errors
    /// If columns differ in length, a part is invalid, or an option is out of range.
    pub fn run(columns: &'a [Column<'a>], options: &BootstrapOptions) -> Result<Self, StatsError> {
        options.check()?;
        let lists = columns.first().map_or(0, |c| c.parts.len());
        for (column, c) in columns.iter().enumerate() {
            let met = c.parts.len();
            if met != lists {
                let expected = lists;
                return Err(StatsError::Lengths { column, met, expected });
            }
            part::check(c.parts, c.finish)?;
        }
        let mut replicates = vec![None; options.resamples * columns.len()];
        let seed = purpose(options.seed, b"bootlist");
        replicates.par_chunks_mut(columns.len().max(1)).enumerate().for_each_init(
            || vec![0_i32; lists],
            |counts, (resample, row)| {
                draw(Stream::new(seed, resample as u64), counts);
                for (figure, column) in row.iter_mut().zip(columns) {
                    *figure = column.value(weighted_totals(column.parts, counts));
                }
            },
        );
        let options = *options;
        Ok(Self { columns, options, replicates })
    }

    /// The figure over all lists; `None` if no list has a value.
    ///
    /// # Panics
    /// If there is no such column.
    #[must_use]
    pub fn estimate(&self, column: usize) -> Option<f64> {
        self.columns[column].estimate()
    }

    /// The figure on every resample, in order; `None` where a resample has no value.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn replicates(&self, column: usize) -> impl Iterator<Item = Option<f64>> {
        assert!(column < self.columns.len(), "no column {column}");
        let rows = self.replicates.chunks_exact(self.columns.len());
        rows.map(move |row| row[column])
    }

    /// The interval of one score; `None` if fewer than two lists have a value.
    ///
    /// # Panics
    /// If there is no such column.
    #[must_use]
    pub fn interval(&self, column: usize) -> Option<Interval> {
        let c = &self.columns[column];
        if !c.can_vary() {
            return None;
        }
        Sample {
            estimate: c.estimate()?,
            noise: c.noise(),
            replicates: self.replicates(column).flatten().collect(),
            jackknife: c.jackknife().flatten().collect(),
        }
        .interval(&self.options)
    }

    /// The interval of score `a` minus score `b` on the same resamples; `None` if either has fewer than
    /// two lists with a value.
    ///
    /// # Panics
    /// If there is no such column.
    #[must_use]
    pub fn difference(&self, a: usize, b: usize) -> Option<Interval> {
        let (ca, cb) = (&self.columns[a], &self.columns[b]);
        if !(ca.can_vary() && cb.can_vary()) {
            return None;
        }
        let minus = |(x, y): (Option<f64>, Option<f64>)| Some(x? - y?);
        let replicates = self.replicates(a).zip(self.replicates(b));
        let jackknife = ca.jackknife().zip(cb.jackknife());
        Sample {
            estimate: ca.estimate()? - cb.estimate()?,
            noise: ca.noise() + cb.noise(),
            replicates: replicates.filter_map(minus).collect(),
            jackknife: jackknife.filter_map(minus).collect(),
        }
        .interval(&self.options)
    }
}

/// The interval of a single score; [`Bootstrap::run`] is for several on the same resamples.
///
/// # Errors
/// If a part is invalid or an option is out of range.
pub fn interval(
    column: Column<'_>,
    options: &BootstrapOptions,
) -> Result<Option<Interval>, StatsError> {
    Ok(Bootstrap::run(&[column], options)?.interval(0))
}

/// Counts how often each list is drawn in one resample.
///
/// Counting first and summing afterwards is faster than adding parts as they are drawn: the random access
/// is to 4 bytes per list whatever the number of columns, and the sums read memory in order.
fn draw(stream: Stream, counts: &mut [i32]) {
    counts.fill(0);
    for i in 0..counts.len() {
        counts[stream.below(i as u64, counts.len())] += 1;
    }
}

/// The sums of the parts, each as often as it was drawn. Four independent sums avoid waiting for the last
/// addition; their order is fixed, so the result is, too.
fn weighted_totals(parts: &[Part], counts: &[i32]) -> Part {
    let mut sums = [Part::EMPTY; 4];
    let (blocks, rest) = parts.as_chunks::<4>();
    let (count_blocks, count_rest) = counts.as_chunks::<4>();
    let add = |sum: &mut Part, part: &Part, count: i32| {
        sum.num += f64::from(count) * part.num;
        sum.den += f64::from(count) * part.den;
    };
    for (block, count) in blocks.iter().zip(count_blocks) {
        for lane in 0..4 {
            add(&mut sums[lane], &block[lane], count[lane]);
        }
    }
    for (part, &count) in rest.iter().zip(count_rest) {
        add(&mut sums[0], part, count);
    }
    totals(sums)
}

#[cfg(test)]
mod tests;
