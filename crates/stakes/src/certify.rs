//! How far an order is from the best linear one, with a proof.

use serde_json::{Value, json};
use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_learn::rerank::{self, Certificate, ExactRerank};
use stakes_learn::{FitContext, Learner, Observer};

use crate::evaluate::DataSize;
use crate::{Error, report};

/// How to search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CertifyOptions {
    /// Parameters of the learner `exact-rerank`. Unless they are given, `top` is `all` and the
    /// `objective` is the metric of the goal.
    pub parameters: Vec<(String, String)>,
    /// The seed of all random draws.
    pub seed: u64,
    /// The number of weights of the linear score that gives the order, if it is known: a penalty
    /// of weights is subtracted for them as well.
    pub weights: Option<usize>,
}

/// Certifies the order of these scores, one for each item of the data, by the metric of the goal.
pub fn certify(
    problem: &Problem<'_>,
    scores: &[f64],
    options: &CertifyOptions,
    observer: &mut dyn Observer,
) -> Result<Certificate, Error> {
    let objective = problem.goal().spec().to_string();
    let defaults = [("top", "all"), ("objective", objective.as_str())];
    let is_given = |key: &str| options.parameters.iter().any(|(given, _)| given == key);
    let defaults = defaults.into_iter().filter(|(key, _)| !is_given(key));
    let given = options.parameters.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    let mut learner = ExactRerank::default();
    for (key, value) in given.chain(defaults) {
        learner.set(key, value)?;
    }
    let mut cx =
        FitContext { seed: options.seed, observer: Some(observer), ..FitContext::default() };
    Ok(rerank::certify(&learner, problem, scores, options.weights, &mut cx)?)
}

/// A certificate as JSON.
pub fn document(name: &str, data: &Dataset, found: &Certificate) -> Value {
    let mut document = report::proof(&found.proof);
    document["stakes"] = env!("CARGO_PKG_VERSION").into();
    document["order"] = name.into();
    document["data"] = json!(DataSize::from(data));
    document["ideal"] = found.ideal.into();
    document["order_penalty"] = json!(found.order_penalty);
    document["above"] = json!(found.above);
    document["duplicates"] = found.duplicates.into();
    document["seconds"] = found.seconds.into();
    let weights: Vec<Value> = found
        .model
        .nets()
        .flat_map(|net| net.inputs.iter().zip(net.layers.iter().flat_map(|layer| &layer.weights)))
        .map(|(input, weight)| {
            let feature = input.feature().map(|number| &found.model.features[number].name);
            json!({ "feature": feature, "input": input, "weight": weight })
        })
        .collect();
    document["weights"] = weights.into();
    document
}
