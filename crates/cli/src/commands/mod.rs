//! The commands, each with its flags and its output. They do not import each other.

pub(crate) mod audit;
pub(crate) mod backtest;
pub(crate) mod certify;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod demo;
pub(crate) mod evaluate;
pub(crate) mod explain;
pub(crate) mod generate;
pub(crate) mod glossary;
pub(crate) mod init;
pub(crate) mod inspect;
pub(crate) mod learners;
pub(crate) mod man;
pub(crate) mod metrics;
pub(crate) mod mitigate;
pub(crate) mod model;
pub(crate) mod plan;
pub(crate) mod prepare;
pub(crate) mod rank;
pub(crate) mod reproduce;
pub(crate) mod split;
pub(crate) mod train;
