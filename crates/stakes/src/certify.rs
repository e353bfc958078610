//! How far an order is from the best linear one, with a proof: a bound that no linear score of the features
//! can exceed. For small data, or the top of long lists.

use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_learn::params::AutoOr;
use stakes_learn::rerank::{self, Certificate, ExactRerank, Top};
use stakes_learn::{FitContext, Observer as RunObserver};
use stakes_model::{Input, RerankScope};

use crate::evaluate::DataSize;
use crate::observer::{Silent, or_silent};
use crate::report::{ProofReport, VERSION};
use crate::{Error, Observer};

/// The search for the best linear order, and its limits.
#[derive(Debug, Clone, PartialEq)]
pub struct CertifyOptions {
    /// The search and its parameters. The default re-ranks all items; the objective is the metric of
    /// the goal unless another is given. The base is not used.
    pub search: ExactRerank,
    /// The seed of all random draws.
    pub seed: u64,
    /// The number of weights of the linear score that gives the order, if it is known: a penalty
    /// of weights is subtracted for them as well.
    pub weights: Option<usize>,
}

impl Default for CertifyOptions {
    fn default() -> Self {
        let mut search = ExactRerank::default();
        search.stages.top = Top::All;
        CertifyOptions { search, seed: 0, weights: None }
    }
}

/// Certifies the order of these scores, one for each item of the data, by the metric of the goal: its value,
/// the best linear order found, and a bound on all of them.
pub fn certify(
    problem: &Problem<'_>,
    scores: &[f64],
    options: &CertifyOptions,
    observer: Option<&mut dyn Observer>,
) -> Result<Certificate, Error> {
    let mut search = options.search.clone();
    // A metric that is not a sum over ranks is refused here, and not replaced.
    if search.stages.objective == AutoOr::Auto {
        search.stages.objective = AutoOr::Given(problem.goal().spec());
    }
    let mut silent = Silent;
    let observer: &mut dyn RunObserver = or_silent(observer, &mut silent);
    let mut cx =
        FitContext { seed: options.seed, observer: Some(observer), ..FitContext::default() };
    Ok(rerank::certify(&search, problem, scores, options.weights, &mut cx)?)
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
