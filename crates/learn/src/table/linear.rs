//! Linear models and baselines.

use super::{DENSE, LearnerInfo, TreesSay, param};
use crate::learners::{self, Fitting};
use crate::params::{ParamInfo, ParamKind};

/// How much the loss counts beside the size of the weights.
const C: &[ParamInfo] = &[param(
    "c",
    "auto",
    ParamKind::Text("auto, or a number above 0 and up to 1e9"),
    "strength of the loss beside 1/2 |w|^2; auto: the best on validation lists of 1e-4 to 10, \
     then of 0.6 to 1.4 times that; 1 without such lists",
)];

/// How likelihoods of orders treat items of the same cost.
const TIES: &[ParamInfo] = &[param(
    "ties",
    "together",
    ParamKind::OneOf(&["together", "order"]),
    "items of the same cost: together: in any order; order: one after the other by id, as in \
     the papers",
)];

/// U of cs-RgList.
const IMPORTANCE: &[ParamInfo] = &[
    param(
        "importance",
        "auto",
        ParamKind::OneOf(&["auto", "grade", "cost"]),
        "what a level counts: grade: pcf^grade; cost: its cost; auto: grade if all impacts are \
         whole and below 32 and the cost is made of nothing else",
    ),
    param(
        "pcf",
        "3",
        ParamKind::Number(1.0, 6.0),
        "how many times more a grade counts than the next lower one",
    )
    .trying(&["1", "2", "3", "4", "6"]),
];

/// The rows.
pub(super) static ROWS: &[LearnerInfo] = &[
    LearnerInfo {
        name: "listmle",
        aliases: &[],
        title: "linear score that makes the target orders likely",
        optimises: "likelihood of each list's order by cost (Plackett-Luce), by Newton's method",
        citation: "Xia et al., Listwise approach to learning to rank: theory and algorithm, 2008",
        mode: "none",
        by_chance: false,
        groups: &[C, TIES, DENSE],
        defaults: &[],
        own_tries: &[],
        trees_say: TreesSay::NoTrees,
        fit: Fitting::Stages(learners::listmle),
    },
    LearnerInfo {
        name: "cs-rglist",
        aliases: &["csrglist", "rglist"],
        title: "ListMLE with levels that count by grade or cost",
        optimises: "likelihood of each list's order, levels weighted by importance, by Newton's \
                    method",
        citation: "He, Cost-sensitive learning for listwise ranking functions, 2017",
        mode: "cs: levels count by grade or by cost",
        by_chance: false,
        groups: &[IMPORTANCE, C, TIES, DENSE],
        defaults: &[],
        own_tries: &[],
        trees_say: TreesSay::NoTrees,
        fit: Fitting::Stages(learners::cs_rglist),
    },
];
