//! Trained models: scoring, ranking, expected costs, explanation and the model file.
//!
//! Nothing here trains, so a program that only scores needs this crate alone.

mod bound;
pub mod calibration;
mod columns;
mod describe;
mod diff;
mod error;
pub mod explain;
mod file;
mod fingerprint;
mod model;
mod net;
mod record;
mod rerank;
mod score;
mod scorer;
pub mod tree;
mod within;

pub use bound::{Bound, BoundPart};
pub use calibration::{Calibration, Expected, Knot};
pub use columns::{Matched, UnknownCategories};
pub use describe::Size;
pub use diff::{Difference, diff};
pub use error::ModelError;
pub use model::{Fingerprint, Member, Model, ModelFeature, Roles, roles_of};
pub use net::{Activation, Input, Layer, Net, Scratch, dot};
pub use record::{Checkpoint, Ended, Numbers, Rung, StageState, StageSummary, Trial, Unfinished};
pub use rerank::{Above, Proof, ProofEnd, Rerank};
pub use score::{PreparedScorer, times};
pub use scorer::{Factor, Link, Scorer};
pub use within::Within;

/// The maximum number of categories of a feature that a model distinguishes: codes are bytes, and
/// one of them stands for missing.
pub const MAX_CATEGORIES: usize = 255;
