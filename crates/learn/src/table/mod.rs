//! The one place where learners are enumerated, family by family.

mod auto;
mod linear;
mod nets;
mod rankboost;
mod rerank;
mod search;
mod trees;

use stakes_core::suggest;

use crate::learners::{Fit, Fitting};
use crate::params::{ParamInfo, ParamKind};

/// Every learner, by family.
pub static FAMILIES: &[(&str, &[LearnerInfo])] = &[
    ("portfolio", auto::ROWS),
    ("trees", trees::ROWS),
    ("direct search", search::ROWS),
    ("exact re-ranking", rerank::ROWS),
    ("nets", nets::ROWS),
    ("RankBoost", rankboost::ROWS),
    ("linear models and baselines", linear::ROWS),
];

/// Every learner.
pub fn learners() -> impl Iterator<Item = &'static LearnerInfo> + Clone {
    FAMILIES.iter().flat_map(|(_, rows)| rows.iter())
}

/// A learner: a row of [`FAMILIES`].
pub struct LearnerInfo {
    /// The name.
    pub name: &'static str,
    /// Other names people use.
    pub aliases: &'static [&'static str],
    /// In a few words.
    pub title: &'static str,
    /// What it optimises.
    pub optimises: &'static str,
    /// Where it comes from.
    pub citation: &'static str,
    /// How cost comes in: not at all, as the weight of lists (cr), or in what is optimised (cs).
    pub mode: &'static str,
    /// Whether the seed matters.
    pub by_chance: bool,
    /// Its parameters, group by group.
    pub groups: &'static [&'static [ParamInfo]],
    /// Defaults that differ from the groups'.
    pub defaults: &'static [(&'static str, &'static str)],
    /// Values worth trying that differ from the groups'.
    pub own_tries: &'static [(&'static str, &'static [&'static str])],
    /// What its trees speak of.
    pub(crate) trees_say: TreesSay,
    /// What it does.
    pub(crate) fit: Fitting,
}

/// What the trees of a learner speak of, which matters when a model is gone on from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TreesSay {
    /// Costs or their logarithms, in [`Scorer::unit`](stakes_model::Scorer::unit): new trees must
    /// count in the same.
    Costs,
    /// Which item comes before which: the unit is that of the data at hand.
    Differences,
    /// There are none: the score is a net, or linear.
    NoTrees,
}

impl LearnerInfo {
    /// Whether it is made of other learners ([`crate::auto`]).
    pub fn is_blend(&self) -> bool {
        matches!(self.fit, Fitting::Portfolio)
    }

    /// Whether it re-ranks what another learner puts first ([`crate::rerank`]).
    pub fn reranks(&self) -> bool {
        matches!(self.fit, Fitting::Rerank)
    }

    /// Whether its score is a sum of trees; else it is a net, or linear.
    pub fn has_trees(&self) -> bool {
        self.trees_say != TreesSay::NoTrees
    }

    /// Its parameters with their defaults.
    pub fn params(&self) -> impl Iterator<Item = (&'static ParamInfo, &'static str)> + '_ {
        self.groups.iter().flat_map(|group| group.iter()).map(|p| {
            let own = self.defaults.iter().find(|(key, _)| *key == p.key);
            (p, own.map_or(p.default, |(_, value)| *value))
        })
    }

    /// Values of a parameter that tuning draws from; none if it is left as it is.
    pub fn tries(&self, param: &ParamInfo) -> &'static [&'static str] {
        let own = self.own_tries.iter().find(|(key, _)| *key == param.key);
        own.map_or(param.tries, |(_, tries)| tries)
    }
}

/// How features become the inputs of a linear scorer or a net.
pub(crate) const DENSE: &[ParamInfo] = &[param(
    "within",
    "none",
    ParamKind::OneOf(&["none", "min-max", "z-score"]),
    "numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1",
)
.trying(&["none", "min-max", "z-score"])];

/// A learner without trees, but for what sets it apart from others.
const fn without_trees(name: &'static str, fit: Fit) -> LearnerInfo {
    LearnerInfo {
        name,
        aliases: &[],
        title: "",
        optimises: "",
        citation: "",
        mode: "none",
        by_chance: false,
        groups: &[],
        defaults: &[],
        own_tries: &[],
        trees_say: TreesSay::NoTrees,
        fit: Fitting::Stages(fit),
    }
}

const fn param(
    key: &'static str,
    default: &'static str,
    kind: ParamKind,
    help: &'static str,
) -> ParamInfo {
    ParamInfo { key, default, kind, help, tries: &[] }
}

/// The learner of a name.
pub fn learner(name: &str) -> Result<&'static LearnerInfo, String> {
    let lower = name.to_lowercase();
    let known = |l: &&LearnerInfo| l.name == lower || l.aliases.contains(&lower.as_str());
    learners().find(known).ok_or_else(|| {
        let hint = suggest::hint(&lower, learners().map(|l| l.name));
        format!("there is no learner `{name}`; {hint}")
    })
}
