//! Models of other libraries have the scores that these libraries give, and damaged files are refused.

mod damaged;
mod documented;
mod golden;
mod refused;

use std::path::{Path, PathBuf};

use stakes_interchange::import::{ImportError, ImportOptions, Imported};

/// The folder of models that other libraries wrote (`make.py` there).
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/interchange")
}

fn content(file: &str) -> Vec<u8> {
    std::fs::read(folder().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn import(content: &[u8]) -> Result<Imported, ImportError> {
    stakes_interchange::import::import(content, "model", &ImportOptions::default())
}

fn refused(content: impl AsRef<[u8]>) -> String {
    match import(content.as_ref()) {
        Ok(imported) => panic!("it was imported: {:?}", imported.model.scorer),
        Err(error) => error.to_string(),
    }
}
