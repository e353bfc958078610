//! Cost-sensitive learning to rank: lists of items, what each cost, and how many can be
//! acted on.
//!
//! Read data, hold out lists, fit a model for a goal, measure it on the lists that were held out,
//! keep it, and rank new lists by it:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # std::env::set_current_dir(&folder)?;
//! # let mut text = String::from("storm,network,customers,wind,cable\n");
//! # for row in 0..1200_u64 {
//! #     let (storm, network, noise) = (row / 40, row % 40, row * 7919 % 97);
//! #     let (wind, cable) = (noise % 31, network * 3 % 17);
//! #     let customers = if noise < 30 { 0 } else { wind * cable + noise };
//! #     text += &format!("{storm},n{network},{customers},{wind},{cable}\n");
//! # }
//! # std::fs::write("storms.csv", &text)?;
//! # std::fs::write("next.csv", text)?;
//! use stakes::prelude::*;
//! let storms = stakes::read("storms.csv", Roles::new().list("storm").impact("customers").id("network"))?;
//! let (train, test) = storms.hold_out(0.2)?;
//! let goal = Goal::act_on(24);
//! let model = Auto::default().fit(&train, &goal)?;
//! println!("{}", goal.evaluate(&test, &model)?); // figure, interval, reference orders
//! model.save("model.json")?;
//! for item in model.rank(&model.read("next.csv")?)?.to_act_on() { println!("{} {}", item.id, item.expected_cost); }
//! # Ok(())
//! # }
//! ```
//!
//! | to | use |
//! |---|---|
//! | read and write data | [`read`], [`io`], [`data`] |
//! | say roles, goal and parameters once, in a file | [`config`] |
//! | look at data before anything else | [`inspect`] |
//! | say what a ranking is for | [`goal`] |
//! | divide lists | [`split`], [`data::Dataset::hold_out`] |
//! | fit a model | [`fit`], [`learn`] and its [learners](learn::Learner) |
//! | judge it beside a plain regression | [`judge`] |
//! | measure any ranking | [`evaluate`], [`metric`], [`eval`], [`stats`] |
//! | read and rank new lists | [`data::ReadLists`], [`rank`] |
//! | learn the classes of rows instead of an order | [`task`], [`classes`] |
//! | see what a model looks at | [`explain`] |
//! | prove how far an order is from the best linear one | [`certify`], [`exact`] |
//! | keep models | [`model_file`], [`model`] |
//! | generate data | [`synth`] |
//! | report models and trainings, learners and metrics | [`report`], [`tables`] |
//! | see why losses in place of the goal fail | [`demo`] |
//!
//! Workflows return what should be known beside a result as [`Note`]s and never print. Their
//! results are plain structs, and the JSON of the program `stakes` is these structs, serialised.

pub mod certify;
pub mod classes;
pub mod config;
mod config_error;
pub mod data;
pub mod demo;
mod error;
pub mod evaluate;
pub mod explain;
pub mod feature_value;
pub mod fit;
pub mod judge;
pub mod model_file;
mod note;
mod observer;
pub mod rank;
pub mod report;
pub mod tables;
pub mod task;
pub mod text;

pub use error::Error;
pub use note::Note;
pub use observer::Observer;
pub use stakes_core::{act, cost, display, goal, metric, random, split, suggest};
pub use stakes_eval as eval;
pub use stakes_exact as exact;
pub use stakes_inspect as inspect;
pub use stakes_io as io;
pub use stakes_io::read;
pub use stakes_learn as learn;
pub use stakes_model as model;
pub use stakes_stats as stats;
pub use stakes_synth as synth;
pub use task::Task;

/// What most programs need.
pub mod prelude {
    pub use crate::data::ReadLists;
    pub use crate::evaluate::EvaluateModel;
    pub use crate::fit::{Fit, FitLearner};
    pub use crate::model_file::ModelFile;
    pub use crate::rank::{RankLists, RankOptions, Ranked, RankedItem};
    pub use crate::task::Task;
    pub use stakes_core::cost::{Capacity, CostModel, Policy, Problem};
    pub use stakes_core::data::{Columns, Dataset, DatasetBuilder, Feature, ListView, Row};
    pub use stakes_core::goal::{Goal, Reach};
    pub use stakes_core::metric::{METRICS, Metric, Scale, Spec, evaluate};
    pub use stakes_core::rank::{Ranking, TieRule};
    pub use stakes_core::split::HoldOut;
    pub use stakes_eval::study::{Scores, StudyOptions, study};
    pub use stakes_io::{Format, ReadOptions, Roles, parse_csv_bytes, read, write};
    pub use stakes_learn::Learner;
    pub use stakes_learn::auto::Auto;
    pub use stakes_model::Model;
}
