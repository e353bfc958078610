//! The steps from the input of a graph to its score.

use std::collections::HashMap;

use super::MAX_FEATURES;
use super::attributes::Attributes;
use super::scaler::Scaler;
use crate::import::error::Fault;
use crate::onnx_proto::{GraphProto, NodeProto, ValueInfoProto};

/// The operator that makes the score, and what comes before it.
pub(super) struct Steps<'g> {
    pub(super) operator: &'g NodeProto,
    pub(super) scaler: Option<Scaler>,
    pub(super) inputs: Inputs,
}

/// The columns that go in.
#[derive(Default)]
pub(super) struct Inputs {
    /// How many, if the file says so.
    pub(super) width: Option<usize>,
    /// Their names, if each is an input of its own.
    pub(super) names: Vec<String>,
}

const OPERATORS: [&str; 4] =
    ["TreeEnsembleRegressor", "TreeEnsembleClassifier", "LinearRegressor", "LinearClassifier"];
/// Operators that hand scores on.
const AFTER: [&str; 5] = ["Identity", "Cast", "Reshape", "Flatten", "ZipMap"];
/// Operators that hand features on.
const BEFORE: [&str; 2] = ["Identity", "Cast"];

impl<'g> Steps<'g> {
    pub(super) fn of(graph: &'g GraphProto) -> Result<Self, Fault> {
        let is_read = |node: &&NodeProto| OPERATORS.contains(&node.op_type());
        let mut found = graph.node.iter().enumerate().filter(|(_, node)| is_read(node));
        let Some((at, operator)) = found.next() else {
            let kinds: Vec<&str> = graph.node.iter().map(NodeProto::op_type).collect();
            return Err(Fault::refused(format!(
                "its operators are {}; models of one {} can be imported",
                if kinds.is_empty() {
                    "none".to_owned()
                } else {
                    kinds[..kinds.len().min(8)].join(", ")
                },
                OPERATORS.join(", ")
            )));
        };
        if let Some((_, other)) = found.next() {
            return Err(Fault::refused(format!(
                "it has several models ({} after {}); one can be imported",
                other.op_type(),
                operator.op_type()
            )));
        }
        let refuse = |node: &NodeProto, side: &str| {
            Fault::refused(format!(
                "it has the operator {} {side} {}, which is not read",
                node.op_type(),
                operator.op_type()
            ))
        };
        for node in &graph.node[at + 1..] {
            if !AFTER.contains(&node.op_type()) {
                return Err(refuse(node, "after"));
            }
        }
        let makers: HashMap<&str, &NodeProto> = graph.node[..at]
            .iter()
            .flat_map(|node| node.output.iter().map(move |output| (output.as_str(), node)))
            .collect();
        let mut name = operator.input.first().map_or("", String::as_str);
        let mut scaler = None;
        // Each step back is another node, so there are at most as many as nodes.
        for _ in 0..=graph.node.len() {
            let Some(&node) = makers.get(name) else { break };
            let first = node.input.first().map_or("", String::as_str);
            match node.op_type() {
                kind if BEFORE.contains(&kind) => name = first,
                "Scaler" if scaler.is_none() => {
                    scaler = Some(Scaler::of(&Attributes::of(node))?);
                    name = first;
                }
                "Concat" => {
                    let inputs = columns(graph, node)?;
                    return Ok(Steps { operator, scaler, inputs });
                }
                _ => return Err(refuse(node, "before")),
            }
        }
        let inputs = match input(graph, name) {
            Some(input) => Inputs { width: width(input), names: Vec::new() },
            None => return Err(Fault::new("", format!("there is no input `{name}`"))),
        };
        Ok(Steps { operator, scaler, inputs })
    }
}

/// Columns that are inputs of their own, side by side.
fn columns(graph: &GraphProto, concat: &NodeProto) -> Result<Inputs, Fault> {
    let is_column = |name: &&String| input(graph, name).is_some_and(|i| width(i) == Some(1));
    if !concat.input.iter().all(|name| is_column(&name)) {
        return Err(Fault::refused(
            "it joins inputs that are not single columns of numbers; convert the model with one matrix, or with \
             one column for each feature",
        ));
    }
    Ok(Inputs { width: Some(concat.input.len()), names: concat.input.clone() })
}

fn input<'g>(graph: &'g GraphProto, name: &str) -> Option<&'g ValueInfoProto> {
    graph.input.iter().find(|input| input.name.as_deref() == Some(name))
}

/// The second dimension, if it is given.
fn width(input: &ValueInfoProto) -> Option<usize> {
    let shape = input.r#type.as_ref()?.tensor_type.as_ref()?.shape.as_ref()?;
    let width = shape.dim.get(1)?.dim_value?;
    usize::try_from(width).ok().filter(|&width| width > 0).map(|width| width.min(MAX_FEATURES + 1))
}
