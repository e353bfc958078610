//! What is watched while a model is learnt: a metric or the loss, on validation lists or,
//! without them, on those it learns from.

use stakes_core::metric::{Direction, Metric, evaluate_lists};

use crate::Lists;
use crate::fit::FitError;
use crate::model::{Link, times};
use crate::objective::Objective;

/// What is measured.
pub(crate) enum Measure<'m> {
    /// A metric of the finished scores.
    Metric(&'m Metric),
    /// The loss that is minimised.
    Loss { name: &'static str, objective: &'m Objective<'m> },
}

/// How a raw score becomes a finished one.
pub(crate) struct Finish<'m> {
    pub(crate) link: Link,
    pub(crate) unit: f64,
    /// Other factors of the score, by item.
    pub(crate) others: Option<&'m [f64]>,
    /// A last factor, the same for all.
    pub(crate) smearing: f64,
}

impl Finish<'_> {
    /// In the order of the factors, so that they are the scores of the model to the bit.
    fn scores(&self, raw: &[f64]) -> Vec<f64> {
        let score = |(i, &sum): (usize, &f64)| {
            let before = self.others.map_or(self.unit, |others| times(self.unit, others[i]));
            times(times(before, self.link.apply(sum)), self.smearing)
        };
        raw.iter().enumerate().map(score).collect()
    }
}

impl Measure<'_> {
    pub(crate) fn name(&self, is_validation: bool) -> String {
        let what = match self {
            Measure::Metric(metric) => metric.name(),
            Measure::Loss { name, .. } => (*name).to_owned(),
        };
        format!("{what} on {} lists", if is_validation { "validation" } else { "training" })
    }

    pub(crate) fn direction(&self) -> Direction {
        match self {
            Measure::Metric(metric) => metric.direction(),
            Measure::Loss { .. } => Direction::Lower,
        }
    }

    pub(crate) fn value(
        &self,
        lists: &Lists,
        raw: &[f64],
        finish: &Finish<'_>,
    ) -> Result<f64, FitError> {
        let value = match self {
            Measure::Loss { objective, .. } => objective.value(raw),
            Measure::Metric(metric) => {
                evaluate_lists(metric, &lists.views(), &finish.scores(raw))?.figure
            }
        };
        value.ok_or_else(|| {
            let what = match self {
                Measure::Metric(metric) => metric.name(),
                Measure::Loss { name, .. } => (*name).to_owned(),
            };
            FitError::Data(format!(
                "{what} has no value on these lists: none of them has anything to save or to \
                 compare; give other lists to validate with, or another metric"
            ))
        })
    }
}

/// The best value of a curve and its round, from 1; of equals the first.
pub(crate) fn best(curve: &[f64], direction: Direction) -> Option<(usize, f64)> {
    let better = |a: f64, b: f64| match direction {
        Direction::Higher => a > b,
        Direction::Lower => a < b,
    };
    let mut best: Option<(usize, f64)> = None;
    for (round, &value) in curve.iter().enumerate() {
        if best.is_none_or(|(_, so_far)| better(value, so_far)) {
            best = Some((round + 1, value));
        }
    }
    best
}
