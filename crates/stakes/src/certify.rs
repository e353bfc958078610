//! How far an order is from the best linear one, with a proof.

use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_learn::params::AutoOr;
use stakes_learn::rerank::{self, Certificate, ExactRerank, Top};
use stakes_learn::{FitContext, Learner, Observer};
use stakes_model::{Input, RerankScope};

use crate::Error;
use crate::evaluate::DataSize;
use crate::report::{ProofReport, VERSION};

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
    let mut learner = ExactRerank::default();
    learner.stages.top = Top::All;
    learner.stages.objective = AutoOr::Given(problem.goal().spec());
    for (key, value) in &options.parameters {
        learner.set(key, value)?;
    }
    let mut cx =
        FitContext { seed: options.seed, observer: Some(observer), ..FitContext::default() };
    Ok(rerank::certify(&learner, problem, scores, options.weights, &mut cx)?)
}

/// A certificate as a report: its JSON is that of `stakes certify --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CertifyReport {
    /// The version of this library.
    pub stakes: &'static str,
    /// The name of the order.
    pub order: String,
    /// The size of the data.
    pub data: DataSize,
    /// The value of the order, of the best linear one that was found, and the bound.
    #[serde(flatten)]
    pub proof: ProofReport,
    /// The value of the ideal order, linear or not.
    pub ideal: f64,
    /// The penalty of the weights of the order, if it is a linear score and their number is known.
    pub order_penalty: Option<f64>,
    /// Which items were re-ranked.
    pub above: RerankScope,
    /// The number of items that no linear score distinguishes from another.
    pub duplicates: usize,
    /// The duration of the search.
    pub seconds: f64,
    /// The weights of the best linear order that was found.
    pub weights: Vec<InputWeight>,
}

/// The weight of an input.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InputWeight {
    /// The feature that the input reads; null for a draw, which reads all.
    pub feature: Option<String>,
    /// The input.
    pub input: Input,
    /// Its weight.
    pub weight: f64,
}

impl CertifyReport {
    /// A report on an order, by its name, and its certificate.
    pub fn new(order: &str, data: &Dataset, found: &Certificate) -> Self {
        let features = &found.model.features;
        let weights = found.model.nets().flat_map(|net| {
            net.inputs.iter().zip(net.layers.iter().flat_map(|layer| &layer.weights))
        });
        let weight = |(input, &weight): (&Input, &f64)| InputWeight {
            feature: input.feature().map(|number| features[number].name.clone()),
            input: *input,
            weight,
        };
        CertifyReport {
            stakes: VERSION,
            order: order.to_owned(),
            data: data.into(),
            proof: (&found.proof).into(),
            ideal: found.ideal,
            order_penalty: found.order_penalty,
            above: found.above,
            duplicates: found.duplicates,
            seconds: found.seconds,
            weights: weights.map(weight).collect(),
        }
    }
}
