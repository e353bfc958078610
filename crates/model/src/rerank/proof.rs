//! The result of a search for the best weights.

use serde::{Deserialize, Serialize};
use stakes_core::rank::relative_gap;

/// The result of a search for the best weights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// The name of the objective.
    pub objective: String,
    /// The number of re-ranked training items.
    pub items: u64,
    /// The number of their lists.
    pub lists: u64,
    /// The objective of the base order on all items, with ties counted against it.
    pub before: f64,
    /// The objective of the new order, less the penalty.
    pub value: f64,
    /// An upper bound of the value for all linear scores of these inputs.
    pub bound: f64,
    /// The penalty of the weights of the new order.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub penalty: f64,
    /// The number of subproblems that were examined.
    pub nodes: u64,
    /// The method that proved the bound.
    pub method: String,
    /// The mixed-integer program that was solved, if one was: `levels`, `subrank` or `resolved`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formulation: Option<String>,
    /// Why the search ended.
    pub ended: ProofEnd,
    /// The duration, if the result depends on it; left out otherwise, so that equal runs write equal
    /// bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// Why a search for the best weights ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProofEnd {
    /// The value is optimal up to the requested gap.
    Proven,
    /// The limit of time or nodes was reached.
    Limit,
    /// This method cannot prove more: there are too many inputs, or the weights must be integers.
    OutOfReach,
    /// The observer stopped it.
    Interrupted,
}

impl Proof {
    /// How far the bound is above the value, relative to the value.
    pub fn gap(&self) -> f64 {
        relative_gap(self.value, self.bound)
    }

    /// The objective of the new order, which is comparable with that of any other order.
    pub fn objective_value(&self) -> f64 {
        self.value + self.penalty
    }
}

fn is_zero(penalty: &f64) -> bool {
    *penalty == 0.0
}
