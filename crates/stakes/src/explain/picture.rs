//! How scores depend on features, as a picture.

use stakes_eval::picture::{Effect, EffectPoint, HeatMap, effects_svg};
use stakes_model::Model;
use stakes_model::explain::{Dependence, JointDependence};

use super::Explanation;
use crate::feature_value::FeatureValue;
use crate::text::percent;

/// Curves and the map of the strongest pair, as SVG.
pub fn svg(model: &Model, explanation: &Explanation) -> String {
    let effects: Vec<Effect> =
        explanation.curves.iter().map(|curve| effect(model, curve)).collect();
    let map = explanation.pairs.first().map(|pair| map(model, pair));
    let title = format!("Mean score of {} as features change", model.learner);
    effects_svg(&effects, map.as_ref(), &title)
}

fn effect(model: &Model, curve: &Dependence) -> Effect {
    let feature = &model.features[curve.feature];
    let is_number = feature.categories.is_none();
    let points = curve.points.iter().map(|point| EffectPoint {
        label: FeatureValue::new(feature, point.value).to_string(),
        number: (is_number && !point.value.is_nan()).then_some(f64::from(point.value)),
        missing: point.value.is_nan(),
        mean: point.mean,
        low: point.low,
        high: point.high,
    });
    Effect { name: feature.name.clone(), points: points.collect() }
}

fn map(model: &Model, pair: &JointDependence) -> HeatMap {
    let features = pair.features.map(|feature| &model.features[feature]);
    let labels = |side: usize| -> Vec<String> {
        let values = pair.values[side].iter();
        values.map(|&(number, _)| FeatureValue::new(features[side], number).to_string()).collect()
    };
    let names = features.map(|feature| feature.name.clone());
    HeatMap {
        title: format!(
            "{} with {}: {} of their joint effect is more than two single ones",
            names[0],
            names[1],
            percent(pair.share)
        ),
        names,
        labels: [labels(0), labels(1)],
        means: pair.means.clone(),
    }
}
