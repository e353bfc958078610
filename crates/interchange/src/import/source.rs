//! The kinds of files that are read.

use stakes_core::suggest;

use super::error::Fault;
use super::found::Found;
use super::{Content, catboost, fastrank, lightgbm, onnx, ranklib, xgboost};

/// A kind of file.
pub struct Source {
    /// The name of the library that writes it, and of the learner of an imported model.
    pub name: &'static str,
    /// How it is written.
    pub written_by: &'static str,
    /// What is read.
    pub reads: &'static str,
    /// What is refused.
    pub refuses: &'static str,
    /// How near imported scores are to the library's.
    pub scores: &'static str,
    /// What shows it.
    pub verified: &'static str,
    pub(super) recognise: fn(&Content<'_>) -> bool,
    pub(super) read: fn(&[u8]) -> Result<Found, Fault>,
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Source").field(&self.name).finish()
    }
}

/// All kinds of files that are read. The command line, the documentation and the tests walk it.
pub static SOURCES: &[Source] = &[
    Source {
        name: "lightgbm",
        written_by: "LightGBM: `booster.save_model(\"model.txt\")`",
        reads: "gbdt, dart, goss and rf; regression, poisson, gamma, tweedie, binary, cross-entropy and ranking \
                objectives; categories with their names; all three kinds of missing values",
        refuses: "several classes, linear trees, reg_sqrt, cross_entropy_lambda, more than 255 categories in the \
                  tests of a feature",
        scores: "rows of 32-bit numbers: the same to the bit without a link function, else to 1e-15",
        verified: "LightGBM 4.7: generated rows for each objective and kind of missing values, 100,000 public claims",
        recognise: lightgbm::recognise,
        read: lightgbm::read,
    },
    Source {
        name: "xgboost",
        written_by: "XGBoost: `booster.save_model(\"model.json\")` or `.ubj`",
        reads: "gbtree, dart and gblinear; regression, gamma, poisson, tweedie, survival, logistic and ranking \
                objectives; categories with their names (from version 3.1 on)",
        refuses: "several classes or targets, binary:hinge, more than 255 categories of a feature, the binary \
                  format of versions before 1.0",
        scores: "to the rounding of XGBoost's own 32-bit sums, about 1e-6",
        verified: "XGBoost 3.2: generated rows for each objective in both formats, 100,000 public claims",
        recognise: xgboost::recognise,
        read: xgboost::read,
    },
    Source {
        name: "catboost",
        written_by: "CatBoost: `model.save_model(\"model.json\", format=\"json\")`",
        reads: "symmetric and other trees; all losses of one output: exp(sum) for Poisson and Tweedie, a probability \
                for Logloss, else the sum; categories that are tested one by one, with their names",
        refuses: "several outputs, categories as target statistics (CTR), texts, embeddings",
        scores: "to 1e-14",
        verified: "CatBoost 1.2: generated rows for each kind of tree and loss",
        recognise: catboost::recognise,
        read: catboost::read,
    },
    Source {
        name: "ranklib",
        written_by: "RankLib: `-save model.txt`",
        reads: "LambdaMART, MART, Random Forests, Coordinate Ascent and Linear Regression; features are called 1, 2, \
                ... as in LETOR files",
        refuses: "nets and RankBoost, AdaRank",
        scores: "to the rounding of RankLib's own 32-bit sums, about 1e-6",
        verified: "a walk of the same XML in Python, from the source of RankLib; RankLib itself was not run",
        recognise: ranklib::recognise,
        read: ranklib::read,
    },
    Source {
        name: "onnx",
        written_by: "scikit-learn, by skl2onnx: `to_onnx(model, X[:1]).SerializeToString()`",
        reads: "TreeEnsembleRegressor, TreeEnsembleClassifier, LinearRegressor and LinearClassifier (gradient boosting, \
                forests, trees, linear and logistic regression), with a Scaler or one input per column before them",
        refuses: "several classes or targets, all other operators, tests for equality",
        scores: "to the rounding of ONNX Runtime's own 32-bit sums, about 1e-6",
        verified: "skl2onnx 1.20, scikit-learn 1.9: generated rows for each estimator",
        recognise: onnx::recognise,
        read: onnx::read,
    },
    Source {
        name: "fastrank",
        written_by: "fastrank: `json.dumps(model.to_dict())`",
        reads: "linear models, single features, trees, and ensembles of them; features are called by their numbers",
        refuses: "nothing that it writes",
        scores: "to 1e-15",
        verified: "fastrank 0.8: generated rows",
        recognise: fastrank::recognise,
        read: fastrank::read,
    },
];

/// The kind of this name.
pub fn source(name: &str) -> Result<&'static Source, String> {
    let names = || SOURCES.iter().map(|source| source.name);
    SOURCES.iter().find(|source| source.name == name).ok_or_else(|| {
        let hint = match suggest::nearest(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
        };
        format!("there is no kind of model `{name}`; {hint}")
    })
}

/// What to do with a file of no known kind.
pub(super) fn advice(content: &Content<'_>) -> String {
    let bytes = content.bytes;
    if bytes.starts_with(b"CBM1") {
        return "it is CatBoost's own format; write it as JSON: model.save_model(\"model.json\", format=\"json\")"
            .to_owned();
    }
    if bytes.starts_with(b"\x80") {
        return "it is a pickle of Python, which can hold anything; save the model by its library, or import it \
                in Python: stakes.import_model(model)"
            .to_owned();
    }
    if bytes.starts_with(b"binf") || bytes.starts_with(b"bs64") {
        return "it is an old format of XGBoost; load it by that version and save it as JSON"
            .to_owned();
    }
    if content.has("tree_info") && content.has("feature_names") {
        return "it is what LightGBM's dump_model makes; use booster.save_model(\"model.txt\")"
            .to_owned();
    }
    if content.has("format") && content.has("scorer") {
        return "it is a model of stakes already".to_owned();
    }
    let kinds: Vec<&str> = SOURCES.iter().map(|source| source.written_by).collect();
    format!("the content is of no known kind; known are files of {}", kinds.join("; "))
}
