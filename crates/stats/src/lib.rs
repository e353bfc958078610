//! Statistics over lists: confidence intervals of a figure, and tests whether two figures differ.
//!
//! All of it is based on [`Part`]: every figure over lists is a ratio of sums of per-list parts. A mean,
//! a weighted mean and the cost-sensitive `R_CS` differ only in what a list adds to the numerator and the
//! denominator, so one kind of interval and one set of tests serve them all.
//!
//! * [`intervals`]: confidence intervals, by Student's t for unequal lists or by resampling them.
//! * [`significance`]: paired tests over lists (t, Wilcoxon, randomisation) and the correction
//!   for several comparisons.
//! * [`shift_of_numbers`], [`shift_of_categories`]: has something changed from one period to the next?
//! * [`stability_index`], [`kolmogorov_smirnov`], [`total_variation`]: how far apart are two distributions over bins?

mod error;
pub mod intervals;
mod normal;
mod part;
mod quantile;
mod shift;
pub mod significance;
mod stability;

pub use error::StatsError;
pub use intervals::{Column, Interval, IntervalMethod, IntervalOptions, Intervals};
pub use quantile::quantile;
pub use shift::{Shift, shift_of_categories, shift_of_numbers};
pub use significance::{
    Alternative, Correction, PairedTest, TestOptions, TestResult, paired_differences,
};
pub use stability::{kolmogorov_smirnov, shares, stability_index, total_variation};
pub use stakes_core::metric::{Finish, Part, ratio};
