//! Describes the differences of two models.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use stakes_core::display::counted;

use crate::{GoalRecord, Model, ModelFeature};

/// A property in which two models differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The property: `learner`, `parameter leaves`, `feature wind`, ...
    pub what: String,
    /// Its value in the first model.
    pub a: String,
    /// Its value in the second model.
    pub b: String,
}

/// Stands for a value that one of the models does not have.
const ABSENT: &str = "-";
/// Smaller changes of a feature's share of the gain are not reported.
const MIN_CHANGE: f64 = 0.01;

/// Lists how `b` differs from `a`; empty if they are equal. Trees are compared by their number and by
/// the importance of features; other differences of trees are reported only if there is nothing else.
pub fn diff(a: &Model, b: &Model) -> Vec<Difference> {
    let mut found = Differences::default();
    found.note("learner", &a.learner, &b.learner);
    found.maps("parameter", &a.parameters, &b.parameters);
    found.note("seed", &a.seed.to_string(), &b.seed.to_string());
    let goals = [a.goal_record(), b.goal_record()];
    found.maps("goal", &goal(&goals[0]), &goal(&goals[1]));
    found.maps("column of", &goals[0].columns, &goals[1].columns);
    let data = |m: &Model| match m.data.is_known() {
        true => format!("{}, {:016x}", m.data.size(), m.data.hash),
        false => m.data.size(),
    };
    found.note("data", &data(a), &data(b));
    found.maps("feature", &features(a), &features(b));
    found.maps("trees of", &trees(a), &trees(b));
    found.maps("rounds kept of", &kept(a), &kept(b));
    found.maps("figure of", &figures(a), &figures(b));
    importance(&mut found, a, b);
    found.note("calibration", &calibration(a), &calibration(b));
    found.maps("re-ranking:", &rerank(a), &rerank(b));
    if found.0.is_empty() && a.scorer != b.scorer {
        found.note("trees or weights", "one set", "another");
    }
    if found.0.is_empty() && a.rerank != b.rerank {
        found.note("weights of re-ranking", "one set", "another");
    }
    if found.0.is_empty() && a.calibration != b.calibration {
        found.note("expected costs", "one set", "another");
    }
    found.0
}

#[derive(Default)]
struct Differences(Vec<Difference>);

type Texts = BTreeMap<String, String>;

impl Differences {
    fn note(&mut self, what: &str, a: &str, b: &str) {
        if a != b {
            self.0.push(Difference { what: what.to_owned(), a: a.to_owned(), b: b.to_owned() });
        }
    }

    fn maps(&mut self, what: &str, a: &Texts, b: &Texts) {
        let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
        for key in keys {
            let get = |map: &Texts| map.get(key).map_or(ABSENT, String::as_str).to_owned();
            self.note(&format!("{what} {key}"), &get(a), &get(b));
        }
    }
}

fn goal(goal: &GoalRecord) -> Texts {
    let texts = [
        ("cost", Some(&goal.cost)),
        ("k", goal.k.as_ref()),
        ("policy", goal.policy.as_ref()),
        ("budget", goal.budget.as_ref()),
        ("metric", Some(&goal.metric)),
    ];
    texts.into_iter().filter_map(|(key, text)| Some((key.to_owned(), text?.clone()))).collect()
}

fn features(model: &Model) -> Texts {
    let kind = |f: &ModelFeature| match &f.categories {
        None => "numeric".to_owned(),
        Some(names) => format!("categorical: {}", names.join(", ")),
    };
    model.features.iter().map(|f| (f.name.clone(), kind(f))).collect()
}

fn trees(model: &Model) -> Texts {
    let factors = model.scorer.factors.iter();
    factors.map(|f| (f.name.clone(), f.trees.len().to_string())).collect()
}

fn kept(model: &Model) -> Texts {
    model
        .stages
        .iter()
        .map(|s| (s.name.clone(), format!("{} of {}", s.kept, s.curve.len())))
        .collect()
}

fn figures(model: &Model) -> Texts {
    let figure = |value: f64| format!("{value:.4}");
    let stages = model.stages.iter();
    let pairs =
        stages.filter_map(|s| Some((format!("{}: {}", s.name, s.measure), figure(s.figure()?))));
    pairs.collect()
}

fn rerank(model: &Model) -> Texts {
    let Some(rerank) = &model.rerank else { return Texts::new() };
    let proof = &rerank.proof;
    let weights = rerank.net.layers.iter().flat_map(|layer| &layer.weights);
    let weights: Vec<String> =
        weights.chain([&rerank.base_weight]).map(|weight| format!("{weight:.4}")).collect();
    let pairs = [
        ("base", rerank.base.clone()),
        ("objective", proof.objective.clone()),
        ("items", proof.items.to_string()),
        ("value", format!("{:.6}", proof.value)),
        ("bound", format!("{:.6}", proof.bound)),
        ("weights", weights.join(" ")),
    ];
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn calibration(model: &Model) -> String {
    match &model.calibration {
        Some(c) => {
            let (items, lists) = (c.items as usize, c.lists as usize);
            format!("{} in {}", counted(items, "item"), counted(lists, "list"))
        }
        None => ABSENT.into(),
    }
}

/// Changes of the importance of features that both models have, the largest change first.
fn importance(found: &mut Differences, a: &Model, b: &Model) {
    let shares = |m: &Model| -> BTreeMap<String, f64> {
        let all = m.importance().into_iter();
        all.map(|(j, share, _)| (m.features[j].name.clone(), share)).collect()
    };
    let of_b = shares(b);
    let both = shares(a).into_iter().filter_map(|(name, a)| of_b.get(&name).map(|&b| (name, a, b)));
    let mut changed: Vec<(String, f64, f64)> =
        both.filter(|(_, a, b)| (a - b).abs() >= MIN_CHANGE).collect();
    changed.sort_by(|x, y| (y.1 - y.2).abs().total_cmp(&(x.1 - x.2).abs()));
    for (name, a, b) in changed {
        let percent = |share: f64| format!("{:.1} % of the gain", 100.0 * share);
        found.note(&format!("importance of {name}"), &percent(a), &percent(b));
    }
}
