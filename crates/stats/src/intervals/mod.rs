//! Confidence intervals over lists.
//!
//! Lists are the sampling unit: a new season brings other storms, not other poles in the same storm. The
//! default is a t interval that knows how unequal the lists are (`t.rs`); the bootstrap is there as well
//! (`bootstrap.rs`), for comparison with other work: with heavy-tailed costs its intervals are too short.
//!
//! * **Paired.** The difference of two scores over the same lists has its own interval
//!   ([`Intervals::difference`]), usually far narrower than the two intervals suggest.
//! * **Limits.** If one list has nearly all the cost, nothing is known about the next such list.
//!   The t interval then says so by its length: it covers most of the range.
//!
//! ```
//! use stakes_stats::{Column, IntervalOptions, Intervals, Part};
//! let a: Vec<Part> = (0..40).map(|i| Part::new(f64::from(i % 7), 7.0)).collect();
//! let b: Vec<Part> = a.iter().map(|p| Part::new(p.num + 0.7, p.den)).collect();
//! let columns = [Column::new(&a), Column::new(&b)];
//! let intervals = Intervals::new(&columns, &IntervalOptions::default()).unwrap();
//! let interval = intervals.interval(0).unwrap();
//! assert!(interval.contains(intervals.estimate(0).unwrap()));
//! // b is better by 0.1 on every list, so the difference has no spread.
//! assert_eq!(intervals.difference(1, 0).unwrap().width(), 0.0);
//! ```

mod bootstrap;
mod ends;
mod t;

use serde::{Deserialize, Serialize};

use crate::error::StatsError;
use crate::part;
use stakes_core::metric::{Finish, Part, totals};

use bootstrap::Bootstrap;
use t::Influences;

/// How intervals are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntervalMethod {
    /// Student's t with the degrees of freedom of unequal lists.
    #[default]
    T,
    /// The bootstrap, bias-corrected and accelerated.
    Bca,
    /// The bootstrap, plain quantiles.
    Percentile,
}

impl IntervalMethod {
    /// All methods, the default first.
    pub const ALL: [Self; 3] = [Self::T, Self::Bca, Self::Percentile];

    /// The name in texts and documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::T => "t",
            Self::Bca => "bca",
            Self::Percentile => "percentile",
        }
    }

    /// Whether lists are resampled.
    #[must_use]
    pub const fn resamples(self) -> bool {
        !matches!(self, Self::T)
    }
}

impl std::str::FromStr for IntervalMethod {
    type Err = StatsError;

    fn from_str(text: &str) -> Result<Self, StatsError> {
        Self::ALL.into_iter().find(|method| method.name() == text).ok_or_else(|| StatsError::Name {
            kind: "interval",
            met: text.to_owned(),
            allowed: Self::ALL.map(Self::name).join(", "),
        })
    }
}

/// Options of intervals. By default, 95 % intervals by Student's t; the ends of a bootstrap interval are
/// then at the 50th smallest and largest of 2000 resamples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IntervalOptions {
    /// How intervals are computed.
    pub method: IntervalMethod,
    /// The confidence level: the share of such intervals that should cover the true figure.
    pub level: f64,
    /// The number of resamples of a bootstrap; at least 2 / (1 - level).
    pub resamples: usize,
    /// The seed of its draws; the same seed gives the same interval.
    pub seed: u64,
}

impl Default for IntervalOptions {
    fn default() -> Self {
        Self { method: IntervalMethod::default(), level: 0.95, resamples: 2000, seed: 0 }
    }
}

/// A limit of memory: every resample keeps one figure per column.
const MAX_RESAMPLES: usize = 1_000_000;

/// The largest level: nothing is known about tails beyond it.
const MAX_LEVEL: f64 = 0.9999;

impl IntervalOptions {
    /// The smallest number of resamples with at least one in each tail.
    fn min_resamples(&self) -> usize {
        (2.0 / (1.0 - self.level)).round() as usize
    }

    fn check(&self) -> Result<(), StatsError> {
        if !(self.level > 0.0 && self.level <= MAX_LEVEL) {
            return Err(StatsError::Level { met: self.level, max: MAX_LEVEL });
        }
        let (met, min, max) = (self.resamples, self.min_resamples(), MAX_RESAMPLES);
        if self.method.resamples() && !(min..=max).contains(&met) {
            return Err(StatsError::Resamples { met, min, max });
        }
        Ok(())
    }
}

/// An interval; `low <= high`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The difference of the ends.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.high - self.low
    }

    /// Whether a value is in the interval, ends included.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// The parts of one score in every list, and how they become a figure.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a> {
    /// One part per list, in the same order for every column.
    pub parts: &'a [Part],
    /// The function that is applied to the ratio.
    pub finish: Finish,
    /// The smallest and the largest value that the figure can have, if they are known.
    pub range: (f64, f64),
}

impl<'a> Column<'a> {
    /// A score whose figure is the ratio itself and may be any number.
    #[must_use]
    pub const fn new(parts: &'a [Part]) -> Self {
        Self { parts, finish: Finish::Identity, range: (f64::NEG_INFINITY, f64::INFINITY) }
    }

    /// The same for a figure between two bounds.
    #[must_use]
    pub const fn within(self, range: (f64, f64)) -> Self {
        Self { range, ..self }
    }

    fn value(&self, sum: Part) -> Option<f64> {
        sum.has_value().then(|| self.finish.apply(sum.num / sum.den))
    }

    fn estimate(&self) -> Option<f64> {
        self.value(totals(self.parts.iter().copied()))
    }

    /// The ratio of the sums, and the sum of the denominators.
    fn ratio_and_total(&self) -> Option<(f64, f64)> {
        let sum = totals(self.parts.iter().copied());
        sum.has_value().then(|| (sum.num / sum.den, sum.den))
    }

    /// Whether at least two lists have a value; otherwise the figure cannot vary, and there is no
    /// interval.
    fn can_vary(&self) -> bool {
        self.parts.iter().filter(|p| p.has_value()).nth(1).is_some()
    }

    /// How much rounding alone can change the figure: values closer than this are equal.
    fn noise(&self) -> f64 {
        let size = self.parts.iter().map(|p| Part::new(p.num.abs(), p.den));
        let size = self.value(totals(size)).unwrap_or(0.0);
        self.parts.len() as f64 * f64::EPSILON * size
    }
}

/// The intervals of several scores over the same lists.
#[derive(Debug, Clone)]
pub struct Intervals<'a> {
    columns: &'a [Column<'a>],
    options: IntervalOptions,
    /// The resamples, if the method is a bootstrap.
    bootstrap: Option<Bootstrap<'a>>,
}

impl<'a> Intervals<'a> {
    /// Prepares the intervals; a bootstrap draws its resamples here.
    ///
    /// # Errors
    /// If columns differ in length, a part is invalid, or an option is out of range.
    pub fn new(columns: &'a [Column<'a>], options: &IntervalOptions) -> Result<Self, StatsError> {
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
        let options = *options;
        let bootstrap = options.method.resamples().then(|| Bootstrap::run(columns, &options));
        Ok(Self { columns, options, bootstrap })
    }

    /// The figure over all lists; `None` if no list has a value.
    ///
    /// # Panics
    /// If there is no such column.
    #[must_use]
    pub fn estimate(&self, column: usize) -> Option<f64> {
        self.columns[column].estimate()
    }

    /// The interval of one score; `None` if fewer than two lists have a value.
    ///
    /// # Panics
    /// If there is no such column.
    #[must_use]
    pub fn interval(&self, column: usize) -> Option<Interval> {
        let c = &self.columns[column];
        match &self.bootstrap {
            _ if !c.can_vary() => None,
            Some(bootstrap) => bootstrap.interval(column),
            None => Influences::of(c)?.interval(self.options.level),
        }
    }

    /// The interval of score `a` minus score `b` over the same lists; `None` if either has fewer than two
    /// lists with a value.
    ///
    /// # Panics
    /// If there is no such column.
    #[must_use]
    pub fn difference(&self, a: usize, b: usize) -> Option<Interval> {
        let (ca, cb) = (&self.columns[a], &self.columns[b]);
        match &self.bootstrap {
            _ if !(ca.can_vary() && cb.can_vary()) => None,
            Some(bootstrap) => bootstrap.difference(a, b),
            None => Influences::difference(ca, cb)?.interval(self.options.level),
        }
    }
}

/// The interval of a single score; [`Intervals`] is for several over the same lists.
///
/// # Errors
/// If a part is invalid or an option is out of range.
pub fn interval(
    column: Column<'_>,
    options: &IntervalOptions,
) -> Result<Option<Interval>, StatsError> {
    Ok(Intervals::new(&[column], options)?.interval(0))
}

#[cfg(test)]
mod tests;
