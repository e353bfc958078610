//! Nets.

use super::trees::{GAIN, LAMBDA, SIGMA, STAKES, TEMPER};
use super::{DENSE, LearnerInfo, param, without_trees};
use crate::learners;
use crate::params::{ParamInfo, ParamKind};

/// What a net is made of, and how it learns.
pub(super) const NET: &[ParamInfo] = &[
    param(
        "hidden",
        "16",
        ParamKind::Text("0, or units of one or two hidden layers such as 16 or 32,16"),
        "0: a linear score; else the units of hidden layers",
    )
    .trying(&["0", "16", "32,16"]),
    param(
        "activation",
        "relu",
        ParamKind::OneOf(&["relu", "tanh"]),
        "what hidden units do with their sums",
    ),
    param(
        "nets",
        "6",
        ParamKind::Whole(1, 100),
        "nets whose scores are averaged, each with draws of its own; a linear score is always one",
    ),
    param(
        "rounds",
        "100",
        ParamKind::Whole(1, 100_000),
        "epochs at most: times that each list is seen",
    ),
    param("rate", "0.01", ParamKind::Above0(1.0), "learning rate: the length of Adam's steps")
        .trying(&["0.001", "0.003", "0.01", "0.03"]),
    param(
        "batch",
        "0",
        ParamKind::Whole(0, 1 << 32),
        "lists of a step; 0: a 500th of them, 32 at most",
    ),
    param("l2", "0.003", ParamKind::Number(0.0, 1e6), "penalty on the square of weights")
        .trying(&["0", "0.001", "0.003", "0.01", "0.03"]),
    param(
        "patience",
        "20",
        ParamKind::Whole(0, 100_000),
        "stop after so many epochs without a better figure on validation; 0: never",
    ),
];

/// What ListNet asks for.
const TEMPERATURE: &[ParamInfo] = &[param(
    "temperature",
    "1",
    ParamKind::Above0(1e6),
    "target shares are softmax(cost / deviation of costs / temperature): above 1 flattens them",
)
.trying(&["0.5", "1", "2", "4"])];

/// A net; the rest says which.
const fn net(
    name: &'static str,
    title: &'static str,
    groups: &'static [&'static [ParamInfo]],
    fit: learners::Fit,
) -> LearnerInfo {
    LearnerInfo { title, groups, by_chance: true, ..without_trees(name, fit) }
}

/// The rows.
pub(super) static ROWS: &[LearnerInfo] = &[
    LearnerInfo {
        optimises: "logistic loss of pairs in order",
        citation: "Burges et al., Learning to rank using gradient descent, 2005",
        ..net("ranknet", "a net for pairs in order", &[NET, &[SIGMA], DENSE], learners::ranknet)
    },
    LearnerInfo {
        optimises: "logistic loss of pairs in order, lists by what can be saved in them",
        citation: "McBride et al., Cost-Sensitive Learning to Rank (CR-RankNet)",
        mode: "cr: lists by what can be saved in them",
        ..net(
            "cr-ranknet",
            "a net for pairs in order, lists weighing what can be saved in them",
            &[NET, &[SIGMA], DENSE],
            learners::cr_ranknet,
        )
    },
    LearnerInfo {
        optimises: "cross entropy of softmax of costs and softmax of scores",
        citation: "Cao et al., Learning to rank: from pairwise approach to listwise approach, 2007",
        ..net("listnet", "a net for who comes first", &[NET, TEMPERATURE, DENSE], learners::listnet)
    },
    LearnerInfo {
        optimises: "cross entropy of softmax of costs and of scores, lists by what can be saved in them",
        citation: "McBride et al., Cost-Sensitive Learning to Rank (CR-ListNet)",
        mode: "cr: lists by what can be saved in them",
        ..net(
            "cr-listnet",
            "a net for who comes first, lists weighing what can be saved in them",
            &[NET, TEMPERATURE, DENSE],
            learners::cr_listnet,
        )
    },
    LearnerInfo {
        aliases: &["lambda-rank"],
        optimises: "NDCG@k",
        citation: "Burges et al., Learning to rank with nonsmooth cost functions, 2006",
        ..net("lambdarank", "a net for NDCG", &[NET, LAMBDA, GAIN, DENSE], learners::lambdarank)
    },
    LearnerInfo {
        aliases: &["cs-lambda-rank"],
        optimises: "R_CS@k: the share of all savable cost that is saved",
        citation: "McBride et al., Cost-Sensitive Learning to Rank (the lambdas of CS-MART)",
        mode: "cs: what exchanging two items would save",
        ..net(
            "cs-lambdarank",
            "a net for the cost captured",
            &[NET, LAMBDA, &[TEMPER, STAKES], DENSE],
            learners::cs_lambdarank,
        )
    },
];
