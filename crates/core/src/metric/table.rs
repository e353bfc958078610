//! The table of metrics: the only place where they are all named. The command line, the
//! documentation and the contract tests walk it.

use super::{
    Aggregate, CutoffUse, Direction, Family, MetricInfo, Reads, cost_sensitive, retrieval,
    reweighted,
};
use super::{average_precision, cascade, clrs, regression};

const PAPER_000: &str = "McBride et al., Cost-Sensitive Learning to Rank";
const JARVELIN: &str = "Jarvelin and Kekalainen 2002";

/// The common shape of a row: more is better, values in [0, 1], mean of lists.
const ROW: MetricInfo = MetricInfo {
    name: "",
    aliases: &[],
    family: Family::CostSensitive,
    title: "",
    formula: "",
    citation: PAPER_000,
    direction: Direction::Higher,
    range: (0.0, 1.0),
    reads: Reads::Order,
    aggregate: Aggregate::Mean,
    cutoff: CutoffUse::Optional,
    options: &[],
    build: |o| Err(super::SpecError::Syntax(o.spec.name.into())),
};

const COST: MetricInfo =
    MetricInfo { cutoff: CutoffUse::Required, options: cost_sensitive::OPTIONS, ..ROW };

const RETRIEVAL: MetricInfo = MetricInfo { family: Family::Retrieval, citation: JARVELIN, ..ROW };

const STATISTIC: MetricInfo = MetricInfo {
    family: Family::RankStatistic,
    citation: "Rudin and Wang 2018, Direct Learning to Rank and Rerank",
    range: (0.0, f64::INFINITY),
    cutoff: CutoffUse::None,
    options: clrs::OPTIONS,
    ..ROW
};

const REGRESSION: MetricInfo = MetricInfo {
    family: Family::Regression,
    citation: "McBride et al., Cost-Sensitive Learning to Rank, section 2",
    direction: Direction::Lower,
    range: (0.0, f64::INFINITY),
    reads: Reads::Values,
    cutoff: CutoffUse::None,
    options: regression::OPTIONS,
    ..ROW
};

/// Every metric.
pub static METRICS: &[MetricInfo] = &[
    MetricInfo {
        name: "rcs",
        aliases: &["r_cs", "r-cs"],
        title: "share of all savable cost that is saved",
        formula: "sum_i A@k(L_i) / sum_i Ideal@k(L_i)",
        aggregate: Aggregate::WeightedMean,
        build: |o| cost_sensitive::build(o, cost_sensitive::Form::WeightedShare),
        ..COST
    },
    MetricInfo {
        name: "r",
        title: "share of a list's savable cost that is saved",
        formula: "A@k / Ideal@k",
        build: |o| cost_sensitive::build(o, cost_sensitive::Form::Share),
        ..COST
    },
    MetricInfo {
        name: "a",
        title: "cost captured, per list",
        formula: "sum_{p<=k} Cost(item at p) Pr(p)",
        range: (0.0, f64::INFINITY),
        build: |o| cost_sensitive::build(o, cost_sensitive::Form::Captured),
        ..COST
    },
    MetricInfo {
        name: "saved",
        title: "cost captured, over all lists",
        formula: "sum_i A@k(L_i)",
        range: (0.0, f64::INFINITY),
        aggregate: Aggregate::Sum,
        build: |o| cost_sensitive::build(o, cost_sensitive::Form::Captured),
        ..COST
    },
    MetricInfo {
        name: "regret",
        title: "cost that a perfect order would have saved beyond this one, per list",
        formula: "Ideal@k - A@k",
        direction: Direction::Lower,
        range: (0.0, f64::INFINITY),
        build: |o| cost_sensitive::build(o, cost_sensitive::Form::Regret),
        ..COST
    },
    MetricInfo {
        name: "lift",
        title: "cost captured over that of a random order",
        formula: "sum_i A@k(L_i) / sum_i E_random[A@k(L_i)]",
        range: (0.0, f64::INFINITY),
        aggregate: Aggregate::WeightedMean,
        build: |o| cost_sensitive::build(o, cost_sensitive::Form::Lift),
        ..COST
    },
    MetricInfo {
        name: "rcr",
        aliases: &["r_cr", "r-cr"],
        title: "any metric, lists weighing what they can save; rcr@k(inner), inner = ndcg@k",
        formula: "sum_i w_i R'(L_i), w_i = Ideal@k(L_i) / sum Ideal@k",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        aggregate: Aggregate::WeightedMean,
        options: reweighted::OPTIONS,
        build: reweighted::build,
        ..COST
    },
    MetricInfo {
        name: "ndcg",
        title: "normalised discounted cumulative gain",
        formula: "DCG@k / Ideal DCG@k (2^y - 1 scaled by 2^-max y within the list)",
        options: retrieval::NDCG_OPTIONS,
        build: |o| retrieval::build(o, retrieval::Form::Ndcg),
        ..RETRIEVAL
    },
    MetricInfo {
        name: "dcg",
        title: "discounted cumulative gain",
        formula: "sum_{p<=k} gain(y at p) discount(p)",
        range: (0.0, f64::INFINITY),
        options: retrieval::DCG_OPTIONS,
        build: |o| retrieval::build(o, retrieval::Form::Dcg),
        ..RETRIEVAL
    },
    MetricInfo {
        name: "avgndcg",
        aliases: &["avg-ndcg"],
        title: "mean of NDCG@1..@k, k = 10 unless given",
        formula: "1/k sum_{c<=k} NDCG@c",
        citation: "He, Cost-Sensitive Learning for Listwise Ranking Functions",
        options: retrieval::NDCG_OPTIONS,
        build: |o| retrieval::build(o, retrieval::Form::MeanNdcg),
        ..RETRIEVAL
    },
    MetricInfo {
        name: "p",
        aliases: &["precision"],
        title: "share of relevant items among the first k",
        formula: "#relevant at p <= k / k",
        citation: "trec_eval P",
        cutoff: CutoffUse::Required,
        options: retrieval::PRECISION_OPTIONS,
        build: |o| retrieval::build(o, retrieval::Form::Precision),
        ..RETRIEVAL
    },
    MetricInfo {
        name: "recall",
        title: "share of the relevant items that are among the first k",
        formula: "#relevant at p <= k / #relevant",
        citation: "trec_eval recall",
        cutoff: CutoffUse::Required,
        options: retrieval::RECALL_OPTIONS,
        build: |o| retrieval::build(o, retrieval::Form::Recall),
        ..RETRIEVAL
    },
    MetricInfo {
        name: "map",
        aliases: &["ap"],
        title: "average precision: mean precision at the places of the relevant items",
        formula: "1/#relevant sum_{relevant at p<=k} #relevant at or above p / p",
        citation: "trec_eval map and map_cut; ties: McSherry and Najork 2008",
        options: average_precision::OPTIONS,
        build: average_precision::build,
        ..RETRIEVAL
    },
    MetricInfo {
        name: "mrr",
        aliases: &["rr"],
        title: "reciprocal rank of the first relevant item",
        formula: "1/p of the first relevant item, 0 beyond k",
        citation: "trec_eval recip_rank; ties: McSherry and Najork 2008",
        options: cascade::MRR_OPTIONS,
        build: cascade::build_mrr,
        ..RETRIEVAL
    },
    MetricInfo {
        name: "err",
        title: "expected reciprocal rank of the item that satisfies",
        formula: "sum_{p<=k} 1/p R_p prod_{q<p} (1 - R_q), R = (2^y - 1)/2^max",
        citation: "Chapelle, Metzler, Zhang and Grinspan 2009",
        options: cascade::ERR_OPTIONS,
        build: cascade::build_err,
        ..RETRIEVAL
    },
    MetricInfo {
        name: "wrs",
        title: "Wilcoxon rank sum, l = n at the top",
        formula: "sum_i cost_i l_i (= n+ n- AUC + n+(n+ + 1)/2)",
        build: |o| clrs::build(o, clrs::Weights::Rank),
        ..STATISTIC
    },
    MetricInfo {
        name: "pauc",
        aliases: &["partial-auc"],
        title: "rank sum of the top K (partial AUC)",
        formula: "sum_i cost_i l_i 1[l_i >= n-K+1]",
        cutoff: CutoffUse::Required,
        build: |o| match o.cutoff()? {
            None => Err(super::SpecError::NeedsCutoff("pauc")),
            Some(_) => clrs::build(o, clrs::Weights::Rank),
        },
        ..STATISTIC
    },
    MetricInfo {
        name: "wta",
        title: "winner takes all: the cost of the first item",
        formula: "sum_i cost_i 1[l_i = n]",
        build: |o| clrs::build(o, clrs::Weights::First),
        ..STATISTIC
    },
    MetricInfo {
        name: "mrr-sum",
        aliases: &["clrs-mrr"],
        title: "sum of cost over position (MRR in the sense of rank statistics)",
        formula: "sum_i cost_i / (n-l_i+1)",
        cutoff: CutoffUse::Optional,
        build: |o| clrs::build(o, clrs::Weights::Reciprocal),
        ..STATISTIC
    },
    MetricInfo {
        name: "clrs-dcg",
        title: "DCG as a rank statistic: of the top N with @N",
        formula: "sum_i cost_i / log2(n-l_i+2)",
        cutoff: CutoffUse::Optional,
        build: |o| clrs::build(o, clrs::Weights::Log2),
        ..STATISTIC
    },
    MetricInfo {
        name: "p-norm",
        aliases: &["pnorm"],
        title: "sum of cost by a power of the rank, as in the P-Norm Push",
        formula: "sum_i cost_i l_i^p",
        cutoff: CutoffUse::Optional,
        options: clrs::P_NORM_OPTIONS,
        build: clrs::build_p_norm,
        ..STATISTIC
    },
    MetricInfo {
        name: "rmse",
        title: "root mean square error of the scores as predictions",
        formula: "sqrt(mean (s - y)^2) over all items",
        aggregate: Aggregate::RootMeanSquare,
        build: |o| regression::build(o, regression::Form::RootMeanSquare),
        ..REGRESSION
    },
    MetricInfo {
        name: "mae",
        title: "mean absolute error of the scores as predictions",
        formula: "mean |s - y| over all items",
        aggregate: Aggregate::WeightedMean,
        build: |o| regression::build(o, regression::Form::MeanAbsolute),
        ..REGRESSION
    },
];
