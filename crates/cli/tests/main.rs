//! The program as it is used: command lines in, text and files out.

mod cli_bad_input;
mod cli_calibration;
mod cli_classes;
mod cli_convert;
mod cli_defects;
mod cli_docs;
mod cli_evaluate;
mod cli_exact;
mod cli_explain;
mod cli_families;
mod cli_generate;
mod cli_inputs;
mod cli_learners;
mod cli_metrics;
mod cli_model;
mod cli_rank;
mod cli_real_files;
mod cli_terminal;
mod cli_train;
mod cli_train_real;
mod cli_trec;
mod cli_tune;
mod common;
