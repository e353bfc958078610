//! Lists divided: some to train with, others to validate or test with. A list is never cut.
//!
//! * [`HoldOut`]: a part of the lists is set aside, drawn by id or, where times are known, the latest.
//! * [`Folds`]: every list is left out once, so that a model that was not trained with it can score it.
//! * [`FoldPlan`]: folds of an experiment, each with lists to train with and lists to test: rotating,
//!   random, given by a column, or by time.

mod dataset;
mod deal;
mod fold;
mod folds;
mod given;
mod hold_out;
mod list_keys;
mod plan;
mod span;
mod temporal;

pub use dataset::{HeldOut, HoldOutOptions};
pub use fold::{Fold, FoldError};
pub use folds::Folds;
pub use hold_out::{HoldOut, HoldOutError};
pub use plan::FoldPlan;
pub use span::Span;
pub use temporal::{AsOf, Temporal};
