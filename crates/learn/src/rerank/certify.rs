//! How far an order is from the best linear one, and from the best of all.
//!
//! Ties count against an order. The bound is of linear scores of these inputs; an order may lie above
//! it that is not linear. With `top`, only orders are considered that keep the items that stand first
//! above the others.

use stakes_core::cost::Problem;
use stakes_core::metric::Scale;
use stakes_exact::Outcome;

use super::search::{proof, search};
use super::task::Standing;
use super::{BINS, settings, with_points};
use crate::dense::DenseData;
use crate::fit::{FitError, Watch, check_data};
use crate::params::Settings;
use crate::prepared::Prepared;
use crate::table::TreesSay;
use stakes_model::{
    Fingerprint, Input, ListScaling, Model, Net, Proof, RerankScope, Scorer, roles_of,
};

/// What is known of an order.
pub struct Certificate {
    /// The order's value ([`Proof::before`]), the best linear one's, the bound.
    pub proof: Proof,
    /// The value of the best order there is, linear or not.
    pub ideal: f64,
    /// Which items were put in a new order.
    pub above: RerankScope,
    /// Items of the same list with the same inputs, as pairs of neighbours: no linear score tells them
    /// apart.
    pub duplicates: usize,
    /// How long it took.
    pub seconds: f64,
    /// The linear score that was found, as a model of all items.
    pub model: Model,
}

/// Certifies the order of these scores, one per item of the data. `settings` are those of the learner
/// `exact-rerank`, of which the base has no say.
pub fn certify(
    settings: &Settings,
    problem: &Problem<'_>,
    scores: &[f64],
    seed: u64,
    watch: &mut dyn Watch,
) -> Result<Certificate, FitError> {
    check_data(problem.data())?;
    let top = settings::top(settings)?;
    let options = settings::options(settings, seed)?;
    let metric = settings::objective(settings, problem.goal(), Scale::of(problem.data()))?;
    let prepared = Prepared::new(problem, None, None, None, TreesSay::NoTrees, BINS)?;
    let data = DenseData::new(&prepared, ListScaling::None)?;
    let mut model = Model {
        learner: "exact-rerank".into(),
        parameters: settings.to_texts(),
        seed,
        goal: problem.goal().clone(),
        columns: roles_of(problem.data()),
        features: prepared.features.clone(),
        list_scaling: ListScaling::None,
        data: Fingerprint::of(problem),
        stages: Vec::new(),
        members: Vec::new(),
        scorer: Scorer { unit: 1.0, factors: Vec::new() },
        calibration: None,
        bound: None,
        rerank: None,
    };
    let data = with_points(settings, &prepared, data, &model)?;
    let lists = &prepared.training.lists;
    let scores: Vec<f64> = lists.rows().iter().map(|&row| scores[row as usize]).collect();
    let standing = Standing::new(&metric, lists, &scores)?;
    let (before, ideal) = standing.value_and_ideal()?;
    let above = standing.above(top);
    let task = standing.task(above, &data.training, false)?;
    let inputs: Vec<Input> = task.columns.iter().map(|c| data.inputs[*c]).collect();
    let rules = settings::rules(settings, &model.features, &inputs)?;
    let found: Outcome = search(&task, &rules, &options, watch, false)?;
    let proof = proof(metric.name(), &task, before, &found, &options);
    model.scorer = Scorer::linear(Net::linear(inputs, found.weights));
    let (duplicates, seconds) = (task.problem.duplicates().len(), found.seconds);
    Ok(Certificate { proof, ideal, above, duplicates, seconds, model })
}
