//! Lists divided: some to train with, others to validate or test with. A list is never cut.
//!
//! * [`HoldOut`]: a part of the lists is set aside, drawn by id or, where times are known, the latest.
//! * [`Folds`]: every list is left out once, so that a model that was not trained with it can score it.

mod dataset;
mod folds;
mod hold_out;

pub use dataset::{HeldOut, HoldOutOptions};
pub use folds::Folds;
pub use hold_out::{HoldOut, HoldOutError};
