//! Linear models and baselines.

use super::nets::NET;
use super::{DENSE, LearnerInfo, param, without_trees};
use crate::learners;
use crate::params::{ParamInfo, ParamKind};

const STRENGTH: ParamKind = ParamKind::Text("auto, or a number above 0 and up to 1e9");

/// How much a loss of lists counts beside the size of the weights.
const C: &[ParamInfo] = &[param(
    "c",
    "auto",
    STRENGTH,
    "strength of the loss beside 1/2 |w|^2; auto: the best on validation lists of 1e-4 to 10, \
     then of 0.6 to 1.4 times that; 1 without such lists",
)];

/// The same for losses that are means over pairs, which are smaller.
const C_PAIRS: &[ParamInfo] = &[param(
    "c",
    "auto",
    STRENGTH,
    "strength of the loss beside 1/2 |w|^2; auto: the best on validation lists of 0.01 to 1000, \
     then of 0.6 to 1.4 times that; 10 without such lists",
)];

/// The same for a loss that is a sum over items.
const C_ITEMS: &[ParamInfo] = &[param(
    "c",
    "auto",
    STRENGTH,
    "strength of the loss beside 1/2 |w|^2; auto: the best on validation lists of 1e-5 to 10, \
     then of 0.6 to 1.4 times that; 1 without such lists",
)];

const L2: ParamInfo = param(
    "l2",
    "auto",
    STRENGTH,
    "penalty on the squares of weights, per item; auto: the best on validation lists of 100 to \
     1e-6, then of 0.6 to 1.4 times that; by generalised cross-validation without such lists",
);

const SCALE: ParamInfo = param(
    "scale",
    "cost",
    ParamKind::OneOf(&["cost", "log"]),
    "what is predicted: cost: the cost; log: log(1 + cost / mean cost), and the score is exp of it",
)
.trying(&["cost", "log"]);

const THRESHOLD: ParamInfo = param(
    "threshold",
    "auto",
    ParamKind::Text("auto, or a cost of 0 or more"),
    "cost above which an item is dear; auto: 0 if any item costs nothing, else the mean cost",
);

/// How likelihoods of orders treat items of the same cost.
const TIES: &[ParamInfo] = &[param(
    "ties",
    "together",
    ParamKind::OneOf(&["together", "order"]),
    "items of the same cost: together: in any order; order: one after the other by id, as in \
     the papers",
)];

/// How the likelihood is made large.
const SOLVER: &[ParamInfo] = &[param(
    "solver",
    "auto",
    ParamKind::OneOf(&["auto", "newton", "adam"]),
    "newton: Newton's method, for a linear score; adam: step by step, for nets, too, as the \
     parameters from hidden to patience say; auto: newton unless there are hidden layers",
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

const PAIR_MODE: ParamInfo = param(
    "mode",
    "insensitive",
    ParamKind::OneOf(&["insensitive", "cr", "cs"]),
    "insensitive: pairs alike; cr: lists by what can be saved in them; cs: pairs by what they \
     differ in cost",
)
.trying(&["insensitive", "cr", "cs"]);

const PUSH_MODE: ParamInfo = param(
    "mode",
    "insensitive",
    ParamKind::OneOf(&["insensitive", "cr", "cs"]),
    "insensitive: items and lists alike; cr: lists by what can be saved in them; cs: items push \
     by their cost, too",
)
.trying(&["insensitive", "cr", "cs"]);

const HINGE: ParamInfo = param(
    "hinge",
    "sharp",
    ParamKind::OneOf(&["sharp", "squared"]),
    "sharp: max(0, z); squared: max(0, z)^2, which is quicker",
);

const POWER: ParamInfo = param(
    "p",
    "2",
    ParamKind::Number(1.0, 32.0),
    "power of what pushes an item down; the larger, the more the top of a list counts",
)
.trying(&["1", "2", "4", "8"]);

/// The rows.
pub(super) static ROWS: &[LearnerInfo] = &[
    LearnerInfo {
        title: "linear score, or a net, that makes the target orders likely",
        optimises: "likelihood of each list's order by cost (Plackett-Luce), by Newton's method",
        citation: "Xia et al., Listwise approach to learning to rank: theory and algorithm, 2008",
        groups: &[SOLVER, C, TIES, NET, DENSE],
        defaults: &[("hidden", "0")],
        own_tries: &[("rate", &[]), ("l2", &[])],
        ..without_trees("listmle", learners::listmle)
    },
    LearnerInfo {
        aliases: &["csrglist", "rglist"],
        title: "ListMLE with levels that count by grade or cost",
        optimises: "likelihood of each list's order, levels weighted by importance, by Newton's \
                    method",
        citation: "He, Cost-Sensitive Learning for Listwise Ranking Functions",
        mode: "cs: levels count by grade or by cost",
        groups: &[IMPORTANCE, C, TIES, DENSE],
        ..without_trees("cs-rglist", learners::cs_rglist)
    },
    LearnerInfo {
        aliases: &["rank-svm", "svmrank"],
        title: "linear score that tells pairs apart by a margin",
        optimises: "hinge loss of all pairs of different cost",
        citation: "Joachims, Optimizing search engines using clickthrough data, 2002; Training \
                   linear SVMs in linear time, 2006",
        mode: "none, cr or cs (mode)",
        groups: &[C_PAIRS, &[PAIR_MODE, HINGE], DENSE],
        ..without_trees("ranksvm", learners::ranksvm)
    },
    LearnerInfo {
        aliases: &["pnormpush"],
        title: "linear score that pushes what costs little down from the top",
        optimises: "sum over items of (sum over dearer items of exp(-(s_i - s_j)))^p",
        citation: "Rudin, The P-Norm Push: a simple convex ranking algorithm that concentrates \
                   at the top of the list, 2009",
        mode: "none, cr or cs (mode)",
        groups: &[&[POWER, PUSH_MODE], C_PAIRS, DENSE],
        ..without_trees("p-norm-push", learners::p_norm_push)
    },
    LearnerInfo {
        aliases: &["linear-regression"],
        title: "linear regression of the cost",
        optimises: "squared error of the cost, or of its logarithm",
        citation: "Hoerl and Kennard, Ridge regression, 1970",
        mode: "none: costs are what is predicted",
        groups: &[&[L2, SCALE], DENSE],
        ..without_trees("ridge", learners::ridge)
    },
    LearnerInfo {
        aliases: &["logistic-regression"],
        title: "chance that an item costs more than a threshold",
        optimises: "log loss of the chance",
        citation: "Cox, The regression analysis of binary sequences, 1958",
        groups: &[&[THRESHOLD], C_ITEMS, DENSE],
        ..without_trees("logistic", learners::logistic)
    },
    LearnerInfo {
        title: "the one feature, up or down, that ranks best alone",
        optimises: "the metric of the goal, on the lists that are learnt from",
        citation: "a baseline",
        mode: "that of the metric",
        ..without_trees("best-feature", learners::best_feature)
    },
    LearnerInfo {
        title: "a score by chance, the same for the same features",
        optimises: "nothing",
        citation: "a baseline",
        by_chance: true,
        ..without_trees("random", learners::random)
    },
];
