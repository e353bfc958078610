//! An explanation as a report: its JSON is the documented contract of `stakes explain --json`
//! (docs/explain-json.md). Fields are added, never renamed or removed.

use serde::Serialize;
use stakes_model::Model;
use stakes_model::explain::{Dependence, FeatureLoss, JointDependence, PermutationImportance};

use super::{ExplainOptions, Explanation};
use crate::evaluate::DataSize;
use crate::feature_value::FeatureValue;
use crate::report::{FeatureImportance, VERSION, importance};

/// Which features a model uses and, where it was explained by data, what each is worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExplainReport {
    /// The version of this library.
    pub stakes: &'static str,
    /// The file of the model.
    pub model: String,
    /// The name of the learner.
    pub learner: String,
    /// All features, the most important first.
    pub importance: Vec<FeatureImportance>,
    /// The size of the data. This and all below `settings` are null without data.
    pub data: Option<DataSize>,
    /// What was asked for.
    pub settings: ExplainSettings,
    /// The cost that the model's order saves, if costs are known.
    pub saved: Option<SavedCost>,
    /// The figure by the metric of the model's goal, if that is not saved cost.
    pub figure: Option<Figure>,
    /// What each feature is worth, the largest loss first, if costs are known.
    pub worth: Option<Vec<FeatureWorth>>,
    /// How the score depends on single features.
    pub dependence: Option<Vec<FeatureCurve>>,
    /// Pairs of features, the strongest interaction first.
    pub interactions: Option<Vec<Interaction>>,
}

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExplainSettings {
    /// The cost that the model was trained for.
    pub cost: String,
    /// How often each feature was shuffled.
    pub repeats: usize,
    /// The seed of the shuffles and of the sample of items.
    pub seed: u64,
    /// The number of items in the sample.
    #[serde(rename = "watched_items")]
    pub sampled_items: Option<usize>,
}

/// The cost that an order saves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SavedCost {
    /// The metric of saved cost.
    pub metric: String,
    /// The cost that the model's order saves.
    pub cost: f64,
    /// The cost that the ideal order would save.
    pub ideal: f64,
}

/// A figure by the metric of the model's goal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// The metric.
    pub metric: String,
    /// The figure of the model's order.
    pub value: f64,
}

/// The saved cost that is lost when a feature is shuffled.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeatureWorth {
    /// The feature.
    pub feature: String,
    /// The mean loss over the repeats.
    pub cost: f64,
    /// The standard deviation over the repeats.
    pub spread: f64,
    /// The loss as a share of the saved cost, if any is saved.
    pub share: Option<f64>,
    /// By how much the figure gets worse, if there is one: the mean over the repeats.
    pub figure: Option<f64>,
    /// The standard deviation of it.
    pub figure_spread: Option<f64>,
    /// How the values were shuffled.
    #[serde(rename = "exchanged")]
    pub shuffled: Shuffled,
}

/// How the values of a feature were shuffled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shuffled {
    /// Among the items of each list.
    WithinLists,
    /// A list got the values of another: they hardly differ within lists.
    BetweenLists,
}

/// The mean score by the value of a feature.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeatureCurve {
    /// The feature.
    pub feature: String,
    /// Numbers in ascending order, or categories by descending frequency; missing last.
    pub points: Vec<CurvePoint>,
}

/// The scores at one value of a feature.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CurvePoint {
    /// The value.
    pub value: FeatureValue,
    /// The share of items that it represents.
    pub share: f64,
    /// The mean score.
    pub mean: f64,
    /// The lower end of the middle 80 % of the items.
    pub low: f64,
    /// The upper end of the middle 80 % of the items.
    pub high: f64,
}

/// The mean score by the values of two features.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Interaction {
    /// The features.
    pub features: [String; 2],
    /// The root mean square of the interaction, in units of the score.
    pub size: f64,
    /// Its share of the variance of the means.
    pub share: f64,
    /// The values of both.
    pub values: [Vec<FeatureValue>; 2],
    /// Mean scores: by value of the first feature, then of the second.
    pub means: Vec<Vec<f64>>,
}

impl ExplainReport {
    /// A report on the model in the file `path`, explained by data or not.
    pub fn new(
        path: &str,
        model: &Model,
        explanation: Option<&Explanation>,
        options: &ExplainOptions,
    ) -> Self {
        let worth = explanation.and_then(|found| found.worth.as_ref());
        let curves = |found: &Explanation| -> Vec<FeatureCurve> {
            found.curves.iter().map(|curve| FeatureCurve::new(curve, model)).collect()
        };
        let pairs = |found: &Explanation| -> Vec<Interaction> {
            found.pairs.iter().map(|pair| Interaction::new(pair, model)).collect()
        };
        ExplainReport {
            stakes: VERSION,
            model: path.to_owned(),
            learner: model.learner.clone(),
            importance: importance(model),
            data: explanation.map(|found| found.data.clone()),
            settings: ExplainSettings {
                cost: model.goal.cost.to_string(),
                repeats: options.repeats,
                seed: options.seed,
                sampled_items: explanation.map(|found| found.sampled),
            },
            saved: worth.map(|(metric, worth)| SavedCost {
                metric: metric.clone(),
                cost: worth.saved,
                ideal: worth.ideal,
            }),
            figure: worth
                .and_then(|(_, worth)| worth.figure.as_ref())
                .map(|figure| Figure { metric: figure.metric.clone(), value: figure.value }),
            worth: worth.map(|(_, worth)| losses(worth, model)),
            dependence: explanation.map(curves),
            interactions: explanation.map(pairs),
        }
    }
}

fn losses(worth: &PermutationImportance, model: &Model) -> Vec<FeatureWorth> {
    let row = |loss: &FeatureLoss| FeatureWorth {
        feature: model.features[loss.feature].name.clone(),
        cost: loss.cost,
        spread: loss.spread,
        figure: loss.of_figure.map(|(lost, _)| lost),
        figure_spread: loss.of_figure.map(|(_, spread)| spread),
        share: (worth.saved > 0.0).then(|| loss.cost / worth.saved),
        shuffled: match loss.between_lists {
            true => Shuffled::BetweenLists,
            false => Shuffled::WithinLists,
        },
    };
    worth.losses.iter().map(row).collect()
}

impl FeatureCurve {
    fn new(curve: &Dependence, model: &Model) -> Self {
        let feature = &model.features[curve.feature];
        let points = curve.points.iter().map(|point| CurvePoint {
            value: FeatureValue::new(feature, point.value),
            share: point.share,
            mean: point.mean,
            low: point.low,
            high: point.high,
        });
        FeatureCurve { feature: feature.name.clone(), points: points.collect() }
    }
}

impl Interaction {
    fn new(pair: &JointDependence, model: &Model) -> Self {
        let features = pair.features.map(|feature| &model.features[feature]);
        let values = [0, 1].map(|side| {
            let numbers = pair.values[side].iter().map(|&(number, _)| number);
            numbers.map(|number| FeatureValue::new(features[side], number)).collect()
        });
        Interaction {
            features: features.map(|feature| feature.name.clone()),
            size: pair.size,
            share: pair.share,
            values,
            means: pair.means.clone(),
        }
    }
}
