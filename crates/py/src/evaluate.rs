//! Evaluation and audit of scores.

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use stakes::audit::{AuditOptions, Measure, MissingGroup, audit_scores, item_groups};
use stakes::cost::{Capacity, Problem};
use stakes::eval::picture::curves_svg;
use stakes::eval::study::{Scores, StudyOptions};
use stakes::evaluate::{EvaluateOptions, evaluate_scores, scores::check};
use stakes::metric::{Metric, Scale, Spec};
use stakes::stats::{PairedTest, TestOptions};

use crate::data::Data;
use crate::goal::GoalArgs;
use crate::watch::{Follower, quietly, watched};
use crate::{error, json};

/// Scores by name, in the order of the items.
pub(crate) fn named(scores: Vec<(String, PyReadonlyArray1<'_, f64>)>) -> Vec<Scores> {
    let one = |(name, values): (String, PyReadonlyArray1<'_, f64>)| Scores {
        name,
        values: values.as_array().to_vec(),
    };
    scores.into_iter().map(one).collect()
}

/// Measures scores: the JSON of `stakes evaluate`, and the picture of the cost reached.
#[pyfunction]
#[pyo3(signature = (data, scores, goal, *, metrics, baseline, by, missing_group, tests, references, intervals, calibration, seed, follow, every))]
#[allow(clippy::too_many_arguments)] // They are keywords.
pub(crate) fn evaluate(
    py: Python<'_>,
    data: &Data,
    scores: Vec<(String, PyReadonlyArray1<'_, f64>)>,
    goal: GoalArgs,
    metrics: Vec<String>,
    baseline: Option<String>,
    by: Vec<String>,
    missing_group: Option<String>,
    tests: bool,
    references: bool,
    intervals: bool,
    calibration: bool,
    seed: u64,
    follow: Option<Bound<'_, PyAny>>,
    every: bool,
) -> PyResult<(String, String)> {
    let (k, goal, scores) = (goal.capacity()?, goal.goal()?, named(scores));
    let metrics = metrics.iter().map(|text| text.parse::<Spec>().map_err(error));
    let metrics = metrics.collect::<PyResult<Vec<Spec>>>()?;
    let missing = missing_group.map(|text| text.parse::<MissingGroup>());
    let missing = missing.transpose().map_err(error)?.unwrap_or_default();
    let usual = StudyOptions::default();
    let study = StudyOptions {
        intervals: usual.intervals.filter(|_| intervals),
        references,
        baseline,
        tests: if tests { vec![PairedTest::default()] } else { Vec::new() },
        test_options: TestOptions { seed, ..usual.test_options },
        ..usual
    };
    let data = &data.0;
    let follower = Follower { call: follow, every };
    let done = watched(py, &follower, |observer| {
        check(data, &scores)?;
        let problem = Problem::new(data, &goal)?;
        let by = if by.is_empty() { None } else { Some(item_groups(data, &by, missing)?) };
        let options =
            EvaluateOptions { metrics, by, study, calibration, k, ..EvaluateOptions::default() };
        evaluate_scores(&problem, &goal, &scores, &options, Some(observer))
    })?;
    let found = done.whole()?;
    let title = format!("Cost reached: {}", found.cost_name);
    Ok((json(&found)?, curves_svg(&found.curves, found.mark, &title)))
}

/// The figure of one metric, and the value of each list.
#[pyfunction]
pub(crate) fn figure(
    py: Python<'_>,
    data: &Data,
    scores: PyReadonlyArray1<'_, f64>,
    metric: &str,
    goal: GoalArgs,
) -> PyResult<(Option<f64>, Vec<Option<f64>>)> {
    let (goal, scores) = (goal.goal()?, scores.as_array().to_vec());
    let spec = metric.parse::<Spec>().map_err(error)?;
    let data = &data.0;
    let found = quietly(py, || {
        check(data, &[Scores { name: "scores".to_owned(), values: scores.clone() }])?;
        let problem = Problem::new(data, &goal)?;
        let metric: Metric = goal.complete(spec).build(Scale::of(data))?;
        Ok(stakes::metric::evaluate(&metric, &problem, &scores)?)
    })?;
    Ok((found.figure, found.lists.iter().map(|list| list.value).collect()))
}

/// Audits an order: the JSON of `stakes audit`, and the page.
#[pyfunction]
#[pyo3(signature = (data, scores, goal, *, expected, groups, measures, protected, reference, missing_group, resamples, draws, seed))]
#[allow(clippy::too_many_arguments)] // They are keywords.
pub(crate) fn audit(
    py: Python<'_>,
    data: &Data,
    scores: (String, PyReadonlyArray1<'_, f64>),
    goal: GoalArgs,
    expected: Option<PyReadonlyArray1<'_, f64>>,
    groups: Vec<String>,
    measures: Vec<String>,
    protected: Option<String>,
    reference: Option<String>,
    missing_group: Option<String>,
    resamples: Option<usize>,
    draws: Option<usize>,
    seed: u64,
) -> PyResult<(String, String)> {
    let (goal, scores) = (goal.goal()?, named(vec![scores]));
    let missing = missing_group.map(|text| text.parse::<MissingGroup>());
    let missing = missing.transpose().map_err(error)?.unwrap_or_default();
    let measures = measures.iter().map(|text| text.parse::<Measure>().map_err(error));
    let usual = AuditOptions::default();
    let expected = expected.map(|values| values.as_array().to_vec());
    let data = &data.0;
    let k = match goal.capacity().map(|k| k.resolve(data.mean_list_length())) {
        Some(Capacity::Items(k)) => k,
        _ => usual.k,
    };
    let options = AuditOptions {
        measures: measures.collect::<PyResult<_>>()?,
        k,
        policy: goal.policy.clone(),
        protected,
        reference,
        resamples: resamples.unwrap_or(usual.resamples),
        draws: draws.unwrap_or(usual.draws),
        seed,
        ..usual
    };
    let found = quietly(py, || {
        check(data, &scores)?;
        let groups = item_groups(data, &groups, missing)?;
        audit_scores(data, &goal, &scores[0], expected.as_deref(), &groups, &options)
    })?;
    Ok((json(&found)?, found.html()))
}
