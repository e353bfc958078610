//! The learners that can be the base of re-ranking: all but re-ranking itself.

use stakes_core::suggest;

use crate::learner::{Family, Learner};
use crate::{auto, boosted, direct, forest, linear, net, rankboost};

/// The families.
pub(crate) const FAMILIES: [Family; 7] = [
    auto::FAMILY,
    boosted::FAMILY,
    forest::FAMILY,
    direct::FAMILY,
    net::FAMILY,
    rankboost::FAMILY,
    linear::FAMILY,
];

/// The learner of a name, with its default parameters.
pub(crate) fn learner(name: &str) -> Result<Box<dyn Learner>, String> {
    find(&FAMILIES, name)
}

/// Finds a learner by its name or one of its aliases.
pub(crate) fn find(families: &[Family], name: &str) -> Result<Box<dyn Learner>, String> {
    let lower = name.to_lowercase();
    let all = || families.iter().flat_map(|family| family.learners.iter().map(|make| make()));
    let known = |learner: &dyn Learner| {
        let about = learner.about();
        about.name == lower || about.aliases.contains(&lower.as_str())
    };
    all().find(|learner| known(&**learner)).ok_or_else(|| {
        let names: Vec<&str> = all().map(|learner| learner.name()).collect();
        let hint = suggest::hint(&lower, names);
        format!("there is no learner `{name}`; {hint}")
    })
}
