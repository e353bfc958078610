//! Small neural nets: a linear score, or one with one or two hidden layers.
//!
//! A **shape** determines the layout of the parameters; a **pass** goes forwards from the inputs of
//! items to their scores and backwards from derivatives by score to derivatives by parameter; any
//! loss of [`crate::loss`] gives the former; **Adam** (or plain descent) makes steps with the latter. One round is one
//! epoch: every list once, in batches of lists, in a random order for each round.
//!
//! All computations are in f64, and results are equal to the bit for any number of threads.

mod adam;
mod batch;
mod epochs;
mod learners;
mod params;
mod pass;
mod product;
mod shape;

#[cfg(test)]
mod tests;

pub(crate) use epochs::{Epochs, NetTraining};
pub use learners::{
    CrLambdaRank, CrListNet, CrRankNet, CsLambdaRank, FAMILY, LambdaRank, ListNet, RankNetNet,
};
pub use params::{CostWeights, ListLoss, NetParams, Optimiser, Sigma, Temperature};
