//! Models of other libraries.

use std::sync::Arc;

use pyo3::prelude::*;
use stakes::data::Role;
use stakes::import::{ImportOptions, SOURCES, calibrate as fit_expected_costs, import, source};

use crate::data::Data;
use crate::error;
use crate::goal::GoalArgs;
use crate::model::Model;
use crate::watch::quietly;

/// Imports the content of a model file; returns the model, the kind of the file, and notes.
#[pyfunction]
#[pyo3(signature = (content, file, *, kind, features, rounds, roles, goal))]
#[allow(clippy::too_many_arguments)] // They are keywords.
pub(crate) fn import_model(
    py: Python<'_>,
    content: &[u8],
    file: &str,
    kind: Option<&str>,
    features: Option<Vec<String>>,
    rounds: Option<usize>,
    roles: Vec<(String, String)>,
    goal: GoalArgs,
) -> PyResult<(Model, &'static str, Vec<String>)> {
    let role = |(role, column): (String, String)| {
        let known = Role::ALL.into_iter().find(|known| known.name() == role);
        known.map(|role| (role, column)).ok_or_else(|| error(format!("there is no role `{role}`")))
    };
    let options = ImportOptions {
        source: kind.map(source).transpose().map_err(error)?,
        features,
        rounds,
        goal: goal.goal()?,
        columns: roles.into_iter().map(role).collect::<PyResult<_>>()?,
    };
    let imported = quietly(py, || Ok(import(content, file, &options)?))?;
    Ok((Model(Arc::new(imported.model)), imported.source.name, imported.notes))
}

/// The model with expected costs, fitted on lists that it was not trained on.
#[pyfunction]
pub(crate) fn calibrate(py: Python<'_>, model: &Model, lists: &Data) -> PyResult<Model> {
    let mut calibrated = (*model.0).clone();
    quietly(py, || fit_expected_costs(&mut calibrated, &lists.0))?;
    Ok(Model(Arc::new(calibrated)))
}

/// The kinds of files that are read.
#[pyfunction]
pub(crate) fn import_kinds() -> Vec<&'static str> {
    SOURCES.iter().map(|source| source.name).collect()
}
