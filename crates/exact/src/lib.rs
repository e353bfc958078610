//! The best ranking by a linear score, with a proof that it is the best.
//!
//! - [`solve`]: one call for all methods. It finds weights and bounds the value of all others ([`Outcome`]).
//! - [`Problem`]: the lists, the gains of the items, the discounts of the ranks. [`Rules`]: constraints on the weights.
//! - [`program`]: the mixed-integer programs of Rudin and Wang (2018, section 4) as plain data, and [`solver`]: the
//!   solvers for them.
//! - [`mod@line`]: exact line search. [`exhaustive`]: all orders of a few items, to test everything else against.

pub mod exhaustive;
pub mod line;
pub mod problem;
pub mod program;
pub mod solver;

mod climb;
mod clock;
mod cones;
mod incumbent;
mod outcome;
mod points;
mod rules;
mod solve;
mod supports;
mod sweep;

pub use outcome::{Ended, Flow, Outcome, Progress, Watch, gap};
pub use problem::{Problem, ProblemError, Sum, Ties};
pub use program::Formulation;
pub use rules::{Rules, RulesError, Sign};
pub use solve::{ExactError, Method, Options, solve};
