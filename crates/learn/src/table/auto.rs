//! The portfolio.

use super::trees::{INTERACTIONS, MONOTONE};
use super::{LearnerInfo, TreesSay, param};
use crate::learners::Fitting;
use crate::params::{ParamInfo, ParamKind};

/// How much work a portfolio may be.
const PORTFOLIO: &[ParamInfo] = &[
    param(
        "effort",
        "medium",
        ParamKind::OneOf(&["low", "medium", "high"]),
        "how many learners are tried, on how many folds, and how many times they are learnt",
    ),
    param(
        "rounds",
        "0",
        ParamKind::Whole(0, 100_000),
        "trees of each learner at most; 0: as many as are usual for it",
    ),
    MONOTONE,
    INTERACTIONS,
];

/// The blend of others.
pub(super) static ROWS: &[LearnerInfo] = &[LearnerInfo {
    name: "auto",
    aliases: &["portfolio", "blend"],
    title: "a blend of the learners that lists not learnt from speak for",
    optimises: "the metric of the goal, out of fold",
    citation: "Caruana et al., Ensemble selection from libraries of models, 2004; van der \
                   Laan et al., Super learner, 2007",
    mode: "cs: costs are predicted, and blended for the metric of the goal",
    by_chance: true,
    groups: &[PORTFOLIO],
    defaults: &[],
    own_tries: &[],
    trees_say: TreesSay::Costs,
    fit: Fitting::Portfolio,
}];
