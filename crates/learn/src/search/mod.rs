//! Direct search: weights of a linear score that are best by a metric itself, not by a loss that
//! stands for it.
//!
//! - [`Ascent`]: coordinate ascent. One weight is moved at a time, to where the metric is best on
//!   the whole line ([`stakes_exact::line`] says how that is found exactly), from several starts.
//! - [`AdaRank`]: boosting of single inputs by the values of lists.
//!
//! Both see lists through a [`Target`]: any metric that looks at orders.

mod adarank;
mod ascent;
mod climber;
mod learners;
mod target;
mod taught;
mod trial;

#[cfg(test)]
mod tests;

pub use adarank::Reading;
pub(crate) use adarank::{AdaRank, Rules};
pub(crate) use ascent::{Ascent, Climb};
pub(crate) use target::Target;
pub(crate) use taught::Taught;

pub use learners::{
    AdaRankLearner, AdaRankParams, AscentParams, CoordinateAscent, CrCoordinateAscent, CsAdaRank,
    CsCoordinateAscent, FAMILY, ReadingParams, SearchCutoff, SearchMetric,
};
