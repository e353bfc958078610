//! Evaluation of rankings: what a figure over lists is, how sure it is, and whether two differ.
//!
//! Everything here rests on one idea, [`Part`]: every figure over lists is a ratio of sums of
//! per-list parts. A mean, a weighted mean and the cost-sensitive `R_CS` differ only in what a
//! list puts above and below the line, so one bootstrap and one set of tests serve them all.
//!
//! * [`bootstrap`]: confidence intervals, by resampling lists.
//! * [`significance`]: paired tests over lists (t, Wilcoxon, randomisation) and the correction
//!   for several comparisons.
//! * [`hold_out`]: lists set aside to judge by.
//! * [`reliability`]: whether a score that is taken as an expected cost meets the cost.
//! * [`inspect`]: a look at data beforehand: facts, and questions about what is suspicious.

pub mod bootstrap;
pub mod curve;
pub mod error;
pub mod hold_out;
pub mod inspect;
mod normal;
mod part;
pub mod picture;
mod quantile;
pub mod reliability;
pub mod significance;
pub mod study;

pub use bootstrap::{Bootstrap, BootstrapOptions, Column, Interval, IntervalMethod};
pub use error::StatsError;
pub use hold_out::{HoldOut, HoldOutError, Sides};
pub use significance::{
    Alternative, Correction, PairedTest, TestOptions, TestResult, paired_differences,
};
pub use stakes_core::metric::{Finish, Part, ratio};
