//! Linear models and baselines: what a learner must beat, and what is easily understood.

mod path;

pub(crate) use path::{Path, Strengths};
