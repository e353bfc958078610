//! The RankBoost family.

use super::{LearnerInfo, TreesSay, param};
use crate::learners::{self, Fitting};
use crate::params::{ParamInfo, ParamKind};

const SALOMON: &str = "Salomon, Bias mitigation techniques and a cost-aware framework for boosted \
                       ranking algorithms, 2020";

/// Weak rankers and rounds.
const STUMPS: &[ParamInfo] = &[
    param("rounds", "300", ParamKind::Whole(1, 100_000), "weak rankers at most"),
    param(
        "patience",
        "50",
        ParamKind::Whole(0, 100_000),
        "stop after so many rounds without a better figure on validation; 0: never",
    ),
    param("bins", "255", ParamKind::Whole(2, 255), "values of a feature that are told apart"),
];

/// Which of RankBoost's weights.
const WEIGHTS: &[ParamInfo] = &[param(
    "weights",
    "exact",
    ParamKind::OneOf(&["exact", "cautious"]),
    "the weight of a weak ranker: exact: the one that makes the loss smallest; cautious: the same \
     with the pairs it leaves tied counted half right and half wrong, so that those that speak of \
     few pairs weigh little (Freund et al.'s third method)",
)
.trying(&["exact", "cautious"])];

/// What pairs cost.
const COSTS: &[ParamInfo] = &[
    param(
        "cost",
        "before",
        ParamKind::OneOf(&["before", "during", "after"]),
        "when pair costs come in: before: pairs begin with them; during: by and by, a root of them \
         in each round; after: weak rankers are chosen without them and weighed with them",
    ),
    param(
        "pair-cost",
        "difference",
        ParamKind::OneOf(&["difference", "product", "mean", "max"]),
        "what a pair costs, from what its two items cost",
    )
    .trying(&["difference", "mean", "max"]),
    param(
        "item-cost",
        "cost",
        ParamKind::OneOf(&["cost", "weight"]),
        "what an item costs in that: its cost (and pairs also count the product of their items' \
         weights), or its weight",
    ),
    param(
        "pair-costs",
        "none",
        ParamKind::Text("none, or a CSV file with the columns list, better, worse, cost"),
        "what pairs cost, one by one; pairs that are not named do not count",
    ),
    param(
        "class-costs",
        "auto",
        ParamKind::Text(
            "auto (the more alike two classes are, the more), or a CSV file: a line for each true \
             class, a column for each class it may be taken for",
        ),
        "multiclass: what it costs to take one class for another",
    ),
];

/// The rows.
pub(super) static ROWS: &[LearnerInfo] = &[
    LearnerInfo {
        name: "rankboost",
        aliases: &["rank-boost"],
        title: "weighted stumps for pairs in order",
        optimises: "exponential loss of pairs (E1)",
        citation: "Freund et al., An efficient boosting algorithm for combining preferences, 2003",
        mode: "none",
        by_chance: false,
        groups: &[STUMPS, WEIGHTS],
        defaults: &[],
        own_tries: &[],
        trees_say: TreesSay::Differences,
        fit: Fitting::Stages(learners::rankboost),
    },
    LearnerInfo {
        name: "rankboost+",
        aliases: &["rankboost-plus", "rank-boost+"],
        title: "RankBoost whose ties count half, without redundant stumps",
        optimises: "exponential loss of pairs, ties by cosh (E2)",
        citation: "Connamacher et al., RankBoost+: an improvement to RankBoost, 2019",
        mode: "none",
        by_chance: false,
        groups: &[STUMPS],
        defaults: &[],
        own_tries: &[],
        trees_say: TreesSay::Differences,
        fit: Fitting::Stages(learners::rankboost_plus),
    },
    LearnerInfo {
        name: "cs-rankboost",
        aliases: &["cs-rank-boost", "csrankboost"],
        title: "RankBoost on pairs that cost differently",
        optimises: "exponential loss of pairs, weighed by their costs (E1)",
        citation: SALOMON,
        mode: "cs: pairs count what it costs to get them wrong",
        by_chance: false,
        groups: &[STUMPS, WEIGHTS, COSTS],
        defaults: &[],
        own_tries: &[],
        trees_say: TreesSay::Differences,
        fit: Fitting::Stages(learners::rankboost),
    },
    LearnerInfo {
        name: "cs-rankboost+",
        aliases: &["cs-rankboost-plus", "csrankboost+"],
        title: "RankBoost+ on pairs that cost differently",
        optimises: "exponential loss of pairs, ties by cosh, weighed by their costs (E2)",
        citation: SALOMON,
        mode: "cs: pairs count what it costs to get them wrong",
        by_chance: false,
        groups: &[STUMPS, COSTS],
        defaults: &[],
        own_tries: &[],
        trees_say: TreesSay::Differences,
        fit: Fitting::Stages(learners::rankboost_plus),
    },
];
