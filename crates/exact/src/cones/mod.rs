//! Branch and bound over cones of weights: a proof of optimality without linear programs.
//!
//! The order by w.x changes only where w crosses a hyperplane w.(x_i - x_k) = 0, so weights fall into cones
//! (the cells of an arrangement) of one order each. A cone is represented by its extreme rays ([`cone`]). A
//! pair of items that all rays order in the same way is ordered so in the whole cone, and the decided pairs bound the
//! values within the cone ([`pairs`]). Cones that cannot beat the best known weights are dropped, others are cut
//! in two at the hyperplane of a pair ([`branch`]). There are finitely many cells, so the search ends with a
//! proof. Meanwhile the greatest bound of all open cones is a bound on the optimum.
//!
//! The effort grows fast with the number of features (a cone has about 2^(d-1) rays) and slowly with the number of
//! items. Scores that differ by less than 1e-9 of their spread count as ties.

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
