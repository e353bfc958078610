//! Exact re-ranking (Rudin and Wang 2018, section 5): a base learner scores all items; those that it
//! ranks first are reordered by the linear score that is best by a metric itself, found with a bound on
//! the value of any other.
//!
//! - `learner.rs`, `params.rs`: the learner and its parameters. `base.rs`: the first stage. `task.rs`: the
//!   problem of [`stakes_exact`]. `search.rs`: its solution.
//! - [`certify`]: how far any order is from the best linear one.
//! - [`stakes_model::Rerank`]: what is kept in the model, and how it scores.
//!
//! The items to re-rank are those above a threshold of the base score for one list, as in the paper, and
//! the first K of every list where there are several. The inputs of the linear score are those of other
//! linear models: numbers, indicators of missing values, categories; and the base score, unless the base is
//! linear itself, so that the search starts from the base order and can only improve it.

mod base;
mod certify;
mod fit;
mod learner;
mod params;
mod search;
mod task;

pub use certify::{Certificate, certify, linear_weights};
pub use learner::ExactRerank;
pub use params::{
    Base, Method, SearchParams, SolverName, Stages, Threshold, TimeLimit, Top, WeightRules,
    WithBase,
};

use crate::learner::Family;

/// The learners of this family.
pub const FAMILY: Family =
    Family { title: "exact re-ranking", learners: &[|| Box::new(ExactRerank::default())] };

/// The name by which observers hear of the search for the best weights.
pub const STAGE: &str = "re-ranking";

/// The text of [`Base::Given`].
pub const GIVEN: &str = "given";

/// Bins are not used here; a category that has one is distinguished.
const BINS: usize = 255;
