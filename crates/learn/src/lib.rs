//! Learners that rank by cost.
//!
//! A **loss** turns a list and its scores into gradients; **trees** are grown on gradients
//! and know nothing of lists; **boosting** adds trees; a row of [`FAMILIES`] says which of
//! them make a learner, and with which parameters. What is learnt is a [`Model`]: one value
//! that scores any data with the same columns and can be written down.
//!
//! Nothing here reads files, prints or looks at a clock.

pub mod auto;
mod boost;
mod coding;
mod dense;
mod derivatives;
mod fit;
mod learners;
mod linear;
pub mod loss;
mod measure;
pub mod multiclass;
mod net;
mod newton;
mod objective;
pub mod params;
mod prepared;
mod rankboost;
pub mod rerank;
mod run;
mod sampling;
mod search;
mod table;
pub mod tree;
pub mod tune;

/// Threads that learning uses.
pub fn threads() -> usize {
    rayon::current_num_threads()
}

pub use fit::{
    Checkpoint, Ended, FitContext, FitError, Flow, Round, Silent, StageState, Watch, WeightState,
    train,
};
pub use rankboost::given::{GivenCosts, GivenPair};
pub use stakes_core::Lists;
pub use stakes_model::Model;
pub use table::{FAMILIES, LearnerInfo, learner, learners};
