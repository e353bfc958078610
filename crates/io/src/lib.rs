//! Readers and writers of ranking data: CSV and TSV, Excel workbooks, LETOR/SVMlight, Parquet, Arrow IPC, TREC.
//!
//! Every reader ends in [`stakes_core::data::DatasetBuilder`], and every error says what was
//! met, where, what is allowed and what to do. In all formats numbers become the nearest
//! `f64`, then `f32` for features, so that conversion between formats preserves every bit.
//!
//! ```
//! use stakes_io::{Roles, parse_csv_bytes};
//! let text = b"storm,customers,wind\na,100,14\na,0,9.5\n";
//! let data = parse_csv_bytes(text, Roles::new().list("storm").impact("customers"))?;
//! assert_eq!((data.len(), data.n_lists(), data.features().width()), (2, 1, 1));
//! # Ok::<(), stakes_io::ReadError>(())
//! ```

mod categories;
#[cfg(feature = "arrow")]
mod columnar;
#[cfg(feature = "arrow")]
mod content;
mod csv;
mod database;
mod error;
mod file_options;
mod format;
mod guard;
mod input;
#[cfg(feature = "arrow")]
mod known_rows;
mod letor;
mod limits;
mod many;
mod names;
mod notation;
mod number;
mod output;
mod pair_costs;
mod plan;
mod read;
mod roles;
mod scores;
mod sink;
mod table;
mod targets;
mod temporary;
mod trec;
mod write;
mod xlsx;

#[cfg(feature = "arrow")]
pub use columnar::{parse_arrow_bytes, parse_parquet_bytes, read_arrow_batches};
#[cfg(feature = "arrow")]
pub use content::Content;
pub use csv::parse_csv_bytes;
pub use database::database_client;
pub use error::{ReadError, WriteError};
pub use file_options::{DateOrder, Decimal, FileOptions};
pub use format::{Format, UnknownFormat};
pub use input::{decompress_bytes, read_bytes};
#[cfg(feature = "arrow")]
pub use known_rows::KnownRows;
pub use letor::parse_letor_bytes;
pub use limits::Limits;
pub use many::{is_pattern, matching_files};
pub use output::{write_bytes, write_text};
pub use pair_costs::{
    ClassTable, PairCost, parse_class_costs_bytes, parse_pair_costs_bytes, read_class_costs,
    read_pair_costs, read_preferences,
};
pub use read::{columns, read, read_files};
pub use roles::{MissingImpact, ReadOptions, Roles};
pub use scores::{AlignedScores, Scores, parse_scores_bytes, read_scores};
pub use targets::{check_target, check_targets, is_same_file};
pub use trec::{
    Judgement, Qrels, Retrieved, Run, TrecOptions, TrecTies, TrecTopics, join_trec,
    parse_qrels_bytes, parse_run_bytes, read_qrels, read_run, write_qrels, write_run,
};
pub use write::{check_write, target_format, write, write_csv_as};
pub use xlsx::parse_xlsx_bytes;
