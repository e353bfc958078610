//! A metric over a whole problem: per-list values, and the figure they make.

use rayon::prelude::*;

use super::{ListValue, Metric, Part};
use crate::cost::Problem;

/// A metric's values for one score.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// What each list says, in the order of the data.
    pub lists: Vec<ListValue>,
    /// The lists' shares in the figure.
    pub parts: Vec<Part>,
    /// The figure, or `None` if no list has a value.
    pub figure: Option<f64>,
}

/// A figure that cannot be had.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EvaluateError {
    /// The data lacks something.
    #[error("{metric}: {reason}")]
    Unsuited {
        /// The metric.
        metric: String,
        /// What is missing and how to give it.
        reason: String,
    },
    /// A value beyond what numbers can hold.
    #[error(
        "{metric} of list {list} is {value}: the labels are too large for it; \
         use gain=linear, or a normalised metric such as ndcg or rcs"
    )]
    Overflow {
        /// The metric.
        metric: String,
        /// The list's id.
        list: String,
        /// What came out.
        value: f64,
    },
}

/// Values `scores` (one per item, finite) by `metric`, lists in parallel. The result does
/// not depend on the number of threads: lists are independent and summed in order.
pub fn evaluate(
    metric: &Metric,
    problem: &Problem<'_>,
    scores: &[f64],
) -> Result<Evaluation, EvaluateError> {
    assert_eq!(scores.len(), problem.data().len(), "one score per item");
    (0..problem.n_lists())
        .try_for_each(|list| metric.check(&problem.list(list)))
        .map_err(|reason| EvaluateError::Unsuited { metric: metric.name(), reason })?;
    let value_list = |list: usize| {
        let prepared = metric.prepare(&problem.list(list));
        let value = prepared.of_scores(&scores[problem.data().items(list)]);
        ListValue { value, weight: prepared.weight() }
    };
    // Many short lists: hand them out in bundles.
    let lists: Vec<ListValue> =
        (0..problem.n_lists()).into_par_iter().with_min_len(64).map(value_list).collect();
    if let Some((list, value)) = not_finite(&lists) {
        let list = problem.data().list_id(list).to_owned();
        return Err(EvaluateError::Overflow { metric: metric.name(), list, value });
    }
    let aggregate = metric.info().aggregate;
    let parts = aggregate.parts(&lists);
    let figure = aggregate.figure(&parts);
    Ok(Evaluation { lists, parts, figure })
}

fn not_finite(lists: &[ListValue]) -> Option<(usize, f64)> {
    let bad = |(i, l): (usize, &ListValue)| l.value.filter(|v| !v.is_finite()).map(|v| (i, v));
    lists.iter().enumerate().find_map(bad)
}
