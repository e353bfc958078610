//! The one place where all learners are enumerated: a family is a folder, and a line here.

use crate::families::find;
use crate::learner::{Family, Learner};
use crate::{auto, boosted, direct, forest, linear, net, rankboost, rerank};

/// Every learner, by family.
pub static FAMILIES: [Family; 8] = [
    auto::FAMILY,
    boosted::FAMILY,
    forest::FAMILY,
    direct::FAMILY,
    rerank::FAMILY,
    net::FAMILY,
    rankboost::FAMILY,
    linear::FAMILY,
];

/// Every learner, with its default parameters.
pub fn learners() -> impl Iterator<Item = Box<dyn Learner>> + Clone {
    FAMILIES.iter().flat_map(|family| family.learners.iter().map(|make| make()))
}

/// The learner of a name or an alias, with its default parameters.
pub fn learner(name: &str) -> Result<Box<dyn Learner>, String> {
    find(&FAMILIES, name)
}
