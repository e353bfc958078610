//! Trained models: reading and writing them, scoring, expected costs and explanation.
//!
//! Nothing here trains, so a program that only scores depends on this crate and `stakes-core` alone.
//!
//! ```
//! use stakes_core::data::{Columns, DatasetBuilder, Feature, Row};
//! use stakes_model::Model;
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/model-trees.json");
//! let model = Model::from_json(&std::fs::read(path)?, "model.json")?;
//! // Columns are found by name; their order does not matter.
//! let features = vec![Feature::numeric("age"), Feature::numeric("wind")];
//! let mut builder = DatasetBuilder::new("new.csv", Columns::of_features(features))?;
//! builder.push(Row { features: &[40.0, 12.0], ..Row::default() })?;
//! builder.push(Row { features: &[25.0, 30.0], ..Row::default() })?;
//! let scores = model.score(&builder.finish()?)?;
//! assert!(scores[0] < scores[1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Guide
//! * **The model.** A [`Model`] is a [`Scorer`], the features that it reads, and a record of its training:
//!   goal, parameters, [`StageSummary`]s. [`Model::size`], [`Model::importance`] and [`diff`] describe it.
//! * **The score** is a product of [`Factor`]s: a [`Link`] function of a sum of trees ([`tree`]), of a
//!   linear score or a small [`Net`]. A model with a [`Rerank`] stage re-orders the first items of each list.
//! * **Scoring.** [`Model::score`] scores a data set: it matches columns by name ([`MatchedColumns`]),
//!   translates categories, and applies [`ListScaling`]. [`Scorer::prepare`] is for programs that have the
//!   rows already in the model's order.
//! * **Expected costs.** A [`Calibration`] gives the mean cost at a score, with an interval.
//! * **Honesty.** A model remembers its [`TrainingList`]s; [`Model::recognise`] finds them among others.
//! * **What training looked like.** A [`Profile`] keeps how features and scores were spread, to compare new data
//!   with.
//! * **Explanation** ([`explain`]): reasons for a rank, the saved cost that depends on a feature, and how
//!   scores change with features.
//! * **Files.** [`Model::to_json`] and [`Model::from_json`]; a [`Checkpoint`] and an [`UnfinishedTuning`]
//!   have the same pair. `docs/model-json.md` describes the formats, and [`ModelError`] says what is wrong
//!   with a file.

mod bound;
pub mod calibration;
mod columns;
mod describe;
mod diff;
mod error;
pub mod explain;
mod features;
mod file;
mod fingerprint;
mod list_scaling;
mod model;
mod net;
mod profile;
mod recognise;
mod record;
mod rerank;
mod score;
mod scorer;
mod spread;
mod training_lists;
pub mod tree;

pub use bound::{Bound, BoundPart};
pub use calibration::{Calibration, ExpectedCost, Knot};
pub use columns::{MatchedColumns, UnknownCategories};
pub use describe::Size;
pub use diff::{Difference, diff};
pub use error::ModelError;
pub use features::{ModelFeature, RoleColumns, roles_of};
pub use file::GoalRecord;
pub use fingerprint::Fingerprint;
pub use list_scaling::ListScaling;
pub use model::{Member, Model};
pub use net::{Activation, Input, Layer, Net, Scratch, dot};
pub use profile::{Bins, Distribution, Profile, ProfileFigure};
pub use record::{
    Checkpoint, Ended, Rung, StageState, StageSummary, Trial, UnfinishedTuning, WeightState,
};
pub use rerank::{Proof, ProofEnd, Rerank, RerankScope};
pub use score::{PreparedScorer, finite_product};
pub use scorer::{Factor, Link, Scorer};
pub use training_lists::TrainingList;

/// The maximum number of categories of a feature: codes are bytes, and one of them means missing.
pub const MAX_CATEGORIES: usize = 255;
