//! The result of a search.

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The solution is optimal, up to the requested gap.
    Optimal,
    /// No values satisfy all constraints.
    Infeasible,
    /// The objective is unbounded.
    Unbounded,
    /// The time limit or the limit of nodes was reached.
    Limit,
    /// The progress callback stopped it.
    Stopped,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// How the search ended.
    pub status: Status,
    /// The best values found for the columns.
    pub values: Option<Vec<f64>>,
    /// Their objective; [`crate::Sense::worst`] if there are none.
    pub objective: f64,
    /// HiGHS's bound on the objective, up to its tolerances. [`crate::Sense::best`] as long as none is
    /// known, [`crate::Sense::worst`] if the model is infeasible.
    pub bound: f64,
    /// The number of nodes of the search tree.
    pub nodes: u64,
    /// For a solved linear program the dual values (prices) of its rows, for [`crate::Model::dual_bound`].
    pub prices: Option<Vec<f64>>,
}

/// The reason why a model was not solved.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The model is invalid.
    #[error("HiGHS cannot solve this model: {0}")]
    Model(String),
    /// The start has the wrong length.
    #[error("the number of values of the start is {values}, that of columns is {columns}")]
    Start {
        /// The number of values given.
        values: usize,
        /// The number of columns.
        columns: usize,
    },
    /// A function of HiGHS failed; HiGHS gives no reason.
    #[error("HiGHS failed in {0}")]
    Call(&'static str),
    /// HiGHS ended without a result.
    #[error("HiGHS ended without a result (model status {0})")]
    NoResult(i32),
    /// The thread for HiGHS could not be started.
    #[error("cannot start a thread for HiGHS: {0}")]
    Thread(String),
}
