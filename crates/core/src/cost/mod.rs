//! What acting on an item saves, and the probability that each position is acted on.

mod expression;
mod model;
mod policy;
mod problem;

pub use model::{CostError, CostModel};
pub use policy::{Capacity, CapacityError, Policy};
pub use problem::Problem;
