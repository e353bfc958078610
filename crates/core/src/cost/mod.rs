//! What acting on an item saves, and the probability that each position is acted on.

mod expression;
mod model;
mod policy;
mod problem;

pub use expression::Expression;
pub use model::{CostError, CostModel};
pub use policy::{Capacity, CapacityError, Policy, PolicyError};
pub use problem::Problem;
