//! Cost-sensitive learning to rank: lists of items, what each cost, and how many can be
//! acted on.
//!
//! This crate is the whole library behind one name.
//!
//! ```
//! use stakes::prelude::*;
//!
//! let csv = b"storm,network,cable,wind,customers\n\
//!             1,City 1,5,14,10000\n1,City 2,4,15,100\n1,City 3,3,16,0\n\
//!             2,Rural 1,3,13,100\n2,Rural 2,4,12,1\n2,Rural 3,5,10,0\n";
//! let roles = Roles {
//!     list: Some("storm".into()),
//!     impact: Some("customers".into()),
//!     id: Some("network".into()),
//!     ..Roles::default()
//! };
//! let data = parse_csv_bytes(csv, &ReadOptions { roles, ..ReadOptions::default() })?;
//! let problem = Problem::new(&data, &CostModel::Impact)?;
//! let metric = Metric::parse("rcs@2", Scale::of(&data))?;
//! let by_cable = evaluate(&metric, &problem, &data.numbers("cable")?)?;
//! let by_wind = evaluate(&metric, &problem, &data.numbers("wind")?)?;
//! assert!((by_cable.figure.unwrap() - 0.9901483).abs() < 1e-7);
//! assert!((by_wind.figure.unwrap() - 0.0148269).abs() < 1e-7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use stakes_core::{act, cost, data, display, goal, metric, random, rank, split, suggest};
pub use stakes_eval as eval;
pub use stakes_exact as exact;
pub use stakes_inspect as inspect;
pub use stakes_io as io;
pub use stakes_learn as learn;
pub use stakes_model as model;
pub use stakes_stats as stats;
pub use stakes_synth as synth;

/// What most programs need.
pub mod prelude {
    pub use stakes_core::cost::{Capacity, CostModel, Policy, Problem};
    pub use stakes_core::data::{Columns, Dataset, DatasetBuilder, Feature, ListView, Row};
    pub use stakes_core::metric::{METRICS, Metric, Scale, Spec, evaluate};
    pub use stakes_core::rank::{Ranking, TieRule};
    pub use stakes_eval::study::{Scores, StudyOptions, study};
    pub use stakes_io::{Format, ReadOptions, Roles, parse_csv_bytes, read, write};
}
