//! Cost-sensitive learning to rank: order the items of a list so that acting on the first few saves the
//! most cost, and measure how much any order saves.
//!
//! The data are **lists** (storms, months, queries) of **items** (networks, restaurants, documents), each
//! with features and with the cost that was observed. Only a few items of each list can be acted on. A model
//! learns from past lists which items of a future list to act on.
//!
//! # Quick start
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
//! println!("{}", goal.evaluate(&test, &model)?); // saved cost, its interval, reference orders
//! model.save("model.json")?;
//! let next = model.read("next.csv")?;
//! for item in model.rank(&next)?.to_act_on() { println!("{} {}", item.id, item.expected_cost); }
//! # Ok(())
//! # }
//! ```
//! [`prelude`] brings the usual types and the traits whose methods are used here into scope.
//!
//! # Read data
//! [`read`] takes CSV, TSV, Excel workbooks, LETOR, Parquet and Arrow IPC files; [`Roles`](io::Roles) say what columns are
//! for, and columns without a role are features. Data in memory are parsed by functions such as
//! [`parse_csv_bytes`](io::parse_csv_bytes), or collected row by row by a
//! [`DatasetBuilder`](data::DatasetBuilder). A [`Dataset`](data::Dataset) has been checked completely: its
//! costs are finite and not negative, and ids are unique within a list.
//! ```
//! use stakes::prelude::*;
//! let csv = b"storm,network,customers,wind\n1,north,120,14\n1,south,0,9\n2,north,35,12\n";
//! let storms = parse_csv_bytes(csv, Roles::new().list("storm").impact("customers").id("network"))?;
//! assert_eq!((storms.n_lists(), storms.len()), (2, 3));
//! # Ok::<(), stakes::io::ReadError>(())
//! ```
//! [`config`] keeps roles, goal and parameters in a file beside the data; [`inspect`] finds suspicious
//! columns before a model learns from them.
//!
//! # Set a goal
//! A [`Goal`](goal::Goal) says how much can be done in each list, what acting on an item saves, and by which
//! [`metric`] success is measured: by default R_CS, the share of all savable cost that is saved.
//! ```
//! use stakes::prelude::*;
//! let goal = Goal::act_on(24); // 24 items of each list
//! let share = Goal::act_on(Capacity::Percent(10.0)); // a tenth of the mean list length
//! let budget = Goal::spend(50_000.0); // money, for data with a price column
//! let hours = Goal::act_on(24).with_cost("customers * hours".parse()?); // a cost of two columns
//! assert_eq!(goal.spec().to_string(), "rcs@24");
//! # Ok::<(), stakes::cost::CostError>(())
//! ```
//!
//! # Fit a model
//! Every learner has [`fit`](fit::FitLearner::fit). [`Auto`](learn::auto::Auto) cross-validates several
//! learners and blends the best, which is the right choice for most data. [`Fit`](fit::Fit) takes a learner
//! by name (`stakes learners` lists them) and has the options: seed, validation lists, tuning, checkpoints,
//! resuming.
//! ```
//! use stakes::prelude::*;
//! # let storms = stakes::synth::Storms { lists: 12, networks: 10, rows: 90, ..Default::default() };
//! # let storms = storms.generate()?;
//! let fit = Fit::with_parameters("cs-mart", [("rounds", "20"), ("leaves", "8")])?.seed(7);
//! let model = fit.fit(&storms, &Goal::act_on(3))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Judge it
//! [`evaluate`](evaluate::EvaluateModel::evaluate) measures a model on lists that were held out;
//! [`evaluate_scores`](evaluate::evaluate_scores) measures any scores, whoever computed them. Both show
//! confidence intervals and reference orders, and compare scores by paired tests. [`judge`] trains a plain
//! regression of the cost on the same lists and tests whether the model is better:
//! ```
//! use stakes::judge::{JudgeOptions, Judged};
//! use stakes::prelude::*;
//! # let storms = stakes::synth::Storms { lists: 12, networks: 10, rows: 90, ..Default::default() };
//! # let storms = storms.generate()?;
//! let fit = Fit::with("ridge")?;
//! let division = fit.divide(&storms, &Goal::act_on(3))?; // training and validation lists
//! let fitted = fit.run(&division, None)?;
//! if let Judged::Ranking(Some(verdict)) = fitted.judge(&division, &JudgeOptions::default(), None)? {
//!     println!("{verdict}"); // ridge beside the regression, the best single feature, a random order
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rank new lists and explain the order
//! [`rank`](rank::RankLists::rank) orders the items of each list, marks those to act on, and, if the model is
//! calibrated, gives their expected costs. [`RankOptions::reasons`](rank::RankOptions::reasons) adds why an
//! item is on its side of the cut-off; [`explain`] shows which features the model uses and the cost that each
//! of them saves.
//! ```
//! use stakes::explain::{ExplainOptions, explain};
//! use stakes::prelude::*;
//! # let storms = stakes::synth::Storms { lists: 12, networks: 10, rows: 90, ..Default::default() };
//! # let storms = storms.generate()?;
//! # let model = Fit::with("ridge")?.fit(&storms, &Goal::act_on(3))?;
//! let options = RankOptions { reasons: 2, ..RankOptions::default() };
//! for item in model.rank_with(&storms, &options)?.to_act_on() {
//!     println!("{} {}: {}", item.list, item.id, item.because.as_ref().expect("two reasons"));
//! }
//! let explanation = explain(&model, &storms, true, &ExplainOptions::default(), None)?;
//! let (_, importance) = explanation.worth.expect("costs are known");
//! println!("without {}: {}", model.features[importance.losses[0].feature].name, importance.losses[0].cost);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Your own loss, metric or learner
//! All functions take yours as they take ours; each has a complete example in the folder `examples`.
//! * A **loss** implements [`Loss`](learn::loss::Loss), and
//!   [`BoostedTrees::new`](learn::boosted::BoostedTrees::new) makes a learner of it (`own_loss.rs`).
//! * A **metric** implements [`Rule`](metric::Rule). [`Metric::custom`](metric::Metric::custom) makes it a
//!   metric, which [`Fit::metric`](method@fit::Fit::metric) uses for early stopping and
//!   [`EvaluateOptions::own_metrics`](evaluate::EvaluateOptions::own_metrics) for evaluation (`own_metric.rs`).
//! * A **learner** implements [`Learner`](learn::Learner), and then has
//!   [`fit`](fit::FitLearner::fit) (`own_learner.rs`).
//!
//! # Errors, notes and progress
//! Every function of a workflow returns one [`Error`]. It says what was found, where (file and line, list,
//! item), and what is allowed; bad input never panics. What should be known beside a result, such as columns
//! that a model does not use, is returned as [`Note`]s; nothing is printed. An [`Observer`] follows long work
//! and may stop it: an interrupted training with an output file can be resumed.
//!
//! # Determinism
//! The same data, parameters and seed give the same model, to the byte, with any number of threads. The order
//! of the rows in a file does not matter if items have ids. The one exception is a time limit of exact
//! search, which depends on the machine; a limit of nodes does not.
//!
//! # Where to find what
//! | to | use |
//! |---|---|
//! | read and write data | [`read`], [`io`], [`data`] |
//! | make lists of a log of events | [`mod@prepare`] |
//! | keep roles, goal and parameters in a file | [`config`] |
//! | look at data before training | [`inspect`] |
//! | say what a ranking is for | [`goal`], [`cost`] |
//! | split lists into parts | [`split`], [`data::Dataset::hold_out`] |
//! | fit a model | [`fit`], [`learn`] and its [learners](learn::Learner) |
//! | compare it with a plain regression | [`judge`] |
//! | compare learners over folds or past periods, with a verdict | [`experiment`] |
//! | see how a ranking treats groups, and what measures of that cannot see | [`mod@audit`], [`fair`] |
//! | measure any ranking | [`mod@evaluate`], [`metric`], [`eval`], [`stats`] |
//! | read and rank new lists | [`data::ReadLists`], [`rank`] |
//! | see whether a model still fits: drift, calibration, churn | [`mod@monitor`] |
//! | plan within budgets and limits | [`mod@plan`] |
//! | predict the classes of rows instead of an order | [`task`], [`classes`] |
//! | see which features a model uses | [`mod@explain`] |
//! | prove how far an order is from the best linear one | [`certify`], [`exact`] |
//! | save and load models | [`model_file`], [`model`] |
//! | import models of LightGBM, XGBoost and others | [`import`] |
//! | generate data | [`synth`] |
//! | report on models, trainings, learners and metrics | [`report`], [`tables`], [`text`] |
//! | see why minimising another loss than the goal can fail | [`demo`] |
//!
//! Results are plain structs; serialised, they are the JSON of the program `stakes`.

pub mod audit;
pub mod certify;
pub mod classes;
mod column_groups;
pub mod config;
mod config_error;
pub mod data;
pub mod demo;
mod error;
pub mod evaluate;
pub mod experiment;
pub mod explain;
pub mod export;
pub mod feature_value;
pub mod fit;
pub mod glossary;
pub mod import;
mod item_groups;
pub mod judge;
mod judged_lists;
pub mod mitigate;
pub mod model_file;
pub mod monitor;
mod note;
mod observer;
mod overlap;
mod per_group;
pub mod plan;
pub mod preferences;
pub mod prepare;
mod profile;
pub mod rank;
pub mod report;
pub mod scoring;
pub mod tables;
pub mod task;
pub mod text;
mod together;
mod toml_values;
mod trained_on;

pub use error::Error;
pub use note::Note;
pub use observer::Observer;
pub use stakes_core::{
    act, cost, display, goal, jobs, metric, processor, random, shards, split, suggest,
};
pub use stakes_eval as eval;
pub use stakes_exact as exact;
pub use stakes_fair as fair;
pub use stakes_inspect as inspect;
pub use stakes_interchange as interchange;
pub use stakes_io as io;
pub use stakes_io::read;
pub use stakes_learn as learn;
pub use stakes_model as model;
pub use stakes_stats as stats;
pub use stakes_synth as synth;
pub use task::Task;

/// The types and traits that most programs need: `use stakes::prelude::*`.
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
