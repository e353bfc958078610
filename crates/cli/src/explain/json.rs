//! The documented JSON of `stakes explain`: docs/explain-json.md. Fields are added, never
//! renamed or removed.

use serde_json::{Value, json};
use stakes::learn::Model;
use stakes::model::explain::{Dependence, JointDependence, PermutationImportance};

use super::{Explain, Measured};
use crate::model::value;

pub(crate) fn render(
    path: &str,
    model: &Model,
    measured: Option<&Measured>,
    asked: &Explain,
) -> anyhow::Result<String> {
    let name = |feature: usize| model.features[feature].name.as_str();
    let worth = measured.and_then(|measured| measured.worth.as_ref());
    let document = json!({
        "stakes": env!("CARGO_PKG_VERSION"),
        "model": path,
        "learner": model.learner,
        "importance": crate::model::json::importance(model),
        "data": measured.map(|measured| json!({
            "source": measured.data.source(),
            "items": measured.data.len(),
            "lists": measured.data.n_lists(),
        })),
        "settings": {
            "cost": model.goal.cost.to_string(),
            "repeats": asked.repeats,
            "seed": asked.seed,
            "watched_items": measured.map(|measured| measured.watched),
        },
        "saved": worth.map(|(metric, worth)| json!({
            "metric": metric,
            "cost": worth.saved,
            "ideal": worth.ideal,
        })),
        "worth": worth.map(|(_, worth)| losses(worth, name)),
        "dependence": measured.map(|m| m.curves.iter().map(|c| curve(c, model)).collect::<Vec<_>>()),
        "interactions": measured.map(|m| m.pairs.iter().map(|p| pair(p, model)).collect::<Vec<_>>()),
    });
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn losses<'m>(worth: &PermutationImportance, name: impl Fn(usize) -> &'m str) -> Vec<Value> {
    let row = |loss: &stakes::model::explain::FeatureLoss| {
        json!({
            "feature": name(loss.feature),
            "cost": loss.cost,
            "spread": loss.spread,
            "share": (worth.saved > 0.0).then(|| loss.cost / worth.saved),
            "exchanged": if loss.between_lists { "between_lists" } else { "within_lists" },
        })
    };
    worth.losses.iter().map(row).collect()
}

fn curve(curve: &Dependence, model: &Model) -> Value {
    let feature = &model.features[curve.feature];
    let points = curve.points.iter().map(|point| {
        json!({
            "value": value(feature, point.value),
            "share": point.share,
            "mean": point.mean,
            "low": point.low,
            "high": point.high,
        })
    });
    json!({ "feature": feature.name, "points": points.collect::<Vec<_>>() })
}

fn pair(pair: &JointDependence, model: &Model) -> Value {
    let features = pair.features.map(|feature| &model.features[feature]);
    let values = |side: usize| -> Vec<Value> {
        pair.values[side].iter().map(|&(number, _)| value(features[side], number)).collect()
    };
    json!({
        "features": features.map(|feature| &feature.name),
        "size": pair.size,
        "share": pair.share,
        "values": [values(0), values(1)],
        "means": pair.means,
    })
}
