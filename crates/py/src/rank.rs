//! Rankings and plans.

use std::fmt::Display;
use std::str::FromStr;

use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use stakes::cost::Capacity;
use stakes::goal::Reach;
use stakes::plan::{PlanOptions, plan as plan_lists, plan_by};
use stakes::rank::{COST_COLUMNS, RankLists, RankOptions, Ranked, RankedItem};
use stakes::{Error, Note};

use crate::data::Data;
use crate::model::{Model, seen_lists};
use crate::watch::quietly;
use crate::{error, json};

/// The items of all lists in order, as columns, and notes.
#[pyfunction]
#[pyo3(signature = (model, data, *, k, budget, top, reasons, min_share, at_most, fitted))]
#[allow(clippy::too_many_arguments)] // They are keywords.
pub(crate) fn rank<'py>(
    py: Python<'py>,
    model: &Model,
    data: &Data,
    k: Option<String>,
    budget: Option<f64>,
    top: Option<usize>,
    reasons: usize,
    min_share: Vec<String>,
    at_most: Vec<String>,
    fitted: bool,
) -> PyResult<(Bound<'py, PyDict>, Vec<String>)> {
    let k = k.map(|k| k.parse::<Capacity>()).transpose().map_err(error)?;
    let options = RankOptions {
        reach: k.map(Reach::from).or(budget.map(Reach::Money)),
        list: None,
        top,
        reasons,
        min_shares: parsed(&min_share)?,
        seen: seen_lists(fitted),
        at_most: parsed(&at_most)?,
    };
    let ranked = quietly(py, || model.0.rank_with(&data.0, &options))?;
    let notes = ranked.notes.iter().map(Note::to_string).collect();
    Ok((columns(py, &ranked)?, notes))
}

fn parsed<T: FromStr<Err: Display>>(texts: &[String]) -> PyResult<Vec<T>> {
    texts.iter().map(|text| text.parse().map_err(error)).collect()
}

/// A ranking as columns. What the model does not know is left out.
fn columns<'py>(py: Python<'py>, ranked: &Ranked<'_>) -> PyResult<Bound<'py, PyDict>> {
    let items = &ranked.items;
    let columns = PyDict::new(py);
    let numbers = |value: &dyn Fn(&RankedItem<'_>) -> f64| {
        items.iter().map(value).collect::<Vec<f64>>().into_pyarray(py)
    };
    let whole = |value: &dyn Fn(&RankedItem<'_>) -> i64| {
        items.iter().map(value).collect::<Vec<i64>>().into_pyarray(py)
    };
    columns.set_item("item", whole(&|item| item.item as i64))?;
    columns.set_item("list", items.iter().map(|item| item.list).collect::<Vec<&str>>())?;
    columns.set_item("rank", whole(&|item| item.rank as i64))?;
    columns.set_item("id", items.iter().map(|item| &*item.id).collect::<Vec<&str>>())?;
    columns.set_item("score", numbers(&|item| item.score))?;
    let act: Vec<bool> = items.iter().map(|item| item.act).collect();
    columns.set_item("act", act.into_pyarray(py))?;
    for (name, value) in COST_COLUMNS {
        if items.iter().any(|item| value(item).is_known()) {
            columns.set_item(name, numbers(&|item| value(item).value().unwrap_or(f64::NAN)))?;
        }
    }
    if items.iter().any(|item| item.because.is_some()) {
        let words = |item: &RankedItem<'_>| item.because.as_ref().map(ToString::to_string);
        columns.set_item("because", items.iter().map(words).collect::<Vec<_>>())?;
    }
    Ok(columns)
}

/// Plans each list, as the JSON of `stakes plan`, with notes. What items are expected to save is given, or known
/// by a model.
#[pyfunction]
#[pyo3(signature = (data, *, model, expected, k, budget, resources, at_most, at_least, must, must_not, current, reasons, fitted))]
#[allow(clippy::too_many_arguments)] // They are keywords.
pub(crate) fn plan(
    py: Python<'_>,
    data: &Data,
    model: Option<&Model>,
    expected: Option<PyReadonlyArray1<'_, f64>>,
    k: Option<usize>,
    budget: Option<f64>,
    resources: Vec<(String, f64)>,
    at_most: Vec<String>,
    at_least: Vec<String>,
    must: Vec<String>,
    must_not: Vec<String>,
    current: Option<PyReadonlyArray1<'_, f64>>,
    reasons: usize,
    fitted: bool,
) -> PyResult<(String, Vec<String>)> {
    let options = PlanOptions {
        k,
        budget,
        resources,
        at_most: parsed(&at_most)?,
        at_least: parsed(&at_least)?,
        must,
        must_not,
        current: current.map(|scores| scores.as_array().to_vec()),
        forecast: None,
    };
    let given = expected.map(|values| values.as_array().to_vec());
    let data = &data.0;
    let (planned, notes) = quietly(py, || match (given, model) {
        (Some(expected), model) => {
            let mut planned = plan_lists(data, &expected, &options)?;
            if let (Some(Model(model)), 1..) = (model, reasons) {
                planned.explain(model, data, reasons)?;
            }
            Ok((planned, Vec::new()))
        }
        (None, Some(Model(model))) => {
            let planned = plan_by(model, data, options, reasons, seen_lists(fitted))?;
            Ok((planned.planned, planned.notes))
        }
        (None, None) => {
            Err(Error::Plan("it is not known what items are expected to save".to_owned()))
        }
    })?;
    Ok((json(&planned)?, notes.iter().map(Note::to_string).collect()))
}
