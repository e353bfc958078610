//! TREC: judgements (`qrels`), retrieved documents (`run`), and both joined to a data set.
//!
//! The conventions of trec_eval, and how they are met here:
//! - a run's rank column is ignored; documents are ordered by score, descending;
//! - tied scores are ordered by docno, descending as bytes ([`TrecTies::DocnoDescending`]
//!   puts the rows in that order, so that stable ties give the same ranking);
//! - trec_eval stores scores in 32 bits, so scores that differ only beyond the seventh digit
//!   are tied; here scores are 64-bit numbers;
//! - a retrieved document without a judgement has relevance 0, and so has one with a negative
//!   judgement;
//! - averages are over the topics that are in the judgements and in the run
//!   ([`TrecTopics`]);
//! - lines that begin with `#` are comments; columns after the sixth of a run are ignored.

mod join;
mod lines;
mod qrels;
mod run;
mod write;

pub use join::{TrecOptions, TrecTies, TrecTopics, join_trec};
pub use qrels::{Judgement, Qrels, parse_qrels_bytes, read_qrels};
pub use run::{Retrieved, Run, parse_run_bytes, read_run};
pub use write::{write_qrels, write_run};
