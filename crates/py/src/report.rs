//! Reports.

use pyo3::prelude::*;
use stakes::audit::{MissingGroup, item_groups};
use stakes::cost::Capacity;
use stakes::goal::Reach;
use stakes::judge::Amounts;
use stakes::plan::PlanOptions;
use stakes_report::{Document, ReportOptions, Subject, report as make};

use crate::data::Data;
use crate::model::Model;
use crate::train::Current;
use crate::watch::{Follower, watched};
use crate::{error, json};

/// The limits of a plan: a number of items, a budget, and amounts of columns.
type Limits = (Option<usize>, Option<f64>, Vec<(String, f64)>);

/// Makes a report of a model and its lists, of results as JSON, or of both: the page, and all figures as JSON.
#[pyfunction]
#[pyo3(signature = (
    model, data, *, name, past, documents, k, budget, plan, current, unit, currency, per, groups, title, seed, follow,
    every
))]
#[allow(clippy::too_many_arguments)] // They are keywords.
pub(crate) fn report(
    py: Python<'_>,
    model: Option<&Model>,
    data: Option<&Data>,
    name: &str,
    past: Option<&Data>,
    documents: Vec<(String, String)>,
    k: Option<String>,
    budget: Option<f64>,
    plan: Option<Limits>,
    current: Option<Current<'_>>,
    unit: Option<String>,
    currency: Option<String>,
    per: Option<f64>,
    groups: Vec<String>,
    title: Option<String>,
    seed: u64,
    follow: Option<Bound<'_, PyAny>>,
    every: bool,
) -> PyResult<(String, String)> {
    let k = k.map(|k| k.parse::<Capacity>()).transpose().map_err(error)?;
    let documents = documents.iter().map(|(name, text)| Document::parse(name, text.as_bytes()));
    let mut options = ReportOptions {
        title,
        reach: k.map(Reach::from).or(budget.map(Reach::Money)),
        amounts: Amounts { unit, money: currency.map(|name| (name, per.unwrap_or(1.0))) },
        plan: plan.map(|(k, budget, resources)| PlanOptions {
            k,
            budget,
            resources,
            ..PlanOptions::default()
        }),
        documents: documents.collect::<Result<_, _>>().map_err(error)?,
        seed,
        ..ReportOptions::default()
    };
    if let (Some(data), Some(current)) = (past.or(data), current) {
        options.current = Some(current.policy(&data.0)?);
    }
    if let Some(data) = data.filter(|_| !groups.is_empty()) {
        options.groups = Some(item_groups(&data.0, &groups, MissingGroup::Own).map_err(error)?);
    }
    let of = model.map(|model| &*model.0).zip(data.map(|data| &*data.0));
    let past = past.map(|past| &*past.0);
    let follower = Follower { call: follow, every };
    let done = watched(py, &follower, |observer| {
        let subject = of.map(|(model, data)| Subject { name, model, data, past });
        make(subject.as_ref(), &options, Some(observer))
    })?;
    let found = done.whole()?;
    Ok((found.html().map_err(error)?, json(&found)?))
}
