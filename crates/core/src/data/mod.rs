//! Lists of items: columns, list boundaries, and the builder that checks them.

mod builder;
pub mod calendar;
mod columns;
mod dataset;
mod error;
mod feature;
mod joined;
mod list;
mod permute;
mod role;
mod stored;
mod subset;
mod text;
mod time;

pub use builder::DatasetBuilder;
pub use columns::{Columns, Row};
pub use dataset::Dataset;
pub(crate) use error::is_near_zero;
pub use error::{DataError, DataProblem, Place};
pub use feature::{Feature, FeatureKind, FeatureMatrix, SharedValues, category_order};
pub use list::ListView;
pub use role::{Role, UnknownRole};
pub use stored::{FeatureSource, Piece};
pub use text::{Categories, TextColumn};
pub use time::TimeColumn;
