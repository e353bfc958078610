//! Direct search: a linear score whose weights maximise a metric itself instead of a surrogate
//! loss.
//!
//! - `Ascent`: coordinate ascent. One weight is moved at a time, to the maximum of the metric
//!   along the whole line ([`stakes_exact::line`] explains how that is found exactly), from several
//!   starts.
//! - `AdaRank`: boosting of single inputs by the metric's values of lists.
//!
//! Both maximise a `Target`: any metric of orders.

mod adarank;
mod ascent;
mod climber;
mod learners;
mod params;
mod target;
mod trial;

#[cfg(test)]
mod tests;

pub use adarank::Reading;
pub(crate) use adarank::{AdaRank, CostOfLists, Rules};
pub(crate) use ascent::{Ascent, Climb};
pub(crate) use target::{Target, inputs_of};

pub use learners::{
    AdaRankLearner, CoordinateAscent, CrCoordinateAscent, CsAdaRank, CsCoordinateAscent, FAMILY,
};
pub use params::{
    AdaRankParams, AscentParams, ListCostParams, ListCosts, ReadingParams, SearchCutoff,
    SearchMetric,
};
