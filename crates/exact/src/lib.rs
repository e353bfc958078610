//! The best linear order there is, with proof.
//!
//! - [`Problem`]: lists, what items are worth, what ranks count. [`Rules`]: what weights may be.
//! - [`program`]: the mixed-integer programs of paper 004 (SPEC section 4) as plain data, [`solver`]: who
//!   solves them.

pub mod line;
pub mod problem;
pub mod program;
pub mod solver;

mod climb;
mod clock;
mod cones;
mod incumbent;
mod outcome;
mod rules;
mod solve;
mod supports;
mod sweep;

pub use outcome::{Ended, Flow, Outcome, Progress, Watch, gap};
pub use problem::{Problem, ProblemError, Sum, Ties};
pub use program::Formulation;
pub use rules::{Rules, Sign};
pub use solve::{ExactError, Method, Options, solve};
