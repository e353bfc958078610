//! The kinds of files that are read.

use stakes_core::suggest;

use super::error::Fault;
use super::found::Found;
use super::{has_keys, lightgbm, xgboost};

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
    pub(super) recognise: fn(&[u8]) -> bool,
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
        recognise: xgboost::recognise,
        read: xgboost::read,
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
pub(super) fn advice(content: &[u8]) -> String {
    if content.starts_with(b"CBM1") {
        return "it is CatBoost's own format; write it as JSON: model.save_model(\"model.json\", format=\"json\")"
            .to_owned();
    }
    if content.starts_with(b"\x80") {
        return "it is a pickle of Python, which can hold anything; save the model by its library, or import it \
                in Python: stakes.import_model(model)"
            .to_owned();
    }
    if content.starts_with(b"binf") || content.starts_with(b"bs64") {
        return "it is an old format of XGBoost; load it by that version and save it as JSON".to_owned();
    }
    if has_keys(content, &["tree_info", "feature_names"]) {
        return "it is what LightGBM's dump_model makes; use booster.save_model(\"model.txt\")".to_owned();
    }
    if has_keys(content, &["format", "scorer"]) {
        return "it is a model of stakes already".to_owned();
    }
    let kinds: Vec<&str> = SOURCES.iter().map(|source| source.written_by).collect();
    format!("the content is of no known kind; known are files of {}", kinds.join("; "))
}
