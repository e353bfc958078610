//! Intervals by resampling lists (Efron 1979).
//!
//! A resample draws n of the n lists with replacement and computes the figure again; the spread of the figures
//! of many resamples gives the interval.
//!
//! * **Paired.** Resample b draws the same lists for every score.
//! * **Lists without a value are drawn as well.** They add nothing; a resample that consists of them has no
//!   figure and is left out.
//! * **The same on any number of threads.** Resample b draws from stream b of [`stakes_core::random`] and
//!   is stored at index b.
//! * **BCa** is second-order accurate for smooth functions of means (DiCiccio and Efron 1996,
//!   sections 2 and 8). With heavy-tailed costs a few lists decide the figure, which is too few for that, and
//!   its intervals are too short, as with any resampling of lists: an unobserved extreme cannot be drawn.
//!
//! By hand: two lists of values 0 and 1 give resamples of mean 0, 1/2, 1 with probabilities
//! 1/4, 1/2, 1/4, so the 95 % interval is 0 to 1: two lists are too few.

use rayon::prelude::*;

use super::ends::Sample;
use super::{Column, Interval, IntervalOptions};
use stakes_core::metric::{Finish, Part, totals};
use stakes_core::random::{Stream, purpose};

/// The figures of several scores on the same resamples of their lists.
#[derive(Debug, Clone)]
pub(super) struct Bootstrap<'a> {
    columns: &'a [Column<'a>],
    options: IntervalOptions,
    /// Row b holds the figures of resample b, one per column.
    pub(super) replicates: Vec<Option<f64>>,
}

impl<'a> Bootstrap<'a> {
    /// Draws the resamples and computes every score on each of them.
    pub(super) fn run(columns: &'a [Column<'a>], options: &IntervalOptions) -> Self {
        let lists = columns.first().map_or(0, |c| c.parts.len());
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
        Self { columns, options: *options, replicates }
    }

    /// The figure on every resample, in order; `None` where a resample has no value.
    pub(super) fn replicates(&self, column: usize) -> impl Iterator<Item = Option<f64>> {
        let rows = self.replicates.chunks_exact(self.columns.len());
        rows.map(move |row| row[column])
    }

    /// The interval of one score.
    pub(super) fn interval(&self, column: usize) -> Option<Interval> {
        let c = &self.columns[column];
        Sample {
            estimate: c.estimate()?,
            noise: c.noise(),
            replicates: self.replicates(column).flatten().collect(),
            jackknife: c.jackknife().flatten().collect(),
        }
        .interval(&self.options)
    }

    /// The interval of score `a` minus score `b` on the same resamples.
    pub(super) fn difference(&self, a: usize, b: usize) -> Option<Interval> {
        let (ca, cb) = (&self.columns[a], &self.columns[b]);
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

impl Column<'_> {
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
/// addition; their order is fixed, so the result is fixed as well.
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
