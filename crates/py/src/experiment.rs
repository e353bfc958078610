//! Comparisons over folds and past periods.

use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use serde::Serialize;
use stakes::Observer;
use stakes::data::Dataset;
use stakes::experiment::{
    BacktestOptions, CompareOptions, Contestant, Outcome, Setting, backtest as backtest_all,
    compare as compare_all,
};
use stakes::metric::Spec;
use stakes::split::FoldPlan;

use crate::data::Data;
use crate::evaluate::named;
use crate::goal::GoalArgs;
use crate::jobs::Jobs;
use crate::watch::{Follower, watched};
use crate::{error, json};

/// Who is compared, and how.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked<'py> {
    learners: Vec<String>,
    scores: Vec<(String, PyReadonlyArray1<'py, f64>)>,
    current: Option<String>,
    folds: Option<String>,
    metrics: Vec<String>,
    tune: Option<usize>,
    learning_curve: Vec<f64>,
    run: Option<String>,
    seed: u64,
}

/// What workflows take.
struct Parts {
    contestants: Vec<Contestant>,
    plan: Option<FoldPlan>,
    options: CompareOptions,
    seed: u64,
}

impl Asked<'_> {
    fn parts(self, data: &Dataset) -> PyResult<Parts> {
        let mut contestants = Vec::new();
        for text in &self.learners {
            contestants.extend(Contestant::learners(text).map_err(error)?);
        }
        contestants.extend(named(self.scores).into_iter().map(Contestant::scores));
        if let Some(column) = &self.current {
            contestants.push(Contestant::current(data, column).map_err(error)?);
        }
        let metrics = self.metrics.iter().map(|text| text.parse::<Spec>().map_err(error));
        let options = CompareOptions {
            metrics: metrics.collect::<PyResult<_>>()?,
            trials: self.tune.unwrap_or(0),
            learning_curve: self.learning_curve,
            run: self.run,
            ..CompareOptions::default()
        };
        let plan = self.folds.map(|text| text.parse::<FoldPlan>()).transpose().map_err(error)?;
        Ok(Parts { contestants, plan, options, seed: self.seed })
    }
}

/// The result, or a KeyboardInterrupt that says what is finished.
fn finished<T>(outcome: Outcome<T>) -> PyResult<Box<T>> {
    match outcome {
        Outcome::Finished(found) => Ok(found),
        Outcome::Interrupted { done, of } => Err(PyKeyboardInterrupt::new_err(format!(
            "interrupted after {done} of {of} trainings; with run=DIRECTORY they are kept, and the same call \
             goes on"
        ))),
    }
}

/// Makes an experiment, and returns its JSON.
fn made<T: Serialize + Send>(
    py: Python<'_>,
    (data, goal, asked, jobs): (&Data, GoalArgs, Asked<'_>, Option<&Jobs>),
    follower: &Follower<'_>,
    experiment: impl FnOnce(
        &Setting<'_>,
        &[Contestant],
        CompareOptions,
        &mut dyn Observer,
    ) -> Result<Outcome<T>, stakes::Error>
    + Send,
) -> PyResult<String> {
    let (goal, data) = (goal.goal()?, &data.0);
    let Parts { contestants, plan, options, seed } = asked.parts(data)?;
    let options = CompareOptions { jobs: Jobs::of(jobs), ..options };
    let done = watched(py, follower, |watch| {
        let setting = Setting::new(data, &goal, plan, seed)?;
        experiment(&setting, &contestants, options, watch)
    })?;
    let (outcome, _) = done.so_far(py)?;
    json(&*finished(outcome)?)
}

/// Compares learners and scores over folds: the JSON of `stakes compare`.
#[pyfunction]
pub(crate) fn compare(
    py: Python<'_>,
    data: &Data,
    goal: GoalArgs,
    asked: Asked<'_>,
    jobs: Option<&Jobs>,
    follow: Option<Bound<'_, PyAny>>,
    every: bool,
) -> PyResult<String> {
    let follower = Follower { call: follow, every };
    made(py, (data, goal, asked, jobs), &follower, |setting, contestants, options, observer| {
        compare_all(setting, contestants, &options, Some(observer))
    })
}

/// Trains as of past dates and judges the periods after them: the JSON of `stakes backtest`.
#[pyfunction]
pub(crate) fn backtest(
    py: Python<'_>,
    data: &Data,
    goal: GoalArgs,
    asked: Asked<'_>,
    jobs: Option<&Jobs>,
    follow: Option<Bound<'_, PyAny>>,
    every: bool,
) -> PyResult<String> {
    let follower = Follower { call: follow, every };
    made(py, (data, goal, asked, jobs), &follower, |setting, contestants, compare, observer| {
        let options = BacktestOptions { compare, ..BacktestOptions::default() };
        backtest_all(setting, contestants, &options, Some(observer))
    })
}
