//! Orders that every score should be seen beside: random, ideal, and the best single
//! feature. A model is good only if it beats them.

use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::data::FeatureKind;
use stakes_core::metric::{Evaluation, ListValue, Metric, Reads, evaluate};
use stakes_core::random::{Stream, purpose};

use super::{BEST_FEATURE, Entry, IDEAL, RANDOM, RowKind, StudyError, better};

/// Random orders drawn where the mean over all orders has no closed form.
const SHUFFLES: u64 = 50;

/// The feature that orders best on this very data, and which way round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BestFeature {
    /// Its name.
    pub name: String,
    /// Whether larger values come first.
    pub descending: bool,
}

pub(super) fn references(problem: &Problem<'_>, metric: &Metric) -> Result<Vec<Entry>, StudyError> {
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
        entries.push(entry(RANDOM, random(problem, metric)?, None));
    }
    entries.push(entry(IDEAL, evaluate(metric, problem, &ideal(problem, metric))?, None));
    Ok(entries)
}

/// Scores that give the best order of every list under a metric.
fn ideal(problem: &Problem<'_>, metric: &Metric) -> Vec<f64> {
    (0..problem.n_lists())
        .flat_map(|list| metric.ideal_scores(&problem.list(list)).into_owned())
        .collect()
}

/// The mean over random orders: exactly, where the metric itself averages over ties, and
/// otherwise over seeded shuffles.
fn random(problem: &Problem<'_>, metric: &Metric) -> Result<Evaluation, StudyError> {
    let n = problem.data().len();
    if metric.averages_ties() {
        return Ok(evaluate(metric, problem, &vec![0.0; n])?);
    }
    let mut sums: Vec<ListValue> = Vec::new();
    for shuffle in 0..SHUFFLES {
        // Any continuous random scores give a uniformly random order.
        let stream = Stream::new(purpose(shuffle, b"shuffles"), 0);
        let scores: Vec<f64> = (0..n as u64).map(|i| stream.unit(i)).collect();
        let lists = evaluate(metric, problem, &scores)?.lists;
        if sums.is_empty() {
            sums = lists;
            continue;
        }
        for (sum, list) in sums.iter_mut().zip(lists) {
            sum.value = sum.value.zip(list.value).map(|(a, b)| a + b);
        }
    }
    for sum in &mut sums {
        sum.value = sum.value.map(|v| v / SHUFFLES as f64);
    }
    let aggregate = metric.info().aggregate;
    let parts = aggregate.parts(&sums);
    Ok(Evaluation { figure: aggregate.figure(&parts), lists: sums, parts })
}

/// The best of all numeric features in both directions; missing values come last.
fn best_feature(
    problem: &Problem<'_>,
    metric: &Metric,
) -> Result<Option<(BestFeature, Evaluation)>, StudyError> {
    let data = problem.data();
    let mut best: Option<(BestFeature, Evaluation)> = None;
    for (j, feature) in data.feature_info().iter().enumerate() {
        if feature.kind != FeatureKind::Numeric {
            continue;
        }
        for descending in [true, false] {
            let sign = if descending { 1.0 } else { -1.0 };
            let last = |v: f32| if v.is_nan() { f64::MIN } else { sign * f64::from(v) };
            let scores: Vec<f64> = data.features().column(j).map(last).collect();
            let evaluation = evaluate(metric, problem, &scores)?;
            let Some(figure) = evaluation.figure else { continue };
            let so_far = best.as_ref().and_then(|(_, e)| e.figure);
            if so_far.is_none_or(|b| better(metric, figure, b)) {
                let name = feature.name.clone();
                best = Some((BestFeature { name, descending }, evaluation));
            }
        }
    }
    Ok(best)
}
