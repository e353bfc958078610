//! Learners that rank by cost.
//!
//! A **loss** turns a list and its scores into derivatives; **trees** are grown on derivatives and
//! know nothing of lists; a **run** makes rounds, measures them, stops in time and writes checkpoints;
//! a **learner** is a value with typed parameters that makes a score in one or several stages of a
//! run. The result is a [`Model`]: one value that scores any data with the same columns and can be
//! written to a file.
//!
//! Nothing here reads files, prints or reads a clock.

pub mod adaboost;
pub mod auto;
pub mod boosted;
mod coding;
mod cross_fit;
mod current_feature;
mod dense;
mod derivatives;
pub mod direct;
mod error;
mod foreign;
pub mod forest;
mod given_costs;
mod given_out;
pub mod goal_metric;
pub mod learner;
pub mod linear;
pub mod loss;
mod members;
pub mod multiclass;
pub mod net;
mod newton;
pub mod params;
mod prepared;
pub mod preset;
pub mod rankboost;
pub mod rerank;
pub mod run;
mod table;
pub mod tree;
pub mod tune;

/// Every family of learners.
pub fn families() -> impl Iterator<Item = &'static Family> + Clone {
    table::FAMILIES.iter().chain([&rerank::FAMILY])
}

/// Every learner, with its default parameters.
pub fn learners() -> impl Iterator<Item = Box<dyn Learner>> + Clone {
    families().flat_map(Family::learners)
}

/// Finds a learner by its name or an alias; it has its default parameters.
pub fn learner(name: &str) -> Result<Box<dyn Learner>, String> {
    table::find(families(), name)
}

/// The learner that made a model, with the parameters that it had. `None` if it is your own, or no longer
/// exists.
pub fn learner_of(model: &Model) -> Option<Box<dyn Learner>> {
    let parameters = model.parameters.iter().map(|(key, text)| (key.as_str(), text.as_str()));
    Some(Configured::new(learner(&model.learner).ok()?, parameters).ok()?.learner)
}

/// The number of threads that training uses.
pub fn threads() -> usize {
    rayon::current_num_threads()
}

pub use current_feature::CurrentFeature;
pub use dense::{Inputs, Unit};
pub use error::FitError;
pub use given_costs::{CostFiles, GivenCosts, GivenPair};
pub use learner::{About, Configured, Family, Kind, Learner, Pace, Work, train};
pub use run::{Awaited, FitContext, Fitted, Flow, Observer, PartOfRun, Round, RunProgress};
pub use stakes_core::Lists;
pub use stakes_model::{Checkpoint, Ended, Model, StageState, WeightState};
