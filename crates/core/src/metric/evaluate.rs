//! The value of a metric over a whole problem: per-list values and the figure over all lists.

use rayon::prelude::*;

use super::{ListMetric, ListValue, Metric, Part, PreparedLists, Reads};
use crate::cost::Problem;
use crate::data::ListView;
use crate::random::{Stream, purpose};
use crate::shards::Shards;

/// The values of a metric for one column of scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The value of each list, in the order of the data.
    pub lists: Vec<ListValue>,
    /// The lists' parts of the figure.
    pub parts: Vec<Part>,
    /// The figure, or `None` if no list has a value.
    pub figure: Option<f64>,
}

/// The error of a metric that cannot be evaluated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EvaluateError {
    /// The data lacks something that the metric needs.
    #[error("{metric}: {reason}")]
    Unsuited {
        /// The metric.
        metric: String,
        /// What is missing and how to provide it.
        reason: String,
    },
    /// A value is not finite.
    #[error("{metric} of {of} is {value}: {advice}")]
    Overflow {
        /// The metric.
        metric: String,
        /// The list, or all of them.
        of: String,
        /// The value.
        value: f64,
        /// What was too large, and what to do.
        advice: &'static str,
    },
}

/// Evaluates `scores` (one per item, finite) by `metric`, lists in parallel. The result does
/// not depend on the number of threads: lists are independent and summed in order.
pub fn evaluate(
    metric: &Metric,
    problem: &Problem<'_>,
    scores: &[f64],
) -> Result<Evaluation, EvaluateError> {
    assert_eq!(scores.len(), problem.data().len(), "one score per item");
    value_lists(metric, problem, |list, prepared| {
        prepared.of_scores(&scores[problem.data().items(list)])
    })
}

/// The number of random orders drawn where the mean over all orders has no closed form.
const SHUFFLES: u64 = 100;

/// Evaluates random order: the mean over all orders of each list, exact where the metric has a
/// closed form for it, otherwise estimated from seeded shuffles.
pub fn evaluate_random(
    metric: &Metric,
    problem: &Problem<'_>,
    seed: u64,
) -> Result<Evaluation, EvaluateError> {
    value_lists(metric, problem, |list, prepared| {
        let n = problem.data().items(list).len();
        if metric.averages_ties() {
            return prepared.of_scores(&vec![0.0; n]);
        }
        prepared.mean_over_orders().unwrap_or_else(|| {
            let seed = purpose(seed, b"shuffles") ^ list as u64;
            let shuffled = (0..SHUFFLES).map(|shuffle| {
                // Any continuous random scores give a uniformly random order.
                let stream = Stream::new(seed, shuffle);
                let scores: Vec<f64> = (0..n as u64).map(|i| stream.unit(i)).collect();
                prepared.of_scores(&scores)
            });
            Some(shuffled.sum::<Option<f64>>()? / SHUFFLES as f64)
        })
    })
}

/// Evaluates `scores` by `metric` on lists given one by one: `scores` holds the lists' items in
/// the same order. For learners, which keep lists in canonical order.
pub fn evaluate_lists(
    metric: &Metric,
    lists: &[ListView<'_>],
    scores: &[f64],
) -> Result<Evaluation, EvaluateError> {
    PreparedLists::new(metric, lists)?.evaluate(scores)
}

fn value_lists(
    metric: &Metric,
    problem: &Problem<'_>,
    value: impl Fn(usize, &dyn ListMetric) -> Option<f64> + Sync,
) -> Result<Evaluation, EvaluateError> {
    let name = |list: usize| format!("list {}", problem.data().list_id(list));
    value_views(metric, problem.n_lists(), |list| problem.list(list), name, value)
}

fn value_views<'l>(
    metric: &'l Metric,
    n_lists: usize,
    view: impl Fn(usize) -> ListView<'l> + Sync,
    name: impl Fn(usize) -> String,
    value: impl Fn(usize, &dyn ListMetric) -> Option<f64> + Sync,
) -> Result<Evaluation, EvaluateError> {
    check(metric, (0..n_lists).map(&view))?;
    let value_list = |list: usize| {
        let prepared = metric.prepare(&view(list));
        ListValue { value: value(list, &*prepared), weight: prepared.weight() }
    };
    let lists = (0..n_lists).into_par_iter().with_min_len(MIN_BATCH).map(value_list).collect();
    aggregate(metric, lists, name, None)
}

/// The minimum number of lists per parallel task: many lists are short.
pub(super) const MIN_BATCH: usize = 64;

/// Checks that the lists have all that the metric needs.
pub(super) fn check<'l>(
    metric: &Metric,
    mut lists: impl Iterator<Item = ListView<'l>>,
) -> Result<(), EvaluateError> {
    lists
        .try_for_each(|list| metric.check(&list))
        .map_err(|reason| EvaluateError::Unsuited { metric: metric.name(), reason })
}

/// Aggregates the values of lists to the figure. In training other shards may have more of them, and sums are exact.
pub(super) fn aggregate(
    metric: &Metric,
    lists: Vec<ListValue>,
    name: impl Fn(usize) -> String,
    shards: Option<&Shards>,
) -> Result<Evaluation, EvaluateError> {
    if let Some((list, value)) = not_finite(&lists) {
        return Err(overflow(metric, name(list), value));
    }
    let aggregate = metric.aggregate();
    let (parts, figure) = match shards {
        Some(shards) => aggregate.among(&lists, shards),
        None => {
            let parts = aggregate.parts(&lists);
            let figure = aggregate.figure(&parts);
            (parts, figure)
        }
    };
    match figure {
        // The sum of finite values may overflow.
        Some(figure) if !figure.is_finite() => Err(overflow(metric, "all lists".into(), figure)),
        figure => Ok(Evaluation { lists, parts, figure }),
    }
}

/// The result of a metric without values of single lists.
pub(super) fn figure(metric: &Metric, figure: Option<f64>) -> Result<Evaluation, EvaluateError> {
    match figure {
        Some(value) if !value.is_finite() => Err(overflow(metric, "all lists".into(), value)),
        figure => Ok(Evaluation { lists: Vec::new(), parts: Vec::new(), figure }),
    }
}

fn not_finite(lists: &[ListValue]) -> Option<(usize, f64)> {
    let bad =
        |l: &ListValue| [l.value, Some(l.weight)].into_iter().flatten().find(|v| !v.is_finite());
    lists.iter().enumerate().find_map(|(i, l)| Some((i, bad(l)?)))
}

fn overflow(metric: &Metric, of: String, value: f64) -> EvaluateError {
    let advice = match metric.option("gain").as_deref() {
        Some("exp2") => {
            "the labels are too large for 2^y - 1; use gain=linear, or a normalised metric such \
             as ndcg or rcs"
        }
        _ if metric.reads() == Reads::Values => {
            "the scores are too far apart for this metric; scale them down"
        }
        _ => "the sum exceeds the largest floating-point number; use larger units, such as y / 1e6",
    };
    EvaluateError::Overflow { metric: metric.name(), of, value, advice }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::cost::CostModel;
    use crate::data::{Columns, DatasetBuilder, Row};
    use crate::metric::Scale;

    /// Neither an infinite sum nor infinity over infinity may pass for a figure.
    #[test]
    fn sums_beyond_all_numbers_are_refused() {
        let columns =
            Columns { list: Some("l".into()), impact: Some("y".into()), ..Columns::default() };
        let mut builder = DatasetBuilder::new("huge", columns).unwrap();
        for list in ["a", "b", "c"] {
            builder.push(Row { list, impact: Some(1e308), ..Row::default() }).unwrap();
        }
        let data = builder.finish().unwrap();
        let problem = Problem::new(&data, &CostModel::Impact).unwrap();
        let figure = |text: &str| {
            let metric = Metric::parse(text, Scale::default()).unwrap();
            evaluate(&metric, &problem, &[0.0; 3]).map(|e| e.figure).map_err(|e| e.to_string())
        };
        assert!((figure("r@1").unwrap().unwrap() - 1.0).abs() < 1e-12);
        for text in ["rcs@1", "saved@1", "a@1"] {
            let error = figure(text).unwrap_err();
            assert!(error.starts_with(&format!("{text} of all lists is ")), "{error}");
            assert!(error.contains("use larger units"), "{error}");
        }
        let error = figure("dcg@1").unwrap_err();
        assert!(error.starts_with("dcg@1 of list a is inf") && error.contains("gain=linear"));
    }
}
