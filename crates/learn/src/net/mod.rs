//! Small nets that learn from lists: a linear score, or one with a hidden layer or two.
//!
//! A **shape** says how many numbers there are; a **pass** goes forwards from the inputs of
//! items to their scores and backwards from derivatives by score to derivatives by number; any
//! loss of [`crate::loss`] gives the former; **Adam** makes steps of the latter. One round is one
//! epoch: every list once, a few lists at a time, in an order drawn for the round.
//!
//! Everything is f64, and the same bits come out at any number of threads.

mod adam;
mod batch;
mod epochs;
mod learners;
mod pass;
mod product;
mod shape;

#[cfg(test)]
mod tests;

pub(crate) use epochs::{Epochs, Learning};
pub use learners::{
    CostWeights, CrListNet, CrRankNet, CsLambdaRank, FAMILY, LambdaRank, ListNet, NetParams,
    RankNetNet, Sigma, Temperature,
};
