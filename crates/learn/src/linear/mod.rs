//! Linear models and baselines: what a learner must beat, and what is easily understood.

mod logistic;
mod p_norm;
mod path;
mod rank_svm;

pub(crate) use logistic::Logistic;
pub(crate) use p_norm::{PNormPush, Push};
pub(crate) use path::{Path, Strengths};
pub(crate) use rank_svm::{RankSvm, Stake};
