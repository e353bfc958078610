//! Which features a model uses, the cost that each saves, and how scores depend on them.
//!
//! ```
//! use stakes::explain::{ExplainOptions, explain};
//! use stakes::prelude::*;
//! # let storms = stakes::synth::Storms { lists: 12, networks: 10, rows: 90, ..Default::default() };
//! # let storms = storms.generate()?;
//! # let model = Fit::with("ridge")?.fit(&storms, &Goal::act_on(3))?;
//! let found = explain(&model, &storms, true, &ExplainOptions::default(), None)?;
//! for loss in found.worth.expect("costs are known").1.losses {
//!     println!("{}: {} of the saved cost", model.features[loss.feature].name, loss.cost);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod picture;
mod report;

use std::collections::HashSet;

use stakes_core::cost::{Capacity, Problem};
use stakes_core::data::Dataset;
use stakes_core::goal::{Goal, Reach};
use stakes_core::metric::Scale;
use stakes_core::suggest;
use stakes_model::Model;
use stakes_model::explain::{
    Dependence, JointDependence, PermutationImportance, PermutationOptions, Sample, other_metric,
    permutation_importance, saved_cost_metric,
};

pub use picture::svg;
pub use report::{
    CurvePoint, ExplainReport, ExplainSettings, FeatureCurve, FeatureWorth, Figure, Interaction,
    SavedCost, Shuffled,
};

use crate::evaluate::DataSize;
use crate::observer::{Silent, or_silent};
use crate::scoring;
use crate::{Error, Note, Observer, data};

/// The number of features with curves if none are named.
const MAX_CURVES: usize = 6;

/// A stage of a model that re-ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The score of all items.
    Base,
    /// The score of the items that the base puts first.
    Rerank,
}

/// Returns one stage of a model that re-ranks as a separate model. (Each stage has its own scores and
/// reasons, so [`explain`] takes one at a time.) A model with one stage is returned as it is.
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

/// What to compute.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplainOptions {
    /// The number of items that can be acted on; by default as in training.
    pub k: Option<Capacity>,
    /// How often the values of each feature are shuffled.
    pub repeats: usize,
    /// The seed of the shuffles and of the sample of items.
    pub seed: u64,
    /// The features whose dependence and interactions are computed; by default the most important ones.
    pub features: Vec<String>,
}

impl Default for ExplainOptions {
    fn default() -> Self {
        ExplainOptions { k: None, repeats: 5, seed: 0, features: Vec::new() }
    }
}

/// An explanation of a model by data. Features are given by their index in the model.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The size of the data.
    pub data: DataSize,
    /// Permutation importance, with the name of the metric of saved cost; `None` if costs are unknown.
    pub worth: Option<(String, PermutationImportance)>,
    /// The number of items in the sample for the curves.
    pub sampled: usize,
    /// Partial dependence: the mean score by the value of a feature.
    pub curves: Vec<Dependence>,
    /// Pairs of features, the strongest interaction first.
    pub pairs: Vec<JointDependence>,
    /// What should be known about the data.
    pub notes: Vec<Note>,
}

/// Explains a model of one stage by data. `with_cost` says whether the data have the cost
/// ([`missing_outcome`](data::missing_outcome) finds out); without it there is no permutation importance.
pub fn explain(
    model: &Model,
    data: &Dataset,
    with_cost: bool,
    options: &ExplainOptions,
    observer: Option<&mut dyn Observer>,
) -> Result<Explanation, Error> {
    let mut silent = Silent;
    let observer = or_silent(observer, &mut silent);
    if model.rerank.is_some() {
        return Err(Error::TwoStages);
    }
    let seen = Note::on_figures("the model", data, scoring::trained_on(model, data)?);
    let mut notes: Vec<Note> = seen.into_iter().collect();
    notes.extend(data::notes_on(model, data)?);
    let named = named(model, &options.features)?;
    let worth = match with_cost {
        true => Some(worth(model, data, options, observer)?),
        false => None,
    };
    let shown = named.unwrap_or_else(|| most_important(model, worth.as_ref()));
    observer.stage("partial dependence");
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
    observer: &mut dyn Observer,
) -> Result<(String, PermutationImportance), Error> {
    let reach = options.k.map_or(model.goal.reach, Reach::from);
    let problem = Problem::new(data, Goal { reach, ..model.goal.clone() })?;
    let metric = saved_cost_metric(&model.goal, options.k, Scale::of(data))?;
    let other = other_metric(&model.goal, options.k, Scale::of(data))?;
    let permuted = PermutationOptions { repeats: options.repeats, seed: options.seed };
    let mut tell = |feature: &str| observer.stage(&format!("shuffling {feature}"));
    let worth =
        permutation_importance(model, &problem, &metric, other.as_ref(), permuted, &mut tell)?;
    Ok((metric.name(), worth))
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
