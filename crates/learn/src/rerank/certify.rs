//! How far an order is from the best linear one, and from the best of all.
//!
//! Ties count against an order. The bound is of linear scores of these inputs; an order that is not
//! linear may exceed it. With `top`, only orders that keep the first items above the others are
//! considered.

use stakes_core::cost::Problem;
use stakes_core::metric::Scale;
use stakes_core::shards::Shards;
use stakes_exact::Outcome;

use stakes_model::{Checkpoint, Input, Model, Net, Proof, RerankScope, Scorer};

use super::base::linear;
use super::fit::with_points;
use super::search::{proof, search};
use super::task::Standing;
use super::{BINS, ExactRerank};
use crate::dense::{DenseData, Inputs};
use crate::error::FitError;
use crate::learner::{Learner, check_data, header};
use crate::prepared::Prepared;
use crate::run::FitContext;

/// How good an order is, with a proof.
pub struct Certificate {
    /// The order's value ([`Proof::before`]), the best linear one's, the bound.
    pub proof: Proof,
    /// The penalty of the weights that the order has by itself, if their number is known.
    pub order_penalty: Option<f64>,
    /// The value of the ideal order, linear or not.
    pub ideal: f64,
    /// Which items were re-ranked.
    pub above: RerankScope,
    /// Items of the same list with the same inputs, as pairs of neighbours: no linear score
    /// distinguishes them.
    pub duplicates: usize,
    /// Wall-clock time of the search.
    pub seconds: f64,
    /// The linear score that was found, as a model of all items.
    pub model: Model,
}

/// The number of weights of a linear model that are not 0; `None` if it is not linear.
pub fn linear_weights(model: &Model) -> Option<usize> {
    let net = linear(model).filter(|_| model.rerank.is_none())?;
    Some(net.layers.first()?.weights.iter().filter(|weight| **weight != 0.0).count())
}

/// Certifies the order of these scores, one per item of the data; `weights` is the number of weights
/// that give it, if that is known. The base of the learner is not used; of the context, only seed and
/// observer are.
pub fn certify(
    learner: &ExactRerank,
    problem: &Problem<'_>,
    scores: &[f64],
    weights: Option<usize>,
    cx: &mut FitContext<'_>,
) -> Result<Certificate, FitError> {
    learner.check_params()?;
    check_data(problem.data())?;
    let options = learner.options(cx.seed)?;
    let metric = learner.objective(problem.goal(), Scale::of(problem.data()))?;
    let prepared = Prepared::new(problem, None, None, None, None, BINS, &Shards::alone())?;
    let data = DenseData::new(&prepared, &Inputs::default())?;
    let header =
        Checkpoint { features: prepared.features.clone(), ..header(learner, problem, cx)? };
    let mut model = Model::new(header, Scorer { unit: 1.0, factors: Vec::new() });
    let data = with_points(learner, &prepared, data, &model)?;
    let lists = &prepared.training.lists;
    let standing = Standing::new(&metric, lists, &lists.in_order(scores))?;
    let (before, ideal) = standing.value_and_ideal()?;
    let above = standing.above(learner.selection());
    let task = standing.task(above, &data.training, false)?;
    let inputs: Vec<Input> = task.columns.iter().map(|c| data.inputs[*c]).collect();
    let rules = learner.rules(&model.features, &inputs)?;
    let found: Outcome = search(&task, &rules, &options, cx, false)?;
    let proof = proof(metric.name(), &task, before, &found, (&rules, &options));
    model.scorer = Scorer::linear(Net::linear(inputs, found.weights));
    let (duplicates, seconds) = (task.problem.duplicates().len(), found.seconds);
    let order_penalty = weights.map(|weights| rules.penalty * weights as f64);
    Ok(Certificate { proof, order_penalty, ideal, above, duplicates, seconds, model })
}
