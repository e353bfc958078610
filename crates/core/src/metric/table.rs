//! The table of metrics: the only place where they are all named. The command line, the
//! documentation and the contract tests walk it.

use super::{
    Aggregate, CutoffUse, Direction, Family, MetricInfo, Reads, cost_sensitive, retrieval,
    reweighted,
};

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
];
