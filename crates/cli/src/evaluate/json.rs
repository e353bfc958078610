//! The documented JSON of `stakes evaluate`: docs/evaluate-json.md. Fields are added, never
//! renamed or removed.

use serde::Serialize;
use stakes::data::Dataset;
use stakes::eval::curve::Curve;
use stakes::eval::reliability::Reliability;
use stakes::eval::study::Study;

#[derive(Serialize)]
struct Document<'a> {
    stakes: &'static str,
    data: Data<'a>,
    settings: Settings,
    #[serde(flatten)]
    study: &'a Study,
    curves: &'a [Curve],
    calibration: &'a [Reliability],
}

#[derive(Serialize)]
struct Data<'a> {
    source: &'a str,
    items: usize,
    lists: usize,
}

/// What was asked for.
#[derive(Serialize)]
pub(crate) struct Settings {
    pub(crate) cost: String,
    pub(crate) k: Option<String>,
    pub(crate) level: Option<f64>,
    pub(crate) resamples: Option<usize>,
    pub(crate) seed: u64,
}

pub(crate) fn render(
    data: &Dataset,
    settings: Settings,
    study: &Study,
    curves: &[Curve],
    calibration: &[Reliability],
) -> anyhow::Result<String> {
    let document = Document {
        stakes: env!("CARGO_PKG_VERSION"),
        data: Data { source: data.source(), items: data.len(), lists: data.n_lists() },
        settings,
        study,
        curves,
        calibration,
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}
