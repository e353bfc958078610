//! Reference orders to compare scores with: random, ideal, and the best single feature.

use serde::{Deserialize, Serialize};
use stakes_core::cost::Problem;
use stakes_core::data::{Dataset, FeatureKind};
use stakes_core::metric::{Evaluation, Metric, Reads, evaluate, evaluate_random};

use super::{BEST_FEATURE, Entry, IDEAL, RANDOM, RowKind, StudyError, better};
use stakes_core::rank::ColumnDirection;

/// The single feature with the best figure on the evaluated data, and its direction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BestFeature {
    /// The name of the feature.
    pub name: String,
    /// Whether larger values come first.
    pub descending: bool,
}

pub(super) fn references(
    problem: &Problem<'_>,
    metric: &Metric,
    seed: u64,
) -> Result<Vec<Entry>, StudyError> {
    let entry = |name: &str, evaluation, feature| Entry {
        name: name.to_owned(),
        kind: RowKind::Reference,
        feature,
        evaluation,
    };
    let mut entries = Vec::new();
    if metric.reads() == Reads::Order {
        if let Some((feature, evaluation)) = best_feature(problem, metric)? {
            entries.push(entry(BEST_FEATURE, evaluation, Some(feature)));
        }
        entries.push(entry(RANDOM, evaluate_random(metric, problem, seed)?, None));
    }
    entries.push(entry(IDEAL, evaluate(metric, problem, &ideal_scores(problem, metric))?, None));
    Ok(entries)
}

/// Scores that give the best order of every list under a metric.
pub fn ideal_scores(problem: &Problem<'_>, metric: &Metric) -> Vec<f64> {
    (0..problem.n_lists())
        .flat_map(|list| metric.ideal_scores(&problem.list(list)).into_owned())
        .collect()
}

impl BestFeature {
    /// The scores that it gives to items of data with the same features; `None` if there is no such one.
    pub fn scores(&self, data: &Dataset) -> Option<Vec<f64>> {
        let direction = match self.descending {
            true => ColumnDirection::HighFirst,
            false => ColumnDirection::LowFirst,
        };
        let j = data.feature_info().iter().position(|feature| feature.name == self.name)?;
        Some(data.features().column(j).map(|value| direction.score(value)).collect())
    }
}

/// The best of all numeric features in both directions on these data; missing values come last.
pub fn best_feature(
    problem: &Problem<'_>,
    metric: &Metric,
) -> Result<Option<(BestFeature, Evaluation)>, StudyError> {
    let data = problem.data();
    // Looking at every column of stored features would read them as often.
    if data.features().is_stored() {
        return Ok(None);
    }
    let mut best: Option<(BestFeature, Evaluation)> = None;
    for (j, feature) in data.feature_info().iter().enumerate() {
        if feature.kind != FeatureKind::Numeric {
            continue;
        }
        for direction in [ColumnDirection::HighFirst, ColumnDirection::LowFirst] {
            let scores: Vec<f64> =
                data.features().column(j).map(|value| direction.score(value)).collect();
            let evaluation = evaluate(metric, problem, &scores)?;
            let Some(figure) = evaluation.figure else { continue };
            let so_far = best.as_ref().and_then(|(_, e)| e.figure);
            if so_far.is_none_or(|b| better(metric, figure, b)) {
                let descending = direction == ColumnDirection::HighFirst;
                best = Some((BestFeature { name: feature.name.clone(), descending }, evaluation));
            }
        }
    }
    Ok(best)
}
