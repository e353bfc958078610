//! The search for the best weights, and its record in the model.

use stakes_exact::{Options, Outcome, Progress, Rules};

use super::task::Task;
use crate::error::FitError;
use crate::run::{FitContext, Flow};
use stakes_model::{Proof, ProofEnd};

/// The best weights, as far as they were found: the first ones if training was `stopped` before.
pub(super) fn search(
    task: &Task,
    rules: &Rules,
    options: &Options,
    cx: &mut FitContext<'_>,
    stopped: bool,
) -> Result<Outcome, FitError> {
    let mut tell = |progress: &Progress| match cx.tell_exact(progress) {
        Flow::Continue if !stopped => stakes_exact::Flow::Continue,
        _ => stakes_exact::Flow::Stop,
    };
    let mut found = stakes_exact::solve(&task.problem, rules, options, &mut tell)?;
    if !found.value.is_finite() {
        return Err(FitError::Data(
            "no weights satisfy the constraints (signs, at-most, points); relax them".into(),
        ));
    }
    // The value by the model's own sums, which are made in another order.
    let (weights, base) = found.weights.split_at(task.columns.len());
    let score = |item| {
        let (inputs, score) = task.problem.row(item).split_at(weights.len());
        let sum = 0.0 + stakes_model::dot(inputs, weights);
        score.iter().zip(base).fold(sum, |sum, (score, weight)| sum + weight * score)
    };
    let scores: Vec<f64> = (0..task.problem.items()).map(score).collect();
    let own = task.problem.value_of_scores(&scores, stakes_exact::Ties::Resolved);
    found.value = own - rules.cost(&found.weights);
    found.bound = found.bound.max(found.value);
    Ok(found)
}

/// The record of the search.
pub(super) fn proof(
    objective: String,
    task: &Task,
    before: f64,
    found: &Outcome,
    (rules, options): (&Rules, &Options),
) -> Proof {
    let ended = match found.ended {
        stakes_exact::Ended::Proven => ProofEnd::Proven,
        stakes_exact::Ended::Limit => ProofEnd::Limit,
        stakes_exact::Ended::OutOfReach => ProofEnd::OutOfReach,
        stakes_exact::Ended::Interrupted => ProofEnd::Interrupted,
    };
    let by_nodes = options.nodes.is_some_and(|nodes| found.nodes >= nodes);
    let by_clock = ended != ProofEnd::Proven && options.seconds.is_some() && !by_nodes
        || ended == ProofEnd::Interrupted;
    Proof {
        objective,
        items: task.problem.items() as u64,
        lists: task.problem.lists() as u64,
        before,
        value: found.value,
        bound: found.bound,
        penalty: rules.cost(&found.weights),
        nodes: found.nodes,
        method: found.method.to_owned(),
        formulation: found.formulation.map(|program| program.name().to_owned()),
        ended,
        seconds: by_clock.then_some(found.seconds),
    }
}
