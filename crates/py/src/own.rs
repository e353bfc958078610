//! Losses and metrics that are functions of Python: `loss(scores, cost, lists) -> (grad, hess)` and
//! `metric(scores, cost, lists) -> float`, with whole arrays and the offsets of lists, called once a round.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use stakes::data::ListView;
use stakes::learn::Lists;
use stakes::learn::loss::{AllListsLoss, GradHess, ListLoss, Loss};
use stakes::metric::{AllListsMetric, Direction, ListMetric, Metric, MetricProperties, Rule};

/// The first exception of a function. Workflows know nothing of Python: they go on with zeros, and the
/// exception is raised when they end.
pub(crate) type Failure = std::sync::Arc<Mutex<Option<PyErr>>>;

fn keep(failure: &Failure, error: PyErr) {
    failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
}

/// The exception of a function, if there was one.
pub(crate) fn failed(failure: &Failure) -> PyResult<()> {
    match failure.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Arguments of a function.
struct Given<'a> {
    cost: &'a [f64],
    offsets: Cow<'a, [usize]>,
}

impl Given<'_> {
    fn call<'py>(
        &self,
        py: Python<'py>,
        function: &Py<PyAny>,
        scores: &[f64],
    ) -> PyResult<Bound<'py, PyAny>> {
        let offsets: Vec<i64> = self.offsets.iter().map(|&at| at as i64).collect();
        let (scores, cost) =
            (PyArray1::from_slice(py, scores), PyArray1::from_slice(py, self.cost));
        function.bind(py).call1((scores, cost, PyArray1::from_vec(py, offsets)))
    }
}

/// A loss of Python.
pub(crate) struct PyLoss {
    pub(crate) function: Py<PyAny>,
    pub(crate) failure: Failure,
}

struct Prepared<'a> {
    loss: &'a PyLoss,
    lists: Given<'a>,
    weight: Option<&'a [f64]>,
    /// The weight of the list.
    factor: f64,
}

impl Prepared<'_> {
    fn compute(&self, scores: &[f64], out: &mut [GradHess]) -> PyResult<()> {
        Python::attach(|py| {
            let found = self.lists.call(py, &self.loss.function, scores)?;
            let (grad, hess): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
                found.extract().map_err(|_| {
                    crate::error(
                        "a loss must return two arrays: the first and the second derivatives",
                    )
                })?;
            let (grad, hess) = (array(&grad)?, array(&hess)?);
            let (grad, hess) = (grad.as_array(), hess.as_array());
            if grad.len() != out.len() || hess.len() != out.len() {
                return Err(crate::error(format!(
                    "a loss returned arrays of {} and {} numbers for {} items",
                    grad.len(),
                    hess.len(),
                    out.len()
                )));
            }
            for (item, out) in out.iter_mut().enumerate() {
                let weight = self.factor * self.weight.map_or(1.0, |weight| weight[item]);
                let (grad, hess) = (grad[item], hess[item]);
                if !(grad.is_finite() && hess.is_finite() && hess >= 0.0) {
                    return Err(crate::error(format!(
                        "a loss returned the derivatives {grad} and {hess} for item {item}; both must be \
                         finite, and the second not negative"
                    )));
                }
                *out = GradHess { grad: weight * grad, hess: weight * hess };
            }
            Ok(())
        })
    }

    fn derivatives(&self, scores: &[f64], out: &mut [GradHess]) {
        out.fill(GradHess::default());
        if let Err(error) = self.compute(scores, out) {
            out.fill(GradHess::default());
            keep(&self.loss.failure, error);
        }
    }
}

fn array<'py>(values: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray1<'py, f64>> {
    let numpy = values.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (values, "float64"))?;
    let array = array
        .cast_into::<PyArray1<f64>>()
        .map_err(|_| crate::error("derivatives must be arrays of one dimension"))?;
    Ok(array.readonly())
}

impl Loss for PyLoss {
    fn prepare<'l>(&'l self, list: &ListView<'l>, weight: f64) -> Box<dyn ListLoss + 'l> {
        let lists = Given { cost: list.cost, offsets: Cow::Owned(vec![0, list.len()]) };
        Box::new(Prepared { loss: self, lists, weight: list.weight, factor: weight })
    }

    fn prepare_all<'l>(&'l self, lists: &'l Lists) -> Option<Box<dyn AllListsLoss + 'l>> {
        let given = Given { cost: lists.cost(), offsets: Cow::Borrowed(lists.offsets()) };
        Some(Box::new(Prepared { loss: self, lists: given, weight: lists.weight(), factor: 1.0 }))
    }
}

impl ListLoss for Prepared<'_> {
    fn gradients(&self, scores: &[f64], out: &mut [GradHess]) {
        self.derivatives(scores, out);
    }

    fn value(&self, _scores: &[f64]) -> Option<f64> {
        None
    }
}

impl AllListsLoss for Prepared<'_> {
    fn gradients(&self, scores: &[f64], out: &mut [GradHess]) {
        self.derivatives(scores, out);
    }
}

/// A metric of Python.
struct PyMetric {
    function: Py<PyAny>,
    failure: Failure,
}

/// Makes a metric of a function; `higher` says which values are better.
pub(crate) fn metric(
    function: Bound<'_, PyAny>,
    name: &str,
    higher: bool,
    failure: &Failure,
) -> Metric {
    let direction = if higher { Direction::Higher } else { Direction::Lower };
    let properties = MetricProperties { direction, ..MetricProperties::new(name) };
    Metric::custom(properties, PyMetric { function: function.unbind(), failure: failure.clone() })
}

struct PreparedMetric<'a> {
    metric: &'a PyMetric,
    lists: Given<'a>,
}

impl PreparedMetric<'_> {
    fn value(&self, scores: &[f64]) -> Option<f64> {
        let found = Python::attach(|py| {
            self.lists.call(py, &self.metric.function, scores)?.extract::<f64>()
        });
        match found {
            Ok(value) => Some(value).filter(|value| !value.is_nan()),
            Err(error) => {
                keep(&self.metric.failure, error);
                None
            }
        }
    }
}

impl Rule for PyMetric {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        let lists = Given { cost: list.cost, offsets: Cow::Owned(vec![0, list.len()]) };
        Box::new(PreparedMetric { metric: self, lists })
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        Cow::Borrowed(list.cost)
    }

    fn prepare_all<'l>(&'l self, lists: &[ListView<'l>]) -> Option<Box<dyn AllListsMetric + 'l>> {
        let mut offsets = vec![0];
        let mut cost = Vec::new();
        for list in lists {
            cost.extend_from_slice(list.cost);
            offsets.push(cost.len());
        }
        Some(Box::new(PreparedAll { metric: self, cost, offsets }))
    }
}

impl ListMetric for PreparedMetric<'_> {
    fn of_scores(&self, scores: &[f64]) -> Option<f64> {
        self.value(scores)
    }
}

struct PreparedAll<'a> {
    metric: &'a PyMetric,
    cost: Vec<f64>,
    offsets: Vec<usize>,
}

impl AllListsMetric for PreparedAll<'_> {
    fn of_scores(&self, scores: &[f64]) -> Option<f64> {
        let lists = Given { cost: &self.cost, offsets: Cow::Borrowed(&self.offsets) };
        PreparedMetric { metric: self.metric, lists }.value(scores)
    }
}
