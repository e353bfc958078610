//! The one place where learners are enumerated: a family is a folder, and a line here. Re-ranking, which
//! begins with one of these, is added to them by [`crate::families`].

use stakes_core::suggest;

use crate::learner::{Family, Learner};
use crate::{adaboost, auto, boosted, direct, foreign, forest, linear, net, rankboost};

/// Every family but re-ranking.
pub(crate) static FAMILIES: [Family; 8] = [
    auto::FAMILY,
    boosted::FAMILY,
    forest::FAMILY,
    direct::FAMILY,
    net::FAMILY,
    rankboost::FAMILY,
    adaboost::FAMILY,
    linear::FAMILY,
];

/// Finds a learner by its name or one of its aliases.
pub(crate) fn find<'f>(
    families: impl Iterator<Item = &'f Family> + Clone,
    name: &str,
) -> Result<Box<dyn Learner>, String> {
    let lower = name.to_lowercase();
    let all = || families.clone().flat_map(Family::learners);
    let known = |learner: &dyn Learner| {
        let about = learner.about();
        about.name == lower || about.aliases.contains(&lower.as_str())
    };
    all().find(|learner| known(&**learner)).ok_or_else(|| {
        let hint = foreign::learner_here(name).map(|here| format!("did you mean `{here}`?"));
        let names = || all().map(|learner| learner.name()).collect::<Vec<&str>>();
        let hint = hint.unwrap_or_else(|| suggest::hint(&lower, names()));
        format!("there is no learner `{name}`; {hint}")
    })
}
