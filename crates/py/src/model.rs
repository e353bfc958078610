//! Models.

use std::sync::Arc;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::prelude::*;
use stakes::Note;
use stakes::explain::{ExplainOptions, ExplainReport};
use stakes::goal::Reach;
use stakes::model::explain::{Explainer, Rows, ScoreParts};
use stakes::model_file::ModelFile;
use stakes::monitor::{Limits, MonitorOptions};
use stakes::rank::expected_costs;
use stakes::report::ModelInfo;
use stakes::scoring::{self, SeenLists};

use crate::data::Data;
use crate::goal::GoalArgs;
use crate::watch::{Follower, quietly, watched};
use crate::{error, json};

/// A trained model.
#[pyclass(frozen, module = "stakes._stakes")]
pub(crate) struct Model(pub(crate) Arc<stakes::model::Model>);

/// How lists that a model was trained on are scored.
pub(crate) fn seen_lists(fitted: bool) -> SeenLists {
    if fitted { SeenLists::Fitted } else { SeenLists::OutOfFold }
}

#[pymethods]
impl Model {
    /// Reads a model file.
    #[staticmethod]
    fn load(py: Python<'_>, path: &str) -> PyResult<Model> {
        Ok(Model(Arc::new(quietly(py, || stakes::model::Model::load(path))?)))
    }

    /// Reads a model from its JSON.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &[u8]) -> PyResult<Model> {
        Ok(Model(Arc::new(quietly(py, || Ok(stakes::model::Model::from_json(text, "a model")?))?)))
    }

    /// Writes a model file.
    fn save(&self, py: Python<'_>, path: &str) -> PyResult<()> {
        quietly(py, || self.0.save(path))
    }

    /// The model as JSON.
    fn to_json<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let text = py.detach(|| self.0.to_json());
        PyBytes::new(py, text.as_bytes())
    }

    /// What the model holds, as JSON.
    fn info(&self) -> PyResult<String> {
        json(&ModelInfo::new("", &self.0))
    }

    /// The name of the learner.
    #[getter]
    fn learner(&self) -> &str {
        &self.0.learner
    }

    /// The names of the features.
    #[getter]
    fn features(&self) -> Vec<&str> {
        self.0.features.iter().map(|feature| feature.name.as_str()).collect()
    }

    /// The roles that columns had in training: role and name.
    #[getter]
    fn columns(&self) -> Vec<(&'static str, &str)> {
        self.0.columns.iter().map(|(role, name)| (role.name(), name.as_str())).collect()
    }

    /// What the model was trained for, in the words of its metric.
    #[getter]
    fn goal(&self) -> String {
        self.0.goal.spec().to_string()
    }

    /// Whether the goal is a sum of money, for which prices are needed.
    #[getter]
    fn has_budget(&self) -> bool {
        self.0.goal.budget().is_some()
    }

    /// The score of each item, and a note if the model was trained on some of the lists; before figures also if that
    /// is not known.
    #[pyo3(signature = (data, fitted, figures = false))]
    fn score<'py>(
        &self,
        py: Python<'py>,
        data: &Data,
        fitted: bool,
        figures: bool,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Option<String>)> {
        let scored = quietly(py, || scoring::score(&self.0, &data.0, seen_lists(fitted)))?;
        let note = if figures { Note::on_figures } else { Note::trained_on };
        let note = note("the model", &data.0, scored.trained_on);
        Ok((scored.values.into_pyarray(py), note.map(|note| note.to_string())))
    }

    /// How far down a list actions reach: a number of items as text, or money.
    #[getter]
    fn reach(&self) -> (Option<String>, Option<f64>) {
        match self.0.goal.reach {
            Reach::Items(k) => (Some(k.to_string()), None),
            Reach::Money(money) => (None, Some(money)),
        }
    }

    /// What items are ranked by: their scores, or under a budget what they give for their price.
    fn priorities<'py>(
        &self,
        py: Python<'py>,
        data: &Data,
        scores: PyReadonlyArray1<'_, f64>,
        goal: GoalArgs,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let reach = goal.goal()?.reach;
        Ok(self.0.priorities(scores.as_array().to_vec(), &data.0, reach).into_pyarray(py))
    }

    /// The expected cost of each item, by its score; `None` if the model is not calibrated.
    fn expected_costs<'py>(
        &self,
        py: Python<'py>,
        scores: PyReadonlyArray1<'_, f64>,
    ) -> Option<Bound<'py, PyArray1<f64>>> {
        let scores: Vec<f64> = scores.as_array().to_vec();
        expected_costs(&self.0, &scores).map(|costs| costs.into_pyarray(py))
    }

    /// What each feature adds to each item's score beyond the score of the mean item of the data: the score of
    /// that one, and the parts.
    fn contributions<'py>(
        &self,
        py: Python<'py>,
        data: &Data,
    ) -> PyResult<(f64, Bound<'py, PyArray2<f64>>)> {
        let (model, data) = (&self.0, &data.0);
        if model.rerank.is_some() {
            return Err(error(stakes::Error::TwoStages));
        }
        let (base, values) = quietly(py, || {
            let rows = Rows::new(model, data)?;
            let explainer = Explainer::new(model);
            let parts: Vec<ScoreParts> = (0..data.len())
                .into_par_iter()
                .map(|item| explainer.parts(rows.row(item)))
                .collect();
            let mean = ScoreParts::mean(parts.iter()).expect("data are never empty");
            let values: Vec<Vec<f64>> =
                parts.par_iter().map(|parts| explainer.contrast(parts, &mean)).collect();
            Ok((explainer.score(&mean), values.concat()))
        })?;
        let shape = [data.len(), model.features.len()];
        Ok((base, values.into_pyarray(py).reshape(shape)?))
    }

    /// What features do, as the JSON of `stakes explain`.
    #[pyo3(signature = (data, *, with_cost, repeats, seed, features, follow, every))]
    #[allow(clippy::too_many_arguments)] // They are keywords.
    fn explain(
        &self,
        py: Python<'_>,
        data: Option<&Data>,
        with_cost: bool,
        repeats: usize,
        seed: u64,
        features: Vec<String>,
        follow: Option<Bound<'_, PyAny>>,
        every: bool,
    ) -> PyResult<String> {
        let options = ExplainOptions { k: None, repeats, seed, features };
        let found = match data {
            None => None,
            Some(data) => {
                let follower = Follower { call: follow, every };
                let found = watched(py, &follower, |observer| {
                    stakes::explain::explain(&self.0, &data.0, with_cost, &options, Some(observer))
                })?;
                Some(found.whole()?)
            }
        };
        json(&ExplainReport::new("", &self.0, found.as_ref(), &options))
    }

    /// Whether the model still fits new lists, as the JSON of `stakes monitor`, and the page.
    #[pyo3(signature = (data, *, reference, previous, limits, resamples, seed))]
    #[allow(clippy::too_many_arguments)] // They are keywords.
    fn monitor(
        &self,
        py: Python<'_>,
        data: &Data,
        reference: Option<&Data>,
        previous: Option<&Model>,
        limits: (f64, f64, f64, Option<f64>),
        resamples: usize,
        seed: u64,
    ) -> PyResult<(String, String)> {
        let (psi, calibration, drop, churn) = limits;
        let options = MonitorOptions {
            reference: reference.map(|data| &*data.0),
            previous: previous.map(|model| &*model.0),
            limits: Limits { psi, calibration, drop, churn },
            resamples,
            seed,
        };
        let found = quietly(py, || stakes::monitor::monitor(&self.0, &data.0, &options))?;
        Ok((json(&found)?, found.to_string()))
    }
}
