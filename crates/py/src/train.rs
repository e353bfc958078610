//! Training.

use std::collections::HashMap;
use std::sync::Arc;

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use stakes::data::Dataset;
use stakes::eval::study::Scores;
use stakes::fit::Fit;
use stakes::judge::{Amounts, CurrentPolicy, JudgeOptions};
use stakes::learn::boosted::BoostedTrees;
use stakes::learn::{Configured, learner as learner_by_name};
use stakes::split::HoldOut;
use stakes::{Note, Observer};

use crate::data::Data;
use crate::goal::GoalArgs;
use crate::jobs::Jobs;
use crate::model::Model;
use crate::own::{Failure, PyLoss, failed, metric as own_metric};
use crate::watch::{Follower, watched};
use crate::{error, json};

/// What a model has to beat.
#[derive(FromPyObject)]
pub(crate) enum Current<'py> {
    /// A column, an expression of columns, or `random`.
    Text(String),
    /// A name, and a score for each item.
    Scores(String, PyReadonlyArray1<'py, f64>),
}

impl Current<'_> {
    /// The present order of these data.
    pub(crate) fn policy(self, data: &Dataset) -> PyResult<CurrentPolicy> {
        match self {
            Current::Text(text) => CurrentPolicy::parse(&text).map_err(error),
            Current::Scores(name, values) => {
                let scores = Scores { name, values: values.as_array().to_vec() };
                CurrentPolicy::of_scores(scores, data).map_err(error)
            }
        }
    }
}

/// A metric: the function, its name, and whether higher values are better.
#[derive(FromPyObject)]
pub(crate) struct OwnMetric<'py>(Bound<'py, PyAny>, String, bool);

/// Trains a model. Returns it, the summary as JSON, notes, and whether it was interrupted.
#[pyfunction]
#[pyo3(signature = (
    data, goal, *, learner, params, seed, hold_out, folds, valid, tune, current, unit, currency, per, judge,
    allow_leak, note_leaks, loss, metric, init_model, base, output, resume, jobs, follow, every
))]
#[allow(clippy::too_many_arguments)] // They are keywords.
pub(crate) fn train(
    py: Python<'_>,
    data: &Data,
    goal: GoalArgs,
    learner: &str,
    params: HashMap<String, String>,
    seed: u64,
    hold_out: Option<String>,
    folds: Option<usize>,
    valid: Option<&Data>,
    tune: Option<usize>,
    current: Option<Current<'_>>,
    unit: Option<String>,
    currency: Option<String>,
    per: Option<f64>,
    judge: bool,
    allow_leak: Vec<String>,
    note_leaks: bool,
    loss: Option<Bound<'_, PyAny>>,
    metric: Option<OwnMetric<'_>>,
    init_model: Option<&Model>,
    base: Option<&Model>,
    output: Option<String>,
    resume: bool,
    jobs: Option<&Jobs>,
    follow: Option<Bound<'_, PyAny>>,
    every: bool,
) -> PyResult<(Model, String, Vec<String>, bool)> {
    let failure = Failure::default();
    let goal = goal.goal()?;
    let metric = metric
        .map(|OwnMetric(function, name, higher)| own_metric(function, &name, higher, &failure));
    let pairs = params.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    let configured = match loss {
        None => Configured::new(learner_by_name(learner).map_err(error)?, pairs).map_err(error)?,
        Some(function) => {
            let loss = PyLoss { function: function.unbind(), failure: failure.clone() };
            Configured::new(Box::new(BoostedTrees::new(loss)), pairs).map_err(error)?
        }
    };
    let mut fit = Fit::configured(configured).read_costs().map_err(error)?.seed(seed);
    fit = fit.jobs(Jobs::of(jobs));
    if let Some(part) = hold_out {
        fit = fit.hold_out(part.parse::<HoldOut>().map_err(error)?);
    }
    if let Some(folds) = folds {
        fit = fit.folds(folds);
    }
    if let Some(trials) = tune {
        fit = fit.tune(trials);
    }
    if let Some(metric) = &metric {
        fit = fit.metric(metric);
    }
    if let Some(model) = init_model {
        fit = fit.continue_from(&model.0);
    }
    if let Some(base) = base {
        fit = fit.rerank(&base.0);
    }
    if let Some(output) = &output {
        fit = fit.output(output).resume(resume);
    }
    fit.check().map_err(error)?;
    let data = &data.0;
    let current = current.map(|current| current.policy(data)).transpose()?;
    fit = fit.current(current.as_ref().and_then(|current| current.feature(data)));
    let money = currency.map(|currency| (currency, per.unwrap_or(1.0)));
    let amounts = Amounts { unit, money };
    let options = JudgeOptions { regression: judge, seed, current, amounts };
    let follower = Follower { call: follow, every };
    let done = watched(py, &follower, |watch| {
        let division = match valid {
            None => fit.divide(&**data, &goal)?,
            Some(other) => fit.validate_with(&**data, (*other.0).clone(), &goal)?,
        };
        let mut said = Vec::new();
        match division.check_leaks(&allow_leak) {
            Err(leak @ stakes::Error::Leaks { .. }) if note_leaks => said.push(leak.to_string()),
            checked => checked?,
        }
        division.notes.iter().for_each(|note| watch.note(note));
        let mut fitted = fit.run(&division, Some(watch))?;
        fitted.notes.splice(..0, division.notes.iter().cloned());
        // What is trained to compare with is not what callbacks follow.
        watch.mute();
        let judged = fitted.judge(&division, &options, Some(watch))?;
        // That it takes a while is for who watches.
        let lasting = fitted.notes.iter().chain(judged.notes());
        let lasting = lasting.filter(|note| !matches!(note, Note::Plan { .. }));
        let notes: Vec<String> = said.into_iter().chain(lasting.map(Note::to_string)).collect();
        let report = fitted.report(output.as_deref().unwrap_or(""), &division, judged);
        Ok((fitted, report, notes))
    });
    let done = done?;
    if let Err(stakes::Error::Leaks { what, columns }) = &done.result {
        let advice =
            "leave it out (drop=), or, if it is known before acting, allow it (allow_leak=)";
        return Err(error(format!("{what} {columns}: {advice}")));
    }
    let stopped = done.so_far(py);
    failed(&failure)?;
    let ((fitted, report, notes), interrupted) = stopped?;
    let interrupted = interrupted || fitted.is_interrupted();
    let Some(model) = fitted.model else {
        return Err(error("the run was interrupted before there was a model"));
    };
    Ok((Model(Arc::new(model)), json(&report)?, notes, interrupted))
}
