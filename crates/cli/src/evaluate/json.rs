//! The documented JSON of `stakes evaluate`: docs/evaluate-json.md. Fields are added, never
//! renamed or removed.

use serde::Serialize;
use stakes::data::Dataset;
use stakes::eval::curve::Curve;
use stakes::eval::study::Study;

#[derive(Serialize)]
struct Document<'a> {
    stakes: &'static str,
    data: Data<'a>,
    #[serde(flatten)]
    study: &'a Study,
    curves: &'a [Curve],
}

#[derive(Serialize)]
struct Data<'a> {
    source: &'a str,
    items: usize,
    lists: usize,
}

pub(crate) fn render(data: &Dataset, study: &Study, curves: &[Curve]) -> anyhow::Result<String> {
    let document = Document {
        stakes: env!("CARGO_PKG_VERSION"),
        data: Data { source: data.source(), items: data.len(), lists: data.n_lists() },
        study,
        curves,
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}
