//! Direct search for the best metric.

use super::trees::GAIN;
use super::{DENSE, LearnerInfo, param, without_trees};
use crate::learners;
use crate::params::{ParamInfo, ParamKind};

const METRIC: ParamInfo = param(
    "metric",
    "auto",
    ParamKind::Text("auto (NDCG@k), or a metric of orders such as map or rcs@10"),
    "what is to be best on the lists that are learnt from",
);

const CUTOFF: ParamInfo = param(
    "cutoff",
    "auto",
    ParamKind::Text("auto (as many as can be acted on), a number of positions, or all (NDCG)"),
    "positions that training counts; may be more than can be acted on",
);

/// How weights are searched for.
const ASCENT: &[ParamInfo] = &[
    param("rounds", "25", ParamKind::Whole(1, 100_000), "passes over all inputs at most"),
    param(
        "restarts",
        "0",
        ParamKind::Whole(0, 1000),
        "starts: all inputs alike, the best input alone, then random weights; 0: from 5 to 100, \
         more for small data",
    ),
    param(
        "tolerance",
        "0.0001",
        ParamKind::Number(0.0, 1.0),
        "what a pass must add to the metric for a start to be followed further",
    ),
    param(
        "l2",
        "0",
        ParamKind::Number(0.0, 1e6),
        "penalty on the sum of squares of weights whose sizes add up to 1, in units of the metric",
    )
    .trying(&["0", "0.01", "0.1", "0.3"]),
];

/// How inputs are boosted.
const ADARANK: &[ParamInfo] = &[
    param("rounds", "500", ParamKind::Whole(1, 100_000), "inputs at most, counting repetitions"),
    param(
        "tolerance",
        "0.0001",
        ParamKind::Number(0.0, 1.0),
        "what `patience` rounds must add to the metric on training lists to go on",
    ),
    param(
        "patience",
        "50",
        ParamKind::Whole(1, 100_000),
        "stop after so many rounds without a better figure on training or on validation lists",
    ),
    param(
        "selections",
        "5",
        ParamKind::Whole(1, 100_000),
        "rounds in a row that the same input may be taken",
    )
    .trying(&["1", "5"]),
    param(
        "sharpness",
        "1",
        ParamKind::Above0(1000.0),
        "lists count by exp(-sharpness x their value): above 1 the badly ordered count for more",
    )
    .trying(&["1", "3", "5"]),
];

const READING: ParamInfo = param(
    "reading",
    "corrected",
    ParamKind::OneOf(&["corrected", "literal"]),
    "corrected: a list's value is R, lists count by what can be saved in them; literal: A over \
     all that can be saved, lists alike",
);

/// A row; the rest says which.
const fn row(name: &'static str, title: &'static str, fit: learners::Fit) -> LearnerInfo {
    LearnerInfo { title, by_chance: true, ..without_trees(name, fit) }
}

const ASCENT_PAPER: &str =
    "Metzler and Croft, Linear feature-based models for information retrieval, 2007";
const CS_PAPER: &str = "McBride et al., Cost-sensitive learning to rank, 2019";

/// The rows.
pub(super) static ROWS: &[LearnerInfo] = &[
    LearnerInfo {
        aliases: &["cs-c-ascent"],
        optimises: "R_CS@k: the share of all savable cost that is saved",
        citation: CS_PAPER,
        mode: "cs: R_CS itself is searched for",
        groups: &[ASCENT, &[CUTOFF], DENSE],
        ..row(
            "cs-coordinate-ascent",
            "weights that are best for the cost captured, one at a time",
            learners::cs_coordinate_ascent,
        )
    },
    LearnerInfo {
        aliases: &["cr-c-ascent"],
        optimises: "R_CR@k(NDCG@k)",
        citation: CS_PAPER,
        mode: "cr: lists by what can be saved in them",
        groups: &[ASCENT, &[CUTOFF], GAIN, DENSE],
        ..row(
            "cr-coordinate-ascent",
            "weights that are best for NDCG, lists weighing what can be saved in them",
            learners::cr_coordinate_ascent,
        )
    },
    LearnerInfo {
        aliases: &["c-ascent"],
        optimises: "NDCG@k, or any metric of orders",
        citation: ASCENT_PAPER,
        groups: &[ASCENT, &[METRIC, CUTOFF], GAIN, DENSE],
        ..row(
            "coordinate-ascent",
            "weights that are best for NDCG, one at a time",
            learners::coordinate_ascent,
        )
    },
    LearnerInfo {
        aliases: &["csadarank"],
        optimises: "R_CS@k: the share of all savable cost that is saved",
        citation: CS_PAPER,
        mode: "cs: lists by what can be saved in them, and R of each",
        by_chance: false,
        groups: &[ADARANK, &[CUTOFF, READING], DENSE],
        ..row(
            "cs-adarank",
            "single inputs, boosted on lists that save little yet",
            learners::cs_adarank,
        )
    },
    LearnerInfo {
        aliases: &["ada-rank"],
        optimises: "NDCG@k, or any metric of orders from -1 to 1",
        citation: "Xu and Li, AdaRank: a boosting algorithm for information retrieval, 2007",
        by_chance: false,
        groups: &[ADARANK, &[METRIC, CUTOFF], GAIN, DENSE],
        ..row("adarank", "single inputs, boosted on lists in bad order", learners::adarank)
    },
];
