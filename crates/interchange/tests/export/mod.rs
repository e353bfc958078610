//! Exports: what is written, what is refused, and what the documentation says of it. Other libraries score
//! exports in `python/tests/test_export.py`.

mod compiled;
pub(crate) mod random;
mod refused;
mod table;
mod written;

use stakes_interchange::export::{ExportError, ExportOptions, Exported, export, target};
use stakes_model::Model;

/// A model of the golden files.
fn golden(name: &str) -> Model {
    let path = format!("{}/../../tests/golden/model-{name}.json", env!("CARGO_MANIFEST_DIR"));
    Model::from_json(&std::fs::read(&path).unwrap(), &path).unwrap()
}

pub(crate) fn exported(model: &Model, to: &str) -> Result<Exported, ExportError> {
    let target = target(to).unwrap();
    export(model, &ExportOptions::new(target, &format!("model.{}", target.ending)))
}
