//! ONNX, as onnxruntime and the programs that serve with it read it.
//!
//! The input `features` is a 32-bit matrix of rows, in the model's order and with category codes; NaN is missing. The
//! outputs are `score` and, if the model is calibrated, `expected_cost`, one 64-bit number for each row. Names and
//! categories are in the metadata (`features`, as JSON).
//!
//! Trees are `TreeEnsemble` of `ai.onnx.ml` 5 in 64 bits, one for each factor; links, powers, products, nets and the
//! calibration are ordinary operators. onnxruntime adds trees in an order of its own, so that scores differ in the
//! last bits.

mod calibration;
mod graph;
mod net;
mod trees;

use prost::Message;
use serde_json::json;
use stakes_model::{Factor, Link, Model};

use super::precision::Precision;
use super::{ExportOptions, Written, parts};
use crate::onnx_proto::{ModelProto, OperatorSetIdProto, StringStringEntryProto, data_type};
use graph::Graph;

/// The input.
const FEATURES: &str = "features";
/// IR 10 and operators 21: onnxruntime from 1.18 on, with `ai.onnx.ml` 5.
const IR_VERSION: i64 = 10;
const OPERATORS: i64 = 21;
const TREE_OPERATORS: i64 = 5;

pub(super) fn refusals(model: &Model, _: bool) -> Vec<String> {
    let mut reasons = parts::of_lists(model);
    reasons.extend(parts::draws(model));
    if model.features.is_empty() {
        reasons.push("it reads no feature".into());
    }
    reasons
}

pub(super) fn write(model: &Model, _: &ExportOptions) -> Written {
    let mut graph = Graph::default();
    let mut score = graph.constant(&[model.scorer.unit], &[1, 1]);
    for factor in &model.scorer.factors {
        let value = factor_value(&mut graph, factor, model);
        let product = graph.node("Mul", &[&score, &value]);
        score = graph.clip(&product, f64::MIN, f64::MAX);
    }
    let rows = graph.number_of_rows(FEATURES);
    // Where all factors are constant there is one row so far.
    let score = graph.node("Expand", &[&score, &rows]);
    let axis = graph.integers(&[1]);
    graph.named("Squeeze", &[&score, &axis], "score");
    let mut outputs = vec!["score"];
    if let Some(calibration) = &model.calibration {
        calibration::add(&mut graph, calibration);
        outputs.push("expected_cost");
    }
    let graph = graph.finish(FEATURES, model.features.len(), &outputs);
    let set = |domain: &str, version| OperatorSetIdProto {
        domain: Some(domain.to_owned()),
        version: Some(version),
    };
    let features: Vec<_> = (model.features.iter())
        .map(|f| json!({"name": f.name, "categories": f.categories}))
        .collect();
    let entry = |key: &str, value: String| StringStringEntryProto {
        key: Some(key.to_owned()),
        value: Some(value),
    };
    let file = ModelProto {
        ir_version: Some(IR_VERSION),
        producer_name: Some("stakes".into()),
        producer_version: Some(env!("CARGO_PKG_VERSION").into()),
        domain: None,
        model_version: Some(1),
        doc_string: Some(format!("{} of stakes", model.learner)),
        graph: Some(graph),
        opset_import: vec![set("", OPERATORS), set("ai.onnx.ml", TREE_OPERATORS)],
        metadata_props: vec![
            entry("features", serde_json::Value::from(features).to_string()),
            entry("learner", model.learner.clone()),
            entry("goal", model.goal.spec().to_string()),
        ],
    };
    let names = model.features.iter().map(|feature| feature.name.clone()).collect();
    let categorical = model.features.iter().any(|feature| feature.categories.is_some());
    let notes = categorical.then(|| {
        "categories are given by code: the metadata `features` lists them; an unknown one is NaN".to_owned()
    });
    let precision = Precision::of_reordered(&model.scorer);
    Written { bytes: file.encode_to_vec(), notes: notes.into_iter().collect(), precision, names }
}

/// link(sum)^power.
fn factor_value(graph: &mut Graph, factor: &Factor, model: &Model) -> String {
    let mut constant = factor.start;
    let mut sum = None;
    let (grown, leaves): (Vec<_>, Vec<_>) =
        factor.trees.iter().partition(|tree| !tree.nodes.is_empty());
    constant += leaves.iter().map(|tree| tree.leaves[0].value).sum::<f64>();
    if !grown.is_empty() {
        sum = Some(trees::add(graph, &grown, model));
    }
    if let Some(net) = &factor.net {
        let value = match net.inputs.is_empty() {
            true => graph.constant(&[net.value(&[])], &[1, 1]),
            false => net::add(graph, net),
        };
        sum = Some(match sum {
            Some(sum) => graph.node("Add", &[&sum, &value]),
            None => value,
        });
    }
    let constant = graph.constant(&[constant], &[1, 1]);
    let sum = match sum {
        Some(sum) => graph.node("Add", &[&sum, &constant]),
        None => constant,
    };
    let power = factor.power;
    match factor.link {
        Link::Identity => sum,
        Link::Exp => {
            let sum = match power {
                1.0 => sum,
                power => {
                    let power = graph.constant(&[power], &[1, 1]);
                    graph.node("Mul", &[&sum, &power])
                }
            };
            let cap = graph.constant(&[700.0], &[1, 1]);
            let capped = graph.node("Min", &[&sum, &cap]);
            graph.node("Exp", &[&capped])
        }
        Link::Logistic => {
            let one = graph.constant(&[1.0], &[1, 1]);
            let negative = graph.node("Neg", &[&sum]);
            let odds = graph.node("Exp", &[&negative]);
            let below = graph.node("Add", &[&one, &odds]);
            let chance = graph.node("Div", &[&one, &below]);
            match power {
                1.0 => chance,
                power => {
                    let power = graph.constant(&[power], &[1, 1]);
                    graph.node("Pow", &[&chance, &power])
                }
            }
        }
    }
}

/// The kind of all numbers but the input.
const NUMBERS: i32 = data_type::DOUBLE;
