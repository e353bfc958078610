//! Linear models and simple baselines.

mod logistic;
mod p_norm;
mod path;
mod rank_svm;
mod ridge;
mod simple;

pub(crate) use logistic::Logistic;
pub(crate) use p_norm::{PNormPush, Push};
pub(crate) use path::{Path, Solve, Strengths};
pub(crate) use rank_svm::{PairWeight, RankSvm};
pub(crate) use ridge::Ridge;
pub(crate) use simple::{Known, best_input};
