//! Boosted trees and forests.

use super::{LearnerInfo, TreesSay, param};
use crate::learners::{self, Fitting};
use crate::params::{ParamInfo, ParamKind};

/// How trees are grown.
const TREE: &[ParamInfo] = &[
    param("leaves", "31", ParamKind::Whole(2, 4096), "leaves of a tree at most")
        .trying(&["4", "7", "15", "31", "63"]),
    param("depth", "0", ParamKind::Whole(0, 64), "levels of a tree at most; 0: no limit"),
    param("min-rows", "20", ParamKind::Whole(1, 1 << 32), "items in a leaf at least")
        .trying(&["3", "5", "10", "20", "50"]),
    param(
        "min-hessian",
        "0.001",
        ParamKind::Number(0.0, 1e12),
        "sum of second derivatives in a leaf at least",
    ),
    param("min-gain", "0", ParamKind::Number(0.0, 1e12), "improvement of a split at least"),
    param("l1", "0", ParamKind::Number(0.0, 1e12), "penalty on the size of leaf values"),
    param("l2", "0", ParamKind::Number(0.0, 1e12), "penalty on the square of leaf values")
        .trying(&["0", "1", "10"]),
    param("category-l2", "10", ParamKind::Number(0.0, 1e12), "further l2 for splits by category"),
    param("bins", "255", ParamKind::Whole(2, 255), "values of a feature that are told apart"),
    param(
        "features",
        "1",
        ParamKind::Above0(1.0),
        "share of the features that a tree may use, drawn for each tree",
    )
    .trying(&["0.3", "0.5", "0.8", "1"]),
    param(
        "features-per-split",
        "1",
        ParamKind::Above0(1.0),
        "share of those that a split may use, drawn for each node",
    ),
    param("rows", "1", ParamKind::Above0(1.0), "share of the items that a tree learns from")
        .trying(&["0.5", "0.7", "1"]),
    param("lists", "1", ParamKind::Above0(1.0), "share of the lists that a tree learns from"),
    MONOTONE,
    INTERACTIONS,
];

pub(super) const MONOTONE: ParamInfo = param(
    "monotone",
    "none",
    ParamKind::Text("none, or features with + or - such as wind:+,age:-"),
    "features that may only raise (+) or lower (-) the score",
);
pub(super) const INTERACTIONS: ParamInfo = param(
    "interactions",
    "all",
    ParamKind::Text("all, or groups of features such as wind,gust;age"),
    "groups of features that may meet on one path of a tree",
);

/// How trees are added up.
const BOOST: &[ParamInfo] = &[
    param("rounds", "500", ParamKind::Whole(1, 100_000), "trees at most"),
    param(
        "rate",
        "0.05",
        ParamKind::Above0(1.0),
        "learning rate: share of each tree that is added",
    )
    .trying(&["0.02", "0.03", "0.05", "0.1", "0.2"]),
    param(
        "patience",
        "50",
        ParamKind::Whole(0, 100_000),
        "stop after so many rounds without a better figure on validation; 0: never",
    ),
];

pub(super) const SIGMA: ParamInfo =
    param("sigma", "1", ParamKind::Above0(100.0), "steepness of the pairwise logistic")
        .trying(&["0.5", "1", "2"]);

/// How pairs are made and weighed.
pub(super) const LAMBDA: &[ParamInfo] = &[
    param(
        "cutoff",
        "auto",
        ParamKind::Text(
            "auto (as many as can be acted on), a number of positions, or all (but for cs-mart)",
        ),
        "positions that training counts; may be more than can be acted on",
    ),
    param(
        "pairs",
        "auto",
        ParamKind::Text("auto (those that the metric counts), or a number of ranks"),
        "only pairs with an item in so many first ranks are learned from",
    ),
    SIGMA,
    param(
        "normalise",
        "no",
        ParamKind::OneOf(&["no", "yes"]),
        "yes: damp pairs far apart and lists of many pairs, as LightGBM does",
    )
    .trying(&["no", "yes"]),
];

pub(super) const TEMPER: ParamInfo = param(
    "temper",
    "1",
    ParamKind::Above0(2.0),
    "costs count to this power: below 1 the largest count for less",
)
.trying(&["0.5", "0.7", "1"]);
pub(super) const STAKES: ParamInfo = param(
    "stakes",
    "1",
    ParamKind::Number(0.0, 2.0),
    "lists count by what can be saved in them to this power; 0: alike",
)
.trying(&["0", "0.5", "1"]);

/// What CS-MART begins with, and how it bends what R_CS says.
const COST_LAMBDA: &[ParamInfo] = &[
    param(
        "start",
        "two-part",
        ParamKind::OneOf(&["none", "two-part", "tweedie"]),
        "the model of the expected cost whose order is mended; none: no such model",
    ),
    param(
        "order-rounds",
        "50",
        ParamKind::Whole(1, 100_000),
        "with a start: trees that mend the order at most",
    ),
    TEMPER,
    STAKES,
    param(
        "discounts",
        "positions",
        ParamKind::OneOf(&["positions", "neighbours"]),
        "what exchanging two items changes: by their positions, or by how far they are apart",
    ),
    param(
        "noise",
        "0",
        ParamKind::Number(0.0, 100.0),
        "scores are shaken by so much (Gumbel noise) before pairs are weighed",
    ),
];

/// What lists have in common.
const LEVELS: &[ParamInfo] = &[param(
    "levels",
    "0",
    ParamKind::Number(0.0, 1e9),
    "lists have levels of their own while learning, which as many items could outweigh; 0: none",
)];

/// What a forest averages.
const SCALE: &[ParamInfo] = &[param(
    "scale",
    "cost",
    ParamKind::OneOf(&["cost", "log"]),
    "cost: the mean of costs; log: exp of the mean of log(1 + cost / mean cost)",
)
.trying(&["cost", "log"])];

/// What an impact is worth to NDCG.
pub(super) const GAIN: &[ParamInfo] = &[param(
    "gain",
    "auto",
    ParamKind::OneOf(&["auto", "exp2", "linear"]),
    "exp2: 2^y - 1, for grades; linear: y; auto: exp2 if all impacts are whole and below 32",
)];

/// How much lists count beside others.
const MODE: &[ParamInfo] = &[param(
    "mode",
    "insensitive",
    ParamKind::OneOf(&["insensitive", "cr"]),
    "insensitive: lists count alike; cr: by what can be saved in them",
)
.trying(&["insensitive", "cr"])];

/// The loss over shares of a list's cost.
const SOFTMAX: &[ParamInfo] = &[
    param(
        "temperature",
        "1",
        ParamKind::Above0(1e6),
        "above 1 flattens, below 1 sharpens the target shares",
    )
    .trying(&["0.5", "1", "2"]),
    param(
        "mode",
        "cs",
        ParamKind::OneOf(&["insensitive", "cr", "cs"]),
        "insensitive: softmax of costs, lists alike (ListNet); cr: lists by what can be saved \
         in them; cs: shares of cost, too",
    ),
];

/// The loss over pairs.
const PAIRS: &[ParamInfo] = &[
    SIGMA,
    param(
        "mode",
        "cs",
        ParamKind::OneOf(&["insensitive", "cr", "cs"]),
        "insensitive: pairs alike; cr: lists by what can be saved in them; cs: pairs by what \
         they differ in cost",
    ),
];

const TWEEDIE: &[ParamInfo] = &[param(
    "power",
    "1.5",
    ParamKind::Number(1.0, 2.0),
    "variance grows with this power of the mean: 1 Poisson, 2 gamma",
)
.trying(&["1.1", "1.3", "1.5", "1.7"])];

const REGRESSION: &[ParamInfo] = &[
    param(
        "loss",
        "squared",
        ParamKind::OneOf(&["squared", "quantile"]),
        "squared: the mean; quantile: a quantile of the cost",
    ),
    param("alpha", "0.5", ParamKind::Above0(0.999_999), "which quantile"),
];

/// What did best over the data sets of `docs/study.md`, few lists and many, zeros and none:
/// shallow trees on samples, small leaves, a low rate.
const STUDIED: &[(&str, &str)] = &[
    ("leaves", "15"),
    ("min-rows", "5"),
    ("rows", "0.7"),
    ("features", "0.8"),
    ("rate", "0.04"),
    ("levels", "10"),
];

/// Learners that grow trees.
pub(super) static ROWS: &[LearnerInfo] = &[
    LearnerInfo {
        name: "cs-mart",
        aliases: &["csmart", "cs-lambdamart"],
        title: "boosted trees for the cost captured",
        optimises: "R_CS@k: the share of all savable cost that is saved",
        citation: "McBride et al., Cost-Sensitive Learning to Rank (CS-MART)",
        mode: "cs: the metric is the cost captured",
        by_chance: true,
        groups: &[TREE, BOOST, LAMBDA, COST_LAMBDA, LEVELS],
        defaults: STUDIED,
        own_tries: &[],
        trees_say: TreesSay::Differences,
        fit: Fitting::Stages(learners::cs_mart),
    },
    LearnerInfo {
        name: "cr-mart",
        aliases: &["crmart"],
        title: "boosted trees for NDCG, lists weighing what can be saved in them",
        optimises: "R_CR@k(NDCG@k)",
        citation: "McBride et al., Cost-Sensitive Learning to Rank (CR-MART)",
        mode: "cr: lists count by what can be saved in them",
        by_chance: true,
        groups: &[TREE, BOOST, LAMBDA, GAIN],
        defaults: &[],
        own_tries: &[],
        trees_say: TreesSay::Differences,
        fit: Fitting::Stages(learners::cr_mart),
    },
    LearnerInfo {
        name: "lambdamart",
        aliases: &["lambda-mart"],
        title: "boosted trees for NDCG",
        optimises: "NDCG@k",
        citation: "Burges, From RankNet to LambdaRank to LambdaMART, 2010",
        mode: "none",
        by_chance: true,
        groups: &[TREE, BOOST, LAMBDA, GAIN],
        defaults: &[],
        own_tries: &[],
        trees_say: TreesSay::Differences,
        fit: Fitting::Stages(learners::lambdamart),
    },
    LearnerInfo {
        name: "mart",
        aliases: &["gbdt", "gbrt", "regression"],
        title: "boosted regression trees",
        optimises: "squared error of the cost (or a quantile of it)",
        citation: "Friedman, Greedy function approximation, 2001",
        mode: "none, or cr (mode)",
        by_chance: true,
        groups: &[TREE, BOOST, REGRESSION, MODE],
        defaults: &[],
        own_tries: &[],
        trees_say: TreesSay::Costs,
        fit: Fitting::Stages(learners::mart),
    },
    LearnerInfo {
        name: "cs-listnet-mart",
        aliases: &["listnet-mart", "xe-mart"],
        title: "boosted trees for the shares of a list's cost",
        optimises: "cross entropy of cost shares and softmax of scores",
        citation: "Cao et al., ListNet, 2007; Bruch et al., XE, 2021; McBride et al.",
        mode: "cs, cr or none (mode)",
        by_chance: true,
        groups: &[TREE, BOOST, SOFTMAX],
        defaults: &[],
        own_tries: &[],
        trees_say: TreesSay::Differences,
        fit: Fitting::Stages(learners::cs_listnet_mart),
    },
    LearnerInfo {
        name: "ranknet-mart",
        aliases: &["pairwise-mart"],
        title: "boosted trees for pairs in order",
        optimises: "logistic loss of pairs (cs: weighed by what they differ in cost)",
        citation: "Burges et al., RankNet, 2005; McBride et al. (CR-RankNet)",
        mode: "cs, cr or none (mode)",
        by_chance: true,
        groups: &[TREE, BOOST, PAIRS],
        defaults: &[],
        own_tries: &[],
        trees_say: TreesSay::Differences,
        fit: Fitting::Stages(learners::ranknet_mart),
    },
    LearnerInfo {
        name: "random-forest",
        aliases: &["rf", "forest"],
        title: "mean of deep regression trees on random samples",
        optimises: "squared error of the cost",
        citation: "Breiman, Random forests, 2001",
        mode: "none, or cr (mode)",
        by_chance: true,
        groups: &[
            TREE,
            &[param("rounds", "300", ParamKind::Whole(1, 100_000), "trees")],
            SCALE,
            MODE,
        ],
        defaults: &[
            ("leaves", "1024"),
            ("min-rows", "3"),
            ("rows", "0.632"),
            ("features-per-split", "0.333"),
        ],
        own_tries: &[
            ("leaves", &["64", "256", "1024"]),
            ("min-rows", &["1", "3", "5", "10", "20"]),
            ("features", &[]),
            ("features-per-split", &["0.1", "0.2", "0.333", "0.5", "0.8"]),
            ("rows", &["0.3", "0.5", "0.632", "0.8"]),
            ("l2", &[]),
        ],
        trees_say: TreesSay::Costs,
        fit: Fitting::Stages(learners::random_forest),
    },
    LearnerInfo {
        name: "tweedie-mart",
        aliases: &["tweedie"],
        title: "boosted trees for costs that are often 0 and sometimes huge",
        optimises: "Tweedie deviance of the cost",
        citation: "Jorgensen, Exponential dispersion models, 1987",
        mode: "none, or cr (mode)",
        by_chance: true,
        groups: &[TREE, BOOST, TWEEDIE, MODE],
        defaults: &[],
        own_tries: &[],
        trees_say: TreesSay::Costs,
        fit: Fitting::Stages(learners::tweedie_mart),
    },
    LearnerInfo {
        name: "two-part",
        aliases: &["hurdle"],
        title: "chance of any cost x cost if any",
        optimises: "log loss of the chance; squared error of the log of the cost",
        citation: "Duan et al., Choosing between the sample-selection model and the \
                   multi-part model, 1984",
        mode: "none: costs are what is predicted",
        by_chance: true,
        groups: &[TREE, BOOST, LEVELS],
        defaults: STUDIED,
        own_tries: &[],
        trees_say: TreesSay::Costs,
        fit: Fitting::Stages(learners::two_part),
    },
];
