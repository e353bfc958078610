//! Which features a model uses, the cost that each saves, and how scores depend on them.

mod picture;
mod report;

use std::collections::HashSet;

use stakes_core::cost::{Capacity, Problem};
use stakes_core::data::Dataset;
use stakes_core::metric::Scale;
use stakes_core::suggest;
use stakes_model::Model;
use stakes_model::explain::{
    Dependence, JointDependence, PermutationImportance, PermutationOptions, Sample,
    permutation_importance, saved_cost_metric,
};

pub use picture::svg;
pub use report::{
    CurvePoint, ExplainReport, ExplainSettings, FeatureCurve, FeatureWorth, Interaction, SavedCost,
    Shuffled,
};

use crate::evaluate::DataSize;
use crate::{Error, Note, data};

/// The number of features whose curves are made when none are named.
const MAX_CURVES: usize = 6;

/// A stage of a model that re-ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The score of all items.
    Base,
    /// The score of the items that the base puts first.
    Rerank,
}

/// The stage of a model as a model of its own; each of two stages has reasons of its own.
pub fn stage(model: Model, stage: Option<Stage>) -> Result<(Model, Option<Note>), Error> {
    match (stage, &model.rerank) {
        (None, None) => Ok((model, None)),
        (None, Some(_)) => Err(Error::TwoStages),
        (Some(_), None) => Err(Error::OneStage),
        (Some(Stage::Base), Some(_)) => Ok((model.first_stage(), None)),
        (Some(Stage::Rerank), Some(rerank)) => {
            let note = (rerank.base_weight != 0.0).then_some(Note::BaseCounts);
            Ok((model.second_stage().unwrap_or(model), note))
        }
    }
}

/// What to find out with data.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplainOptions {
    /// The number of items that can be acted on; by default as in training.
    pub k: Option<Capacity>,
    /// How often the values of each feature are exchanged.
    pub repeats: usize,
    /// The seed of exchanges and of the items whose scores are observed.
    pub seed: u64,
    /// The features to make curves and pairs of; by default the most important ones.
    pub features: Vec<String>,
}

impl Default for ExplainOptions {
    fn default() -> Self {
        ExplainOptions { k: None, repeats: 5, seed: 0, features: Vec::new() }
    }
}

/// What was found out with data. Features are given by their index in the model.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The size of the data.
    pub data: DataSize,
    /// The metric, and the cost by it that each feature saves, if costs are known.
    pub worth: Option<(String, PermutationImportance)>,
    /// The number of items whose scores were observed.
    pub sampled: usize,
    /// How the score moves with features.
    pub curves: Vec<Dependence>,
    /// Pairs of features, the strongest interaction first.
    pub pairs: Vec<JointDependence>,
    /// What the model does not use of the data.
    pub notes: Vec<Note>,
}

/// Explains a model of one stage by data. `with_cost` is whether the cost of the data is known.
/// `progress` is told what is being done.
pub fn explain(
    model: &Model,
    data: &Dataset,
    with_cost: bool,
    options: &ExplainOptions,
    progress: &dyn Fn(&str),
) -> Result<Explanation, Error> {
    if model.rerank.is_some() {
        return Err(Error::TwoStages);
    }
    let notes = data::unused(model, data)?;
    let named = named(model, &options.features)?;
    let worth = match with_cost {
        true => Some(worth(model, data, options, progress)?),
        false => None,
    };
    let shown = named.unwrap_or_else(|| most_important(model, worth.as_ref()));
    progress("observing scores");
    let sample = Sample::draw(model, data, options.seed)?;
    let curves = shown.iter().map(|&feature| sample.dependence(feature)).collect();
    let mut pairs = Vec::new();
    for (i, &a) in shown.iter().enumerate() {
        pairs.extend(shown[..i].iter().map(|&b| sample.joint([b, a])));
    }
    pairs.sort_by(|a, b| b.size.total_cmp(&a.size));
    let sampled = sample.len();
    Ok(Explanation { data: data.into(), worth, sampled, curves, pairs, notes })
}

fn worth(
    model: &Model,
    data: &Dataset,
    options: &ExplainOptions,
    progress: &dyn Fn(&str),
) -> Result<(String, PermutationImportance), Error> {
    let problem = Problem::new(data, &model.goal)?;
    let metric = saved_cost_metric(&model.goal, options.k, Scale::of(data))?;
    let permuted = PermutationOptions { repeats: options.repeats, seed: options.seed };
    let tell = |feature: &str| progress(&format!("exchanging {feature}"));
    Ok((metric.name(), permutation_importance(model, &problem, &metric, permuted, &tell)?))
}

/// The features that are named, each once.
fn named(model: &Model, features: &[String]) -> Result<Option<Vec<usize>>, Error> {
    if features.is_empty() {
        return Ok(None);
    }
    let names = || model.features.iter().map(|feature| feature.name.as_str());
    let find = |name: &String| {
        names().position(|known| known == name).ok_or_else(|| Error::UnknownFeature {
            feature: name.clone(),
            hint: suggest::hint(name, names()),
        })
    };
    let mut found = features.iter().map(find).collect::<Result<Vec<_>, Error>>()?;
    let mut seen = HashSet::new();
    found.retain(|feature| seen.insert(*feature));
    Ok(Some(found))
}

/// The features that save the most cost, or have the most gain.
fn most_important(model: &Model, worth: Option<&(String, PermutationImportance)>) -> Vec<usize> {
    let by_gain = || model.importance().into_iter().filter(|row| row.2 > 0).map(|row| row.0);
    let mut features: Vec<usize> = match worth {
        Some((_, worth)) => worth.losses.iter().map(|loss| loss.feature).collect(),
        None => by_gain().collect(),
    };
    features.truncate(MAX_CURVES);
    features
}
