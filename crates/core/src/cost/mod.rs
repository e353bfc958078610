//! What acting on an item saves, and how likely each position is to be acted on.

mod expression;
mod model;
mod policy;
mod problem;

pub use model::{CostError, CostModel};
pub use policy::{Capacity, CapacityError, Policy};
pub use problem::Problem;
