//! Names of LightGBM, XGBoost, CatBoost and scikit-learn: those of parameters, beside the aliases that are
//! declared with them, are accepted, or the error says what to use here instead; those of learners are
//! answered with the nearest one here.

use std::fmt;

/// The meaning of a name that is not a parameter of a learner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotAParameter {
    /// The seed of the run.
    Seed,
    /// The number of threads.
    Threads,
    /// The metric of the goal.
    Metric,
    /// The number of items that can be acted on.
    Reach,
    /// The learner itself.
    Learner,
    /// The columns that hold categories.
    Categories,
    /// The roles of columns.
    Roles,
    /// Lists that are held out.
    Validation,
    /// How much is printed.
    Verbosity,
    /// Where and how trees are grown.
    Device,
}

impl fmt::Display for NotAParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotAParameter::Seed => "the seed of the run",
            NotAParameter::Threads => "the number of threads",
            NotAParameter::Metric => "the metric of the goal",
            NotAParameter::Reach => "the number of items that can be acted on",
            NotAParameter::Learner => "the learner itself",
            NotAParameter::Categories => "a property of the data: which columns hold categories",
            NotAParameter::Roles => "a property of the data: the role of a column",
            NotAParameter::Validation => "a choice of validation lists",
            NotAParameter::Verbosity => "how much is printed",
            NotAParameter::Device => {
                "nothing to choose: trees are grown by histograms, on processors"
            }
        })
    }
}

const ELSEWHERE: [(NotAParameter, &[&str]); 10] = [
    (
        NotAParameter::Seed,
        &[
            "seed",
            "random-state",
            "random-seed",
            "bagging-seed",
            "feature-fraction-seed",
            "data-random-seed",
        ],
    ),
    (
        NotAParameter::Threads,
        &["threads", "num-threads", "num-thread", "nthread", "nthreads", "n-jobs", "thread-count"],
    ),
    (NotAParameter::Metric, &["metric", "metrics", "eval-metric", "custom-metric", "metric-types"]),
    (NotAParameter::Reach, &["k", "eval-at", "ndcg-eval-at", "ndcg-at", "top"]),
    (
        NotAParameter::Learner,
        &[
            "objective",
            "objective-type",
            "app",
            "application",
            "loss",
            "loss-function",
            "boosting",
            "boosting-type",
            "boost",
            "booster",
            "learner",
        ],
    ),
    (
        NotAParameter::Categories,
        &[
            "categorical-feature",
            "categorical-features",
            "cat-feature",
            "cat-features",
            "categorical-column",
            "enable-categorical",
        ],
    ),
    (
        NotAParameter::Roles,
        &[
            "label",
            "label-column",
            "target",
            "group",
            "group-id",
            "group-column",
            "query",
            "query-column",
            "qid",
            "weight",
            "weight-column",
            "sample-weight",
            "ignore-column",
        ],
    ),
    (NotAParameter::Validation, &["valid", "valid-data", "eval-set", "validation-fraction"]),
    (
        NotAParameter::Verbosity,
        &["verbose", "verbosity", "verbose-eval", "silent", "logging-level"],
    ),
    (
        NotAParameter::Device,
        &[
            "device",
            "device-type",
            "tree-method",
            "task-type",
            "gpu-id",
            "predictor",
            "tree-learner",
            "grow-policy",
            "hist-pool-size",
            "force-col-wise",
            "force-row-wise",
        ],
    ),
];

/// Keys here, and names elsewhere.
const SAME: [(&str, &[&str]); 17] = [
    (
        "rounds",
        &[
            "n-estimators",
            "num-rounds",
            "num-round",
            "num-boost-round",
            "num-boost-rounds",
            "num-iterations",
            "num-iteration",
            "n-iter",
            "num-tree",
            "num-trees",
            "iterations",
            "trees",
            "nrounds",
            "max-iter",
        ],
    ),
    ("rate", &["learning-rate", "eta", "shrinkage", "shrinkage-rate", "learn-rate"]),
    ("leaves", &["num-leaf", "max-leaf", "max-leaf-nodes"]),
    ("depth", &["max-depth"]),
    (
        "min-rows",
        &[
            "min-data",
            "min-data-per-leaf",
            "min-child-sample",
            "min-samples-leaf",
            "min-leaf-size",
            "nodesize",
        ],
    ),
    ("min-hessian", &["min-sum-hessian", "min-sum-hessian-per-leaf"]),
    ("min-gain", &["min-split-loss", "min-impurity-decrease"]),
    ("l1", &["alpha", "l1-regularization", "reg-l1"]),
    ("l2", &["lambda", "l2-regularization", "reg-l2", "l2-leaf-regularizer", "weight-decay"]),
    ("bins", &["border-count", "n-bins", "nbins"]),
    ("features", &["sub-feature", "rsm", "mtry"]),
    ("features-per-split", &["sub-feature-bynode", "colsample-bylevel", "max-features"]),
    ("rows", &["sub-row", "bagging", "sample-rate", "max-samples"]),
    (
        "patience",
        &[
            "early-stopping-round",
            "early-stopping",
            "n-iter-no-change",
            "od-wait",
            "stopping-rounds",
        ],
    ),
    ("monotone", &["mc", "monotone-constraint", "monotonic-cst", "monotonic-constraints"]),
    ("cutoff", &["lambdarank-truncation-level", "max-position"]),
    ("sigma", &["sigmoid"]),
];

/// The key that a name of another library has here.
pub(crate) fn key_here(name: &str) -> Option<&'static str> {
    SAME.iter().find(|(_, names)| names.contains(&name)).map(|(key, _)| *key)
}

/// Returns the meaning of a name that other libraries have for something that is no parameter of a
/// learner here.
pub fn not_a_parameter(name: &str) -> Option<NotAParameter> {
    ELSEWHERE.iter().find(|(_, names)| names.contains(&name)).map(|(what, _)| *what)
}

/// Learners here, and names elsewhere: of libraries, of their objectives and of their classes.
const LEARNERS: [(&str, &[&str]); 12] = [
    (
        "lambdamart",
        &[
            "lightgbm",
            "lgbm",
            "lgb",
            "lgbmranker",
            "xgboost",
            "xgb",
            "xgbranker",
            "catboost",
            "catboostranker",
            "rank:ndcg",
            "rank:map",
            "yetirank",
        ],
    ),
    (
        "mart",
        &[
            "gbm",
            "gradient-boosting",
            "hist-gradient-boosting",
            "boosted-trees",
            "boosting",
            "gbtree",
            "lgbmregressor",
            "xgbregressor",
            "catboostregressor",
            "reg:squarederror",
        ],
    ),
    ("ranknet-mart", &["rank:pairwise", "pairwise", "pairlogit"]),
    ("cs-listnet-mart", &["rank-xendcg", "xendcg", "listwise", "queryrmse", "querysoftmax"]),
    ("tweedie-mart", &["poisson", "gamma", "reg:tweedie", "count:poisson"]),
    ("random-forest", &["randomforestregressor", "extra-trees", "extratrees", "ranger"]),
    ("ridge", &["linear", "ols", "lm", "lasso", "elastic-net", "elasticnet", "glm"]),
    ("logistic", &["logit", "classifier", "binary"]),
    ("ranksvm", &["svmlight", "svm-rank"]),
    ("svm", &["svc", "svr", "linearsvc", "libsvm", "liblinear"]),
    ("ranknet", &["mlp", "neural-net", "neural-network", "nn", "deep-learning"]),
    ("auto", &["automl", "ensemble", "stacking", "voting", "best"]),
];

/// The learner that is nearest to what another library calls by this name.
pub(crate) fn learner_here(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase().replace('_', "-");
    LEARNERS.iter().find(|(_, names)| names.contains(&name.as_str())).map(|(here, _)| *here)
}
