//! The table of metrics: the only place that lists them all. The command line, the
//! documentation and the contract tests iterate over it.

use super::{
    Aggregate, CutoffUse, Direction, Family, MetricInfo, Reads, cost_sensitive, retrieval,
    reweighted,
};
use super::{average_precision, cascade, clrs, hit, regression};
use super::{boosting, csdcg, distance, pairs, rank_dcg};

const MCBRIDE: &str = "McBride et al. 2019, Cost-Sensitive Learning to Rank";
const JARVELIN: &str = "Järvelin and Kekäläinen 2002";

/// The common shape of a row: higher is better, values in [0, 1], mean of lists.
const ROW: MetricInfo = MetricInfo {
    name: "",
    aliases: &[],
    family: Family::CostSensitive,
    title: "",
    formula: "",
    citation: MCBRIDE,
    direction: Direction::Higher,
    range: (0.0, 1.0),
    reads: Reads::Order,
    halves_ties: false,
    aggregate: Aggregate::Mean,
    cutoff: CutoffUse::Optional,
    takes_inner: false,
    graded: false,
    options: &[],
    build: |o| Err(super::SpecError::Syntax(o.info.name.into())),
};

const COST: MetricInfo =
    MetricInfo { cutoff: CutoffUse::Required, options: cost_sensitive::OPTIONS, ..ROW };

const RETRIEVAL: MetricInfo = MetricInfo { family: Family::Retrieval, citation: JARVELIN, ..ROW };

const TUTORIAL: &str = "Fürnkranz and Hüllermeier 2010, Preference Learning: Loss Functions";
const SALOMON: &str = "Salomon 2020, A Cost-Aware Framework for Boosted Ranking Algorithms";

const DISTANCE: MetricInfo = MetricInfo {
    family: Family::Distance,
    citation: TUTORIAL,
    direction: Direction::Lower,
    range: (0.0, f64::INFINITY),
    cutoff: CutoffUse::None,
    options: pairs::OPTIONS,
    ..ROW
};

const CORRELATION: MetricInfo =
    MetricInfo { direction: Direction::Higher, range: (-1.0, 1.0), ..DISTANCE };

const PAIRS: MetricInfo = MetricInfo {
    family: Family::Pairs,
    citation: TUTORIAL,
    cutoff: CutoffUse::None,
    options: pairs::OPTIONS,
    ..ROW
};

const BOOSTING: MetricInfo = MetricInfo {
    family: Family::Boosting,
    citation: SALOMON,
    direction: Direction::Lower,
    cutoff: CutoffUse::None,
    ..ROW
};

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
    citation: "McBride et al. 2019, Cost-Sensitive Learning to Rank, section 2",
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
        title: "any metric, lists weighted by their savable cost; rcr@k(inner), default inner ndcg@k",
        formula: "sum_i w_i R'(L_i), w_i = Ideal@k(L_i) / sum Ideal@k",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        aggregate: Aggregate::WeightedMean,
        takes_inner: true,
        options: reweighted::OPTIONS,
        build: reweighted::build,
        ..COST
    },
    MetricInfo {
        name: "hit",
        title: "whether the costliest item is first (multiple instance ranking)",
        formula: "1[cost of the first item = largest cost of the list]",
        citation: "McBride et al. 2019, Cost-Sensitive Learning to Rank, section 2",
        halves_ties: true,
        cutoff: CutoffUse::None,
        options: &[],
        build: hit::build,
        ..COST
    },
    MetricInfo {
        name: "ndcg",
        title: "normalised discounted cumulative gain",
        formula: "DCG@k / Ideal DCG@k (2^y - 1 scaled by 2^-max y within the list)",
        graded: true,
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
        graded: true,
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
        name: "f1",
        title: "harmonic mean of precision and recall of the first k",
        formula: "2 #relevant at p <= k / (k + #relevant)",
        citation: TUTORIAL,
        cutoff: CutoffUse::Required,
        options: retrieval::RECALL_OPTIONS,
        build: |o| retrieval::build(o, retrieval::Form::F1),
        ..RETRIEVAL
    },
    MetricInfo {
        name: "accuracy",
        title: "share of items that are rightly among the first k or rightly not",
        formula: "(2 #relevant at p <= k + n - k - #relevant) / n",
        citation: TUTORIAL,
        cutoff: CutoffUse::Required,
        options: retrieval::ACCURACY_OPTIONS,
        build: |o| retrieval::build(o, retrieval::Form::Accuracy),
        ..RETRIEVAL
    },
    MetricInfo {
        name: "map",
        aliases: &["ap"],
        title: "average precision: mean precision at the positions of the relevant items",
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
        title: "expected reciprocal rank of the item that satisfies the user",
        formula: "sum_{p<=k} 1/p R_p prod_{q<p} (1 - R_q), R = (2^y - 1)/2^max",
        citation: "Chapelle et al. 2009",
        options: cascade::ERR_OPTIONS,
        build: cascade::build_err,
        ..RETRIEVAL
    },
    MetricInfo {
        name: "footrule",
        title: "Spearman's footrule: how far items are from their true rank, summed",
        formula: "sum |r - q|, weighted with weights=column",
        options: distance::FOOTRULE_OPTIONS,
        build: |o| distance::build(o, distance::Form::Footrule),
        ..DISTANCE
    },
    MetricInfo {
        name: "spearman",
        title: "Spearman distance: squared differences of rank, summed",
        formula: "sum (r - q)^2",
        options: distance::TIED_OPTIONS,
        build: |o| distance::build(o, distance::Form::Spearman),
        ..DISTANCE
    },
    MetricInfo {
        name: "spearman-rho",
        aliases: &["rho", "spearmanr"],
        title: "Spearman's rank correlation",
        formula: "1 - 6 sum (r - q)^2 / (c(c^2 - 1)); with ties Pearson's correlation of ranks",
        build: |o| distance::build(o, distance::Form::Rho),
        ..CORRELATION
    },
    MetricInfo {
        name: "kendall",
        title: "Kendall distance: number of inverted pairs, tied ones half",
        formula: "#{r_i < r_j, q_i > q_j} + 1/2 #{r_i < r_j, q_i = q_j}",
        halves_ties: true,
        build: |o| pairs::build(o, distance::kendall),
        ..DISTANCE
    },
    MetricInfo {
        name: "tau",
        aliases: &["kendall-tau", "kendalltau"],
        title: "Kendall's rank correlation",
        formula: "(concordant - discordant) / all pairs (a) or the pairs both order (b)",
        options: distance::TAU_OPTIONS,
        build: distance::build_tau,
        ..CORRELATION
    },
    MetricInfo {
        name: "position-error",
        title: "number of items before the best one",
        formula: "q(argmin r) - 1",
        build: |o| distance::build(o, distance::Form::PositionError),
        ..DISTANCE
    },
    MetricInfo {
        name: "discounted-error",
        title: "footrule with more weight on the true top",
        formula: "sum |r - q| / log(r + 1)",
        options: distance::DISCOUNTED_OPTIONS,
        build: |o| distance::build(o, distance::Form::DiscountedError),
        ..DISTANCE
    },
    MetricInfo {
        name: "rank-dcg",
        title: "discounted cumulative gain on true ranks",
        formula: "sum_{i<=k} (c - R(i)) / log2(i + 1)",
        direction: Direction::Higher,
        cutoff: CutoffUse::Optional,
        options: rank_dcg::OPTIONS,
        build: |o| rank_dcg::build(o, rank_dcg::Form::Plain),
        ..DISTANCE
    },
    MetricInfo {
        name: "rank-ndcg",
        title: "discounted cumulative gain on true ranks, normalised",
        formula: "rank DCG@k / its value in the true order",
        range: (0.0, 1.0),
        direction: Direction::Higher,
        cutoff: CutoffUse::Optional,
        graded: true,
        options: rank_dcg::OPTIONS,
        build: |o| rank_dcg::build(o, rank_dcg::Form::Normalised),
        ..DISTANCE
    },
    MetricInfo {
        name: "auc",
        title: "area under the ROC curve: share of relevant-other pairs in order, ties half",
        formula: "(#in order + 1/2 #tied) / (n+ n-)",
        options: pairs::AUC_OPTIONS,
        halves_ties: true,
        build: |o| pairs::build(o, pairs::c_index),
        ..PAIRS
    },
    MetricInfo {
        name: "mann-whitney",
        aliases: &["u"],
        title: "Mann-Whitney U: relevant-other pairs in order, ties half",
        formula: "#in order + 1/2 #tied",
        citation: "Mann and Whitney 1947",
        range: (0.0, f64::INFINITY),
        options: pairs::AUC_OPTIONS,
        halves_ties: true,
        build: |o| pairs::build(o, pairs::mann_whitney),
        ..PAIRS
    },
    MetricInfo {
        name: "c-index",
        aliases: &["cindex", "concordance"],
        title: "share of pairs of different level in order, ties half",
        formula: "(concordant + 1/2 tied in score) / pairs strict in target",
        halves_ties: true,
        build: |o| pairs::build(o, pairs::c_index),
        ..PAIRS
    },
    MetricInfo {
        name: "m-auc",
        aliases: &["mauc", "hand-till", "jonckheere-terpstra"],
        title: "mean of the AUCs of all pairs of levels",
        formula: "2 / (l(l-1)) sum_{a<b} AUC(a, b)",
        citation: "Hand and Till 2001; Jonckheere 1954",
        halves_ties: true,
        build: pairs::build_m_auc,
        ..PAIRS
    },
    MetricInfo {
        name: "gamma",
        title: "Goodman and Kruskal's gamma",
        formula: "(concordant - discordant) / (concordant + discordant)",
        citation: "Goodman and Kruskal 1979",
        range: (-1.0, 1.0),
        build: |o| pairs::build(o, pairs::gamma),
        ..PAIRS
    },
    MetricInfo {
        name: "jaccard",
        title: "strict preferences in common over those in either",
        formula: "|P and T| / |P or T|",
        build: |o| pairs::build(o, pairs::jaccard),
        ..PAIRS
    },
    MetricInfo {
        name: "pref-precision",
        title: "share of the predicted strict preferences that are true",
        formula: "|P and T| / |P|",
        build: |o| pairs::build(o, pairs::precision),
        ..PAIRS
    },
    MetricInfo {
        name: "pref-recall",
        title: "share of the true strict preferences that are predicted",
        formula: "|P and T| / |T|",
        build: |o| pairs::build(o, pairs::recall),
        ..PAIRS
    },
    MetricInfo {
        name: "pref-f1",
        title: "harmonic mean of preference precision and recall",
        formula: "2 |P and T| / (|P| + |T|)",
        build: |o| pairs::build(o, pairs::f1),
        ..PAIRS
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
        name: "rankloss",
        aliases: &["rank-loss"],
        title: "cost of wrong pairs over the cost of all, ties half (R2) or wrong (R1)",
        formula: "sum c~ 1[s_i < s_j] + 1/2 sum c~ 1[s_i = s_j]",
        aggregate: Aggregate::WeightedMean,
        options: boosting::RANK_LOSS_OPTIONS,
        build: boosting::build_rank_loss,
        ..BOOSTING
    },
    MetricInfo {
        name: "exploss",
        aliases: &["exp-loss"],
        title: "exponential loss of pairs, weighted by their cost",
        formula: "sum c~ exp(-(s_i - s_j)); tied pairs cosh(eta) with ties=cosh",
        range: (0.0, f64::INFINITY),
        reads: Reads::Values,
        aggregate: Aggregate::WeightedMean,
        options: boosting::EXP_LOSS_OPTIONS,
        build: boosting::build_exp_loss,
        ..BOOSTING
    },
    MetricInfo {
        name: "csdcg",
        title: "cost-sensitive DCG: items that belong in the lower half count negatively",
        formula: "sum_{p<=k} +-c* (2^rel - 1) / log2(p + 1), over the best permutation",
        direction: Direction::Higher,
        range: (f64::NEG_INFINITY, 1.0),
        cutoff: CutoffUse::Optional,
        options: csdcg::OPTIONS,
        build: csdcg::build,
        ..BOOSTING
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
    MetricInfo {
        name: "grade-error",
        title: "share of items whose rounded score is not their grade",
        formula: "mean 1[round(s) != y] over all items",
        citation: TUTORIAL,
        range: (0.0, 1.0),
        aggregate: Aggregate::WeightedMean,
        build: |o| regression::build(o, regression::Form::Grade),
        ..REGRESSION
    },
];
