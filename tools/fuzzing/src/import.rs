//! Models of other libraries: what is accepted is a model like any other.

use stakes::import::{ImportOptions, SOURCES, import as import_model};

const MAX_WIDTH: usize = 1 << 14;

/// A model file of another library; the first byte may say which.
pub fn import(data: &[u8]) {
    let by_content = ImportOptions::default();
    let (&first, rest) = data.split_first().unwrap_or((&0, data));
    let source = SOURCES.get(usize::from(first)).filter(|_| first < 8);
    let (options, content) = match source {
        Some(source) => (ImportOptions { source: Some(source), ..by_content }, rest),
        None => (by_content, data),
    };
    match import_model(content, "fuzz", &options) {
        // Many rows of a wide model take more memory than reading it did.
        Ok(imported) if imported.model.features.len() > MAX_WIDTH => {}
        Ok(imported) => crate::model::check(&imported.model),
        Err(error) => assert!(error.to_string().starts_with("fuzz"), "{error}"),
    }
}
