//! The second stage of a model that re-ranks, and what the search for it has proven.

use std::collections::BTreeMap;

use serde::Serialize;
use stakes_model::{Input, Proof, ProofEnd, Rerank, RerankScope};

/// The second stage of a model that re-ranks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RerankReport {
    /// The result of the search for the weights.
    #[serde(flatten)]
    pub proof: ProofReport,
    /// The learner of the first stage.
    pub base: BaseReport,
    /// Which items are re-ranked.
    pub above: RerankScope,
    /// The duration of the search, if it is known.
    pub seconds: Option<f64>,
    /// What the weights are weights of.
    pub inputs: Vec<Input>,
    /// The weight of the base score.
    pub base_weight: f64,
    /// The weights of the inputs.
    pub weights: Option<Vec<f64>>,
}

/// The learner of the first stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BaseReport {
    /// Its name.
    pub learner: String,
    /// All its parameters, as texts.
    pub parameters: BTreeMap<String, String>,
}

/// The result of an exact search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProofReport {
    /// The name of the objective.
    pub objective: String,
    /// The number of re-ranked items.
    pub items: u64,
    /// The number of their lists.
    pub lists: u64,
    /// The objective of the order before.
    pub before: f64,
    /// The objective of the new order, less the penalty.
    pub value: f64,
    /// An upper bound of the value for all linear scores of these inputs.
    pub bound: f64,
    /// The penalty of the weights of the new order.
    pub penalty: f64,
    /// How far the bound is above the value, relative to the value.
    pub gap: f64,
    /// The number of subproblems that were examined.
    pub nodes: u64,
    /// The method that proved the bound.
    pub method: String,
    /// The mixed-integer program that was solved, if one was.
    pub formulation: Option<String>,
    /// Why the search ended.
    pub ended: ProofEnd,
}

impl From<&Proof> for ProofReport {
    fn from(proof: &Proof) -> Self {
        ProofReport {
            objective: proof.objective.clone(),
            items: proof.items,
            lists: proof.lists,
            before: proof.before,
            value: proof.value,
            bound: proof.bound,
            penalty: proof.penalty,
            gap: proof.gap(),
            nodes: proof.nodes,
            method: proof.method.clone(),
            formulation: proof.formulation.clone(),
            ended: proof.ended,
        }
    }
}

impl From<&Rerank> for RerankReport {
    fn from(rerank: &Rerank) -> Self {
        RerankReport {
            proof: (&rerank.proof).into(),
            base: BaseReport {
                learner: rerank.base.clone(),
                parameters: rerank.base_parameters.clone(),
            },
            above: rerank.scope,
            seconds: rerank.proof.seconds,
            inputs: rerank.net.inputs.clone(),
            base_weight: rerank.base_weight,
            weights: rerank.net.layers.last().map(|layer| layer.weights.clone()),
        }
    }
}
