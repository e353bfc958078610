//! Experiments: which learner saves most on these data, and how sure is that?
//!
//! [`compare`] trains every contestant in every fold on its training lists alone, and judges it by the test
//! lists, beside the orders that anybody could follow: the present one, the best single feature, a random
//! order, plain regressions.
//!
//! ```
//! use stakes::experiment::{CompareOptions, Contestant, Outcome, Setting, compare};
//! use stakes::prelude::*;
//! # let storms = stakes::synth::Storms { lists: 16, networks: 10, rows: 120, ..Default::default() };
//! # let storms = storms.generate()?;
//! let goal = Goal::act_on(3);
//! let setting = Setting::new(&storms, &goal, Some("4".parse()?), 0)?; // four folds
//! let mut contestants = Contestant::learners("cs-mart:rounds=10,ridge")?;
//! contestants.push(Contestant::current(&storms, "customers")?);
//! let options = CompareOptions::default(); // CompareOptions::run keeps what is finished in a directory
//! if let Outcome::Finished(compared) = compare(&setting, &contestants, &options, None)? {
//!     println!("{compared}"); // figures, tests, and a verdict in words
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod backtest;
mod cell;
mod cells;
mod compare;
mod compared;
mod contestant;
mod contestants_file;
mod figures;
mod learning_curve;
mod picture;
mod progress;
pub mod reproduce;
mod run_directory;
mod setting;
mod shared;
mod table;
mod verdict;
mod versus;
mod written;

pub use backtest::{
    BacktestOptions, Backtested, Choices, Churn, Drift, Period, Rule, RuleRecord, asked_to_retrain,
    backtest, retrain,
};
pub use cell::Cell;
pub use compare::{CompareOptions, Outcome, compare};
pub use compared::{Compared, Entrant, FoldSize, Settings, Time};
pub use contestant::{ALL, COMPANIONS, CURRENT, Contestant, Order, Part};
pub use contestants_file::{ContestantsFile, FileEntry, FileOrder};
pub use figures::Figure;
pub use learning_curve::CurvePoint;
pub use picture::{folds_svg, write_folds};
pub use run_directory::{DataRecord, FoldRecord, Manifest};
pub use setting::{FoldLists, Setting, SettingRecord};
pub use versus::{Versus, Wins};
