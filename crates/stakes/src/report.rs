//! Models and trainings as JSON: the documented contracts of `stakes train --json` and
//! `stakes model info --json` (docs/train-json.md). Fields are added, never renamed or removed.

use serde_json::{Value, json};
use stakes_core::cost::Policy;
use stakes_learn::tune::{Trial, Tuned};
use stakes_model::{Calibration, ExpectedCost, Knot, Member, Model, Proof, Rerank, StageSummary};

use crate::classes::ClassVerdict;
use crate::evaluate::DataSize;
use crate::fit::{Division, Fitted};
use crate::judge::Verdict;

/// How a model was judged.
pub enum Judged<'v> {
    /// As a ranking, if it could be.
    Lists(Option<&'v Verdict>),
    /// By the classes of rows, if it could be.
    Classes(Option<&'v ClassVerdict>),
}

/// A training: the model, the data, and how good the model is.
pub fn training(
    path: &str,
    model: &Model,
    division: &Division,
    fitted: &Fitted,
    judged: &Judged<'_>,
) -> Value {
    let size = |data| json!(DataSize::from(data));
    let mut document = self::model(path, model);
    document["train"] = size(&division.training);
    document["valid"] = division.validation.as_ref().map(size).into();
    document["seconds"] = fitted.seconds.into();
    document["interrupted"] = fitted.is_interrupted().into();
    if let Some(seconds) = fitted.search_seconds.filter(|_| model.rerank.is_some()) {
        document["rerank"]["seconds"] = seconds.into();
    }
    document["tuning"] = fitted.tuned.as_ref().map(tuning).into();
    let study = match judged {
        Judged::Lists(verdict) => verdict.map(|verdict| &verdict.study),
        Judged::Classes(verdict) => {
            document["classes"] = json!(verdict);
            None
        }
    };
    document["results"] = json!(study.map_or(&[][..], |study| &study.results));
    document["comparisons"] = json!(study.map_or(&[][..], |study| &study.comparisons));
    document
}

/// The learner of a model, its goal, and how the training went.
pub fn model(path: &str, model: &Model) -> Value {
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

/// The features of a model, the most important first.
pub fn importance(model: &Model) -> Vec<Value> {
    let row = |(feature, gain, splits): (usize, f64, usize)| json!({ "feature": model.features[feature].name, "gain": gain, "splits": splits });
    model.importance().into_iter().map(row).collect()
}

/// The result of an exact search.
pub fn proof(proof: &Proof) -> Value {
    json!({
        "objective": proof.objective,
        "items": proof.items,
        "lists": proof.lists,
        "before": proof.before,
        "value": proof.value,
        "bound": proof.bound,
        "penalty": proof.penalty,
        "gap": proof.gap(),
        "nodes": proof.nodes,
        "method": proof.method,
        "formulation": proof.formulation,
        "ended": proof.ended,
    })
}

/// All settings that were tried.
pub fn tuning(tuned: &Tuned) -> Value {
    let trial = |(i, trial): (usize, &Trial)| json!({ "trial": i + 1, "parameters": trial.parameters, "rungs": trial.rungs });
    json!({
        "rungs": tuned.rungs,
        "chosen": tuned.chosen.map(|trial| trial + 1),
        "trials": tuned.trials.iter().enumerate().map(trial).collect::<Vec<_>>(),
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
    let mut document = proof(&rerank.proof);
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
    let stage = |stage: &StageSummary| {
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
