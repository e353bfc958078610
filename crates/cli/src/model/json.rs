//! Parts of a model as JSON, the same in `stakes train --json` and `stakes model info --json`.

use serde_json::{Value, json};
use stakes::cost::Policy;
use stakes::learn::Model;
use stakes::model::{Calibration, ExpectedCost, Knot, Member, Rerank};

/// Who learnt it, for what, and how it went.
pub(crate) fn document(path: &str, model: &Model) -> Value {
    let goal = &model.goal;
    let policy = (goal.policy != Policy::default()).then(|| goal.policy.to_string());
    json!({
        "stakes": env!("CARGO_PKG_VERSION"),
        "model": path,
        "learner": model.learner,
        "parameters": model.parameters,
        "seed": model.seed,
        "goal": {
            "cost": goal.cost.to_string(),
            "k": goal.capacity().map(|k| k.to_string()),
            "policy": policy,
            "budget": goal.budget().map(|money| money.to_string()),
            "metric": goal.spec().to_string(),
            "columns": model.columns,
        },
        "stages": stages(model),
        "members": members(model),
        "importance": importance(model),
        "calibration": model.calibration.as_ref().map(calibration),
        "bound": model.bound,
        "rerank": model.rerank.as_ref().map(rerank),
    })
}

fn calibration(calibration: &Calibration) -> Value {
    let knot = |knot: &Knot| {
        let ExpectedCost { mean, low, high } = knot.expected;
        json!({ "score": knot.score, "mean": mean, "low": low, "high": high })
    };
    let knots: Vec<Value> = calibration.knots.iter().map(knot).collect();
    json!({ "lists": calibration.lists, "items": calibration.items, "knots": knots })
}

fn rerank(rerank: &Rerank) -> Value {
    let mut document = crate::exact::json(&rerank.proof);
    document["base"] = json!({ "learner": rerank.base, "parameters": rerank.base_parameters });
    document["above"] = json!(rerank.scope);
    document["seconds"] = json!(rerank.proof.seconds);
    document["inputs"] = json!(rerank.net.inputs);
    document["base_weight"] = json!(rerank.base_weight);
    document["weights"] = json!(rerank.net.layers.last().map(|layer| &layer.weights));
    document
}

fn members(model: &Model) -> Vec<Value> {
    let member = |member: &Member| {
        json!({
            "learner": member.learner,
            "weight": member.weight,
            "figure": member.figure,
            "parameters": member.parameters,
        })
    };
    model.members.iter().map(member).collect()
}

fn stages(model: &Model) -> Vec<Value> {
    let stage = |stage: &stakes::model::StageSummary| {
        json!({
            "name": stage.name,
            "measure": stage.measure,
            "made": stage.curve.len(),
            "kept": stage.kept,
            "ended": stage.ended,
            "curve": stage.curve,
            "also": stage.extra_curves.iter().map(|(measure, curve)| json!({ "measure": measure, "curve": curve })).collect::<Vec<_>>(),
        })
    };
    model.stages.iter().map(stage).collect()
}

pub(crate) fn importance(model: &Model) -> Vec<Value> {
    let row = |(feature, gain, splits): (usize, f64, usize)| json!({ "feature": model.features[feature].name, "gain": gain, "splits": splits });
    model.importance().into_iter().map(row).collect()
}
