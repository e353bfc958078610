//! What is measured after each round: a metric or the loss, on validation lists or, without them, on
//! training lists.

use stakes_core::metric::{Direction, PreparedLists, per_price};

use super::objective::Objective;
use crate::error::FitError;
use crate::prepared::Prepared;
use stakes_model::{Link, finite_product};

/// What is measured.
pub(crate) enum Measure<'m> {
    /// A metric of the scores of the model.
    Metric(PreparedLists<'m>),
    /// The loss that is minimised.
    Loss { name: String, objective: &'m Objective<'m> },
}

/// How a raw score becomes the score of the model.
pub(crate) struct Finish<'m> {
    pub(crate) link: Link,
    pub(crate) unit: f64,
    /// Other factors of the score, by item.
    pub(crate) others: Option<&'m [f64]>,
    /// A last factor, the same for all items.
    pub(crate) smearing: f64,
    /// What the score of each item is divided by, where money is spent.
    pub(crate) price: Option<&'m [f64]>,
}

impl Finish<'_> {
    /// What an item is ranked by: the score of the model, or that per price.
    fn priority(&self, item: usize, sum: f64) -> f64 {
        let score = self.score(item, sum);
        self.price.map_or(score, |price| per_price(score, price[item]))
    }

    /// Multiplies in the order of the factors, so that the result is the score of the model to the bit.
    fn score(&self, item: usize, sum: f64) -> f64 {
        let before =
            self.others.map_or(self.unit, |others| finite_product(self.unit, others[item]));
        finite_product(finite_product(before, self.link.apply(sum)), self.smearing)
    }
}

impl Measure<'_> {
    pub(crate) fn name(&self, prepared: &Prepared<'_>) -> String {
        let what = self.what();
        match (&prepared.validation, &prepared.folds) {
            (Some(_), _) => format!("{what} on validation lists"),
            (None, Some(_)) => format!("cross-validated {what}"),
            (None, None) => format!("{what} on training lists"),
        }
    }

    fn what(&self) -> String {
        match self {
            Measure::Metric(lists) => lists.metric().name(),
            Measure::Loss { name, .. } => name.clone(),
        }
    }

    pub(crate) fn direction(&self) -> Direction {
        match self {
            Measure::Metric(lists) => lists.metric().direction(),
            Measure::Loss { .. } => Direction::Lower,
        }
    }

    /// How many values of the curve are averaged ([`smooth`]): a metric of few items changes by jumps,
    /// a loss hardly from round to round.
    pub(crate) fn smoothing(&self) -> usize {
        match self {
            Measure::Metric(_) => 10,
            Measure::Loss { .. } => 1,
        }
    }

    pub(crate) fn value(&self, raw: &[f64], finish: &Finish<'_>) -> Result<f64, FitError> {
        let value = match self {
            Measure::Loss { objective, .. } => objective.value(raw),
            Measure::Metric(lists) => {
                lists.evaluate_mapped(raw, |item, sum| finish.priority(item, sum))?.figure
            }
        };
        value.ok_or_else(|| {
            FitError::Data(format!(
                "{} has no value on these lists: none of them has anything to save or to \
                 compare; give other lists to validate with, or another metric",
                self.what()
            ))
        })
    }
}

/// The mean of each value and those before it, so many in all: which round is the best must not hang
/// on chance. Example: (1, 4, 1) by two is (1, 2.5, 2.5).
pub(crate) fn smooth(curve: &[f64], window: usize) -> Vec<f64> {
    let mean = |at: usize| {
        let recent = &curve[(at + 1).saturating_sub(window)..=at];
        recent.iter().sum::<f64>() / recent.len() as f64
    };
    (0..curve.len()).map(mean).collect()
}

/// The best round of a curve, from 1, and its value; the first of equal ones.
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
