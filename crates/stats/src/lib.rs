//! Statistics over lists: confidence intervals of a figure, and tests whether two figures differ.
//!
//! All of it is based on [`Part`]: every figure over lists is a ratio of sums of per-list parts. A mean,
//! a weighted mean and the cost-sensitive `R_CS` differ only in what a list adds to the numerator and the
//! denominator, so one kind of interval and one set of tests serve them all.
//!
//! * [`intervals`]: confidence intervals, by Student's t for unequal lists or by resampling them.
//! * [`significance`]: paired tests over lists (t, Wilcoxon, randomisation) and the correction
//!   for several comparisons.

mod error;
pub mod intervals;
mod normal;
mod part;
mod quantile;
pub mod significance;

pub use error::StatsError;
pub use intervals::{Column, Interval, IntervalMethod, IntervalOptions, Intervals};
pub use quantile::quantile;
pub use significance::{
    Alternative, Correction, PairedTest, TestOptions, TestResult, paired_differences,
};
pub use stakes_core::metric::{Finish, Part, ratio};
