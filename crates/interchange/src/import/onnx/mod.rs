//! ONNX files of one model: scikit-learn's trees and linear models by skl2onnx, and whatever else has the same
//! operators.
//!
//! The graph is followed from its input to its score. Read are `TreeEnsembleRegressor` and `-Classifier` and
//! `LinearRegressor` and `-Classifier` of the domain `ai.onnx.ml`, with a `Scaler` or a `Concat` of columns before them,
//! and operators after them that change no score. ONNX Runtime adds in 32 bits, and we do in 64.

mod attributes;
mod graph;
mod linear;
mod scaler;
mod trees;

use prost::Message;

use self::graph::Steps;
use super::Content;
use super::error::Fault;
use super::found::{Found, numbered};
use crate::onnx_proto::ModelProto;

/// Far above the widest data, and small enough to allocate.
const MAX_FEATURES: usize = 1 << 20;

/// The first field is the version of the format, a small number.
pub(super) fn recognise(content: &Content<'_>) -> bool {
    matches!(content.bytes, [0x08, 1..=64, ..]) && ModelProto::decode(content.bytes).is_ok()
}

pub(super) fn read(content: &[u8]) -> Result<Found, Fault> {
    let model = ModelProto::decode(content)
        .map_err(|error| Fault::new("", format!("it is no ONNX file, or is truncated: {error}")))?;
    let producer = model.producer_name.unwrap_or_default();
    let graph = model.graph.ok_or_else(|| Fault::new("", "there is no graph in it"))?;
    let steps = Steps::of(&graph)?;
    let sum = match steps.operator.op_type() {
        "TreeEnsembleRegressor" | "TreeEnsembleClassifier" => trees::read(&steps)?,
        _ => linear::read(&steps)?,
    };
    let width = match steps.inputs.width {
        Some(width) if width < sum.width => {
            let what =
                format!("the input has {width} columns, and feature {} is read", sum.width - 1);
            return Err(Fault::new("", what));
        }
        Some(width) => width,
        None => sum.width,
    };
    if width > MAX_FEATURES {
        return Err(Fault::refused(format!(
            "it has {width} features; at most {MAX_FEATURES} are read"
        )));
    }
    let named = !steps.inputs.names.is_empty();
    let features = match named {
        true => numbered(steps.inputs.names.iter().cloned()),
        false => numbered((0..width).map(|feature| format!("f{feature}"))),
    };
    let operator = steps.operator.op_type().to_owned();
    Ok(Found {
        learner: if producer == "skl2onnx" { "scikit-learn" } else { "onnx" },
        parameters: [("operator".to_owned(), operator), ("producer".to_owned(), producer)].into(),
        features,
        named,
        link: sum.link,
        start: sum.start,
        trees: sum.trees,
        trees_per_round: 1,
        is_mean: false,
        net: sum.net,
        notes: sum.notes,
    })
}
