//! What a search gives.

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Nothing better is there, but for the gap that was asked for.
    Optimal,
    /// No values meet all conditions.
    Infeasible,
    /// There is no end to what is possible.
    Unbounded,
    /// Its time, or its number of nodes, was up.
    Limit,
    /// The watcher stopped it.
    Stopped,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// How the search ended.
    pub status: Status,
    /// The best values of the columns that were found.
    pub values: Option<Vec<f64>>,
    /// What they are worth; [`crate::Sense::worst`] if there are none.
    pub objective: f64,
    /// No values are better, as HiGHS claims with its tolerances. [`crate::Sense::best`] as long as nothing is
    /// known, [`crate::Sense::worst`] if no values are possible.
    pub bound: f64,
    /// Nodes of the search tree.
    pub nodes: u64,
    /// Of a linear program that was solved: the prices of its rows, for [`crate::Model::dual_bound`].
    pub prices: Option<Vec<f64>>,
}

/// A model that was not solved.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The model makes no sense.
    #[error("HiGHS cannot solve this model: {0}")]
    Model(String),
    /// The values to begin with are not of this model.
    #[error("{values} values to begin with, for {columns} columns")]
    Start {
        /// How many there are.
        values: usize,
        /// How many there should be.
        columns: usize,
    },
    /// A function of HiGHS failed. It does not say why.
    #[error("HiGHS failed in {0}")]
    Call(&'static str),
    /// HiGHS ended without a result.
    #[error("HiGHS ended without a result (model status {0})")]
    NoResult(i32),
    /// There is no thread for it.
    #[error("HiGHS got no thread to run in: {0}")]
    Thread(String),
}
