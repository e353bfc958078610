//! The formats.

use stakes_core::suggest;
use stakes_model::Model;

use super::checks::{
    check_by_hand, check_c, check_lightgbm, check_onnx, check_rust, check_sql, check_treelite,
    check_xgboost,
};
use super::parity::Pack;
use super::{ExportError, ExportOptions, Written};
use super::{c, dump, lightgbm, onnx, parts, ranklib, rust, sql, xgboost};

/// A format that models are written in.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// How names of its files end.
    pub ending: &'static str,
    /// What is written.
    pub writes: &'static str,
    /// What of a model it can hold, besides sums of trees with missing values.
    pub holds: &'static str,
    /// How near scores are to ours, in words.
    pub precision: &'static str,
    /// The programs that the tests score it with, and what they compare.
    pub verified_by: &'static str,
    /// Whether missing values are treated as the model does.
    pub holds_missing: bool,
    /// Whether expected costs go along.
    pub holds_calibration: bool,
    pub(super) refusals: fn(&Model, bool) -> Vec<String>,
    pub(super) write: fn(&Model, &ExportOptions) -> Written,
    pub(super) pack: Pack,
}

impl std::fmt::Debug for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Target {
    /// What of a model the format cannot hold; nothing if it can hold the model. `no_missing` says that no value
    /// will be missing.
    pub fn refusals(&self, model: &Model, no_missing: bool) -> Vec<String> {
        (self.refusals)(model, no_missing)
    }
}

/// The format of this name.
pub fn target(name: &str) -> Result<&'static Target, ExportError> {
    let names = || TARGETS.iter().map(|target| target.name);
    TARGETS.iter().find(|target| target.name == name).ok_or_else(|| ExportError::UnknownTarget {
        met: name.to_owned(),
        hint: suggest::nearest(name, names())
            .map_or_else(String::new, |near| format!("; did you mean `{near}`?")),
        all: names().collect::<Vec<_>>().join(", "),
    })
}

/// All formats.
pub static TARGETS: [Target; 10] = [
    Target {
        name: "lightgbm",
        ending: "txt",
        writes: "a text model of LightGBM 4",
        holds: "categories; one link: identity, exp or logistic; factors of exp as one sum",
        precision: "to the bit; where a unit or power is folded into leaves, to 64-bit rounding",
        verified_by: "lightgbm 4.7, `Booster.predict`, from NumPy and pandas",
        holds_missing: true,
        holds_calibration: false,
        refusals: |model, _| parts::beyond_one_sum(model),
        write: lightgbm::write,
        pack: Pack {
            names: true,
            unseen: true,
            infinite: true,
            tiny: false,
            check: check_lightgbm,
        },
    },
    Target {
        name: "xgboost",
        ending: "json",
        writes: "a JSON model of XGBoost 3",
        holds: "categories; one link: identity, exp or logistic; factors of exp as one sum",
        precision: "32-bit leaves and sums: the bound is printed",
        verified_by: "xgboost 3.2, `Booster.predict`, from NumPy and pandas",
        holds_missing: true,
        holds_calibration: false,
        refusals: |model, _| parts::beyond_one_sum_of_floats(model),
        write: xgboost::write,
        pack: Pack {
            names: true,
            unseen: false,
            infinite: false,
            tiny: true,
            check: check_xgboost,
        },
    },
    Target {
        name: "onnx",
        ending: "onnx",
        writes: "an ONNX model (IR 10, ai.onnx.ml 5) with the outputs `score` and `expected_cost`",
        holds: "categories; all links, powers and products; linear scores and nets; calibration",
        precision: "64-bit, added in another order: the bound is printed",
        verified_by: "onnx 1.23 `checker`, onnxruntime 1.31",
        holds_missing: true,
        holds_calibration: true,
        refusals: onnx::refusals,
        write: onnx::write,
        pack: Pack { names: false, unseen: false, infinite: true, tiny: true, check: check_onnx },
    },
    Target {
        name: "ranklib",
        ending: "xml",
        writes: "an ensemble of RankLib (LambdaMART)",
        holds: "numeric features; identity link; missing values only where they go as 0 does",
        precision: "32-bit leaves and sums: the bound is printed",
        verified_by: "a scorer of the test, written after RankLib's sources: the jar is not in the registries that the tests use",
        holds_missing: false,
        holds_calibration: false,
        refusals: ranklib::refusals,
        write: ranklib::write,
        pack: Pack {
            names: false,
            unseen: false,
            infinite: false,
            tiny: true,
            check: check_by_hand,
        },
    },
    Target {
        name: "es-ltr",
        ending: "json",
        writes: "a model of the Elasticsearch LTR plugin (`model/xgboost+json`)",
        holds: "numeric features; identity or logistic link; missing values only where they go as 0 and as `no` do",
        precision: "32-bit leaves and sums: the bound is printed",
        verified_by: "equal to `get_dump` of the same model in xgboost 3.2; a scorer of the test, written after the plugin's sources",
        holds_missing: false,
        holds_calibration: false,
        refusals: dump::es_ltr_refusals,
        write: dump::write,
        pack: Pack {
            names: false,
            unseen: false,
            infinite: false,
            tiny: true,
            check: check_by_hand,
        },
    },
    Target {
        name: "opensearch",
        ending: "json",
        writes: "a model of the OpenSearch LTR plugin (`model/xgboost+json`)",
        holds: "numeric features; identity or logistic link",
        precision: "32-bit leaves and sums: the bound is printed",
        verified_by: "equal to `get_dump` of the same model in xgboost 3.2; a scorer of the test, written after the plugin's sources",
        holds_missing: true,
        holds_calibration: false,
        refusals: dump::opensearch_refusals,
        write: dump::write,
        pack: Pack {
            names: false,
            unseen: false,
            infinite: false,
            tiny: true,
            check: check_by_hand,
        },
    },
    Target {
        name: "treelite",
        ending: "txt",
        writes: "the text model of LightGBM, which treelite loads",
        holds: "as lightgbm",
        precision: "as lightgbm",
        verified_by: "treelite 4.8, `load_lightgbm_model` and `gtil.predict`",
        holds_missing: true,
        holds_calibration: false,
        refusals: |model, _| parts::beyond_one_sum(model),
        write: lightgbm::write,
        pack: Pack {
            names: false,
            unseen: false,
            infinite: true,
            tiny: true,
            check: check_treelite,
        },
    },
    Target {
        name: "sql",
        ending: "sql",
        writes: "one SQL expression for PostgreSQL, DuckDB and SQLite",
        holds: "categories; all links, powers and products; linear scores; at most 200 trees with 5,000 leaves",
        precision: "64-bit: to the bit for identity links, to the database's exp otherwise",
        verified_by: "PostgreSQL 15, DuckDB 2.0, SQLite 3.40",
        holds_missing: true,
        holds_calibration: false,
        refusals: sql::refusals,
        write: sql::write,
        pack: Pack { names: true, unseen: true, infinite: true, tiny: true, check: check_sql },
    },
    Target {
        name: "c",
        ending: "c",
        writes: "a C99 file without dependencies",
        holds: "everything: all links, powers and products; nets; whole lists with their scaling and re-ranking; calibration",
        precision: "to the bit",
        verified_by: "cc `-O2 -std=c99 -Wall -Wextra -Werror`",
        holds_missing: true,
        holds_calibration: true,
        refusals: |_, _| Vec::new(),
        write: c::write,
        pack: Pack { names: false, unseen: false, infinite: true, tiny: true, check: check_c },
    },
    Target {
        name: "rust",
        ending: "rs",
        writes: "a Rust file without dependencies",
        holds: "everything: all links, powers and products; nets; whole lists with their scaling and re-ranking; calibration",
        precision: "to the bit",
        verified_by: "rustc, edition 2024, warnings as errors",
        holds_missing: true,
        holds_calibration: true,
        refusals: |_, _| Vec::new(),
        write: rust::write,
        pack: Pack { names: false, unseen: false, infinite: true, tiny: true, check: check_rust },
    },
];
