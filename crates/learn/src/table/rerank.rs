//! Exact re-ranking.

use super::{LearnerInfo, TreesSay, param};
use crate::learners::Fitting;
use crate::params::{ParamInfo, ParamKind};

/// What is re-ranked.
const STAGES: &[ParamInfo] = &[
    param(
        "base",
        "logistic",
        ParamKind::Text("a learner, which is trained with its default parameters"),
        "what scores all items before the first are re-ranked",
    ),
    param(
        "top",
        "50",
        ParamKind::Text("a number of items, 2 or more, or all"),
        "how many of the items that the base puts first are re-ranked",
    ),
    param(
        "threshold",
        "auto",
        ParamKind::OneOf(&["auto", "score", "count"]),
        "who is re-ranked in new lists: score: those above a base score; count: as many of each \
         list; auto: by score if there was one list, else by count",
    ),
    param(
        "with-base",
        "auto",
        ParamKind::OneOf(&["auto", "yes", "no"]),
        "whether the base score is one of the inputs, so that the base order can only be mended; auto: \
         unless the base is linear itself",
    ),
    param(
        "objective",
        "auto",
        ParamKind::Text("auto (the goal's metric, or R_CS@k), or a sum over ranks such as rcs@10"),
        "what is to be best on the lists that are learnt from",
    ),
];

/// What weights may be.
const RULES: &[ParamInfo] = &[
    param(
        "signs",
        "none",
        ParamKind::Text("none, or a list such as wind=+,age=-"),
        "features whose weight may not be negative (+), or not positive (-)",
    ),
    param(
        "at-most",
        "0",
        ParamKind::Whole(0, 1_000_000),
        "weights that may differ from 0; 0: as many as there are inputs",
    ),
    param(
        "points",
        "0",
        ParamKind::Whole(0, 1_000_000),
        "weights are whole numbers from minus to plus this, per unit of a feature; 0: any numbers",
    ),
    param(
        "penalty",
        "0",
        ParamKind::Number(0.0, 1e9),
        "what each weight that differs from 0 takes off the objective",
    ),
];

/// How the best weights are found.
const SEARCH: &[ParamInfo] = &[
    param(
        "time-limit",
        "auto",
        ParamKind::Text("seconds, none, or auto (60; none where nodes are given)"),
        "how long to search; what is found within a time depends on the machine",
    ),
    param(
        "nodes",
        "0",
        ParamKind::Whole(0, 1 << 53),
        "parts of the problem to look at: a limit that means the same everywhere; 0: no limit",
    ),
    param(
        "gap",
        "0.000000001",
        ParamKind::Number(0.0, 1.0),
        "a relative distance between value and bound that is small enough",
    ),
    param(
        "margin",
        "0.0001",
        ParamKind::Above0(1.0),
        "by how much scores must differ in programs (method levels, subrank, resolved)",
    ),
    param(
        "method",
        "auto",
        ParamKind::OneOf(&["auto", "cones", "levels", "subrank", "resolved", "search"]),
        "how the bound is proven; search: not at all",
    ),
    param(
        "solver",
        "auto",
        ParamKind::OneOf(&["auto", "highs", "microlp"]),
        "who solves the programs of levels, subrank and resolved",
    ),
];

/// The one row.
pub(super) static ROWS: &[LearnerInfo] = &[LearnerInfo {
    name: "exact-rerank",
    aliases: &["rerank", "mip-rerank"],
    title: "the best linear order of what another learner puts first, with proof",
    optimises: "a sum over ranks (R_CS, NDCG, DCG, AUC, ...), exactly",
    citation: "Rudin and Wang, Direct learning to rank and rerank, 2018",
    mode: "cs: the objective itself is searched for",
    by_chance: false,
    groups: &[STAGES, RULES, SEARCH],
    defaults: &[],
    own_tries: &[],
    trees_say: TreesSay::NoTrees,
    fit: Fitting::Rerank,
}];
