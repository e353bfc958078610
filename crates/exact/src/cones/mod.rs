//! Branch and bound over cones of weights: our own proof of optimality, without a linear program.
//!
//! The order by w.x changes only where w crosses a hyperplane w.(x_i - x_k) = 0, so weights fall into cones
//! (the cells of an arrangement) of one order each. A cone is kept by its extreme rays ([`cone`]). A
//! pair of items that all rays order alike is ordered so in the whole cone, and what is decided bounds what the
//! cone can be worth ([`pairs`]); cones that cannot beat the best weights known are dropped, others are cut
//! in two at the hyperplane of a pair ([`branch`]). There are finitely many cells, so it ends with a
//! proof. On the way the greatest bound of all open cones is a bound of the whole.
//!
//! What it takes grows with the number of features (rays of a cone: about 2^(d-1)), little with that of
//! items. Orders that need scores to differ by less than 1e-9 of their spread are not told from ties.

mod branch;
mod cone;
mod effort;
mod explore;
mod marks;
mod open;
mod pairs;
mod space;

pub(crate) use explore::{Explorer, Limits};
pub(crate) use space::Space;
